#!/bin/bash
# rooflog stats detect and stats judge: tables in, change points and verdicts out, in the forms in which
# others score detectors.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2

# 40 commits around 100 and 20 around 112, or another level.
table() { # NAME REPEATS [LEVEL]
	awk -v name="$1" -v repeats="$2" -v level="${3:-112}" 'BEGIN {
		for (i = 0; i < 60; i++)
			for (k = 0; k < repeats; k++)
				printf "%s%d,%.4f\n", name, i, (i < 40 ? 100 : level) * (1 + ((i * 7 + k * 3) % 11 - 5) / 1000)
	}'
}
{
	echo index,value
	table "" 3
} >single.csv
{
	echo series,index,value
	table mlp, 1
	table attention, 1 100
} >multi.csv

run stats detect single.csv
equal "one series: $err" "$status $out" "0 40,+"
run stats detect --protocol multi multi.csv
equal "several: $err" "$status $out" "0 mlp,40,+"
run stats detect multi.csv
equal "several are named without being asked" "$out" "mlp,40,+"
out=$("$rooflog" stats detect <single.csv)
equal "from standard input" "$out" "40,+"
head -n 124 single.csv >young.csv
run stats detect young.csv
equal "one commit after a change says nothing" "$out" ""
head -n 130 single.csv >young.csv
run stats detect young.csv
equal "three commits are no confirmation" "$out" ""
run stats detect --suspects young.csv
equal "but a suspicion" "$out" "40,+"
run stats detect --json single.csv
check "the numbers behind it" jq -e '.series[0] | .commits == 60 and .relative and (.changes[0] |
	.index == 40 and .effect > 0.11 and .effect < 0.13 and .effect_low < .effect and
	.p < 1e-6 and .commits_before == 40 and .commits_after == 20)' <<<"$out" >/dev/null

{
	echo case,index,value
	table slower, 1 | head -n 40
	echo slower,40,112
	table same, 1 | head -n 40
	echo same,40,100.2
	table faster, 1 | head -n 40
	echo faster,40,90
	table short, 1 | head -n 4
	echo short,4,200
} >cases.csv
run stats judge cases.csv
equal "verdicts: $err" "$status $out" "0 slower,regressed
same,unchanged
faster,improved
short,undecided"
run stats judge --json cases.csv
check "the numbers behind them" jq -e '.series | map(select(.case == "slower"))[0] |
	.verdict == "regressed" and .effect > 0.1 and .p_slower < 0.01 and .commits == 40' \
	<<<"$out" >/dev/null

# What is no such table.
printf 'index,value\n0,1\n1,x\n' >bad-value.csv
printf 'index,value\n1.5,1\n' >bad-index.csv
printf 'a,b\n1,2\n' >other.csv
: >empty.csv
printf 'index,value\n' >no-rows.csv

# Rows in any order are the same table: by commit, or shuffled.
{
	echo series,index,value
	table mlp, 3
	table attention, 3 100
	table conv, 3 90
} >sorted.csv
rows() { # SORT...: the rows in another order
	head -n 1 sorted.csv
	tail -n +2 sorted.csv | "$@"
}
rows sort -t, -k2,2n -s >by-commit.csv
rows shuf --random-source=/bin/sh >shuffled.csv
rows tac >backwards.csv
for command in detect 'detect --json' judge 'judge --json' 'judge --together --base 50 --json' 'judge --json --drift release'; do
	for order in by-commit shuffled backwards; do
		# shellcheck disable=SC2086 # a command with its options
		found() { "$rooflog" stats $command "$1" | if [[ $command = *--json* ]]; then
			jq -cS '.series | sort_by(.series // .case)[]'; else sort; fi; }
		equal "$command: $order" "$(found $order.csv)" "$(found sorted.csv)"
		equal "$command: both series" "$(found $order.csv | grep -c 'mlp\|conv')" 2
	done
done
run stats detect shuffled.csv
check "changes are found: $out" grep -qx 'conv,40,-' <<<"$out"
run stats detect by-commit.csv
equal "series are listed by their first row" "$out" $'mlp,40,+\nconv,40,-'
refused "a value" "bad-value.csv: line 3: value is not a finite number" stats detect bad-value.csv
refused "an index" "bad-index.csv: line 2: index" stats judge bad-index.csv
printf 'case,index,value\nmlp,0,1\nmlp,1,-1\n' >sentinel.csv
run stats judge sentinel.csv
equal "what has no ratio: $err" "$status $out" "0 mlp,undecided"
run stats detect sentinel.csv
equal "a difference has: $err" "$status" 0
printf 'series,index,value\na\x1b[2J,0,1\n' >escape.csv
refused "a name" "escape.csv: line 2: the series name" stats detect escape.csv
refused "another table" "other.csv: line 1|index and value" stats detect other.csv
refused "an empty file" "empty.csv: line 1|index and value" stats detect empty.csv
refused "no file" "nowhere.csv" stats detect nowhere.csv
refused "a protocol" "--protocol x: expected single or multi" stats detect --protocol x single.csv
refused "too many" "the table has 2 series" stats detect --protocol single multi.csv
run stats detect no-rows.csv
equal "no rows, no changes: $err" "$status $out" "0 "
finish
