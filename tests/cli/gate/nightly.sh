#!/bin/bash
# Reports of nights and weeks: what is new, what was fixed, what drifts, what is not judged.
# shellcheck source=tests/cli/lib.sh disable=SC2119
. tests/cli/lib.sh

night() { # NAME JQ EXPECTED
	equal "$1" "$(jq -c "$2" "$scratch/night.json")" "$3"
}

# What a person gets, whole. GOLDEN_UPDATE=1 writes what is expected.
golden() { # NAME FILE
	sed 's/rooflog [0-9][0-9.]*,/rooflog VERSION,/' "$2" >"$scratch/.golden"
	[ -z "${GOLDEN_UPDATE-}" ] || cp "$scratch/.golden" "$root/tests/golden/nightly/$1"
	check "$1 as expected" diff -u "$root/tests/golden/nightly/$1" "$scratch/.golden"
}

report() { # KIND [ARGS...]
	run report --as "$1" --json "${@:2}"
	equal "$1: $err" "$status" 0
	printf '%s\n' "$out" >"$scratch/night.json"
}

repository nights
"$rooflog" init >/dev/null 2>&1
cp .rooflog/config "$scratch/config"
configured=(--config "$scratch/config")
nights 59
series stays '1 * e'
series jumps 'e * (i > 55 ? 1.2 : 1)'
series mends 'e * (i > 42 && i <= 55 ? 1.2 : 1)'
series heals 'e * (i > 50 && i <= 59 ? 1.2 : 1)'
series falls 'e * (i > 58 ? 1.2 : 1)'
series was_bad 'e * (i > 45 ? 1.3 : 1)'
series skips 'i == 44 || i == 45 ? "" : e * (i > 43 ? 1.2 : 1)'
series tonight 'e * (i == 60 ? 1.4 : 1)'
series creeps 'e * (1 + i * 0.001)'
GPU=a100 series young e 59
series gone e 1 50
series lost e 1 59
measured 0
report nightly

night 'turned bad' '[.night.newly.rows[] | .name]' '["falls"]'
night 'with since' '[.night.newly.rows[] | .since.subject]' '["night 59"]'
night 'recovered' '[.night.fixed.rows[] | .name]' '["heals"]'
night 'looks worse' '[.night.suspect.rows[] | .name]' '["tonight"]'
night 'bad as before' '[.night.still.rows[] | .name]' '["was_bad","skips","jumps"]'
night 'with creep' '.night.still_bad' '4'
night 'drifts' '[.night.drifts.rows[] | [.name, .reference]]' '[["creeps","best period"]]'
night 'drift since a commit' '.night.drifts.rows[0].flagged_since.oid | length' '40'
night 'stale' '[.night.stale.rows[] | .name]' '["gone"]'
night 'missing' '[.night.missing.rows[] | .name]' '["lost"]'
night 'coverage' '.night.coverage | [.series, .comparisons, .judged]' '[12,12,10]'
night 'why not' '[.night.coverage.unclear[] | [.count, .example]] | sort' \
	'[[1,"gone"],[1,"lost"],[1,"young"]]'
night 'the night before' '.night.before | [.commit.subject, .age_commits]' '["night 59",1]'
night 'trends' '[.gate.comparisons[] | select(.trend) | .kernel] | length' '12'
night 'trend of a step' '.gate.comparisons[] | select(.kernel == "was_bad") | .trend |
	[.commits, (.points | length), .points[0][0], .candidate.place, (.changes | length), .changes[0].place,
	.changes[0].worse, (.band.low < .level and .level < .band.high)]' '[60,60,59,0,1,14,true,true]'
night 'no trend without a history' '[.gate.comparisons[] | select(.kernel == "lost") | .trend.candidate]' '[null]'

