#!/bin/bash
# The same capture by two tools: they stay two series, `compare --by tool` says how far they agree,
# and a [tool] section makes them one from then on.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

trace=$root/samples/formats/neuron/ntff/sample-v6-trn2-window.ntff
repository tools
run ingest --set kernel=mlp "$trace"
equal "ingest of a trace: $err" "$status" 0
refused "one run" 'nothing to compare: only one matching run' compare --by tool
refused "no run" "has kernel 'nothing'; kernels there: mlp" compare --by tool --kernel nothing
run ingest --set kernel=mlp,dtype=fp8 "$trace"
refused "what must be equal is said" 'no two of 2 runs do the same work with a different tool: kernel, variant, dtype, device and parameters must be equal' \
	compare --by tool
rm -r .rooflog
run ingest --set kernel=mlp "$trace"

# What a profiler would say of the same capture: from the trace's own figures, one of them off by
# 1/64, one more than a trace has.
"$rooflog" show --json | jq '.runs[0] | .metrics as $m | {
	summary: [{instance_type, total_time: $m.total_time.value, model_flops: 1000,
		hardware_flops: $m.hardware_flops.value, transpose_flops: $m.transpose_flops.value,
		hbm_read_bytes: ($m.hbm_read_bytes.value * 65 / 64),
		hbm_write_bytes: $m.hbm_write_bytes.value,
		tensor_engine_active_time: $m.tensor_engine_active_time.value,
		dma_active_time: $m.dma_active_time.value, event_count: $m.event_count.value}],
	metadata: [{num_physical_cores: .cores, pe_num_rows: 128, pe_num_cols: 128,
		pe_clock_freq: 2.4, hbm_ddr_bandwidth: 716000000000}]}' >profile.json
dtype=$("$rooflog" show --json | jq -r '.runs[0].dtype')
run ingest --set kernel=mlp --set "dtype=$dtype" profile.json
equal "ingest of a profile: $err" "$status" 0
run log --json
equal "two tools are two series" "$(jq -c '.runs | map(.tool) | sort' <<<"$out")" '["neuron-profile","ntff"]'

run compare --by tool
equal "compare: $err" "$status" 0
check "no line is wider than a terminal" awk 'length > 80 { exit 1 }' <<<"$out"
check "times are equal: $out" grep -qE '^ +ntff .* equal$' <<<"$out"
check "nothing is faster: $out" [ -z "$(grep -iE 'speed|mean|[0-9]x$' <<<"$out")" ]
check "what agrees is counted: $out" \
	grep -qE '^mlp, neuron-profile and ntff: [0-9]+ common metrics, [0-9]+ equal$' <<<"$out"
check "what differs is listed: $out" grep -qE '^hbm_read_bytes +[0-9.]+ kB +[0-9.]+ kB +-1\.54 %$' <<<"$out"
check "what one has alone is counted: $out" grep -qE '^[0-9]+ more only in ntff \(see --json\)$' <<<"$out"
text=$out
run compare --by tool --json
agreement='.kernels[0].configurations[0].rows[1].agreement'
equal "the same as JSON" \
	"$(jq -r "$agreement"' | "\(.common) common metrics, \(.equal) equal"' <<<"$out")" \
	"$(grep -oE '[0-9]+ common metrics, [0-9]+ equal' <<<"$text")"
check "every common metric is equal or listed" jq -e "$agreement"' |
	.common == .equal + (.different | length) and .equal > 10' <<<"$out" >/dev/null
equal "by how much" "$(jq "$agreement"'.different[] | select(.key == "hbm_read_bytes") |
	(.relative + 1) * 65' <<<"$out" | awk '{ printf "%.9f", $1 }')" 64.000000000
equal "total_time is not among them" "$(jq "$agreement"' | [.different[].key,
	.only_reference[], .only_here[]] | index("total_time")' <<<"$out")" null
check "nor is what only one knows" jq -e "$agreement"' | (.only_reference | index("model_flops")) and
	(.only_here | index("dma_packet_time"))' <<<"$out" >/dev/null
equal "there is no speed-up" "$(jq -c '[.kernels[0].configurations[0].rows[].speedup],
	.kernels[0].geometric_means' <<<"$out" | tr '\n' ' ')" "[null,null] [] "
run compare --by tool --against ntff
check "the other way round: $out" grep -qE '^hbm_read_bytes .* \+1\.56 %$' <<<"$out"
refused "no such tool" 'no run has tool "ncu"' compare --by tool --against ncu
refused "by variant there is nothing" 'nothing to compare' compare --by variant

