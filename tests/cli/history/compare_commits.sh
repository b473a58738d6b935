#!/bin/bash
# Two commits side by side: by the record of the first, aligned on the unit, ~ with its reason.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
export LC_ALL=C.UTF-8

repository commits
nights 14
series slower 'i > 14 ? 1.2*e : e'
series faster '1000 * (i > 14 ? 0.8*e : e)'
series quiet '20*e'
series noisy '5 * e^6 * (i > 14 ? 1.04 : 1)'
series coming '5*e' 14
series going '7*e' 1 14
measured
# A second measurement, so that what is slower is confirmed, and repeats.
series slower '1.21*e' 15
series quiet '20.1*e' 15
measured 90
"$rooflog" baseline set release HEAD~1 >/dev/null

run compare release HEAD
equal "two commits: $err" "$status" 0
rows=$(grep -E '^(slower|faster|quiet|noisy|coming|going|geomean)' <<<"$out")
equal "verdicts, worst first" "$(awk '{ print $1, $NF }' <<<"$rows" | head -4)" "slower slower
going missing
noisy unclear
faster faster"
check "repeats, and commits on record: $out" grep -qE '^slower .* \+[0-9.]+ %  <0\.001 +14\+2 ' <<<"$out"
check "unclear is ~, with p and n: $out" grep -qE '^noisy .*  ~ +0\.[0-9]+ +14\+1 ' <<<"$out"
check "and why: $out" grep -qE '^noisy unclear: noise between commits is ' <<<"$out"
check "the mean is last, of what both have: $out" grep -qE '^geomean .* of 5 *$' <<<"$rows"
check "no line is wider than 80: $out" [ "$(wc -L <<<"$out")" -le 80 ]
equal "numbers stand below each other" "$(grep -oE '^[a-z]+ +[0-9]+\.' <<<"$rows" |
	awk '{ print length }' | sort -u | wc -l)" 1
gate=$("$rooflog" gate --against release --json | jq -c '[.gate.comparisons[] |
	{v: .verdict, c: .change, p, n: .record.commits}] | sort')
run compare release HEAD --json
equal "as the gate judges" "$(jq -c '[.compare.blocks[].rows[] | {v: .verdict, c: .change, p,
	n: (if .p == null then null else .baseline.commits end)}] | sort' <<<"$out")" "$gate"
equal "the mean of the ratios" "$(jq '.compare.blocks[0] | (.geometric_mean.change -
	(([.rows[] | select(.baseline and .candidate) | .candidate.value / .baseline.value | log]
	| add / length | exp) - 1)) | fabs < 1e-12' <<<"$out")" true
run compare release HEAD --as md
check "a table that Markdown reads: $out" grep -qE '^\| slower \| .* ▲ slower \|$' <<<"$out"

# Long names that would look alike when they are cut do not stand above the columns.
git branch a-rather-long-name-of-a-branch-1 HEAD~1
git branch a-rather-long-name-of-a-branch-2
run compare a-rather-long-name-of-a-branch-1 a-rather-long-name-of-a-branch-2
check "columns that differ: $out" grep -qE '^ +baseline +candidate +change ' <<<"$out"
run compare a-rather-long-name-of-a-branch-1 HEAD
check "a name that is cut: $out" grep -qE '^ +a-rather-long\.\.\. +HEAD +change ' <<<"$out"

# All metrics of both sides that differ, whatever the gate thinks of them.
run compare release HEAD slower --all-metrics
check "all metrics: $out" grep -qE '^slower: [0-9]+ common metrics?, [0-9]+ equal$' <<<"$out"
check "what differs: $out" grep -qE '^[a-z_]+time .* \+(19|2[0-9])\.[0-9]+ %$' <<<"$out"
equal "not asked for" "$("$rooflog" compare release HEAD --json | jq .compare.agreements)" null
run compare release HEAD slower --all-metrics --json
equal "every difference has both sides: $err" "$(jq -c '[.compare.agreements[].differences[] |
	(.candidate.value / .baseline.value - 1 - .change) | fabs < 1e-12] | all and length > 0' <<<"$out")" true
