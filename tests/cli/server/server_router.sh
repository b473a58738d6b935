#!/bin/bash
# Each statement reads one place, and is one that Citus and YugabyteDB run, too: with the table of packs cut into 64 parts
# by place, the server's plans name one part.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

server_make ''
repository first
nights 7

# --- the subset ---
# A word on the right is none of any statement; what stands there instead is in docs/design/server-store.md.
words() { sed 's/--.*//' "$@" | tr -c '[:alnum:]_' ' ' | tr '[:lower:]' '[:upper:]'; }
# What prune removes, only whoever cares for the store may remove: remove.sql is the one DELETE.
for file in "$root"/db/postgres/sql/*.sql; do
	[ "${file##*/}" != remove.sql ] || continue
	text=$(words "$file")
	for word in SERIAL BIGSERIAL IDENTITY SEQUENCE NEXTVAL UPDATE RETURNING TEMP TEMPORARY RECURSIVE OVER LOCK LISTEN NOTIFY \
		TRIGGER PG_ADVISORY_LOCK DEFERRABLE GENERATED JSONB DOMAIN ENUM REFERENCES TRUNCATE DELETE ALTER; do
		check "$(basename "$file") has no $word" test -z "$(grep -w "$word" <<<"$text")"
	done
	check "$(basename "$file"): ON CONFLICT names its columns" \
		test -z "$(grep -Eo 'ON CONFLICT +DO' <<<"$(words "$file" | tr -s ' \n' ' ')")"
	grep -q "ON CONFLICT" <<<"$text" && check "$(basename "$file"): and does nothing" grep -q "DO NOTHING" <<<"$text"
done
check "a word of the list would be found" grep -qw SERIAL <<<"$(words <<<'CREATE TABLE t (a serial)')"
check "place leads each key" test "$(grep -cE 'PRIMARY KEY \(place|INDEX .*\(place|place bigint PRIMARY KEY' "$root/db/postgres/sql/schema.sql")" = 3

# --- 64 parts ---
# shellcheck disable=SC2016 # parameters of statements
sed '/^--;/d; s/\$1/repeat('"'0'"', 32)/' "$root/db/postgres/sql/schema.sql" |
	sed 's/^	PRIMARY KEY (place, id)$/&\n) PARTITION BY HASH (place/' >"$scratch/schema.sql"
psql -h "$data" -p "$port" -U owner -d rooflog -qX -v ON_ERROR_STOP=1 -f "$scratch/schema.sql" || exit 1
for ((part = 0; part < 64; part++)); do
	sql "CREATE TABLE rooflog.pack_$part PARTITION OF rooflog.pack FOR VALUES WITH (MODULUS 64, REMAINDER $part)"
done
parts() { # <STATEMENT: of how many parts its plan reads
	sed 's/--.*//; s/;//' | sed '1i EXPLAIN (FORMAT JSON, COSTS OFF)' >"$scratch/asked.sql"
	psql -h "$data" -p "$port" -U owner -d rooflog -qAtX -v ON_ERROR_STOP=1 -f "$scratch/asked.sql" |
		jq '[.. | objects | ."Relation Name"? // empty | select(startswith("pack"))] | unique | length'
}
given() { # STATEMENT [SECOND]: with constants in the place of parameters
	sed "s/\\\$1/4711::bigint/; s/\\\$2/${2:-}/" "$root/db/postgres/sql/$1.sql"
}
equal "list reads one part" "$(given list 5 | parts)" 1
equal "read reads one part" "$(given read "ARRAY['x', 'y']::bytea[]" | parts)" 1
equal "size reads one part" "$(given size | parts)" 1
equal "another question would read all" "$(parts <<<'SELECT count(*) FROM rooflog.pack')" 64
sql "INSERT INTO rooflog.project VALUES (4711, 'x')"
export ROOFLOG_STORE
ROOFLOG_STORE=$(address owner)
series attention '1*e'
measured 1
run gate --json
verdict=$out
equal "all goes on as before" "$(sql 'SELECT count(*), count(DISTINCT tableoid) FROM rooflog.pack')" "1|1"
HOME=$scratch/other run gate --json
equal "the verdict of another machine" "$out" "$verdict"
finish
