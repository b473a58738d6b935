#!/bin/bash
# Section "server": the store of a team on a PostgreSQL server, beside the same runs in a file and beside plain rows.

# shellcheck source=bench/lib.sh
. bench/lib.sh

server_sizes() {
	echo tiny less short middle ${large:+long}
}

prepare_server() {
	need_store tiny 10 66
	need_store less 50 133
	need_store short 500 50
	need_store middle 500 600
	[ -z "$large" ] || need_store long 500 2000
}

# What tests/cli/server/lib.sh needs of those who read it.
server_begin() {
	rm -rf "$work/server"
	mkdir -p "$work/server"
	scratch=$work/server
	finish() { die "no PostgreSQL server"; }
	# shellcheck source=tests/cli/server/lib.sh
	. tests/cli/server/lib.sh
	server_make "shared_buffers = 256MB
max_wal_size = 4GB"
	export HOME=$scratch/home
}

on_server() { # NAME: where the store of this name is
	local there
	there=$(address owner)
	echo "${there%#*}#$1"
}

timed_server() { # WHAT
	(
		cd "$work/$size"
		case $1 in
		copy) "$measure" 1 "$rooflog" store copy .rooflog/runs.db "$(on_server "$size")" ;;
		first) HOME=$scratch/new-$size-$RANDOM "$measure" 1 "$rooflog" --store "$(on_server "$size")" log ;;
		file-*) measure_verdict "$rooflog" --store .rooflog/runs.db "${1#file-}" ;;
		server-*) measure_verdict "$rooflog" --store "$(on_server "$size")" "${1#server-}" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# The bytes of the same numbers in a plain table, by the first two million of them.
plain_bytes() {
	# shellcheck disable=SC2016 # a quotation of SQL
	sql 'CREATE TABLE plain (run bigint, metric smallint, value double precision, origin smallint, PRIMARY KEY (run, metric));
		INSERT INTO plain SELECT i / 15, i % 15, random(), 1 FROM generate_series(1, 2000000) AS i;
		SELECT round(pg_total_relation_size($$plain$$) / 2e6, 1)'
}

bench_server() {
	(
		server_begin
		cat <<TEXT
## A store on a server

PostgreSQL $(sql 'SHOW server_version' | cut -d ' ' -f 1) over a local socket; fifteen numbers a run. Wall ms but where said otherwise.

| runs | numbers | B a number: server | file | to the server, s | first \`log\` of a machine, s | gate: file | server | log: file | server |
|---|---|---|---|---|---|---|---|---|---|
TEXT
		for size in $(server_sizes); do
			sql 'VACUUM' && before=$(sql "SELECT pg_total_relation_size('rooflog.pack')" 2>/dev/null || echo 0)
			take_turns 1 "server-$size" timed_server copy first
			runs=$(sql "SELECT sum(runs) FROM rooflog.pack JOIN rooflog.project USING (place) WHERE name = '$size'")
			bytes=$(($(sql "SELECT pg_total_relation_size('rooflog.pack')") - before))
			take_turns "$rounds" "server-$size" timed_server file-gate server-gate file-log server-log
			row "$runs" $((runs * 15)) "$((bytes / runs / 15))" \
				"$(($(stat -c %s "$work/$size/.rooflog/runs.db") / runs / 15))" \
				"$(median_of "$(measured "server-$size" copy)" 2 | short)" \
				"$(median_of "$(measured "server-$size" first)" 2 | short)" \
				"$(wall_ms "$(measured "server-$size" file-gate)")" "$(wall_ms "$(measured "server-$size" server-gate)")" \
				"$(wall_ms "$(measured "server-$size" file-log)")" "$(wall_ms "$(measured "server-$size" server-log)")"
		done
		cat <<TEXT

* The same numbers as plain rows take $(plain_bytes) B a number, with their index.
* A machine reads the history of a project once, and then what is new; its copy takes the room of the file.
TEXT
	)
}