run report --as nightly --output "$scratch/n.md"
equal "markdown: $err" "$status" 0
golden nightly.md "$scratch/n.md"
equal 'the answer is the heading' "$(head -n 1 "$scratch/n.md")" '# 1 new regression tonight'
check 'what else' grep -q ' Also 2 unclear, 4 open since earlier, 1 recovered\.$' "$scratch/n.md"
check 'coverage adds up' grep -qF '**10 of 12 series judged: 1 no longer measured, 1 missing**' "$scratch/n.md"
check 'a picture' grep -q 'srcset="n-trend-dark.svg"' "$scratch/n.md"
check 'that exists' test -s "$scratch/n-trend.svg" -a -s "$scratch/n-trend-dark.svg"
check 'since when, by whom' grep -q '^| ▲ jumps .*| [0-9a-f]\{10\} a, 2026-04-25, 5 nights |' "$scratch/n.md"
check 'no probabilities' bash -c "! grep -q 'p = ' '$scratch/n.md'"
run report --as nightly --output "$scratch/a_b \"c.md"
check 'an odd file name' grep -q 'srcset="a_b%20%22c-trend-dark.svg"' "$scratch/a_b \"c.md"
run report --as nightly --output "$scratch/n.html"
golden nightly.html "$scratch/n.html"
equal "page: $err" "$status" 0
equal 'a sparkline each that has a history' "$(grep -o '<svg class="spark"' "$scratch/n.html" | wc -l)" 12
check 'its colors are the style sheet'"'"'s' bash -c "! grep -q '=\"#' '$scratch/n.html'"
check 'no script' bash -c "! grep -qi '<script' '$scratch/n.html'"
run chart trend --output "$scratch/c.svg" --kernel jumps
equal "chart: $err" "$status" 0
check 'of one series' grep -q '<title>jumps: .* since ' "$scratch/c.svg"

# The interval beside a drift's change is that of the drift, not of tonight's value.
run report --as nightly --json --output "$scratch/n.json"
run report --as comment --against window --json --output "$scratch/c.json"
equal "a drift's interval" "$(jq '[.. | objects | select(.verdict? == "drift" and .interval?)][0] |
	.interval.low, .interval.high' "$scratch/c.json")" "$(jq '.night.drifts.rows[0] | .low, .high' "$scratch/n.json")"

# The week, by commit: night 56 and, as nights 44 and 45 were not measured, one of three.
report weekly --since 2026-04-10
night 'commits' '[.week.commits[] | .commit.subject]' '["night 46","night 59","night 46","night 56","night 51","night 43"]'
night 'what they did' '[.week.commits[] | .moves[] | [.name, .state, .confirmed]]' \
	'[["was_bad","open",true],["falls","open",false],["skips","open",true],["jumps","open",true],["mends","better",true],["heals","made good",true],["mends","made good",true]]'
run report --as weekly --since 2026-04-10 --output "$scratch/w.md"
equal "weekly: $err" "$status" 0
golden weekly.md "$scratch/w.md"
run gate -o compare="$scratch/c.md"
golden compare.md "$scratch/c.md"
check 'an owner' grep -q '^2026-04-25, by a: 1 open; 1 better' "$scratch/w.md"
check 'a range' grep -q "^2026-04-15, by a: 1 open; one of 3 commits after .*rooflog bisect --good .* --bad .* 'skips'" \
	"$scratch/w.md"
night 'whom to ask' '.week.commits[0].owner' '"a"'
report weekly --since HEAD~1
night 'little since' '[.week.count, .week.open]' '[1,1]'
night 'open for longer' '[.week.older.rows[] | .name] | sort' '["creeps","jumps","skips","was_bad"]'
report weekly
night 'a week' '.week.since' '"2026-04-22T09:00:00Z"'
run report --as weekly --output "$scratch/w.html"
golden weekly.html "$scratch/w.html"
equal "weekly page: $err" "$status" 0
run report --against window --output "$scratch/g.html"
equal "report: $err" "$status" 0
check 'has sparklines' grep -q '<svg class="spark"' "$scratch/w.html"
refused 'since when?' ': expected a date (2026-11-21) or a stored commit' report --as weekly --since 2026-04-31
refused 'since of others' '--since is for the weekly report' report --as nightly --since 2026-04-10

# Repeats: those that are known one by one, and how many there are.
cd "$root" || exit 2
repository repeats
"$rooflog" init >/dev/null 2>&1
nights 1
for i in {1..6}; do
	series often "1 + i + 0.01 * $i"
done
series once 1
measured 0
run chart distribution --output "$scratch/d.svg"
equal "distribution: $err" "$status" 0
equal 'how many' "$(grep -o 'n = [^<]*' "$scratch/d.svg" | sort | uniq -c | tr -s ' \n' ' ')" ' 2 n = 6 executions '
equal 'dots' "$(grep -c '<circle' "$scratch/d.svg")" 12
check 'a series without repeats is counted' grep -q 'Not drawn: 1 series without repeats' "$scratch/d.svg"

