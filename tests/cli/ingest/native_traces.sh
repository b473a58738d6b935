#!/bin/bash
# Native traces and what lies beside them: NEFFs join by UUID or are refused, profiles are preferred
# in directories, and what stays unknown is said with what would supply it.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository traces

samples=$root/samples/formats
trace=$samples/neuron/ntff/sample-v6-trn2-window.ntff      # its UUID is that of the sample NEFF
second=$samples/neuron/ntff/sample-v5-trn2-two-cores.ntff  # of the same UUID
cut=$samples/neuron/ntff/sample-v5-inf2-fractional-clocks.ntff # knows 3fa1c4d2 and no more
uuid=0102030405060708090a0b0c0d0e0f10
runs() { jq -c "$1" <<<"$out"; } # FILTER
neff() { # UUID FILE: the sample of another capture
	local bytes
	# shellcheck disable=SC2001 # two digits at a time
	bytes=$(sed 's/../\\x&/g' <<<"$1")
	head -c $((0xac)) "$samples/neuron/neff/sample.neff"
	printf '%b' "$bytes" # the hash, too
	tail -c +$((0xac + 17)) "$samples/neuron/neff/sample.neff" | head -c 16
	printf '%b' "$bytes"
	tail -c +$((0xcc + 17)) "$samples/neuron/neff/sample.neff"
}
other=a0a1a2a3a4a5a6a7a8a9aaabacadaeaf
missing='[.runs[].warnings[] | select(.category == "missing") | .message]'
who=(--set "kernel=mlp,dtype=bf16")

# --- a trace alone says what would supply the rest ---
mkdir alone pair
cp "$trace" alone/mlp_exec_2.ntff
run ingest "${who[@]}" --json alone/mlp_exec_2.ntff
equal "alone: $err" "$(runs '[.runs[] | [.tool, .kernel_hash, .metrics.weight_bytes.value]]')" \
	'[["ntff",null,null]]'
id=$(jq -r '.runs[0].id' <<<"$out")
check "it asks for the NEFF by its UUID: $(runs "$missing")" \
	grep -q "its NEFF with the UUID $uuid" <<<"$out"
check "and for what no NEFF says" grep -q 'model_flops.*neuron-profile.*\[work\] formula' <<<"$out"
equal "which is no warning: $err" "$(grep -c 'does not say' <<<"$err")" 0
run show "$id" --details
check "told in reports: $out" grep -q '^  missing  *the trace lacks' <<<"$out"

check "versions without empty parentheses: $out" [ "$(grep -c '()' <<<"$out")" = 0 ]
check "which are shown" grep -q 'driver [0-9]' <<<"$out"

# --- with its NEFF ---
cp "$trace" pair/mlp_exec_2.ntff
cp "$samples/neuron/neff/sample.neff" pair/mlp.neff
for arguments in pair pair/mlp_exec_2.ntff "pair/mlp_exec_2.ntff pair/mlp.neff" \
	"pair/mlp.neff alone/mlp_exec_2.ntff"; do
	# shellcheck disable=SC2086 # several arguments
	run ingest "${who[@]}" --dry-run --json $arguments
	equal "$arguments: $err" "$(runs '[.runs[] | [.kernel_hash, (.tensors | length),
		(.metrics | .inputs_and_weights_bytes, .inputs_outputs_weights_bytes, .weight_bytes |
		[.value, .provenance])]]')" '[["5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",4,[66048,"reported"],[131584,"reported"],[512,"reported"]]]'
	equal "$arguments: words" "$(runs '[.runs[].versions[] | select(.key | test("^neff|compiler")) |
		"\(.key)=\(.text)"] | sort')" \
		"[\"compiler_version=2.23.6484.0+samples\",\"neff_name=mlp.neff\",\"neff_tool_version=2.23.6484.0+samples\",\"neff_uuid=$uuid\"]"
	equal "$arguments: the NEFF is not asked for" "$(runs "$missing" | grep -c 'UUID')" 0
	check "$arguments: the rest is" grep -q 'model_flops' <<<"$(runs "$missing")"
	check "$arguments: what follows from the sizes" jq -e \
		'.runs[0].metrics | .traffic_ratio.value > 0 and .mbu_min_read.value > 0' <<<"$out" >/dev/null
