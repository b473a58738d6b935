#!/bin/bash
# What the gate makes of commits that are not measured like their neighbours: machines that take
# turns, and those who come right after somebody else's regression.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# Keeps of KERNEL's rows every second one, from the FIRST on.
every_second() { # KERNEL FIRST
	awk -F, -v kernel="$1" -v first="$2" '$2 != kernel || ++n % 2 == first % 2' \
		"$scratch/measurements.csv" >"$scratch/kept.csv"
	mv "$scratch/kept.csv" "$scratch/measurements.csv"
}

# --- two machines take turns ---
repository turns
nights 39
INSTANCE=linux series gemm '1 * e'
INSTANCE=linux every_second gemm 2
INSTANCE=windows series conv '1 * e'
every_second conv 1
measured
verdict "tonight is one machine's turn" 0 \
	'1 of 1 series judged: 1 unchanged; 1 intermittent series not measured here'
verdict "last night was the other's" 0 \
	'1 of 1 series judged: 1 unchanged; 1 intermittent series not measured here' HEAD~1
verdict "a nightly gate" 0 '1 unchanged; 1 intermittent series not measured here' --against window
# One machine goes on alone: its neighbour is missed when it is away for longer than ever.
nights 3 41
INSTANCE=linux series gemm '1 * e' 41
measured 1
verdict "three nights without the other" 6 '1 unchanged' HEAD
check "it is no longer measured: $out" grep -qE '^. missing \(stopped\) +conv ' <<<"$out"

# What is measured every night is missed at once, and also when it was away once before.
repository always
nights 39
series gemm '1 * e'
series conv '1 * e' 1 20
series conv '1 * e' 22 39
measured
verdict "away for the second time" 5 '1 of 2 series judged: 1 missing, 1 unchanged'

# --- the commit after a regression ---
repository after
nights 39
series same '(i >= 39 ? 1.1 : 1) * e'
series more '(i == 39 ? 1.1 : i == 40 ? 1.2 : 1) * e'
series first '(i == 40 ? 1.1 : 1) * e'
series back '(i == 39 ? 1.1 : 1) * e'
measured
run gate --against nearest
check "what was as bad before is not charged: $out" grep -qE '^. unclear +same ' <<<"$out"
check "and says where it began: $out" grep -qF \
	"but $(git rev-parse --short=10 HEAD~1) before it is no better, so the cause is older" <<<"$out"
check "what makes it worse still is: $out" grep -qE '^. slower \(unconfirmed\) +more .*\+[12][0-9]\.' <<<"$out"
check "so is what begins here: $out" grep -qE '^. slower \(unconfirmed\) +first ' <<<"$out"
check "what is well again is well: $out" grep -qE '^. unchanged +back ' <<<"$out"
run gate HEAD~1
for kernel in same more back; do
	check "the commit that made $kernel worse: $out" grep -qE "^. slower \(unconfirmed\) +$kernel " <<<"$out"
done

# --- the night on which it is repaired ---
repository repaired
nights 39
series today '(i > 30 && i < 40 ? 1.1 : 1) * e'
series soon '(i > 30 ? 1.1 : 1) * e'
series half '(i > 30 && i < 40 ? 1.1 : i == 40 ? 1.05 : 1) * e'
measured
run gate --against window
check "back where it was is no regression tonight: $out" grep -qE '^. faster +today ' <<<"$out"
check "what is not repaired is one: $out" grep -qE '^. slower +soon ' <<<"$out"
check "nor what is so by half: $out" grep -qE '^. slower +half ' <<<"$out"
run gate --against window --explain today
check "and says so: $out" grep -qF 'recovered: back where it was before' <<<"$out"
run gate --against window HEAD~1
check "last night it was one: $out" grep -qE '^. slower +today ' <<<"$out"
# --- a change of two commits, of which the first accepts what the second does ---
repository waiver
branch=$(git symbolic-ref --short HEAD)
git branch -q -M main && branch=main
nights 30
series gemm '1 * e'
measured
git reset -q --hard
git checkout -q -b change
mkdir -p .rooflog
echo 'gemm | total_time | 9 ms | never | me | because I say so' >.rooflog/accept
git add -f .rooflog/accept && git commit -q -m 'accept'
commit slow 2026-04-02T09:00:00Z
series gemm '2 * e' 33
measured 1
verdict "it does not waive itself" 3 '1 slower (unconfirmed)'
verdict "nor by the night's words" 0 '1 slower (unconfirmed)' --against window
git checkout -q "$branch" && git merge -q --ff-only change
verdict "what is merged is accepted" 0 '1 slower (accepted)' --against window
verdict "its own parent is the branch's" 0 '1 slower (accepted)'

finish
