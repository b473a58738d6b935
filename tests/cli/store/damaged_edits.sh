#!/bin/bash
# A damaged record of an edit costs that edit and nothing else; the repair of the store keeps what is left of it.
# shellcheck disable=SC2016,SC2119 # words for grep; all of it is measured
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,device=gpu,instance_type=instance,time=value:ms

sql() { # STATEMENTS
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(".rooflog/runs.db")
db.executescript(sys.argv[1])
db.close()' "$1"
}
ids() { "$rooflog" log --json "$@" 2>/dev/null | jq -r '.runs[].id' | sort; }
newest() { "$rooflog" log --json --kernel "$1" --max-count 1 | jq -r '.runs[0].id'; }
copied() { # the store with three edits, damaged by STATEMENTS
	cp whole.db .rooflog/runs.db
	sql "$1"
}

repository edited
nights 3
series attention '1*e'
series mlp '2*e'
cp "$scratch/measurements.csv" "$scratch/both.csv"
measured
{ head -n 1 "$scratch/both.csv" && grep attention "$scratch/both.csv" | tail -n 1; } >"$scratch/first.csv"
first=$(newest attention)
run rm "$first" --reason 'the clock was limited'
run mv attention flash --reason 'its new name'
run ingest --columns "$map" "$scratch/first.csv"
check "the edit that removed the run, not the last one: $err" grep -qF \
	"run ${first:0:8} was removed on 2026-03-07T09:00:00Z (the clock was limited): it stays" <<<"$err"
run rm "$(newest mlp)" "$(newest flash)"
last=$(newest mlp)
cp .rooflog/runs.db whole.db
everything=$(ids)

# ---- when and why ----

copied "UPDATE edit SET reason = 'another', time = 5 WHERE id = 1"
run ingest --columns "$map" "$scratch/first.csv"
equal "ingest: $err" "$status" 0
check "says neither a wrong date nor a wrong reason: $err" grep -qF \
	"run ${first:0:8} was removed: it stays removed" <<<"$err"
run mv mlp matmul
equal "mv: $err" "$status" 0
run rm "$last"
equal "rm: $err" "$status" 0
for command in rm mv rm; do
	run "$command" --undo
	equal "$command --undo of what is intact: $err" "$status" 0
done
refused "the damaged one" 'edit 1: when and why it was made changed after it was stored; `rooflog doctor --repair`' \
	rm --undo
refused "nor as a trial" 'edit 1: when and why it was made changed' rm --undo --dry-run
run log --view edits --json
equal "the list" "$status" 2
check "names it: $err" grep -q 'the store is damaged: edit 1: ' <<<"$err"
as_schema "what is left" edits-1.schema.json <<<"$out"
equal "of all edits" "$(jq -c '[.edits[] | [.kind, .time == null, .reason]]' <<<"$out")" \
	'[["rm",false,null],["mv",false,null],["rm",false,null],["mv",false,"its new name"],["rm",true,null]]'
run doctor
equal "doctor: $out" "$status" 1
check "names it: $out" grep -q 'damage .*edit 1 (rm): changed after it was stored' <<<"$out"
run doctor --repair
check "repair: $out" grep -q 'edit 1: its date and reason are lost; it can be undone as before' <<<"$out"
run doctor
equal "then the store is whole: $out" "$status" 0
run log --view edits
equal "and listed: $err" "$status" 0
check "without a date: $out" grep -qE '^unknown +rm +removed +1 ' <<<"$out"
run ingest --columns "$map" "$scratch/first.csv"
check "nor has ingest one: $err" grep -qF "run ${first:0:8} was removed: it stays removed" <<<"$err"
run rm --undo
equal "it is undone: $err" "$status $(ids | grep -c "$first")" "0 1"
check "and said so: $err" grep -qF 'undone: rm of an unknown time, 1 run brought back' <<<"$err"

# ---- its row is gone, or has another number ----