done
run ingest "${who[@]}" --json pair
equal "the run is the one that was stored without: $err" "$(runs '[.runs[] | [.id, .state]]')" \
	"[[\"$id\",\"known\"]]"
check "which is said: $err" \
	grep -q 'warning: pair/mlp_exec_2.ntff is already stored without the tensor data of pair/mlp.neff' <<<"$err"
run ingest "${who[@]}" --set variant=whole pair
run ingest "${who[@]}" --set variant=whole pair
equal "the same again needs no word: $err" "$(grep -c 'stored before' <<<"$err")" 0
refused "a NEFF alone" "no profiles found in the given paths|mlp.neff" ingest pair/mlp.neff
cp "$samples/neuron/neff/sample-without-a-size.neff" pair/mlp.neff
run ingest "${who[@]}" --dry-run --json pair
equal "a size that the NEFF leaves open: $err" "$(runs '[.runs[] | .metrics |
	.inputs_and_weights_bytes.value, .inputs_outputs_weights_bytes.value, .weight_bytes.value]')" \
	'[null,null,512]'
check "is still missing: $(runs "$missing")" grep -q 'their sizes' <<<"$(runs "$missing")"
cp "$samples/neuron/neff/sample.neff" pair/mlp.neff

# --- with another one ---
neff $other >wrong.neff
mkdir bad stray
cp "$trace" bad/mlp_exec_2.ntff
cp wrong.neff bad/mlp.neff
for arguments in bad bad/mlp_exec_2.ntff "bad/mlp_exec_2.ntff pair/mlp.neff"; do
	# shellcheck disable=SC2086
	refused "$arguments" "bad/mlp_exec_2.ntff: the trace belongs to NEFF $uuid|bad/mlp.neff next to it is NEFF $other" \
		ingest "${who[@]}" --set variant=bad $arguments
done
refused "named with it" "wrong.neff: the given NEFF is $other, but alone/mlp_exec_2.ntff|belongs to NEFF $uuid" \
	ingest "${who[@]}" --set variant=bad alone/mlp_exec_2.ntff wrong.neff
refused "named with a pair" "wrong.neff: the given NEFF is $other" \
	ingest "${who[@]}" --set variant=bad pair/mlp_exec_2.ntff pair/mlp.neff wrong.neff
run ingest "${who[@]}" --dry-run --json --keep-going bad pair
equal "--keep-going leaves the trace out: $err" "$(runs '[.runs[].source]')" '["pair/mlp_exec_2.ntff"]'
check "with the reason: $err" grep -q 'skipped bad/mlp_exec_2.ntff: the trace belongs to NEFF' <<<"$err"
run ingest "${who[@]}" --dry-run --json --keep-going alone/mlp_exec_2.ntff wrong.neff
equal "--keep-going leaves the NEFF out: $err" "$(runs '[.runs[].kernel_hash]')" '[null]'
check "saying so: $err" grep -q 'skipped wrong.neff: the given NEFF is' <<<"$err"
cp "$trace" stray/mlp.ntff
cp wrong.neff stray/attention.neff
refused "the only one there" "stray/mlp.ntff|stray/attention.neff|$other" ingest "${who[@]}" stray
cp "$second" stray/mlp2.ntff
run ingest "${who[@]}" --split-by file --dry-run --json stray
equal "among several traces it is some other's: $err" "$(runs '[.runs[].kernel_hash]')" '[null,null]'
run ingest "${who[@]}" --dry-run --json alone wrong.neff
equal "a walk is not named with it: $err" "$(runs '[.runs[].kernel_hash]')" '[null]'
head -c 1100 "$samples/neuron/neff/sample.neff" >pair/broken.neff
refused "a broken NEFF" "pair/broken.neff|truncated" ingest "${who[@]}" pair
rm pair/broken.neff

