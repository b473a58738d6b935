#!/bin/bash
# What trips gates in daily life: the first run, new and renamed kernels, shallow clones, rewritten
# histories, merges, other machines, other tools. None of it may pass by accident, and none of it
# may be charged to a change that did not do it.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# --- the first run ever ---
repository first
series gemm '1 * e'
measured
verdict "first run ever" 4 'no baseline: baseline recorded for 1 series at'
commit second
verdict "a commit that was not measured" 2 'has no measurements: ingest its profiles first'
series gemm '1.5 * e' 2
measured
verdict "the second run ever" 3 'noise between commits 1.0 %, 1 commit of history; measured once: re-measure to confirm'
run gate --explain gemm
check "nobody said its noise: $out" grep -qE 'noise 1 % *$|noise 1 % assumed' <<<"$out"
equal "it is assumed" "$("$rooflog" gate --explain gemm --json | jq -c '.explained[0].judge | [.noise_assumed, .borrowed, .df]')" \
	'[0.01,true,4]'

# --- new, renamed and missing kernels ---
repository kernels
nights 19
series gemm '1 * e'
series softmax '1 * e' 1 19
series flash '1 * e' 20
measured
verdict "a renamed kernel" 5 '1 of 3 series judged: 1 missing, 1 new, 1 unchanged'
of_kernel "the old name" softmax missing --
of_kernel "the new name" flash new --
of_kernel "its neighbour" gemm unchanged 19
verdict "put up with" 0 'incomplete: 1 of 3 series missing: softmax' --fail-on regression
verdict "new is not welcome" 1 '1 new' --fail-on new
series softmax '1 * e' 20
measured 1
verdict "a new kernel beside known ones" 0 '2 of 3 series judged: 1 new, 2 unchanged'
git checkout -q -b later
commit later 2026-03-25T09:00:00Z
series flash '1 * e' 21
measured 2
verdict "only one of three was measured" 5 '2 missing'

# --- no baseline where there should be one ---
repository elsewhere
nights 19
git checkout -q -b other HEAD~18
commit aside
git checkout -q -
series gemm '1 * e' 3
measured
git checkout -q other
series gemm '2 * e' 3
measured 1
verdict "only another branch was measured" 4 'no baseline'
refused "nobody knows this baseline" 'unknown revision "v1"' gate --against v1
git tag v1 HEAD~1
verdict "nothing was measured there" 4 'no baseline: nothing to compare 1 series with' --against v1

# --- shallow clones ---
repository origin
nights 39
git clone -q --depth 1 "file://$PWD" ../shallow
git clone -q --depth 20 "file://$PWD" ../deep
cd ../shallow || exit 2
series gemm '1.2 * e'
measured
verdict "a cut that hides the baseline" 2 'run "git fetch --unshallow" and ingest again'
check "nothing else is printed: $out" test -z "$out"
git fetch -q --unshallow
series gemm '1 * e' 1 39
measured 1
verdict "the command that it printed helps" 3 '1 slower (unconfirmed)'
cd ../deep || exit 2
series gemm '1 * e'
measured
verdict "a clone deep enough" 0 '1 unchanged'
of_kernel "a clone deep enough" gemm unchanged 19
check "says nothing of it: $err" [ -z "$err" ]
cd ..
git clone -q --depth 6 "file://$PWD/origin" cut
cd cut || exit 2
series gemm '1 * e'
measured
verdict "a record that the cut makes short" 0 '1 of 1 series judged: 1 unchanged'
check "what would help: $err" grep -qF 'run "git fetch --unshallow" and ingest again' <<<"$err"

# --- a base that was pushed away ---
repository forced
nights 19
branch=$(git symbolic-ref --short HEAD)
git checkout -q -b doomed
nights 10 21
series gemm '(i > 20 ? 0.7 : 1) * e'
measured
lost=$(git rev-parse HEAD)
git checkout -q "$branch"
git branch -q -D doomed
git reflog expire --expire=now --all
git gc -q --prune=now
check "the old base is gone from git" test "$(git cat-file -t "$lost" 2>&1)" != commit
nights 2 40
series gemm '1 * e' 22
measured 1
verdict "what was pushed away is nobody's baseline" 0 '1 unchanged'
of_kernel "20 commits before the fork" gemm unchanged 20
refused "nor when it is asked for" "unknown revision \"${lost:0:10}\"" gate --against "${lost:0:10}"
git checkout -q -b change HEAD~1
nights 1 50
series gemm '1.2 * e' 22
measured 2
verdict "the merge-base with the new base" 3 'vs. merge base' --against "merge-base:$branch"
of_kernel "the merge-base with the new base" gemm suspect 20 --against "merge-base:$branch"

# --- a history that was rewritten: every id is another one ---
repository rewritten
nights 29
series gemm '1 * e'
measured
verdict "before" 0 '1 unchanged'
branch=$(git symbolic-ref --short HEAD)
git fast-export "$branch" | sed 's/^first/FIRST/; s/^night/NIGHT/' | git fast-import --quiet --force
verdict "what was measured has another id now" 2 'has no measurements: ingest its profiles first'
series gemm '2 * e' 30
measured 1
verdict "measured again: nothing to compare with is not green" 4 'no baseline'
verdict "nor when nothing that was judged fails" 4 'no baseline' --fail-on no-baseline

# --- a branch that was rebased: its own commits are gone, the base stays ---
repository rebased
nights 19
branch=$(git symbolic-ref --short HEAD)
git checkout -q -b change HEAD~5
echo 1 >file && git add file && commit change 2026-03-16T10:00:00Z
git checkout -q "$branch"
series gemm '(i > 16 ? 0.8 : 1) * e'
measured
git checkout -q change
series gemm '1.2 * e' 16
measured 1
verdict "before" 3 '1 slower (unconfirmed)'
git rebase -q "$branch" 2>/dev/null
verdict "after: to be measured again" 2 'has no measurements: ingest its profiles first'
series gemm '0.8 * 1.2 * e' 21
measured 2
of_kernel "the change is what is judged" gemm suspect 4
git checkout -q -b clean "$branch"
nights 1 60
series gemm '0.8 * e' 21
measured 3
of_kernel "and what it is rebased onto is not" gemm unchanged 4

# --- merges: what was measured on side branches is not on record ---
repository merges
branch=$(git symbolic-ref --short HEAD)
for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
	git checkout -q -b "side$round"
	commit "side $round" "2026-03-$((round + 10))T08:00:00Z"
	git checkout -q "$branch"
	GIT_AUTHOR_DATE=2026-03-$((round + 10))T09:00:00Z GIT_COMMITTER_DATE=2026-03-$((round + 10))T09:00:00Z \
		git merge -q --no-ff -m "merge $round" "side$round"
done
series gemm '1 * e'
measured
for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf '%s,gemm,h100-sxm,,%s\n' "$(git rev-parse "side$round")" 2 >>"$scratch/sides.csv"
done
(echo commit,op,gpu,instance,value && cat "$scratch/sides.csv") >"$scratch/measurements.csv"
measured 1
verdict "twice as slow on every side branch" 0 '1 unchanged'
of_kernel "only the main line counts" gemm unchanged 12
of_kernel "a side branch is judged by where it left" gemm suspect 12 side12

finish
