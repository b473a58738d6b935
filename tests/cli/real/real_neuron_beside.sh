#!/bin/bash
# Real files of what lies beside Neuron profiles: NEFFs find their profiles, adjusted FLOP of newer
# summaries give the profiler's own ratios, a pasted table gives those that the screen shows.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
cd "$scratch" || exit 2
near() { # NAME ACTUAL EXPECTED [RELATIVE]
	check "$1: $2, not $3" awk -v a="$2" -v b="$3" -v r="${4:-1e-6}" \
		'BEGIN { d = a - b; exit !(a != "null" && (d < 0 ? -d : d) <= r * b) }'
}

# Every NEFF lies with its profile; its version is read here with other tools.
pairs=0
for neff in "$data"/allenkchau*/*/*.neff; do
	folder=${neff%/*}
	run ingest --dry-run --json --set kernel=attention,dtype=bf16 "$folder"
	equal "${folder##*/}: $err" "$status" 0
	equal "hash" "$(jq -r '.runs[0].kernel_hash' <<<"$out")" \
		"$(tail -c +$((0xac + 1)) "$neff" | head -c 16 | od -An -tx1 | tr -d ' \n')"
	equal "joined" "$(jq -r '[.runs[0].versions[] | select(.key | startswith("neff_")) | .text] |
		join(" ")' <<<"$out")" "$(basename "$neff") $(tail -c +$((0xcc + 1)) "$neff" |
		head -c 16 | od -An -tx1 | tr -d ' \n') $(tail -c +1025 "$neff" |
		tar -xzOf - info.json | jq -r .tool_version)"
	check "the trace is passed over: $err" grep -q 'its profile is read from' <<<"$err"
	pairs=$((pairs + 1))
done
check "there are pairs: $pairs" [ "$pairs" -ge 6 ]
# What the profiler read in the NEFF, the trace's run has from it as well.
joined='.runs[0] | [.kernel_hash, .tensors, (.versions[] | select(.key == "compiler_version") | .text),
	(.metrics | .inputs_and_weights_bytes, .inputs_outputs_weights_bytes, .weight_bytes, .mbu_min_read,
	.traffic_ratio | .value)]'
for trace in "$data"/allenkchau*/*/*.ntff; do
	folder=${trace%/*}
	run ingest --dry-run --json --set kernel=attention,dtype=bf16 "$folder"/json_reports/*.json
	expected=$(jq -c "$joined" <<<"$out")
	check "the profile knows them: $expected" [ "$(grep -c null <<<"$expected")" = 0 ]
	run ingest --dry-run --json --set kernel=attention,dtype=bf16 "$trace"
	equal "${folder##*/}: $err" "$(jq -c "$joined" <<<"$out")" "$expected"
done
# Each folder's NEFF is refused for every other folder's trace.
neffs=("$data"/allenkchau*/*/*.neff)
for trace in "$data"/allenkchau*/*/*.ntff; do
	for neff in "${neffs[@]}"; do
		[ "${neff%/*}" != "${trace%/*}" ] || continue
		run ingest --dry-run --set kernel=attention "$trace" "$neff"
		equal "a stranger's NEFF" "$status" 2
		check "is named: $err" grep -qF "$neff: the given NEFF is " <<<"$err"
	done
done
# One folder's NEFF joins no other folder's profile.
run ingest --dry-run --json --set kernel=a,dtype=bf16 \
	"$data"/allenkchau*/baseline_bf16_s512/json_reports "$data"/allenkchau*/fused_bf16_s512/fused.neff
equal "a stranger's NEFF" "$(jq '[.runs[].versions[] | select(.key | startswith("neff_"))] | length' \
	<<<"$out")" 0

# summary-json 2.32: ratios by the adjusted FLOP, P = 2 x 128 x 128 x 2.4 GHz, BW = 1178 GB/s.
summaries=0
for summary in "$data"/yahavb*/results/pairs/*/summary.json; do
	run ingest --dry-run --json --set kernel=k,dtype=bf16 "$summary"
	while read -r key expected; do
		near "$(basename "$(dirname "$summary")") $key" \
			"$(jq --arg key "$key" '.runs[0].metrics[$key].value' <<<"$out")" "$expected"
	done < <(jq -r '.[] | .P = 2 * 128 * 128 * 2.4e9 * .total_time |
		.R = .hbm_read_bytes + .hbm_write_bytes |
		"mfu \((.adjusted_hardware_flops - .adjusted_transpose_flops) / .P)",
		"mfu \(.mfu_inst_estimated_percent)", "hfu \(.adjusted_hardware_flops / .P)",
		"hfu \(.hfu_estimated_percent)", "mfu_hlo \(.model_flops / .P)",
		"mfu_hlo \(.mfu_hlo_estimated_percent)",
		"mfu_max_achievable \(.mfu_inst_max_achievable_estimated_percent)",
		"mbu \(.R / .total_time / 1.178e12)", "mbu \(.mbu_estimated_percent)",
		"arithmetic_intensity \(.mm_arithmetic_intensity)",
		"total_exec_time \(.total_exec_time)"' "$summary")
	equal "nki_version" "$(jq -r '.runs[0].versions[] | select(.key == "nki_version").text' <<<"$out")" \
		"$(jq -r '.[].nki_version' "$summary")"
	summaries=$((summaries + 1))
done
check "there are summaries: $summaries" [ "$summaries" -ge 3 ]

# The pasted table: what is recomputed agrees with what the screen showed, to its four digits.
run ingest --dry-run --json --set kernel=bert,dtype=bf16,cores=1 "$data"/unknown*/*.md
equal "the pasted table: $err" "$status" 0
while read -r key expected; do
	near "screen: $key" "$(jq --arg key "$key" '.runs[0].metrics[$key].value' <<<"$out")" \
		"$expected" 2e-3
done <<'END'
total_time 0.05482
hbm_read_bytes 4289598587
arithmetic_intensity 73.09
core_ridge_point 223.78
mbu 0.3199
mbu_min_read 0.0585
hfu 0.1265
mfu 0.1045
mfu_hlo 0.1045
mfu_max_achievable 0.3266
tensor_engine_occupancy 0.2121
dma_occupancy 0.8195
dma_average_bytes 296308.7
END

# Those whose units nothing vouches for are refused with that reason.
for file in "$data"/lior*/results/*.json "$data"/pantheon*/data/baselines.json; do
	refused "${file##*/}" "${file##*/}|with unverified units" \
		ingest --dry-run --set kernel=k,dtype=bf16,device=trn1 "$file"
done
finish