# The metrics of variants: those that are equal too.
run ingest --set kernel=mlp,variant=other "$trace"
run compare --by variant --all-metrics --json
equal "no variant, no configuration: $err" "$status" 2
run ingest --set kernel=mlp,variant=twin "$trace"
run compare --by variant --all-metrics
check "equal variants: $out" grep -qE ', other and twin: all [0-9]+ common metrics are equal$' <<<"$out"
check "with their speed-up" grep -q ' 1\.000x$' <<<"$out"
run compare --by variant --json
equal "metrics are asked for" "$(jq '[.. | .agreement? // empty] | length' <<<"$out")" 0

# A team that changes the tool loses its history, or keeps it when it says so.
new_tool() { # REPOSITORY CONFIGURATION: a commit by the old tool, then one by the new
	repository "$1"
	run ingest --set kernel=mlp --set "dtype=$dtype" "$scratch/tools/profile.json"
	equal "$1, the old tool: $err" "$status" 0
	commit second 2026-03-02T09:00:00Z
	configure "${2//%/%%}"
	run ingest --set kernel=mlp "$trace"
	equal "$1, the new tool: $err" "$status" 0
	run log --json
	series=$(jq -c '.runs | group_by(.tool) | map(length)' <<<"$out")
	run gate --exit-code
}
new_tool another ''
equal "two tools, two series" "$series" "[1,1]"
equal "no verdict" "$status" 5
check "the tool is why: $out$err" grep -q 'another tool: neuron-profile, here ntff' <<<"$out$err"
new_tool same '[gate]\n\tnoise = 0.1 %\n[tool "ntff"]\n\tas = neuron-profile\n'
equal "one series" "$series" "[2]"
equal "the gate compares across the switch: $out$err" "$status" 0
check "with the run of the old tool: $out" grep -qE '^= unchanged .* 1$' <<<"$out"
run show --json
equal "the run says which tool it was" "$(jq -r '.runs[0] | "\(.tool) \(.versions[] |
	select(.key == "measured_by").text)"' <<<"$out")" "neuron-profile ntff"
run show --details
check "so does the card: $out" grep -q 'measured by ntff' <<<"$out"
run doctor
check "doctor tells of it: $out" grep -q 'runs of ntff are stored as neuron-profile' <<<"$out"
configure '[tool "ntff"]\n\tlike = neuron-profile\n'
refused "an unknown key" 'config:2: [tool "ntff"] like = neuron-profile: unknown key; available: as' log
configure '[tool "ntff"]\n\tas = two words\n'
refused "no tool class" 'expected tool classes such as' log
configure '[tool]\n\tas = ncu\n'
refused "no tool class to begin with" 'expected tool classes such as' log
configure '[tool "ntff"]\n\tas = ntff\n'
run ingest --dry-run --json --set kernel=mlp "$trace"
equal "as itself is nothing" "$(jq '[.runs[0].versions[] | select(.key == "measured_by")] | length' <<<"$out")" 0

# Real captures, of which both are at hand.
data=$root/../shared/data/neuron
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	finish
fi
repository real
for trace in "$data"/allenkchau*/*/*.ntff "$data"/AnchovyPark*/*/*/profile_128x128x[58]*.ntff; do
	case $trace in
	*allenkchau*) profile=$(ls "${trace%/*}"/json_reports/*.json) name=${trace%/*} ;;
	*) profile=${trace%.ntff}.json name=${trace%.ntff} ;;
	esac
	run ingest --set kernel=k,dtype=bf16 --set "capture=${name##*/}" "$trace"
	equal "${name##*/}, trace: $err" "$status" 0
	run ingest --set kernel=k,dtype=bf16 --set "capture=${name##*/}" "$profile"
	equal "${name##*/}, profile: $err" "$status" 0
done
run compare --by tool
check "times are equal" [ "$(grep -c ' equal$' <<<"$(grep -E '^ +ntff ' <<<"$out")")" = "$(
	grep -cE '^ +ntff ' <<<"$out")" ]
run compare --by tool --json
equal "captures that both tools tell of" "$(jq '.kernels[0].configurations | length' <<<"$out")" \
	"$(($(jq '[.kernels[0].configurations[].rows[]] | length' <<<"$out") / 2))"
# The JSON cuts throttle windows to nanoseconds and has aggregated rows that only the NEFF gives.
equal "nothing else differs" "$(jq -r '[.kernels[0].configurations[].rows[1].agreement.different[] |
	.key] | unique | join(" ")' <<<"$out")" "throttle_loss throttle_time trace_count"
check "there is much in common" jq -e 'all(.kernels[0].configurations[].rows[1].agreement;
	.common >= 60 and .equal >= .common - 3)' <<<"$out" >/dev/null
finish
