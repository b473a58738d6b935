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

repository damaged
nights 3
for commit in HEAD~2 HEAD~1 HEAD; do run ingest --commit "$commit" "$fast"; done
run log --json
whole=$out
run doctor
equal "a whole store: $out" "$status" 0
check "all runs are intact: $out" grep -q '9 of 9 runs intact, 9 of them' <<<"$out"

# One number of one run.
sql "UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'00' || substr(packed, 7) AS BLOB) WHERE run_id = 5"
for words in "log --json" "gate HEAD~1" "show HEAD~1" "report --format json HEAD~1"; do
	# shellcheck disable=SC2086 # words
	run $words
	equal "$words: status" "$status" 2
	check "$words: damage: $err" grep -q "the store is damaged" <<<"$err"
done
run gate
run doctor
equal "doctor: $out" "$status" 2
check "the run is named: $out" grep -qE "damage +run" <<<"$out"
run doctor --repair
equal "repair: $out" "$status" 2
check "one is set aside: $out" grep -q 'set 1 damaged run aside' <<<"$out"
run doctor
equal "afterwards: $out" "$status" 0
check "it is still named: $out" grep -q 'set aside; ingest its file again' <<<"$out"
run log --json
equal "the others are read: $err" "$status $(jq length <<<"$out")" "0 8"
run ingest --commit HEAD~1 "$fast"
run doctor
check "ingested again: $out" grep -q '9 of 9 runs intact' <<<"$out"
run log --json
equal "as before" "$(jq -S '[.[].id] | sort' <<<"$out")" "$(jq -S '[.[].id] | sort' <<<"$whole")"

# A commit is read from git again; what is derived is rebuilt.
sql "UPDATE revision SET time = time + 1 WHERE id = 2; UPDATE history SET records = zeroblob(12) WHERE revision_id = 2"
run gate
equal "a damaged commit: status" "$status" 2
run doctor
equal "doctor: $out" "$status" 2
check "the commit is named: $out" grep -qE "damage +commit" <<<"$out"
run doctor --repair
equal "repaired: $out" "$status" 0
check "from git: $out" grep -q 'read 1 commit from git again' <<<"$out"
run gate
check "the gate reads it: $err" test "$status" -ne 2

# A number that an older program stored, and that no run can have.
rm .rooflog/runs.db
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
