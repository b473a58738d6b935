#!/bin/bash
# rooflog doctor names what is damaged; --repair rebuilds what is derived and sets damaged runs aside,
# until they are ingested again.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
fast=$root/samples/history/04/attention-s512

sql() { # STATEMENTS
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(".rooflog/runs.db")
db.executescript(sys.argv[1])
db.close()' "$1"
}

rows() { # STATEMENT
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(".rooflog/runs.db").execute(sys.argv[1]):
    print(*row, sep="|")' "$1"
}

repository damaged
nights 3
for commit in HEAD~2 HEAD~1 HEAD; do run ingest --commit "$commit" "$fast"; done
run log --json
whole=$out
run doctor
equal "a whole store: $out" "$status" 0
check "all runs are intact: $out" grep -q '9 of 9 runs intact, 9 of them' <<<"$out"

SOURCE_DATE_EPOCH=$((SOURCE_DATE_EPOCH - 2 * 86400)) run doctor
equal "a clock: $out" "$status" 1
check "it is named: $out" grep -qE '^FAIL clock +the latest run was ingested at 2026-03-07T09:00:00Z' <<<"$out"

# One number of one run.
sql "UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'00' || substr(packed, 7) AS BLOB) WHERE run_id = 5"
for words in "log --json" "gate HEAD~1" "show HEAD~1" "report --json HEAD~1"; do
	# shellcheck disable=SC2086 # words
	run $words
	equal "$words: status" "$status" 2
	check "$words: damage: $err" grep -q "the store is damaged" <<<"$err"
done
run gate
run doctor
equal "doctor: $out" "$status" 1
check "the run is named: $out" grep -qE "damage +run" <<<"$out"
run doctor --repair
equal "repair: $out" "$status" 1
check "one is set aside: $out" grep -q 'set 1 damaged run aside' <<<"$out"
run doctor
equal "afterwards: $out" "$status" 0
check "it is still named: $out" grep -q 'set aside; ingest its file again' <<<"$out"
run log --json
equal "the others are read: $err" "$status $(jq '.runs | length' <<<"$out")" "0 8"
run ingest --commit HEAD~1 "$fast"
run doctor
check "ingested again: $out" grep -q '9 of 9 runs intact' <<<"$out"
run log --json
equal "as before" "$(jq -S '[.runs[].id] | sort' <<<"$out")" "$(jq -S '[.runs[].id] | sort' <<<"$whole")"

# A run of a table that names its commits takes its place again; it does not add to the record.
cp .rooflog/runs.db whole.db
oid=$(git rev-parse HEAD~1)
printf 'commit,op,gpu,value\n%s,gemm,h100-sxm,1\n' "$oid" >../table.csv
run ingest --history --columns commit,kernel=op,device=gpu,time=value:ms ../table.csv
sql "UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'00' || substr(packed, 7) AS BLOB)
	WHERE run_id = (SELECT max(id) FROM run)"
run doctor --repair
check "a run of a table is set aside: $out" grep -q 'set 1 damaged run aside' <<<"$out"
run ingest --columns commit,kernel=op,device=gpu,time=value:ms ../table.csv
equal "its table is ingested again: $err" "$status" 0
printf '%s,gemm,h100-sxm,2\n' "$oid" >>../table.csv
refused "but a further row is not" "adds runs to commit" \
	ingest --columns commit,kernel=op,device=gpu,time=value:ms ../table.csv
run doctor
check "all is intact: $out" grep -q '10 of 10 runs intact' <<<"$out"
mv whole.db .rooflog/runs.db

# The newest run: ingested again, it is judged again.
cp .rooflog/runs.db whole.db
run gate --json
gated=$out
sql "UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'00' || substr(packed, 7) AS BLOB)
	WHERE run_id > (SELECT max(id) - 3 FROM run)"
run doctor --repair
check "the newest: $out" grep -q 'set 3 damaged runs aside' <<<"$out"
newest=$(rows "SELECT lower(substr(oid, 1, 10)) FROM revision WHERE id = (SELECT revision_id FROM run ORDER BY id DESC)")
check "the commit is named: $out" grep -q "at commit $newest" <<<"$out"
for commit in HEAD~2 HEAD~1 HEAD; do run ingest --commit "$commit" "$fast"; done
run gate --json
equal "the gate sees what was ingested again: $err" "$(jq -S '.gate.comparisons' <<<"$out")" \
	"$(jq -S '.gate.comparisons' <<<"$gated")"
run doctor
equal "then all is whole: $out" "$status" 0

