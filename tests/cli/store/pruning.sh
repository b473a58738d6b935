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

refused "without a number" "--keep N or --samples N is missing" store prune
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
# --- the repeats of old runs ---
repository repeats
store=$PWD/.rooflog/runs.db
for night in {1..12}; do
	commit "night $night" "$(date -u -d "2026-04-01 + $night days" +%Y-%m-%dT09:00:00Z)"
	jq -n --argjson night "$night" '{results: [{command: "gemm", times: [range(200) | 1 + ((. * 7919 + $night * 104729) % 1009) / 100000]}]}' >measured.json
	run ingest --quiet --commit HEAD measured.json
	equal "night $night: $err" "$status" 0
done
repeats() { # how many of the runs have them, by commit, the newest first; then their distribution
	"$rooflog" store export -o "$scratch/repeats.jsonl" 2>/dev/null
	jq -c 'select(.run) | [.. | objects | select(has("deviation")) | .numbers // [] | length]' "$scratch/repeats.jsonl" | tr '\n' ' '
}
spreads() { jq -c 'select(.run) | [.. | objects | select(has("deviation")) | del(.numbers)]' "$scratch/repeats.jsonl" | sha256sum; }
all=$(repeats)
before=$(spreads)
check "each has two hundred: $all" test "$(grep -o 200 <<<"$all" | wc -l)" = 12
run gate --json
judged=$(jq -c '[.gate.comparisons[] | [.verdict, .judged, .candidate.value, .record]]' <<<"$out")
size=$(stat -c %s "$store")
run store prune --samples 4 --dry-run
check "what would be dropped: $err" grep -q '8 runs would lose their repeats and keep their distribution; nothing was changed' <<<"$err"
equal "nothing was" "$(repeats)" "$all"
run store prune --samples 4 --json
as_schema "size" program/size-1.schema.json <<<"$out"
equal "as data" "$(jq -c '[.pruned.keep, .pruned.runs, .pruned.samples, .pruned.thinned]' <<<"$out")" '[0,0,4,8]'
left=$(repeats)
equal "the latest four have them" "$(grep -o 200 <<<"$left" | wc -l)" 4
equal "all have their distribution" "$(spreads)" "$before"
check "the file is smaller: $size, $(stat -c %s "$store")" test "$(stat -c %s "$store")" -lt "$size"
run gate --json
equal "the same verdict" "$(jq -c '[.gate.comparisons[] | [.verdict, .judged, .candidate.value, .record]]' <<<"$out")" "$judged"
run doctor
equal "the store is whole: $out" "$status" 0
run store prune --samples 4
check "a second time finds nothing: $err" grep -q '^0 runs lost' <<<"${err#rooflog store prune: }"
python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE spread SET deviation = 7 WHERE run_id = (SELECT max(id) FROM run) - 2")
db.commit()' "$store"
refused "a damaged run is not made whole" "the store is damaged" store prune --samples 1
refused "nothing to do" "--keep N or --samples N is missing" store prune
finish
