#!/bin/bash
# Section "files": many small profiles into a store, by one process and by one for each, against a
# Python script with json and sqlite3.

# shellcheck source=bench/lib.sh
. bench/lib.sh

file_count=1000 each_count=50

# The folders each and all have links to the first and to all of the profiles.
prepare_files() {
	local number
	mkdir -p "$work/all" "$work/each" "$work/files.empty"
	say "generating $file_count profiles"
	for ((number = 0; number < file_count; number++)); do
		need_profile "all/$((1000 + number))" 20000 $((1000 + number)) 2>/dev/null
		[ "$number" -ge "$each_count" ] || ln "$work/all/$((1000 + number)).json" "$work/each"
	done
	git -C "$work/files.empty" init -q
	git -C "$work/files.empty" -c user.name=bench -c user.email=bench@example.org \
		commit -q --allow-empty -m first
	(cd "$work/files.empty" && "$rooflog" init >/dev/null 2>&1)
}

# One process for each file is started by a shell, whose cost is in the figures of both.
# shellcheck disable=SC2016 # the inner shell expands it
timed_files() { # NAME
	local each='command=$1; shift; for file in "$work"/each/*; do "$command" "$@" "$file" || exit; done'
	rm -rf "$work/files"
	cp -r "$work/files.empty" "$work/files"
	(
		export work
		root=$PWD
		cd "$work/files"
		case $1 in
		rooflog-all) "$measure" 1 "$rooflog" ingest --quiet --set kernel=k,dtype=bf16 "$work/all" ;;
		rooflog-each) "$measure" 1 sh -c "$each" each "$rooflog" ingest --quiet --set kernel=k,dtype=bf16 ;;
		python-all) "$measure" 1 "$python" "$root/bench/peers/json/store_files.py" store.db \
			"$work"/all/*.json ;;
		python-each) "$measure" 1 sh -c "$each" each "$python" "$root/bench/peers/json/store_files.py" \
			store.db ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# What both have stored, run by run: the time of the execution and that in which DMA was
# active, in ns.
check_files() {
	timed_files rooflog-all >/dev/null
	(cd "$work/files" && "$rooflog" log --json) | jq -r '.runs[] | [.metrics.total_time.value,
		.metrics.dma_active_time.value | . * 1e9 | round] | join(" ")' | sort >"$work/files.own"
	timed_files python-all >/dev/null
	"$python" - "$work/files/store.db" <<'PYTHON' | sort >"$work/files.python"
import sqlite3, sys
for total, active in sqlite3.connect(sys.argv[1]).execute(
        "SELECT total_time, time FROM run JOIN total ON run = id WHERE kind = 'engine'"
        " AND name = 'dma'"):
    print(round(total * 1e9), active)
PYTHON
	[ "$(wc -l <"$work/files.own")" = "$file_count" ] || die "not all runs were stored"
	cmp "$work/files.own" "$work/files.python" || die "rooflog and python store different times"
}

files_row() { # NAME TITLE COUNT BASE
	local file
	file=$(measured files "$1")
	row "$2" "$3" "$(cpu_ms "$file")" "$(cpu_range "$file")" "$(wall_ms "$file")" \
		"$(median_of "$file" 1 | awk -v count="$3" '{ printf "%.3g", $1 * 1000 / count }')" \
		"$(peak_mib "$file")" "$(ratio "$file" "$(measured files "$4")")"
}

bench_files() {
	cat <<'TEXT'
## Many small files

Profiles of 20 kB into an empty store. python is `bench/peers/json/store_files.py`; each process of it has a
transaction, and so has each of rooflog.

| program | files | CPU ms | from, to | wall ms | CPU ms / file | peak MiB | CPU / rooflog |
|---|---|---|---|---|---|---|---|
TEXT
	check_files
	take_turns 5 files timed_files rooflog-all python-all
	take_turns 5 files timed_files rooflog-each python-each
	files_row rooflog-all rooflog "$file_count" rooflog-all
	files_row python-all python "$file_count" rooflog-all
	files_row rooflog-each 'rooflog, a process a file' "$each_count" rooflog-each
	files_row python-each 'python, a process a file' "$each_count" rooflog-each
	cat <<'TEXT'

* Both store the same time of the execution and the same active times; rooflog also stores all other
  metrics, what timelines and findings need, and under which commit it was measured.
TEXT
}
