#!/bin/bash
# Commits that were measured before a rebase or a squash gave them another id.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

write() { # FILE TEXT
	echo "$2" >"$1"
	git add "$1"
}
runs_of() { # COMMIT
	"$rooflog" store export -o "$scratch/all.jsonl" 2>/dev/null
	jq -s --arg commit "$(git rev-parse "$1")" '[.[] | select(.run and .commit == $commit)] | length' "$scratch/all.jsonl"
}

repository squash
main=$(git symbolic-ref --short HEAD)
write kernel.c 'v1'
commit 'v1'
series gemm '1'
series conv '1'
measured
# A change of two commits, measured twice, becomes one commit.
git checkout -q -b change
write kernel.c 'v2'
commit 'half'
write other.c 'v2'
commit 'whole'
was=$(git rev-parse HEAD)
series gemm '1.3 * e' 4
series conv '1 * e' 4
measured 1
series gemm '1.31 * e' 4
series conv '1.01 * e' 4
cp "$scratch/measurements.csv" "$scratch/again.csv"
measured 2
git checkout -q "$main"
git merge -q --squash change >/dev/null
commit 'squashed'
now=$(git rev-parse HEAD)
equal 'not measured' "$(runs_of HEAD)" 0
run doctor
equal "doctor: $out$err" "$status" 0
check "it names both: $out" grep -qF "${now:0:10} was never measured; ${was:0:10}, which is not in this branch, was, and has the same files" <<<"$out"
run doctor --repair
equal 'nothing was changed' "$(runs_of HEAD)" 0
run doctor --adopt 0000000
equal 'another commit' "$status" 1
check "is refused: $out" grep -qF 'no such measured commit outside of this branch' <<<"$out"
equal 'and changes nothing' "$(runs_of HEAD)" 0
run doctor --adopt "${was:0:10}"
check "it gives the runs: $out" grep -qF "${now:0:10} has 4 runs of ${was:0:10}, which has the same files" <<<"$out"
equal 'they are there' "$(runs_of HEAD)" 4
equal 'and where they were' "$(runs_of "$was")" 4
equal "they say where they were measured" "$(jq -r --arg now "$now" 'select(.run and .commit == $now) | .attributes[][] |
	select(. == "'"$was"'")' "$scratch/all.jsonl" | sort -u)" "$was"
verdict 'they are two measurements' 1 '1 of 2 series slower, confirmed: gemm +31.7 %'
run doctor
check "a second time finds nothing: $out" bash -c '! grep -q "same files"' <<<"$out"
equal 'nor adds any' "$(runs_of HEAD)" 4
# The same file for the new commit is the same run, so it confirms nothing.
sed "s/^$was,/$now,/" "$scratch/again.csv" >"$scratch/now.csv"
SOURCE_DATE_EPOCH=$((SOURCE_DATE_EPOCH + 600)) run ingest --history --columns \
	'commit,kernel=op,device=gpu,instance_type=instance,time=value:ms' "$scratch/now.csv"
check "its file is known: $out" test "$(grep -cE '^known .* (gemm|conv) ' <<<"$out") $(grep -c '^stored ' <<<"$out")" = '2 0'
run rm --commit HEAD
run doctor
check "what was removed is not offered again: $out" bash -c '! grep -q "same files"' <<<"$out"
run rm --undo
run store export -o "$scratch/a.jsonl"
run store import --store "$scratch/b.db" "$scratch/a.jsonl"
run store merge --store "$scratch/b.db" .rooflog/runs.db
check "both have the same runs: $err" grep -q '^0 runs added' <<<"$err"

# --- the same change of other files ---
repository rebase
main=$(git symbolic-ref --short HEAD)
write kernel.c 'v1'
commit 'v1'
series gemm '1'
measured
git checkout -q -b change
write other.c 'v2'
commit 'change'
was=$(git rev-parse HEAD)
series gemm '1.3 * e' 3
measured 1
git checkout -q "$main"
write third.c 'v1'
commit 'third'
git cherry-pick change >/dev/null
now=$(git rev-parse HEAD)
run doctor
check "named, and not given: $out" grep -qF "${now:0:10} makes the change of ${was:0:10}, which was measured, to other files" <<<"$out"
equal 'no runs' "$(runs_of HEAD)" 0

# --- what is measured itself, and what is not in the branch ---
git checkout -q change
run doctor
check "its own commit: $out" bash -c '! grep -qE "same files|makes the change"' <<<"$out"
cd "$scratch" || exit 2
run doctor --store rebase/.rooflog/runs.db
equal "without a repository: $out$err" "$status" 0
finish