# What lies beside a trace that was named is read as a NEFF or not at all, and that is said.
mkdir damaged
cp "$trace" damaged/mlp_exec_2.ntff
head -c 1100 "$samples/neuron/neff/sample.neff" >damaged/mlp.neff
run ingest "${who[@]}" --dry-run --json damaged/mlp_exec_2.ntff
equal "a broken NEFF beside it: $err" "$(runs '[.runs[].kernel_hash]')" '[null]'
check "is told: $err" grep -q 'damaged/mlp.neff was ignored: .*truncated' <<<"$err"
cp "$root/samples/mlp/profile.json" damaged/mlp.neff
run ingest "${who[@]}" --dry-run --json damaged/mlp_exec_2.ntff
equal "a profile under a NEFF's name is not read: $err" "$(runs '[.runs[].tool]')" '["ntff"]'
check "which is told: $err" grep -q 'damaged/mlp.neff was ignored: not a NEFF' <<<"$err"

mkdir nameless
cp "$trace" nameless/mlp.ntff
{
	head -c $((0xcc)) "$samples/neuron/neff/sample.neff"
	head -c 16 /dev/zero
	tail -c +$((0xcc + 17)) "$samples/neuron/neff/sample.neff"
} >nameless/mlp.neff
run ingest "${who[@]}" --dry-run --json nameless
equal "without a UUID it is not joined: $err" "$(runs '[.runs[].kernel_hash]')" '[null]'
check "which is said: $err" grep -q 'nameless/mlp.neff was ignored: the NEFF has no UUID' <<<"$err"

# --- several pairs, and UUIDs that are cut off ---
mkdir several
cp "$trace" several/a.ntff
cp "$cut" several/b.ntff
cp "$samples/neuron/neff/sample.neff" several/a.neff
neff 3fa1c4d200a5a6a7a8a9aaabacadaeaf >several/b.neff
run ingest "${who[@]}" --dry-run --json several
equal "each finds its own: $err" "$(runs '[.runs[] | [.source, .kernel_hash[:10]]]')" \
	'[["several/a.ntff","5a5a5a5a5a"],["several/b.ntff","3fa1c4d200"]]'
neff 3fa1c4d300a5a6a7a8a9aaabacadaeaf >several/b.neff
refused "a beginning that differs" "several/b.ntff: the trace belongs to NEFF 3fa1c4d2...|is NEFF 3fa1c4d300" \
	ingest "${who[@]}" several

# --- a profile of the same capture ---
mkdir -p both/json
cp "$trace" both/mlp.ntff
neff_of_profile=$(grep -o '"uuid":"[0-9a-f]*"' "$root/samples/mlp/profile.json")
sed "s/$neff_of_profile/\"uuid\":\"$uuid\"/" "$root/samples/mlp/profile.json" >both/json/profile.json
run ingest "${who[@]}" --dry-run --json both
equal "in a directory the profile is read: $err" "$(runs '[.runs[].tool]')" '["neuron-profile"]'
check "and the trace passed over: $err" \
	grep -q 'skipped both/mlp.ntff: a native trace; its profile is read from both/json/profile.json' <<<"$err"
check "and not counted: $err" grep -q '1 file read: 1 run found, 1 skipped' <<<"$err"
run ingest "${who[@]}" --set variant=both --json both/mlp.ntff both/json/profile.json
equal "named, both are read: $err" "$(runs '[.runs[].tool] | sort')" '["neuron-profile","ntff"]'
run show --json --variant both
equal "and are two series, not samples of one" "$(runs '[.runs[] | [.tool, .samples]] | sort')" '[["neuron-profile",null],["ntff",null]]'
run ingest "${who[@]}" --dry-run --json both/mlp.ntff both
equal "also when the rest is a directory: $err" "$(runs '[.runs[].tool] | sort')" \
	'["neuron-profile","ntff"]'
