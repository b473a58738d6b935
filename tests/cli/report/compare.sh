#!/bin/bash
# Variants side by side: tables, speed-ups, the geometric mean; source lines and opcodes.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository compare
run ingest "$root"/samples/mlp "$root"/samples/mlp-neuronxcc "$root"/samples/attention
equal "ingest: $err" "$status" 0

run compare --by variant --kernel attention
equal "compare: $err" "$status" 0
check "no line is wider than a terminal" awk 'length > 80 { exit 1 }' <<<"$out"
check "the mean is last" grep -qE '^geometric mean +fused +of 2 +1\.484x$' <<<"$out"
run compare --by variant --kernel attention --json
equal "speed-ups of fused" "$(jq -r '.kernels[0].configurations[].rows[1].speedup' <<<"$out" |
	awk '{ printf "%.4f ", $1 }')" "1.4818 1.4864 "
equal "geometric mean" "$(jq -r '.kernels[0].geometric_means[0] | "\(.value) \(.speedup)"' <<<"$out" |
	awk '{ printf "%s %.4f", $1, $2 }')" "fused $(awk 'BEGIN {
	printf "%.4f", sqrt(32.41822 / 21.877403 * 54.871069 / 36.914772) }')"
run compare --by variant --kernel mlp --against neuronxcc
check "against a chosen one: $out" grep -qE 'nkilib +45.26 us .* 0\.870x' <<<"$out"
run compare --by variant --kernel mlp --as md
check "Markdown: $out" grep -qE '^\| mlp +\| nkilib +\| 45\.26 us .* \|$' <<<"$out"
equal "its heading" "${out%%$'\n'*}" "## mlp"
run compare --by variant --kernel mlp -o by.md -o by.json
equal "files: $err" "$status" 0
check "the same Markdown" cmp by.md <("$rooflog" compare --by variant --kernel mlp --as md)
run compare --by s
check "what has one size only is counted: $err" grep -q 'skipped 2 configurations' <<<"$err"
refused "no such variant" 'no run has variant "triton"' compare --by variant --against triton
refused "nothing differs" 'nothing to compare' compare --by dtype
refused "three commits" 'expected at most two sides, got' compare HEAD HEAD HEAD

# The list of runs has the metric that is asked for in the place of the time.
run log --kernel mlp --metric hbm_bytes
check "its title: $out" grep -qE '^run +commit +date +kernel +HBM traffic +MFU$' <<<"$out"
check "its numbers: $out" grep -qE ' nkilib .* [0-9.]+ MB ' <<<"$out"
run log --kernel mlp --metric mfu
check "MFU is not there twice: $out" grep -qE '^run +commit +date +kernel +MFU$' <<<"$out"
run log --kernel mlp --metric hbm_bytes --json
equal "in JSON: $err" "$(jq -r '[.. | .headline?.key? // empty] | unique | join(" ")' <<<"$out")" hbm_bytes

run show --source mlp.py:61 --variant nkilib
check "a source line: $out" grep -qE '^mlp\.py:61 +24 +6\.494 us ' <<<"$out"
run show --source '/./' --kernel mlp --json
check "any line" jq -e '.attributions | length == 10 and all(.[]; .kind == "source")' <<<"$out" >/dev/null
run show --opcode 'MAT*' --json
equal "an opcode in all runs" "$(jq '.attributions | length' <<<"$out")" 6
check "the longest is first" jq -e '[.attributions[].time.value] | . == (sort | reverse)' <<<"$out" >/dev/null
run show --opcode NOTHING
check "nothing matches: $err" grep -q 'no matches in 6 runs' <<<"$err"

data=$root/../shared/data/neuron/allenkchau+trainium-kernel-fusion
if [ -d "$data" ]; then
	repository real
	for variant in baseline fused; do
		for s in 512 1024; do
			run ingest --set kernel=attention --set variant=$variant --set dtype=bf16 --set "s=$s" \
				"$data/${variant}_bf16_s$s"/json_reports/*.json
			equal "ingest $variant $s: $err" "$status" 0
		done
	done
	run compare --by variant --json
	equal "real captures: fused is faster by" "$(jq -r '.kernels[0].configurations[].rows[1].speedup' \
		<<<"$out" | awk '{ printf "%.3f ", $1 }')" \
		"$(awk 'BEGIN { printf "%.3f %.3f ", 54.277 / 36.352, 102.670 / 66.206 }')"
else
	echo "skipped: no ../shared/data"
fi
finish
