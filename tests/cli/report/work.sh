#!/bin/bash
# [work] sections: formulas over the parameters of runs, from the configuration to every output.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository work
check "a run is stored" "$rooflog" ingest --quiet "$root/samples/mlp"

# The sample has b=1, s=128, h=1024, i=512, bf16, and 45.26 us.
cat >.rooflog/config <<'EOF'
[work "mlp"]
	flops = 6*b*s*h*i
	bytes = w*(3*h*i + 2*b*s*h)
EOF
run show --json
equal "FLOP by the formula" "$(jq -r '.runs[0].metrics.algorithmic_flops |
	"\(.value) \(.provenance)"' <<<"$out")" "402653184 derived"
equal "bytes by the formula" "$(jq -r '.runs[0].metrics.algorithmic_bytes.value' <<<"$out")" 3670016
equal "the formula is shown" "$(jq -r '.runs[0].work.flops_formula' <<<"$out")" "6*b*s*h*i"
check "and where it stands" grep -q 'config:2"' <<<"$out"
run show
check "the card has the work: $out" grep -q '  work          402.7 MFLOP at ' <<<"$out"
check "and the formula" grep -qF '  formula       flops = 6*b*s*h*i; bytes = w*(3*h*i + 2*b*s*h)' <<<"$out"
run doctor
check "doctor tells of it: $out" grep -qF 'mlp: flops = 6*b*s*h*i, bytes = w*(3*h*i + 2*b*s*h)' <<<"$out"
run report
check "the report has it" grep -qF 'Work: FLOP = 6\*b\*s\*h\*i; bytes = ' <<<"$out"

# A formula that does not fit the run leaves the figure unknown and says why.
printf '[work "m*"]\n\tflops = 2*b*n\n' >.rooflog/config
run show
equal "other figures are shown" "$status" 0
check "the fault is a warning: $out" grep -q 'unknown name "n"; this run' <<<"$(tr -s ' \n' ' ' <<<"$out")"
run show --json
equal "no FLOP is made up" "$(jq '.runs[0].metrics.algorithmic_flops' <<<"$out")" null

# One for another kernel or variant says nothing.
printf '[work "gemm"]\n\tflops = 1\n[work "mlp"]\n\tvariant = other\n\tflops = 2\n' >.rooflog/config
run show --json
equal "no formula fits" "$(jq '.runs[0].work' <<<"$out")" null

printf '[work "mlp"]\n\tflops = 2*(b\n' >.rooflog/config
refused "a formula that is none" 'config:2: [work "mlp"] flops = 2*(b: at 5: expected )' show
printf '[work "mlp"]\n\tflop = 2\n' >.rooflog/config
refused "an unknown key" 'unknown key; available: flops, bytes, kernel, variant' log

# The example of the documentation is a configuration.
cp "$root/docs/examples/mla-work.config" .rooflog/config
run doctor
equal "the example is understood: $out" "$(grep -c 'work .*FlashMLA\|work .*FlashAttention\|work .*MLAvar6plus' <<<"$out")" 3
finish
