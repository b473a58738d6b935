#!/bin/bash
# A store on a PostgreSQL server: several machines have one history, with the answers that a file gives; what fails
# leaves the server as it was, and no message has a password.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

machine() { export HOME=$scratch/home-$1; } # NAME: each has a copy of its own
at() { # MACHINE ARGS...
	machine "$1"
	shift
	run "$@"
}
packs() { sql 'SELECT count(*) FROM rooflog.pack'; }
# shellcheck disable=SC2317 # by `check`
holds() { jq -e "$1" >/dev/null; } # CONDITION <DOCUMENT
answers() { # what a person asks, as text
	for asked in "log" "gate --explain" "log --view edits" "baseline list"; do
		# shellcheck disable=SC2086 # words
		"$rooflog" $asked 2>&1
	done
}

server_make ''
repository first
nights 7

# --- before there is anything ---
store=$(address owner)
export ROOFLOG_STORE=$store
run log
equal "no tables: status" "$status" 2
check "no tables: $err" grep -q 'no run store there yet: "rooflog ingest" makes it' <<<"$err"
equal "reading makes none" "$(sql "SELECT count(*) FROM pg_tables WHERE schemaname = 'rooflog'")" 0

# --- two machines ---
at a ingest --quiet "$root/samples/mlp"
equal "ingest: $err" "$status" 0
for night in 2 4 8; do
	series attention '1*e' 1 $night
	measured $night
done
series relu '2*e'
measured 9
at a log --json
all=$out
at b log --json
equal "another machine sees the same" "$out" "$all"
at b rm --all-commits --kernel mlp --reason "wrong clock"
equal "rm: $err" "$status" 0
at b mv attention attention-v2
at b baseline set good HEAD
at b baseline set bad HEAD
at b baseline rm bad
machine a
here=$(answers)
machine b
equal "edits and baselines come across" "$(answers)" "$here"
check "they are there: $here" grep -q 'wrong clock' <<<"$here"
check "the baseline is gone: $here" grep -qv '^bad ' <<<"$here"
at a rm --undo
machine c

equal "undone everywhere" "$("$rooflog" log | grep -c mlp)" 1

