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
run store prune --keep 2 --kernel flat
check "one kernel: $err" grep -q '^rooflog store prune: 28 runs of 1 series deleted, ' <<<"rooflog store prune: $err"
equal "others stay" "$(stays step)" "$step"
run ingest --quiet "$root/samples/mlp"
check "what stayed is known: $out" grep -q known <<<"$out"
finish
