#!/bin/bash
# A real history, judged commit by commit: sentinels are never values, statuses are those of the
# verdicts, alarms stay rare, and the same question has the same answer.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
history=$root/../shared/data/trackers/EnzymeAD+Reactant.jl/benchmarks_tflops/data.js
[ -e "$history" ] || { echo "skipped: no ../shared/data" && exit 0; }

python3 bench/verdicts/replay.py --rooflog "$rooflog" --history Reactant.jl --last 6 \
	--work "$scratch" --json "$scratch/figures.json" >"$scratch/said" ||
	{ cat "$scratch/said" && exit 1; }
figure() { # QUERY
	jq -r ".[0] | $1" "$scratch/figures.json"
}

# -1 stands for what did not run.
sed '1s/^[^{]*//; $s/;$//' "$history" >"$scratch/data.json"
real=$(jq '[.entries[][].benches[].value | select(. > 0)] | length' "$scratch/data.json")
sentinels=$(jq '[.entries[][].benches[].value | select(. <= 0)] | length' "$scratch/data.json")
check "the history has sentinels: $sentinels" [ "$sentinels" -gt 1000 ]
equal "what is above 0 is stored" "$(figure .stored)" "$real"
equal "and nothing else" "$(figure .not_positive)" 0

equal "commits judged" "$(figure '.nearest.commits, .window.commits' | paste -sd' ')" "6 6"
check "most of the series can be judged: $(figure .nearest.counts)" \
	jq -e '.[0].nearest.counts | .judged > 0.9 * .comparisons' "$scratch/figures.json" >/dev/null
check "first looks raise few alarms: $(figure .nearest.flags_per_1000) per 1000" \
	jq -e '.[0].nearest.flags_per_1000 < 40' "$scratch/figures.json" >/dev/null
check "one look makes no regression: $(figure .nearest.red_per_1000) per 1000" \
	jq -e '.[0].nearest.red_per_1000 < 5' "$scratch/figures.json" >/dev/null
check "what is red tonight is red tomorrow: $(figure .window.overlap_red)" \
	jq -e '.[0].window.overlap_red > 0.5' "$scratch/figures.json" >/dev/null

# Every verdict has its numbers, and the status is that of the worst of them.
cd "$scratch/Reactant.jl" || exit 2
for commit in HEAD HEAD~1 HEAD~2; do
	for against in nearest window; do
		run gate --exit-code --against "$against" --json "$commit"
		cp "$scratch/.out" "$scratch/first.json"
		check "$commit $against: no sentinel is judged" jq -e '[.gate.comparisons[] |
			.baseline.value, .candidate.value | select(. != null and . <= 0)] == []' \
			"$scratch/first.json" >/dev/null
		check "$commit $against: all are counted" jq -e '.gate | .counts.comparisons ==
			(.comparisons | length) and ([.comparisons | group_by(.verdict)[] |
			{key: .[0].verdict, value: length}] | from_entries) ==
			(.counts | del(.series, .comparisons, .primary, .judged, .newly_bad) |
			with_entries(select(.value > 0)))' "$scratch/first.json" >/dev/null
		equal "$commit $against: status" "$status" "$(jq --arg against "$against" '.gate.comparisons |
			map(.verdict) | if any(IN("regressed", "failed", "drift")) then 1
			elif any(IN("missing", "incomparable")) then 5
			elif any(. == "environment" or ($against == "nearest" and IN("suspect", "undecided"))) then 3
			elif any(. == "stale") then 6 else 0 end' "$scratch/first.json")"
		run gate --exit-code --against "$against" --json "$commit"
		check "$commit $against: the same again" cmp -s "$scratch/.out" "$scratch/first.json"
	done
done
finish