# Every damage below is named, and the repair leaves what was there before.
restored() { # NAME DAMAGE WORDS
	local name=$1
	cp whole.db .rooflog/runs.db
	sql "$2"
	run doctor
	equal "$name: doctor: $out" "$status" 1
	check "$name: \"$3\" in $out" grep -qE -- "$3" <<<"$out"
	run doctor --repair
	equal "$name: repair: $out" "$status" 0
	check "$name: all runs are intact: $out" grep -q '9 of 9 runs intact' <<<"$out"
	equal "$name: as before" "$(contents)" "$whole"
	run doctor
	equal "$name: afterwards: $out" "$status" 0
	run gate --json
	equal "$name: gate: $err" "$out" "$gated"
}
contents() {
	for table in revision series metric numbers run baseline history; do
		rows "SELECT * FROM $table"
	done
}
cp whole.db .rooflog/runs.db
run baseline set release HEAD~1
run doctor --repair
cp .rooflog/runs.db whole.db
run gate --json
gated=$out
whole=$(contents)
restored "a seal of numbers" "UPDATE numbers SET seal = seal + 12345 WHERE run_id = 9" "the checksum of its numbers"
restored "a seal of a metric" "UPDATE metric SET seal = 7 WHERE id = 3" "damage +metric"
restored "a bit of a metric" "UPDATE metric SET key = replace(key, 'a', 'c') WHERE key LIKE '%a%' AND key NOT LIKE '%a%a%' AND id < 5" "damage +metric"
restored "a metric's number" "UPDATE metric SET id = id + 256 WHERE id = 2" "damage +metric"
restored "a seal of a series" "UPDATE series SET seal = 7" "damage +series"
restored "a bit of a series" "UPDATE series SET kernel = replace(kernel, 'e', 'g')" "damage +series"
restored "a mark" "UPDATE run SET dirty = 2 WHERE id = 9" "its state changed"
restored "another mark" "UPDATE run SET dirty = 4 WHERE id = 9" "its state changed"
restored "a mark that no run has" "UPDATE run SET dirty = 64 WHERE id = 9" "damage +run in row 9"
restored "a text as a mark" "UPDATE run SET dirty = 'x' WHERE id = 9" "damage +run in row 9"
restored "a bit of a baseline" "UPDATE baseline SET set_at = set_at + 0x400000000" "damage +baseline"
restored "a bit of a commit" "UPDATE revision SET position = position + 8 WHERE id = 1" "damage +commit"
restored "more of a commit" "UPDATE revision SET position = 77, time = 3, subject = 'x', parent = '', parents = 'y',
	tree = NULL WHERE id = 2" "damage +commit"
restored "of all commits" "UPDATE revision SET position = 77, time = 3, subject = 'x'" "damage +commit"

# A part of a run that was given to the next one, which nobody stored yet, is not in its way.
cp whole.db .rooflog/runs.db
sql "UPDATE numbers SET run_id = 1 + (SELECT max(id) FROM run) WHERE run_id = 9"
run doctor --repair
check "its run is set aside: $out" grep -q 'set 1 damaged run aside' <<<"$out"
for commit in HEAD~2 HEAD~1 HEAD; do
	run ingest --commit "$commit" "$fast"
	equal "ingest after the repair: $err" "$status" 0
done
run gate --json
equal "and the gate is as before: $err" "$(jq -S .gate.comparisons <<<"$out")" "$(jq -S .gate.comparisons <<<"$gated")"

# A metric whose name is not known any more: no run is touched.
cp whole.db .rooflog/runs.db
sql "UPDATE metric SET key = 'what is this' WHERE id = 1"
run doctor --repair
equal "an unknown metric: $out" "$status" 1
check "it is named: $out" grep -q 'what is this' <<<"$out"
equal "no run is set aside" "$(rows "SELECT count(*) FROM run WHERE dirty = 2")" 0

# A commit is read from git again; what is derived is rebuilt.
cp whole.db .rooflog/runs.db
sql "UPDATE revision SET time = 3, tree = NULL WHERE id = 2; UPDATE history SET records = zeroblob(12) WHERE revision_id = 2"
run gate
equal "a damaged commit: status" "$status" 2
run doctor
equal "doctor: $out" "$status" 1
check "the commit is named: $out" grep -qE "damage +commit" <<<"$out"
run doctor --repair
equal "repaired: $out" "$status" 0
check "from git: $out" grep -q 'read 1 commit from git again' <<<"$out"
run gate
check "the gate reads it: $err" test "$status" -ne 2

# An old store with a run that no program can read: the migration sets it aside, and says so.
repository migrated
mkdir .rooflog
python3 -c 'import sqlite3, sys
db = sqlite3.connect(".rooflog/runs.db")
db.executescript(open(sys.argv[1]).read())
db.execute("UPDATE run SET series_id = 77")
db.commit()' "$root/tests/golden/stores/v5.sql"
run init
equal "migrated: $err" "$status" 0
check "a run is left out: $err" grep -q '1 run cannot be read and was set aside' <<<"$err"
run doctor
check "doctor names it: $out" grep -qE 'damage +run in row 1: set aside: .*belongs to a series' <<<"$out"

repository bounds
mkdir .rooflog
# A number that an older program stored, and that no run can have.
python3 -c 'import sqlite3, sys
db = sqlite3.connect(".rooflog/runs.db")
db.executescript(open(sys.argv[1]).read())
db.execute("UPDATE value SET value = 1e299 WHERE metric_id = 1")
db.execute("UPDATE revision SET parent = \"\" WHERE id = 1")
db.commit()' "$root/tests/golden/stores/v3.sql"
run init
refused "a candidate" "run a01bc3079f at commit 0000000000 cannot be judged|total_time is 1e+299 s; expected" \
	gate 0000000000000000000000000000000000000002
run doctor
check "it is named: $out" grep -q 'run a01bc3079f .*total_time is 1e+299 s; expected 1e-12 to 1e+07 s' <<<"$out"
check "the store is whole: $out" grep -qE 'ok +checksums +1 of 1 runs intact' <<<"$out"
finish
