#!/bin/bash
# Six captures of an attention kernel, three plain and three fused, at two commits: every figure
# known from their reports comes out.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron/allenkchau+trainium-kernel-fusion
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

ingest() { # VARIANT DTYPE S
	run ingest --set kernel=attention --set "variant=$1" --set "dtype=$2" --set "s=$3" \
		"$data/$1_$2_s$3"/json_reports/*.json
	equal "ingest $1 $2 s$3: $err" "$status" 0
}

repository real
for variant in baseline fused; do
	commit "$variant"
	ingest $variant bf16 512
	ingest $variant bf16 1024
	ingest $variant fp32 1024
done

# variant dtype s: total time us, MFU, AI, max achievable, tensor occupancy
while read -r variant dtype s expected; do
	[ -n "$variant" ] || continue
	run log --variant "$variant" --dtype "$dtype" --json
	actual=$(jq -r --arg s "$s" '.runs[] | select(.params == [{"name": "s", "value": $s}]) | .metrics |
		[.total_time, .mfu, .arithmetic_intensity, .mfu_max_achievable, .tensor_engine_occupancy] |
		map(.value) | @tsv' <<<"$out" |
		awk '{ printf "%.2f/%.4f/%.4g/%.3g/%.3g", $1 * 1e6, $2, $3, $4, $5 }')
	equal "$variant $dtype $s" "$actual" "$expected"
done <<'END'
baseline bf16 512 54.28/0.0236/41.8/0.19/0.261
baseline bf16 1024 102.67/0.0499/44.93/0.205/0.353
baseline fp32 1024 116.92/0.0584/56.69/0.258/0.407
fused bf16 512 36.35/0.0352/323.4/1/0.417
fused bf16 1024 66.21/0.0773/702.2/1/0.543
fused fp32 1024 73.29/0.0931/496.5/1/0.633
END

run show
check "one of two cores works" grep -q 'only 1 of 2 physical cores works' <<<"$(tr -s ' \n' ' ' <<<"$out")"
check "it concerns all three runs" grep -q '^! all runs, [a-z.]* [^:]*: Work on one core' <<<"$out"

# 33 to 37 % less time, said in each devlog.
for row in 'bf16 512 33.0' 'bf16 1024 35.5' 'fp32 1024 37.3'; do
	read -r dtype s less <<<"$row"
	printf '# A\n\n## Development log\n\n### V1: fused\n\n**What changed**: all.\n' >log.md
	run devlog log.md --kernel attention --dtype "$dtype" --params "s=$s"
	equal "devlog $row: $err" "$status" 0
	check "devlog says $less % less time" grep -q "($less % less time)" log.md
done

# A template of one's own, whatever line ends its sections leave.
printf '{{#runs}}{{#devlog}}\n{{{heading}}}\n\n{{{table}}}\n\n**Bottleneck**: mine\n\n{{/devlog}}{{/runs}}' >own.md
run devlog log.md --kernel attention --dtype bf16 --params s=512 --template ./own.md
equal "own template: $err" "$status" 0
check "own template is used" grep -q '^\*\*Bottleneck\*\*: mine$' log.md

run gate --exit-code
equal "other variants are no baseline" "$status" 5
finish
