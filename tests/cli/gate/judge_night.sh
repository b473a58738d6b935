#!/bin/bash
# rooflog stats judge --together and --drift: many series in one call, second measurements, and levels that
# drift; and the benches that score them.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2

# 30 commits around 100, then what LEVELS say, an index each.
series() { # NAME LEVELS...
	local name=$1
	shift
	awk -v name="$name" -v levels="$*" 'BEGIN {
		for (i = 0; i < 30; i++)
			printf "%s,%d,%.4f\n", name, i, 100 * (1 + ((i * 7) % 11 - 5) / 250)
		count = split(levels, level, " ")
		for (i = 1; i <= count; i++)
			printf "%s,%d,%s\n", name, 29 + i, level[i]
	}'
}
night() { # LEVELS OF slow... : 40 quiet series and three that are not
	echo case,index,value
	for i in $(seq 40); do
		series "quiet$i" 100.2
	done
	series slow "$@"
	series border 103.7
	series fast 80
}

night 110 >once.csv
run stats judge once.csv
equal "alone a p of less than .01 will do: $err" "$status $(grep -E 'slow|border|fast' <<<"$out")" \
	"0 slow,regressed
border,regressed
fast,improved"
run stats judge --together once.csv
equal "together it takes more, and another measurement: $err" \
	"$status $(grep -E 'slow|border|fast' <<<"$out")" "0 slow,suspect
border,undecided
fast,improved"
equal "all are answered" "$(wc -l <<<"$out") $(grep -c unchanged <<<"$out")" "43 40"
run stats judge --together --q .5 once.csv
equal "whoever bears more false alarms" "$(grep border <<<"$out")" border,suspect
run stats judge --json --together once.csv
check "q beside p" jq -e '.series | map(select(.case == "slow"))[0] | .q_slower > .p_slower and .q_slower < .001 and
	(.gates | map(.name) | index("new level")) and (has("second") | not)' <<<"$out" >/dev/null

# A second measurement: the same file, the record ends at --base.
night 110 110.5 >confirmed.csv
night 110 100.1 >cleared.csv
night 110 100.1 100 110 100.3 >twice.csv
run stats judge --together --base 29 confirmed.csv
equal "confirmed: $err" "$status $(grep slow <<<"$out")" "0 slow,regressed"
run stats judge --together --base 29 cleared.csv
equal "cleared: $err" "$status $(grep slow <<<"$out")" "0 slow,unchanged"
run stats judge --together --base 29 twice.csv
equal "all later ones count together" "$(grep slow <<<"$out")" "slow,unchanged"
run stats judge --json --together --base 29 confirmed.csv
check "its numbers" jq -e '.series | map(select(.case == "slow"))[0].second | .effect > .1 and .p_slower < .01' \
	<<<"$out" >/dev/null

# Sisters' noise for a young record.
printf 'index,value\n0,100\n1,110\n' >young.csv
run stats judge young.csv
equal "one commit tells nothing" "$out" undecided
run stats judge --noise .01 young.csv
equal "but for its sisters: $err" "$status $out" "0 regressed"
run stats judge --noise .05 young.csv
equal "when they are quiet" "$out" undecided

# 60 commits, each tenth 1 % slower from the 20th on.
creeping() {
	echo series,index,value
	awk 'BEGIN { for (i = 0; i < 100; i++) printf "mlp,%d,%.4f\n", i + 1000,
		100 * 1.01 ^ (i < 20 ? 0 : int(i / 10) - 1) * (1 + ((i * 7) % 11 - 5) / 500) }'
	awk 'BEGIN { for (i = 0; i < 100; i++) printf "attention,%d,%.4f\n", i,
		100 * (1 + ((i * 7) % 11 - 5) / 500) }'
}
creeping >drifting.csv
for reference in release best; do
	run stats judge --drift "$reference" drifting.csv
	equal "$reference: only what creeps, and when: $err" "$status ${out/%,10[3-6]?/}" \
		"0 mlp"
	run stats judge --json --drift "$reference" drifting.csv
	check "$reference: its numbers" jq -e '.series | (.[0] | .flagged and .drift > .04 and .drift_low > .02 and
		.since >= 1030 and .current_last == 1099 and .reference_first >= 1000) and
		(.[1] | .flagged == false and .since == null)' <<<"$out" >/dev/null
done
head -n 20 drifting.csv >short.csv
run stats judge --json --drift release short.csv
check "what is missing" jq -e '.series[0] | .missing_commits == 5 and .drift == null and .flagged == false' \
	<<<"$out" >/dev/null

refused "a reference" "--drift x: expected release or best" stats judge --drift x drifting.csv
refused "both" "--drift|--drift needs --json: it looks at the latest commits of a whole series" stats judge --drift best --together drifting.csv
refused "q alone" "--q needs --together" stats judge --q .1 once.csv
refused "base alone" "--base needs --together" stats judge --base 29 once.csv
refused "a share" "--q 1.5: expected a share like 10% or 0.1, between 0 and 1" stats judge --together --q 1.5 once.csv
refused "noise" "--noise x: expected a share like 1% or 0.01, between 0 and 1" stats judge --noise x once.csv
refused "a base" "--base 1.5: expected a whole number" stats judge --together --base 1.5 once.csv
refused "nothing to judge" "--base 30: quiet1 has no row after this index" stats judge --together --base 30 once.csv

# The benches run, and their figures are no worse than what is documented.
if [ -d "$root/../shared/tools/stats" ] && /usr/bin/python3 -c 'import numpy, scipy' 2>/dev/null; then
	figures=$(/usr/bin/python3 "$root/bench/verdicts/drift.py" --judge "$rooflog stats judge")
	equal "drift: $figures" "$(grep -c 'flagged 24 of 24' <<<"$figures")" 2
	# shellcheck disable=SC2016 # awk reads these, not the shell
	check "few false: $figures" awk '{ for (i = 1; i < NF; i++)
		if ($(i + 1) == "per" && $i >= .15) exit 1 }' <<<"$figures"
	figures=$(/usr/bin/python3 "$root/bench/verdicts/night.py" --nights 3 --judge "$rooflog stats judge")
	# shellcheck disable=SC2016
	check "a night: $figures" awk '{ for (i = 1; i < NF; i++) {
		if ($i == "flags" && $(i + 3) >= 3) exit 1
		if ($i == "found" && $(i + 1) < .6) exit 1 } }' <<<"$figures"
else
	echo "skipped: no ../shared/tools"
fi
finish