cp "$root/samples/mlp/profile.json" both/json/profile.json
run ingest "${who[@]}" --dry-run --json both
equal "a profile of another kernel is not the trace's: $err" "$(runs '[.runs[].tool] | sort')" \
	'["neuron-profile","ntff"]'

# --- executions ---
mkdir executions
cp "$trace" executions/mlp_exec_2.ntff
cp "$trace" executions/mlp_exec_3.ntff
run ingest "${who[@]}" --dry-run --json executions
equal "executions of one kernel are one run: $err" "$(runs '[.runs[].spreads[].count]')" '[2]'
# Records end with a NUL, which the UUID does not have.
LC_ALL=C sed -z 's/\x01\x02\x03\x04\x05\x06\x07\x08\x09/\xa1\xa2\x03\x04\x05\x06\x07\x08\x09/g' "$trace" \
	>executions/mlp_exec_3.ntff
run ingest "${who[@]}" --dry-run --json executions
equal "of two kernels they are two: $err" "$(runs '[.runs[].versions[] | select(.key == "uuid").text[:4]]')" \
	'["0102","a1a2"]'

# --- what stays private ---
mkdir private
python3 "$root/tests/cli/ntff/make_ntff.py" private
for version in v4 v5 v6 odd; do
	check "$version: there is something private" grep -qa 'PRIVATE' private/$version.ntff
	run ingest "${who[@]}" --set variant=$version --json private/$version.ntff
	equal "$version: is stored: $err" "$(runs '[.runs[].state]')" '["stored"]'
	equal "$version: nothing private is told" "$(grep -cE 'PRIVATE|4711231' <<<"$out$err")" 0
	uuid_known=$(jq -r '.runs[0].versions[] | select(.key | startswith("uuid")).text' <<<"$out")
	check "$version: the store has its UUID" grep -qa "$uuid_known" .rooflog/runs.db*
done
equal "nothing private is stored" "$(cat .rooflog/runs.db* | grep -caE 'PRIVATE|private (memory|path)|4711231')" 0
for format in md html json; do
	run report --as $format
	equal "$format: nothing private" "$(grep -cE 'PRIVATE|4711231' <<<"$out")" 0
done

# --- an export of nsys has the name of its report; statistics may have any ---
mkdir captures
cp "$samples/nvidia/nsys-stats/sample.csv" captures/stats.csv
echo report >captures/other.nsys-rep
run ingest --dry-run --no-tools --set device=h100-sxm captures
check "statistics of the only report: $err" grep -q 'its profile is read from captures/stats.csv' <<<"$err"
rm captures/stats.csv
cp "$samples/nvidia/nsys-sqlite/sample.sqlite" captures/report.sqlite
run ingest --dry-run --no-tools captures
check "an export of another report: $err" grep -q 'skipped captures/other.nsys-rep: .*convert it with: nsys export' <<<"$err"
mv captures/other.nsys-rep captures/report.nsys-rep
run ingest --dry-run --no-tools captures
check "its own: $err" grep -q 'its profile is read from captures/report.sqlite' <<<"$err"

# --- what must be given ---
refused "the kernel" "alone/mlp_exec_2.ntff does not say its kernel|--set kernel=NAME" \
	ingest alone/mlp_exec_2.ntff
run ingest --set kernel=mlp --dry-run --json alone
equal "the dtype is in the instructions: $err" "$(runs '[.runs[].dtype]')" '["fp32"]'
echo '{"dtype": "bf16"}' >alone/params.json
run ingest --set kernel=mlp --dry-run --json alone
equal "unless params.json says another: $err" "$(runs '[.runs[].dtype]')" '["bf16"]'
run ingest --set kernel=mlp,dtype=fp8 --dry-run --json alone
equal "also when something else is stated: $err" "$(runs '[.runs[].dtype]')" '["bf16"]'
rm alone/params.json
run ingest --set kernel=mlp,dtype=fp8 --dry-run --json alone
equal "or something is stated: $err" "$(runs '[.runs[].dtype]')" '["fp8"]'
finish
