#!/bin/bash
# Section "store": what it costs to write into a store of years and to ask it, beside what SQLite
# itself takes for the same numbers, and beside other ways to keep a history.

# shellcheck source=bench/lib.sh
. bench/lib.sh

store_commits=5000

# The lines of one thing measured: what, whose, how often, median, least, most, wall.
store_line() { # FILE WHAT WHOSE
	grep "^$2 $3 " "$1" || die "the store's bench does not tell of $2 by $3"
}

# shellcheck disable=SC2016 # Markdown
store_title() {
	case $1 in
	block) echo '2,000 runs of 40 numbers in one transaction' ;;
	single) echo 'one run of 40 numbers, a transaction of its own' ;;
	latest) echo 'the newest numbers of 800 series' ;;
	window) echo 'the last 50 numbers of 520 series' ;;
	history) echo 'one series, all commits' ;;
	everything) echo 'the times of all runs (20 series, all commits)' ;;
	open_read) echo 'open and close, to read' ;;
	open_write) echo 'open and close, to write' ;;
	esac
}

store_row() { # WHAT
	local full=$work/store.full tenth=$work/store.tenth plain=-
	case $1 in
	open_*) ;;
	*) plain=$(store_line "$full" "$1" plain | cut -d ' ' -f 4) ;;
	esac
	store_line "$full" "$1" rooflog | awk -v title="$(store_title "$1")" -v plain="$plain" \
		-v tenth="$(store_line "$tenth" "$1" rooflog | cut -d ' ' -f 4)" '{
		printf "| %s | %.3g | %.3g to %.3g | %.3g | %s | %s | %.2f |\n", title, $4, $5, $6, $7,
			plain == "-" ? "-" : sprintf("%.3g", plain),
			plain == "-" ? "-" : sprintf("%.2f", $4 / plain), $4 / tenth }'
}

store_facts() {
	local block bytes plain
	block=$(store_line "$work/store.full" block rooflog | awk '{ printf "%.2f", 80 / $4 }')
	bytes=$(store_line "$work/store.full" bytes rooflog | awk '{ printf "%.1f", $4 }')
	plain=$(store_line "$work/store.full" bytes plain | awk '{ printf "%.1f", $4 }')
	echo "The store took $block million numbers a second of CPU, $bytes bytes a number with all that belongs to a run;"
	echo "the two tables of SQLite alone take $plain."
}

