#!/bin/bash
# shellcheck disable=SC2154 # what is read is assigned by those who source this
# Section "store": what it costs to write into a store of years and to ask it, beside what SQLite
# itself takes for the same numbers, and beside other ways to keep a history. Reads $work, $rooflog,
# $measure, $python and the functions say, die and compile of those who source it.

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
	compile store bench/store.c bench/store_plain.c bench/schedule.c \
		build/release/librooflog_db.a build/release/librooflog_model.a \
		build/release/librooflog_base.a $(pkg-config --libs sqlite3 libcjson) -pthread -lm
	say "filling stores of $store_commits commits and a tenth of them"
	"$work/store" "$work/store_tenth" $((store_commits / 10)) 1 >"$work/store.tenth"
	"$work/store" "$work/store_full" "$store_commits" 1 >"$work/store.full"
	cat <<TEXT
## A store of years

20 kernels of 40 metrics under $store_commits commits: $((store_commits * 800)) numbers, none of them whole. SQLite is two tables, runs and
(run, metric, number), and nothing else: no names, hashes, origins, history and checks (\`bench/store_plain.c\`).
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
		(cd "$folder" && "$measure" 1 "$rooflog" ingest --quiet --kernel k --dtype bf16 \
			--jobs "$seed" "$work/thousand") >>"$work/store.jobs$seed"
	done
	rm -f "$work/peer.db"
	"$measure" 1 "$python" bench/peer_ingest.py "$work/peer.db" "$work"/thousand/*.json \
		>>"$work/store.python"
	for seed in {1001..1005}; do
		"$measure" 1 "$python" bench/peer_ingest.py "$work/peer.db" \
			"$work/thousand/$seed.json" >>"$work/store.each"
	done
}

# shellcheck disable=SC2016 # Markdown
bench_store_ingest() {
	local round seed ours
	mkdir -p "$work/thousand"
	compile generate bench/generate.c bench/schedule.c
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

1,000 profiles of 20 kB, from files to a store. python is \`bench/peer_ingest.py\`, which keeps the summaries alone.

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
(\`bench/peer_data.mjs\`).

| who | commits so far | CPU ms | / rooflog |
|---|---|---|---|
TEXT
	awk -v n="$store_commits" -v ours="$ours" \
		'BEGIN { printf "| rooflog | %d | %.3g | 1 |\n", n, ours }'
	for commits in 50 400; do
		node bench/peer_data.mjs "$work/data.js" "$commits" 800 3 | sort -n | sed -n 2p |
			awk -v n="$commits" -v ours="$ours" \
				'{ printf "| data.js of %.0f MB | %d | %.3g | %.3g |\n", $2 / 1e6, n, $1, $1 / ours }'
	done
	rm -f "$work/data.js"
}

bench_store() {
	bench_store_questions
	bench_store_ingest
	bench_store_page
	echo
}