# Releases: tags, as far as the configuration takes them for releases, and pinned baselines.
releases() { # OPTIONS...
	run chart trend "$@" --output "$scratch/r.svg"
	grep -o '<title>release [^:]*' "$scratch/r.svg" | sort -u | sed 's/.*release //'
}
git tag 'v1<b>' HEAD
git tag other HEAD~1
equal 'tags' "$(releases)" $'other\nv1&lt;b&gt;'
equal 'tags of a pattern' "$(releases -c 'project.releases=v*')" 'v1&lt;b&gt;'
equal 'no tags' "$(releases -c project.releases=)" ''
run baseline pin gold HEAD~1
equal "pin: $err" "$status" 0
equal 'a pinned baseline' "$(releases -c project.releases=)" gold

# Long lists are cut, and say so.
cd "$root" || exit 2
repository many
"$rooflog" init >/dev/null 2>&1
nights 1
name=$(printf 'k%.0s' {1..300})
for i in {1..40}; do
	series "$name$i" 1 1 1
done
series here e
measured 0
run report --as nightly
equal "many: $err" "$status" 0
check 'says how many are left' grep -q '28 more not listed' <<<"$out"
check 'stays small' test "${#out}" -lt 20000
check 'cuts names' grep -q 'kkkk…kkkk' <<<"$out"

# A limit that was kept until the night before is newly missed; the limit is no earlier value.
cd "$scratch/nights" || exit 2
limit='[rule "%s"]\n\tmetric = total_time\n\tkernel = %s\n\tat-most = %s\n'
# shellcheck disable=SC2059 # a format is meant
configure "$(printf "$limit" new tonight '1.2 ms' old was_bad '1.1 ms')"
report nightly
night 'a limit is newly missed' '[.night.newly.rows[] | [.name, .baseline.text]]' '[["tonight","<= 1.200 ms"]]'
night 'or as before' '[.night.still.rows[] | [.name, .baseline.text]]' '[["was_bad","<= 1.100 ms"]]'

# What one commit did is no drift, even where it is accepted.
configured=()
"$rooflog" accept was_bad --reason known >/dev/null 2>&1
git add -f .rooflog/accept
commit accepted 2026-05-01T09:00:00Z
series was_bad 'e * 1.3' 61
series creeps 'e * (1 + i * 0.001)' 61
measured 200
report nightly
night 'accepted' '.gate.counts.accepted' 1
night 'and no drift' '[.night.drifts.rows[] | .name]' '["creeps"]'

# --- a week: what was fixed, from which level, and by which commit ---
week() { # NAME VALUE: the rows of what was made good, of 40 nights
	repository "$1"
	nights 39
	series kernel "$2"
	measured
	run report --as weekly --since 2026-03-01
	fixed=$(grep 'made good by' <<<"$out")
	equal "$1: $err" "$status" 0
}
at_night() { # NUMBER
	git log --format='%h' --abbrev=10 --grep="^night $1$"
}
week plain '(i >= 33 && i <= 35 ? 120 : 100) * e'
check "plain: $fixed" grep -qE '\*\*\+(19|20)\.[0-9] %\*\* \| (99|100)(\.[0-9])? → 1(19|20) ms' <<<"$fixed"
check "plain, by: $fixed" grep -qF "$(at_night 36)" <<<"$fixed"
week while-worse '(i <= 20 ? 50 : i >= 33 && i <= 35 ? 120 : 100) * e'
check "while worse: $fixed" grep -qE '\*\*\+(19|20)\.[0-9] %\*\* \| (99|100)(\.[0-9])? → 1(19|20) ms' <<<"$fixed"
check "while worse, by: $fixed" grep -qF "$(at_night 36)" <<<"$fixed"
week better-for-a-while '(i <= 20 ? 50 : i >= 33 && i <= 35 ? 80 : 100) * e'
equal "nothing was made good" "$fixed" ''
for night in 39 40; do
	week "fixed-in-night-$night" "(i >= 25 && i < $night ? 1.2 : 1) * e"
	check "fixed in night $night: $fixed" grep -qF "$(at_night $night)" <<<"$fixed"
done
browsers
check "pages in a browser" node "$root/tests/browser/pages.mjs" "$modules" "$scratch"/{n,w,g}.html
check "pages for everyone" node "$root/tests/browser/audit.mjs" "$modules" "$scratch"/{n,w,g}.html
finish
