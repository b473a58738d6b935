#!/bin/bash
# FLOP of a GPU's kernels in an XPlane file: of the dots in its programs, if one kernel ran for each.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

run show --json --set dtype=bf16,device=mi300x "$root/samples/formats/frameworks/xplane/sample-gpu.xplane.pb"
equal "status: $err" "$status" 0
flops() { # KERNEL
	jq -c "[.runs[] | select(.kernel == \"$1\") | .metric_rows[] | select(.key == \"algorithmic_flops\") |
		[.value, .provenance]]" <<<"$out"
}
equal "a dot in a fusion: 2 x 128 x 64 x 256" "$(flops gemm_fusion_dot)" '[[4194304,"derived"]]'
equal "one of two kernels for one product" "$(flops Cijk_MT128x64)" '[]'
equal "the other one" "$(flops Cijk_MT64x64_splitK)" '[]'
equal "a convolution" "$(flops igemm_fwd)" '[]'
equal "elementwise work" "$(flops loop_convert_fusion)" '[]'
check "its share of the peak: 2 x 128 x 64 x 256 / 32 us / 1307.4 TFLOP/s" \
	jq -e '.runs[] | select(.kernel == "gemm_fusion_dot") | .metric_rows[] |
		select(.key == "mfu_algorithmic") | (.value - 4194304 / 32e-6 / 1307.4e12 | fabs) < 1e-12' <<<"$out"
finish