bench_store_questions() {
	local what
	mkdir -p "$work/store_full" "$work/store_tenth"
	# shellcheck disable=SC2046 # a list of words
	compile store bench/tools/store.c bench/tools/store_plain.c bench/tools/schedule.c \
		build/release/librooflog_db.a build/release/librooflog_model.a \
		build/release/librooflog_base.a $(pkg-config --libs sqlite3 libcjson) -pthread -lm
	say "filling stores of $store_commits commits and a tenth of them"
	"$work/store" "$work/store_tenth" $((store_commits / 10)) 1 >"$work/store.tenth"
	"$work/store" "$work/store_full" "$store_commits" 1 >"$work/store.full"
	cat <<TEXT
## A store of years

20 kernels of 40 metrics under $store_commits commits: $((store_commits * 800)) numbers, none of them whole. SQLite is two tables, runs and
(run, metric, number), and nothing else: no names, hashes, origins, history and checks (\`bench/tools/store_plain.c\`).
The last column is the same with a tenth of the commits: how much longer it takes now.

| what | CPU ms | from, to | wall ms | SQLite alone | / SQLite | / a tenth |
|---|---|---|---|---|---|---|
TEXT
	for what in block single latest window history everything open_read open_write; do
		store_row "$what"
	done
	echo
	store_facts
}

# CPU milliseconds, the median of lines of `measure`.
store_median() {
	sort -n | awk '{ all[NR] = $1 } END { printf "%.3g", 1000 * all[int((NR + 1) / 2)] }'
}

store_folder() { # the store that a process makes in an empty repository
	local folder=$work/store_repository
	rm -rf "$folder"
	git init -q "$folder"
	git -C "$folder" -c user.name=bench -c user.email=bench@example.org \
		commit -q --allow-empty -m 'Step 1'
	echo "$folder"
}

store_ingest_round() {
	local folder seed
	for seed in 1 2; do
		folder=$(store_folder)
		(cd "$folder" && "$measure" 1 "$rooflog" ingest --quiet --set kernel=k,dtype=bf16 \
			--jobs "$seed" "$work/thousand") >>"$work/store.jobs$seed"
	done
	rm -f "$work/peer.db"
	"$measure" 1 "$python" bench/peers/peer_ingest.py "$work/peer.db" "$work"/thousand/*.json \
		>>"$work/store.python"
	for seed in {1001..1005}; do
		"$measure" 1 "$python" bench/peers/peer_ingest.py "$work/peer.db" \
			"$work/thousand/$seed.json" >>"$work/store.each"
	done
}

# shellcheck disable=SC2016 # Markdown
bench_store_ingest() {
	local round seed ours
	mkdir -p "$work/thousand"
	compile generate bench/tools/generate.c bench/tools/schedule.c
	say "making 1000 profiles of 20 kB"
	for seed in {1001..2000}; do
		"$work/generate" 20000 "$seed" >"$work/thousand/$seed.json"
	done
	rm -f "$work"/store.jobs? "$work/store.python" "$work/store.each"
	for round in 1 2 3 4 5; do
		store_ingest_round
	done
	ours=$(store_median <"$work/store.jobs1")
	cat <<TEXT

1,000 profiles of 20 kB, from files to a store. python is \`bench/peers/peer_ingest.py\`, which keeps the summaries alone.

| program | CPU ms | wall ms | CPU / rooflog |
|---|---|---|---|
TEXT
	for round in jobs1 jobs2 python each; do
		awk -v ours="$ours" -v name="$round" -v cpu="$(store_median <"$work/store.$round")" \
			-v wall="$(cut -d ' ' -f 2 "$work/store.$round" | store_median)" 'BEGIN {
			title["jobs1"] = "rooflog, one thread"; title["jobs2"] = "rooflog, two threads"
			title["python"] = "one python for all"; title["each"] = "a python for each (five measured)"
			times = name == "each" ? 1000 : 1
			printf "| %s | %.3g | %.3g | %.3g |\n", title[name], cpu * times, wall * times,
				cpu * times / ours }'
	done
}

# A commit of 800 numbers: 20 runs against a file that is read and written whole.
bench_store_page() {
	local commits ours
	ours=$(store_line "$work/store.full" single rooflog | awk '{ print 20 * $4 }')
	if ! command -v node >/dev/null; then
		say 'no node: the page that keeps its history in one file is left out'
		return 0
	fi
	cat <<TEXT

A commit of 800 numbers more: 20 runs, each a transaction of its own, against a history that is one data.js
(\`bench/peers/peer_data.mjs\`).

| who | commits so far | CPU ms | / rooflog |
|---|---|---|---|
TEXT
	awk -v n="$store_commits" -v ours="$ours" \
		'BEGIN { printf "| rooflog | %d | %.3g | 1 |\n", n, ours }'
	for commits in 50 400; do
		node bench/peers/peer_data.mjs "$work/data.js" "$commits" 800 3 | sort -n | sed -n 2p |
			awk -v n="$commits" -v ours="$ours" \
				'{ printf "| data.js of %.0f MB | %d | %.3g | %.3g |\n", $2 / 1e6, n, $1, $1 / ours }'
	done
	rm -f "$work/data.js"
}

# PostgreSQL, the same two tables, one statement a question; it starts only for a user without privileges.

postgres_as() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
	else
		"$@"
	fi
}

postgres_start() { # BIN FOLDER
	mkdir -p "$2"
	[ "$(id -u)" != 0 ] || chown nobody:nogroup "$2"
	(
		cd "$2" || exit 1
		postgres_as "$1/initdb" -D "$2/data" -A trust -U bench --no-sync
		postgres_as "$1/pg_ctl" -D "$2/data" -w -o "-k $2 -c listen_addresses=" -l "$2/log" start
	) >"$work/postgres.log" 2>&1
}

postgres_statements() {
	local i
	cat <<'SQL'
SET synchronous_commit = off;
CREATE TABLE run (id int PRIMARY KEY, kernel_id int, pos int);
CREATE TABLE sample (run_id int, metric_id smallint, value float8, PRIMARY KEY (run_id, metric_id));
CREATE UNIQUE INDEX run_by_kernel ON run (kernel_id, pos, id);
SQL
	echo "INSERT INTO run SELECT 20 * c + k, k, c FROM generate_series(0, $store_commits - 1) c, generate_series(0, 19) k;"
	printf '%s\n' '\timing on'
	printf '%s\n' '\echo load'
	echo "\\copy sample from '$work/postgres.tsv'"
	printf '%s\n' '\timing off'
	echo 'VACUUM ANALYZE;'
	printf '%s\n' '\timing on'
	for i in {1..21}; do
		printf '%s\n' '\echo single'
		echo "WITH added AS (INSERT INTO run VALUES (10000000 + $i, 0, 1000000 + $i) RETURNING id)" \
			'INSERT INTO sample SELECT id, m, random() FROM added, generate_series(0, 39) m;'
		printf '%s\n' '\echo latest'
		echo "SELECT sum(value) FROM run JOIN sample ON run_id = id WHERE pos = $store_commits - 1" \
			'AND kernel_id = ANY (ARRAY(SELECT generate_series(0, 19)));'
		printf '%s\n' '\echo window'
		echo "SELECT sum(value) FROM run JOIN sample ON run_id = id WHERE pos BETWEEN" \
			"$store_commits - 50 AND $store_commits - 1 AND kernel_id = ANY (ARRAY(SELECT generate_series(0, 12)));"
		printf '%s\n' '\echo history'
		echo "SELECT sum(value) FROM run JOIN sample ON run_id = id AND metric_id = 20 WHERE kernel_id = 1;"
	done
	printf '%s\n' '\timing off'
	printf '%s\n' '\echo bytes'
	echo "SELECT pg_database_size(current_database())::float8 / (800 * $store_commits);"
}

# What is measured is the client's wait, as psql tells it.
bench_store_postgres() {
	local bin folder=$work/postgres what status=0
	bin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | tail -n 1)
	if [ -z "$bin" ] || ! postgres_start "$bin" "$folder"; then
		say 'PostgreSQL is not there or does not start: it is left out'
		return 0
	fi
	awk -v n=$((20 * store_commits)) 'BEGIN { srand(1)
		for (run = 0; run < n; run++)
			for (m = 0; m < 40; m++) printf "%d\t%d\t%.17g\n", run, m, 1e-6 * (1 + rand()) }' \
		>"$work/postgres.tsv"
	postgres_statements >"$work/postgres.sql"
	"$bin/psql" -h "$folder" -U bench -d postgres -qAt -v ON_ERROR_STOP=1 -f "$work/postgres.sql" \
		>"$work/postgres.out" || status=$?
	postgres_as "$bin/pg_ctl" -D "$folder/data" -w -m fast stop >>"$work/postgres.log" 2>&1
	[ "$status" = 0 ] || die 'PostgreSQL failed'
	cat <<TEXT

PostgreSQL, the same two tables with as many numbers, over a local socket: what its client waits. Neither waits
for the disk when a transaction ends.

| what | wall ms | wall of rooflog |
|---|---|---|
TEXT
	for what in single latest window history; do
		grep -A 2 "^$what\$" "$work/postgres.out" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | sort -n |
			sed -n 11p | awk -v title="$(store_title "$what")" -v ours="$(store_line \
				"$work/store.full" "$what" rooflog | cut -d ' ' -f 7)" \
			'{ printf "| %s | %.3g | %.3g |\n", title, $1, ours }'
	done
	echo
	grep -A 1 '^load$' "$work/postgres.out" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' |
		awk -v n="$store_commits" -v bytes="$(tail -n 1 "$work/postgres.out")" '{
		printf "It took %.2f million numbers a second by COPY, %.1f bytes a number.\n", 0.8 * n / $1, bytes }'
	rm -rf "$folder" "$work/postgres.tsv"
}

bench_store() {
	bench_store_questions
	bench_store_ingest
	bench_store_page
	bench_store_postgres
}
