#!/bin/bash
# One store, one verdict: gate, report, their formats, the explanation, the comment, the night, the week and
# the site say the same of one commit, whatever its series do (one_verdict.py).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

agree() { # NAME COMMITS AGAINST...
	local name=$1 commits=$2 said
	shift 2
	said=$(git log --format=%H -"$commits" | python3 "$root/tests/cli/history/one_verdict.py" "$rooflog" "$@" 2>&1)
	equal "$name: $said" "$?" 0
}

# --- the main branch: what stepped tonight or before, came back, drifts, stopped, begins ---
repository main
git branch -M main
nights 39
series steady '10 * e'
series tonight '20 * e * (i == 40 ? 1.4 : 1)'
series since '30 * e * (i > 37 ? 1.2 : 1)'
series level '40 * e * (i > 30 ? 1.2 : 1)'
series mended '50 * e * (i > 30 && i < 40 ? 1.2 : 1)'
series better '60 * e * (i > 30 ? .8 : 1)'
series noisy '70 * e * (i % 2 ? 1 : 1.08)'
series creeps 'e * (1 + i * 0.001)'
series half 'e * (i == 40 ? 0.4 : 1)'
series fresh '10 * e' 40
series gone '10 * e' 1 30
series lost '10 * e' 1 39
measured
agree "the main branch" 3 "" =nearest window best
run baseline pin HEAD~20
run baseline set old HEAD~12
agree "releases" 1 "" window old

# --- a change: two measurements, on a branch that begins before the latest commit ---
nights 1 41
series since '30 * e * 1.2' 41
series level '40 * e * 1.2' 41
measured 30
git checkout -q -b feature HEAD~1
commit change 2026-04-12T09:00:00Z
for minutes in 60 90; do
	series steady '10 * e * 1.2' 41
	series level "40 * e * (1.2 + $minutes / 10000)" 41
	series noisy '70 * e' 41
	series young '80 * e' 41
	measured $minutes
done
agree "a change" 1 "" =nearest =merge-base window
commit 'another push' 2026-04-12T10:00:00Z
series steady '10 * e * 1.2' 42
measured 120
agree "its second push" 1 "" =merge-base

# --- uncommitted changes, beside runs of the commit and alone ---
git checkout -q main
echo changed >file
git add file
series steady '10 * e * 1.3' 41
measured 150
agree "uncommitted changes" 1 "" window

# --- rules: several rows a series, limits, context, acceptances, what fails ---
repository rules
git branch -M main
mkdir .rooflog
cat >.rooflog/config <<'END'
[gate]
	fail-on = regression,undecided
	tolerance = 3 %
[rule "time"]
	metric = total_time
[rule "limit"]
	metric = total_time
	kernel = slow
	at-most = 50 ms
[rule "host"]
	metric = host_time
	role = context
END
"$rooflog" init >/dev/null 2>&1
git add -f .rooflog/config
commit rules
nights 20
series slow '60 * e'
series allowed '10 * e * (i == 22 ? 1.3 : 1)'
series steady '20 * e'
measured
series steady '20 * e'
METRIC=host_time=value:ms measured 1
run accept allowed --limit '14 ms' --reason 'a better algorithm follows'
equal "accept: $err" "$status" 0
git add -f .rooflog/accept
commit accepted 2026-03-23T09:00:00Z
series slow '60 * e' 23
series allowed '10 * e * 1.3' 23
series steady '20 * e' 23
measured 2
agree "rules" 2 "" window

# --- the first commits, and the machine that moves everything ---
repository young
git branch -M main
for kernel in a b c d e f g; do
	series $kernel '10 * e'
done
measured
agree "the first commit" 1 "" =nearest
for day in 1 2 3; do
	nights 1 $((day + 1))
	for kernel in a b c d e f g; do
		series $kernel "10 * e * (i == 4 ? 1.2 : 1)" $((day + 1))
	done
	measured $day
done
agree "the environment" 3 "" window
# --- the first commit: report writes what the gate writes ---
repository first
printf 'kernel,us\nsteady,10\n' >one.csv
run ingest --commit HEAD --columns kernel=kernel,total_time=us:us --set device=h100-sxm,dtype=bf16 one.csv
for kind in nightly weekly; do
	run report --as $kind
	equal "the first commit, $kind" "$status" 0
	said=$(head -n 1 <<<"$out")
	run gate --against window --as $kind
	equal "the first commit, $kind of the gate" "$(head -n 1 <<<"$out")" "$said"
done

finish
