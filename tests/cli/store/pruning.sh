#!/bin/bash
# rooflog store prune and store size: what goes is what nothing needs, and what stays reads as before.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository prune
nights 79
series step 'e*(i>=20?1.2:1)'
series flat '2*e'
series few 'e' 70 75
measured 0
run ingest --quiet "$root/samples/mlp"
git tag v1 HEAD~70
run baseline set good HEAD~65
equal "baseline: $err" "$status" 0
run rm --all-commits --kernel few --reason 'wrong input'
store=$PWD/.rooflog/runs.db

run store size --json
as_schema "store size" program/size-1.schema.json <<<"$out"
equal "what it holds" "$(jq -c '[.runs, .series, .commits, .removed, .server, .pruned]' <<<"$out")" '[161,3,80,6,null,null]'
equal "and its bytes" "$(jq .bytes <<<"$out")" "$(stat -c %s "$store")"
run store size
check "for people: $out" grep -qx 'runs     161 of 3 series at 80 commits, and 6 runs removed' <<<"$out"

refused "without a number" "--keep N is missing" store prune
refused "no number" "--keep" store prune --keep 0

before=$("$rooflog" log --json)
run store prune --keep 30 --dry-run --json
as_schema "store prune --dry-run" program/size-1.schema.json <<<"$out"
foreseen=$(jq -c '[.pruned.runs, .pruned.series]' <<<"$out")
equal "a trial changes nothing" "$("$rooflog" log --json)" "$before"
run gate --json
judged=$(jq -c '[.gate.comparisons[] | [.kernel, .verdict, .candidate.value]]' <<<"$out")
run store prune --keep 30 --json
equal "prune: $err" "$status" 0
as_schema "store prune" program/size-1.schema.json <<<"$out"
equal "as foreseen" "$(jq -c '[.pruned.runs, .pruned.series]' <<<"$out")" "$foreseen"
equal "the file is smaller" "$(jq '.pruned.bytes > 0 and .bytes < 400000' <<<"$out")" true
equal "and says its size" "$(jq .bytes <<<"$out")" "$(stat -c %s "$store")"
stays() { # KERNEL: the numbers of its commits from the newest on
	"$rooflog" log --json --kernel "$1" | jq -r '.runs[].commit.oid' | while read -r id; do
		git rev-list --count "$id..HEAD"
	done | tr '\n' ' '
}
last=$(seq -s ' ' 0 29)
equal "flat: thirty, the baseline and the release" "$(stays flat)" "$last 65 70 "
step="$last $(seq -s ' ' 51 70) "
equal "step: ten commits on both sides of its step, too" "$(stays step)" "$step"
run gate --json
equal "the same verdicts" "$(jq -c '[.gate.comparisons[] | [.kernel, .verdict, .candidate.value]]' <<<"$out")" "$judged"
run log --view edits --json
equal "edits are known" "$(jq '.edits | length' <<<"$out")" 1
run rm --undo
equal "and undone: $err" "$status" 0
equal "with their runs" "$(stays few | wc -w)" 6
run doctor
check "the store is whole: $out" grep -q 'runs intact' <<<"$out"
equal "doctor" "$status" 0
run store prune --keep 30 --json
equal "again, there is nothing left" "$(jq -c '[.pruned.runs, .pruned.series]' <<<"$out")" '[0,0]'
cp "$store" "$scratch/kept.db"
(cd "$scratch" && "$rooflog" --store "$scratch/kept.db" store prune --keep 2 2>"$scratch/.err")
equal "where no tags are to be read: status" "$?" 2
check "says what to do: $(cat "$scratch/.err")" grep -q 'project.releases=' "$scratch/.err"
(cd "$scratch" && "$rooflog" --store "$scratch/kept.db" -c project.releases= store prune --keep 2 --dry-run >/dev/null 2>&1)
equal "or that there are none" "$?" 0

# --- an edit in force holds for runs that come back ---
cp "$store" "$scratch/backup.db"
run mv flat plain
run store prune --keep 20 --kernel plain
run store merge "$scratch/backup.db"
equal "renamed runs come back renamed: $err" "$(stays plain)" "$last 65 70 "
run mv --undo

run store prune --keep 2 --kernel flat
check "one kernel: $err" grep -q '^rooflog store prune: 28 runs of 1 series deleted, ' <<<"rooflog store prune: $err"
equal "others stay" "$(stays step)" "$step"
run ingest --quiet "$root/samples/mlp"
check "what stayed is known: $out" grep -q known <<<"$out"

# --- commits of one second on two branches ---
git branch other HEAD~1
commit here 2026-06-01T09:00:00Z
git checkout -q other
commit there 2026-06-01T09:00:00Z
for minute in 10 11; do
	for branch in - other; do
		git checkout -q "$branch" 2>/dev/null
		printf 'commit,op,gpu,instance,value\n%s,twice,h100-sxm,,1.%s\n' "$(git rev-parse HEAD)" "$minute$RANDOM" >"$scratch/measurements.csv"
		measured $minute
	done
done
run store prune --keep 2 --kernel twice
check "two commits are two: $err" grep -q '0 runs of 0 series' <<<"$err"
finish
