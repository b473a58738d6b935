#!/bin/bash
# What the gate compares with: the merge-base, the window of a nightly gate, the best level, and
# series that no longer arrive.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# --- a change that lacks what the base branch has since learnt ---
repository moved
nights 29
branch=$(git symbolic-ref --short HEAD)
git checkout -q -b change
nights 1 31
git checkout -q "$branch"
nights 9 32
series gemm '(i > 32 ? 0.7 : 1) * e'
measured
git checkout -q change
series gemm '1' 31
measured 1
verdict "a change is not charged for a later optimisation" 0 'merge base' --against "merge-base:$branch"
of_kernel "it is compared with what it began at" gemm unchanged 30 --against "merge-base:$branch"
of_kernel "which HEAD of the base would not show" gemm suspect 7 --against "$branch"
verdict "the branch is found without its name" 0 'merge base' --against merge-base
git checkout -q -b slow
nights 1 40
series gemm '1.06 * e' 32
measured 2
verdict "nor is it let off" 3 '1 slower (unconfirmed)' --against merge-base
check "the age of the baseline: $out" grep -qE 'baseline [0-9a-f]{10}, 2 commits back: night 30' <<<"$out"
refused "no such branch" 'nowhere' gate --against merge-base:nowhere
git checkout -q "$branch"
refused "the base branch itself" 'is already on the target branch: use --against nearest or --against window' \
	gate --against merge-base
git branch -q -m "$branch" trunk
refused "no branch that is known" 'no branch origin/HEAD, origin/main, origin/master, main or master found: name the target branch with --against merge-base:BRANCH' gate --against merge-base
verdict "until it is named" 0 '1 unchanged' --against merge-base:trunk change
# What was not measured at the merge-base itself was at an ancestor.
git checkout -q -b late trunk
nights 3 50
git branch -q -M late base
git checkout -q -b change2
nights 1 60
series gemm '0.7 * e' 43
measured 3
verdict "nothing was measured at the merge-base" 0 'merge base' --against merge-base:base
check "the nearest one below it" test "$("$rooflog" gate --against merge-base:base --json |
	jq '.gate.comparisons[0].baseline.age_commits')" = 4

# --- the window of a nightly gate ---
repository nightly
nights 49
series steady '1 * e'
series ten '(i > 40 ? 1.05 : 1) * e'
series three '(i > 47 ? 1.08 : 1) * e'
series fixed '(i > 35 && i <= 42 ? 1.08 : 1) * e'
series faster '(i > 40 ? 0.9 : 1) * e'
series again '(i > 49 ? 1.1 : i > 30 ? 0.8 : 1) * e'
series ago '(i > 10 ? 1.05 : 1) * e'
measured
run gate
check "by the nearest only one is this night's: $out" [ "$(grep -cE '^. ((slower|unclear) \(unconfirmed\)|slower) ' <<<"$out")" = 1 ]
run gate --against window
equal "nightly: $out" "$status" 1
check "a step ten nights ago: $out" grep -qE '^. slower +ten .*\+[45]\.' <<<"$out"
check "when: $out" grep -qE '^ten, total_time: worse since .* \(10 measured commits,' <<<"$out"
check "how much of it is tonight's: $out" grep -qE ' judged: .*; [0-9]+ newly worse$' <<<"$out"
check "three nights ago is beyond doubt: $out" grep -qE '^. slower +three .*\+[78]\.' <<<"$out"
check "what was fixed meanwhile is no news: $out" grep -qE '^. unchanged +fixed ' <<<"$out"
check "what got faster: $out" grep -qE '^. faster +faster .*-(8|9|10)\.' <<<"$out"
check "what got faster and tonight slower: $out" grep -qE '^. slower \(unconfirmed\) +again .*\+3[0-9]\.' <<<"$out"
check "what never changed: $out" grep -qE '^. unchanged +steady ' <<<"$out"
check "before the window: $out" grep -qE '^. (unchanged|slower \(drift\)) +ago ' <<<"$out"
run gate --against window --as compare --json
equal "the p of a step is that of its change point" "$(jq -c '[.compare.blocks[].rows[] | select(.name == "ten") | .p < 0.001]' <<<"$out")" '[true]'
configure '[gate]\nwindow = 5\n'
run gate --against window
check "a shorter window: $out" [ -z "$(grep -E '^. (slower|(slower|unclear) \(unconfirmed\)) +ten ' <<<"$out")" ]
configure '[rule "one"]\nkernel = again\n'
verdict "suspects of the night wait for the next" 0 '1 slower (unconfirmed)' --against window
verdict "unless they are asked for" 3 '1 slower (unconfirmed)' --against window --fail-on default,suspect

# --- the best period in the history ---
configured=()
run gate --against best
check "what got slower: $out" grep -qE '^. ((slower|unclear) \(unconfirmed\)|slower) +ten .*\+[45]\.' <<<"$out"
check "long ago, too: $out" grep -qE '^. ((slower|unclear) \(unconfirmed\)|slower) +ago .*\+[45]\.' <<<"$out"
check "and what did not: $out" grep -qE '^. unchanged +steady ' <<<"$out"
check "what is better now than ever: $out" grep -qE '^. (unchanged|faster) +faster ' <<<"$out"

# --- small steps: drift ---
repository drifting
nights 79
series gemm '(1 + 0.0004 * (i > 20 ? i - 20 : 0)) * e'
series conv '1 * e'
measured
verdict "step by step nothing is seen" 0 '2 unchanged'
verdict "all together it is" 1 '2 of 2 series judged: 1 slower (drift), 1 unchanged' --against window
git tag v1 HEAD~65
run baseline pin v1
verdict "since the release" 1 'worse than v1' --against window
configure '[gate]\nrelative = 4 %%\n'
run gate --against window
check "by no more than the row lets through: $out" [ -z "$(grep drift <<<"$out")" ]
configure '[gate]\ndrift = false\n'
run gate --against window
check "nobody asked: $out" [ -z "$(grep drift <<<"$out")" ]

# --- series that are no longer measured ---
repository stopped
nights 29
INSTANCE=p5.48xlarge series gemm '1 * e'
INSTANCE=p5.48xlarge series gone '1 * e' 1 25
INSTANCE=p5.48xlarge series last '1 * e' 1 29
INSTANCE=p4.24xlarge series other '1 * e' 1 24
measured
when=$(git log -1 --format=%h --abbrev=10 HEAD~5)
verdict "a series of last night is missing" 5 '1 missing, 2 missing (stopped), 1 unchanged'
of_kernel "of last night" last missing --
configure '[rule "rest"]\nkernel = g*\n'
verdict "one that stopped nights ago" 6 '1 of 2 series judged: 1 missing (stopped), 1 unchanged'
said="gone, total_time: no longer measured: last at $when, 2026-03-25, on p5.48xlarge;"
check "when and where: $out" grep -qF "$said 4 commits with other data since" <<<"$out"
verdict "put up with" 0 '1 missing (stopped)' --fail-on default
configure '[gate]\nseen-within = 2\nwindow = 3\n[rule "rest"]\nkernel = g*\n'
verdict "nobody misses what stopped before that" 0 '1 of 1 series judged: 1 unchanged'
finish