# --- a file gives the same answers ---
here=$(answers)
run store copy "$store" "$scratch/file.db"
equal "copy: $err" "$status" 0
ROOFLOG_STORE=$scratch/file.db
equal "as from a file" "$(answers)" "$here"
run store copy "$scratch/file.db" "$(address owner | sed s/#.*/#second/)"
equal "and back: $err" "$status" 0
ROOFLOG_STORE=$(address owner | sed s/#.*/#second/)
equal "another project, the same answers" "$(answers)" "$here"
equal "projects" "$(sql 'SELECT name FROM rooflog.project ORDER BY name' | tr '\n' ' ')" "kernels second "
ROOFLOG_STORE=$store

# --- the project ---
ROOFLOG_STORE=${store%#*}
run log
equal "no project: status" "$status" 2
check "no project: $err" grep -q 'name it at the end of the address: #NAME' <<<"$err"
git remote add origin https://ada:secret@forge.example.org:8443/team/kernels.git
run log
check "the remote says it: $err" grep -q 'no runs of the project forge.example.org:8443/team/kernels' <<<"$err"
ROOFLOG_STORE=$store

# --- the copy ---
at a log --json
all=$out
find "$HOME" -name '*.state' -exec rm {} +
run log --json
equal "without its state: $err" "$out" "$all"
find "$HOME" -name '*.db' -exec sh -c 'head -c 9000 /dev/zero | dd of="$1" conv=notrunc status=none' _ {} \;
find "$HOME" -name '*.state' -exec rm {} +
run log --json
equal "a damaged copy is made again: $err" "$out" "$all"
HOME=/nonexistent run log --json
equal "without a home: $err" "$out" "$all"
equal "and nothing is left" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name '.rooflog-tool.*' -newer "$scratch/.out" | wc -l)" 0
run doctor --json
check "doctor reads all: $out" holds '.checks | map(select(.topic == "server" or .topic == "copy").ok) == [true, true]' <<<"$out"
sql "DELETE FROM rooflog.pack WHERE runs > 0 AND stored_at = (SELECT min(stored_at) FROM rooflog.pack WHERE runs > 0)"
run doctor --repair --json
check "doctor --repair makes it again: $out" holds '.checks | map(select(.topic == "copy").ok) == [true]' <<<"$out"
run log
check "without what the server lost: $out" test "$(grep -c attention <<<"$out")" -gt 2

# --- passwords ---
run log --store "postgresql://ada:sesame@127.0.0.1:$port/none?sslpassword=open&application_name=x#kernels"
equal "no such database: status" "$status" 2
check "no password is shown: $err" test "${err/sesame/}${err/open/}" = "$err$err"
check "the rest is: $err" grep -qF "postgresql://ada@127.0.0.1:$port/none?application_name=x" <<<"$err"
run log --store "postgresql://ada:ses%zzame@127.0.0.1/x#kernels"
check "an address that cannot be read: $err" test "${err/ame/}" = "$err"
run log --store "postgresql://127.0.0.1:1/rooflog#kernels"
equal "nobody there: status" "$status" 2
check "nobody there: $err" grep -q 'Connection refused' <<<"$err"

# --- who may what ---
sql "CREATE ROLE writer LOGIN; CREATE ROLE reader LOGIN;
	GRANT USAGE ON SCHEMA rooflog TO writer, reader;
	GRANT SELECT ON ALL TABLES IN SCHEMA rooflog TO writer, reader;
	GRANT INSERT (place, id, runs, lines) ON rooflog.pack TO writer;
	GRANT INSERT ON rooflog.project TO writer; CREATE ROLE nobody LOGIN"
at d log --json --store "$(address reader)"
equal "a reader reads: $err" "$status" 0
copy=$(stat -c %i "$HOME"/.cache/rooflog/*.db)
run log --store "$(address nobody)"
check "no right at all: $err" grep -q 'permission denied for schema rooflog' <<<"$err"
sql "GRANT USAGE ON SCHEMA rooflog TO nobody; GRANT SELECT ON rooflog.version, rooflog.project TO nobody"
run log --store "$(address nobody)"
check "no right to the packs: $err" grep -q 'permission denied for table pack' <<<"$err"
equal "what the server refuses leaves the copy alone" "$(stat -c %i "$HOME"/.cache/rooflog/*.db)" "$copy"
equal "which nobody else may read" "$(stat -c %a "$HOME/.cache/rooflog")" 700
before=$(packs)
run baseline set good HEAD --store "$(address reader)"
equal "and writes nothing: status" "$status" 2
check "says why: $err" grep -q 'permission denied for table pack' <<<"$err"
equal "the server is as it was" "$(packs)" "$before"
run log --view edits --store "$(address reader)"
equal "and the copy too" "$status" 0
run baseline list --store "$(address reader)"
check "the copy has no such baseline: $out" test "$(grep -c '^good' <<<"$out")" = 1
run baseline set better HEAD --store "$(address writer)"
equal "a writer writes: $err" "$status" 0
check "a writer deletes nothing" test "$(psql -h "$data" -p "$port" -U writer -d rooflog -qAtXc 'DELETE FROM rooflog.pack' 2>&1 | grep -c denied)" = 1

# --- pruning ---
at z log --json
all=$out
before=$(packs)
run store prune --keep 2 --store "$(address writer)"
equal "who may not delete, prunes nothing: status" "$status" 2
check "says why: $err" grep -q 'permission denied for table pack' <<<"$err"
equal "the server is as it was" "$(packs)" "$before"
run log --json
equal "and the copy again, too: $err" "$out" "$all"
at y log
at z store prune --keep 2 --json
equal "prune: $err" "$status" 0
as_schema "store prune on a server" program/size-1.schema.json <<<"$out"
check "the packs are few: $out" test "$(packs)" -lt "$before"
run log --json
all=$out
HOME=$scratch/pruned run log --json
equal "a new machine reads what stayed: $err" "$out" "$all"
at y store prune --keep 7 --kernel relu --json
equal "a machine with an older copy: $err" "$(jq .pruned.runs <<<"$out")" 0
run log --json
equal "brings nothing back" "$out" "$all"
run store size
check "size: $out" grep -q '^server   .* in 1 pack$' <<<"$out"
run doctor --json
check "doctor after pruning: $out" holds '.checks | map(select(.topic == "server" or .topic == "copy").ok) == [true, true]' <<<"$out"
for commit in HEAD~1 HEAD; do
	jq -n --arg commit "$commit" '{results: [{command: "repeated", times: [range(50) | 1 + ((. * 7919 + ($commit | length)) % 101) / 100000]}]}' >repeated.json
	at z ingest --quiet --commit "$commit" repeated.json
done
at z store prune --samples 1 --kernel repeated --json
equal "repeats of one run: $err" "$(jq .pruned.thinned <<<"$out")" 1
HOME=$scratch/thinned run store export -o thinned.jsonl
equal "a new machine has those of the other one" "$(jq -c 'select(.run) | .. | objects | select(has("deviation")) | .numbers // [] | length' thinned.jsonl |
	sort -n | uniq | tr '\n' ' ')" '0 50 '
series gelu '2*e'
measured 30
at b log
equal "it goes on: $err" "$status" 0

# --- SQL, as docs/team.md has it ---
query=$(awk '/^SELECT line/ { inside = 1 } /^```$/ { inside = 0 } inside' "$root/docs/team.md")
check "the page has a query" test -n "$query"
at q log --json
jq -r ".runs[] | .kernel" <<<"$out" | sort >"$scratch/kernels"
sql "${query//github.com\/ada\/kernels/kernels}" | cut -d'|' -f1 | sort | diff - "$scratch/kernels" >"$scratch/difference"
check "which finds the runs: $(head -n 5 "$scratch/difference")" test ! -s "$scratch/difference"

# --- a pack from the future ---
text='{"schema":"rooflog-store/1"}
{"end":{"commits":0,"runs":0,"edits":0,"baselines":0},"sha256":"'$(printf '{"schema":"rooflog-store/1"}\n' | sha256sum | cut -c1-64)'"}
'
sql "INSERT INTO rooflog.pack (place, id, stored_at, runs, lines) SELECT place, sha256(convert_to('$text', 'UTF8')), 4102444800000000, 0, convert_to('$text', 'UTF8') FROM rooflog.project WHERE name = 'kernels'"
at b log
equal "is read: $err" "$status" 0
series silu '3*e'
measured 40
at b log --json
check "and hides nothing" holds '[.runs[] | select(.kernel == "silu")] | length > 0' <<<"$out"
for night in 1 2 3; do
	series "lonely$night" '3*e'
	at lone ingest --quiet --history --columns "commit,kernel=op,device=gpu,time=value:ms" "$scratch/measurements.csv"
	rm "$scratch/measurements.csv"
done
run log
equal "who writes alone knows when" "$(sort -u -k2 "$HOME"/.cache/rooflog/*.state | tail -n 4 | cut -d' ' -f2 | sort -u | wc -l)" 4

# --- a server's clock that went back by more than a day ---
sql "UPDATE rooflog.pack SET stored_at = stored_at - 200000000000 WHERE id = (SELECT id FROM rooflog.pack WHERE stored_at < 4000000000000000 ORDER BY stored_at DESC LIMIT 1)"
at c doctor --json
check "doctor finds what is missing: $out" holds '.checks | map(select(.topic == "copy").text) | any(test(" lacks [0-9]+ runs of the server"))' <<<"$out"
at c doctor --repair --json
check "and repairs it: $out" holds '.checks | map(select(.topic == "copy").ok) == [true]' <<<"$out"

# --- what a hostile or newer program wrote ---
put() { # LINES
	sql "INSERT INTO rooflog.pack (place, id, runs, lines) SELECT place, sha256(convert_to('$1', 'UTF8')), 1, convert_to('$1', 'UTF8') FROM rooflog.project WHERE name = 'kernels'"
}
put 'nonsense'
run log
equal "a pack that is none: status" "$status" 2
check "names it: $err" grep -q 'pack [0-9a-f]\{64\}:1: ' <<<"$err"
sql "DELETE FROM rooflog.pack WHERE lines = 'nonsense'"
run log
equal "without it: $err" "$status" 0
sql "INSERT INTO rooflog.pack (place, id, runs, lines) SELECT place, '\\x00', 1, 'x' FROM rooflog.project WHERE name = 'kernels'"
run log
check "an id that is none: $err" grep -q 'not a SHA-256' <<<"$err"
sql "DELETE FROM rooflog.pack WHERE lines = 'x'"
sql "UPDATE rooflog.pack SET lines = lines || 'x' WHERE place = (SELECT place FROM rooflog.project WHERE name = 'kernels')"
at e log
check "a pack that was changed: $err" grep -q 'was changed: its lines have another SHA-256' <<<"$err"
sql "INSERT INTO rooflog.version VALUES (2, repeat('0', 32))"
run log
equal "a newer schema: status" "$status" 2
check "a newer schema: $err" grep -q 'its schema is version 2, this program knows version 1; update rooflog' <<<"$err"
finish