run compare release HEAD slower --all-metrics --as md
check "as Markdown: $out" grep -qE '^\| [a-z_]+time \| .* \+(19|2[0-9])\.[0-9]+ % \|$' <<<"$out"
run compare release HEAD --as md

check "what could not be judged has its value: $out" grep -qE '^\| going \| 7\.0' <<<"$out"
run gate HEAD~14 -o compare=first.md
check "a first commit against nothing: $(cat first.md)" \
	grep -qE '^\| slower \|  \| 1\.0[0-9.]* \|.* · new \|$' first.md
run gate --against release -o compare=report.md
check "the report of the same name" grep -qE '^\| slower \| .* ▲ slower \|$' report.md

# More is better of a rate: its interval is that of the change, not of the time that it stands for.
METRIC=throughput=value series rate '1000 * (i > 14 ? 0.7*e : e)'
METRIC=throughput=value measured
run compare release HEAD --metric throughput --json
equal "the interval of a rate holds its change" "$(jq -c '.compare.blocks[].rows[] |
	select(.name == "rate") | [.change < -0.28, .low < .change, .change < .high]' <<<"$out")" '[true,true,true]'
equal "who has none has no row" "$(jq -r '[.compare.blocks[].rows[].name] | join(" ")' <<<"$out")" rate
run gate --against release --json
equal "and that of each comparison" "$(jq -c '[.gate.comparisons[] | select(.interval) |
	.interval.low <= .change and .change <= .interval.high] | [length, all]' <<<"$out")" '[6,true]'

# The parameters are those of the configuration's row.
configure '[rule "time"]\nrelative = 30 %%\ntolerance = 40 %%\n'
run compare release HEAD
check "its own limits: $out" grep -qE '^slower .* unchanged$' <<<"$out"
configured=()

# Nobody is faster by -20 %.
run report --as comment --against release --kernel faster
check "the change of a time, and its values: $out" grep -qE '^### ✅ 1 of 1 series faster: faster −(19|20)\.[0-9] % \([0-9.]+ → [0-9.]+ ms\)$' <<<"$out"

# C locale: nothing but ASCII.
LC_ALL=C run compare release HEAD
equal "ASCII" "$(tr -d '\n -~' <<<"$out")" ""
check "plus and minus: $out" grep -q ' +-0\.' <<<"$out"

run compare release HEAD
cp "$scratch/.out" two.txt
run compare release..HEAD
check "as a range" cmp -s two.txt "$scratch/.out"
run compare release..
check "up to HEAD" cmp -s two.txt "$scratch/.out"
git checkout -q -b side release~1 2>/dev/null || git checkout -q -b side "$(git rev-list --max-parents=0 HEAD)"
commit aside
git checkout -q -
run compare side...HEAD --json
equal "from the merge base: $err" "$(jq -r .compare.baseline.commit.oid <<<"$out")" "$(git merge-base side HEAD)"

run compare HEAD release
check "the wrong way round is told: $err" grep -q 'release is an ancestor of HEAD' <<<"$err"
run compare "$(git rev-list --max-parents=0 HEAD)" HEAD
check "a record of one commit: $out" grep -qE '^quiet +.* 1\+2 ' <<<"$out"
before=$(git symbolic-ref --short HEAD)
git checkout -q --orphan other
commit unmeasured
git checkout -q "$before"
refused "nothing measured" 'neither other|any ancestor has measurements' compare other HEAD
refused "no such metric" ': unknown metric|rooflog list metrics' compare release HEAD --metric speed
refused "a word for one commit" 'two commits: release and HEAD' compare --by tool release HEAD
refused "a word for two" '--metric needs two sides, --by one: give one of the options' compare --by tool --metric mfu HEAD
refused "a word for runs" '--against needs --by: compare --by variant' compare --against fast
refused "the same commit" 'is the commit under test itself' compare HEAD HEAD
refused "a page is of one series" 'a page shows one series, and ' compare --as html release HEAD
refused "no such format" 'it writes text, md, html, json' compare --as csv release HEAD
finish
