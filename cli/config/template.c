/* The configuration of a repository that has none. */
#include "cli/config/settings.h"

const char settings_template[] =
	"# rooflog configuration (git-config syntax). The gate reads it from the commit that a "
	"change is\n# compared with: changes here take effect once committed and merged; until "
	"then, give\n# --trust-work-tree.\n#\n# Defaults for all gate rules. A commit is judged by "
	"the noise between earlier commits.\n# Until a series (or similar ones) has 8 commits, "
	"this noise is assumed; without it, verdicts\n# stay undecided until "
	"then.\n[gate]\n\tnoise = 1 %\n#\tconfirm = true\n#\tseen-within = 30\n#\tfail-on = "
	"default\n#\n# A gate rule: which metric of which kernels is judged. A change must exceed "
	"both limits.\n# Without rules, the time of every kernel is judged, from 1 % on.\n#\n# "
	"[rule \"time\"]\n#\tmetric = total_time\n#\tkernel = *\n#\trelative = 3 %\n#\tabsolute = "
	"0.5 us\n#\n# [rule \"utilisation\"]\n#\tmetric = mfu\n#\tkernel = mlp*\n#\tat-least = 30 "
	"%\n#\n# Peaks defined here override the profile and the built-in table.\n#\n# [device "
	"\"trn2\"]\n#\tbf16 = 78.6432 TFLOP/s\n#\tbandwidth = 716 GB/s\n#\tper-core = "
	"true\n#\tsource = our own measurement\n#\n# Algorithmic work of a kernel as formulas over "
	"its parameters; w = bytes per element.\n#\n# [work \"gemm*\"]\n#\tflops = "
	"2*m*n*k\n#\tbytes = w*(m*k + k*n + m*n)\n";