for damage in "DELETE FROM edit WHERE id = 3" "UPDATE edit SET id = 100 WHERE id = 3"; do
	copied "$damage"
	refused "$damage" 'edit 3: when and why' rm --undo
	run mv --undo
	equal "another is undone: $err" "$status" 0
	run doctor --repair
	check "repair: $out" grep -q 'edit 3: its date and reason are lost' <<<"$out"
	run rm --undo
	equal "undone: $err" "$status $(ids | wc -l)" "0 $(($(wc -l <<<"$everything") + 2))"
	run doctor
	equal "the store is whole: $out" "$status" 0
done
copied "UPDATE edit SET id = 2 + (1 << 40) WHERE id = 2"
run doctor --repair
equal "one bit is put back: $out" "$status" 0
run mv --undo
equal "and undone: $err" "$status $(ids --kernel attention | wc -l)" "0 2"
copied "UPDATE edit SET id = 9223372036854775807 WHERE id = 3"
refused "the highest number" 'finds the number 9223372036854775807' rm "$last"
refused "for mv, too" 'finds the number 9223372036854775807' mv mlp matmul
run doctor --repair
run rm "$last"
equal "until it is repaired: $err" "$status" 0

# ---- a run of an edit ----

copied "UPDATE edited_run SET effect = 2, series_id = 1 + series_id % 2 WHERE edit_id = 3 AND series_id = 2"
refused "an edit with a damaged run" 'edit 3: the list of its runs changed' rm --undo
run mv --undo
equal "another is undone: $err" "$status" 0
run log --view edits
check "what is left is listed: $out" grep -qE ' rm +removed +1 ' <<<"$out"
check "and the damage is named: $status $err" grep -q 'edit 3: the list of its runs' <<<"$err"
run doctor --repair
check "repair: $out" grep -q 'edit 3: run [0-9a-f]* is lost to it: undoing it leaves the run as it is' <<<"$out"
run rm --undo
equal "the other one comes back: $err" "$status $(ids | wc -l)" "0 $(($(wc -l <<<"$everything") + 1))"
run ingest --columns "$map" --again "$scratch/both.csv"
equal "this one by its file: $err" "$status $(ids | wc -l)" "0 8"
copied "UPDATE edited_run SET effect = 7, series_id = 1000 WHERE edit_id = 3; DELETE FROM edit WHERE id = 2"
run doctor --repair
run doctor
equal "two damaged edits at once: $out" "$status" 0
run log --view edits --json
equal "one is left of them" "$(jq -c '[.edits[].kind]' <<<"$out")" '["rm","mv","rm"]'

# ---- a removed run is damaged itself ----

copied "UPDATE run SET series_id = series_id + 4 WHERE lower(hex(hash)) = '$first'"
run log --view edits
check "an edit with it is damaged: $status $err" grep -q 'edit [12]: one of its runs changed' <<<"$err"
run doctor --repair
check "the repair sets it aside: $out" grep -q 'set 1 damaged run aside' <<<"$out"
run log --view edits --json
equal "then the edit is listed without it: $err" "$status $(jq -c '[.edits[] | .kind]' <<<"$out")" \
	'0 ["rm","mv","rm"]'
run rm --undo --dry-run
equal "and others can be undone: $err" "$status" 0
run ingest --columns "$map" "$scratch/first.csv"
equal "its file puts it back: $err" "$status" 0
check "where it stays removed: $err" grep -qF "run ${first:0:8} was removed" <<<"$err"
equal "as before" "$(ids)" "$everything"
run doctor
equal "the store is whole: $out" "$status" 0
run rm --undo
run mv --undo
run rm --undo
equal "and the removal can be undone: $err" "$status $(ids | grep -c "$first")" "0 1"
run doctor
equal "still whole: $out" "$status" 0
copied "UPDATE run SET series_id = series_id + 4 WHERE lower(hex(hash)) = '$first'"
run doctor --repair
run ingest --columns "$map" --again "$scratch/first.csv"
equal "its file brings it back at once: $err" "$status $(ids | grep -c "$first")" "0 1"
run doctor
equal "whole again: $out" "$status" 0
finish
