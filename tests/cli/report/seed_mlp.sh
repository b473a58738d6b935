#!/bin/bash
# The sample of the first seed document: each of its figures to four significant digits.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository mlp
run ingest "$root/samples/mlp"
equal "ingest: $err" "$status" 0
run show --json
values=$(jq -r '.runs[0].metrics[] | [.key, .value] | @tsv' <<<"$out" |
	awk '{ printf "%s %.4g\n", $1, $2 }')
while read -r key expected; do
	equal "$key" "$(sed -n "s/^$key //p" <<<"$values")" "$expected"
done <<'END'
total_time 4.526e-05
hardware_flops 4.278e+08
transpose_flops 2.517e+07
useful_flops 4.027e+08
mfu 0.05657
hfu 0.0601
arithmetic_intensity 59.08
mfu_max_achievable 0.2689
mbu 0.2103
ridge_point 219.7
core_ridge_point 109.8
roofline_efficiency 0.2103
hbm_bytes 6.816e+06
tensor_engine_occupancy 0.4574
END
run show
check "memory side" grep -q 'memory side of the roofline' <<<"$(tr -s ' \n' ' ' <<<"$out")"
finish
