#!/bin/bash
# Section "history": a gate and a nightly page over a million runs.

# shellcheck source=bench/lib.sh
. bench/lib.sh

prepare_history() {
	need_store long 500 2000
	need_store middle 500 600
	need_store short 500 50
}

# The system forgets the store, which needs no privilege; true when nothing of it is left in memory.
forget_store() {
	local store=$work/long/.rooflog/runs.db
	sync "$store"
	dd if="$store" iflag=nocache count=0 2>/dev/null
	[ "$(fincore --bytes --noheadings --output RES "$store" 2>/dev/null | tr -d ' ')" = 0 ]
}

timed_history() { # NAME
	[ "$1" != cold ] || forget_store || touch "$work/remembered"
	local store=$1
	case $1 in cold | warm | nightly) store=long ;; esac
	(
		cd "$work/$store"
		case $1 in
		cold | warm | middle | short) measure_verdict "$rooflog" gate ;;
		nightly) "$measure" 1 "$rooflog" report --as nightly --output "$work/nightly.html" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

history_title() {
	case $1 in
	cold) [ ! -e "$work/remembered" ] && echo 'gate, store not in memory' ||
		echo 'gate, store perhaps partly in memory' ;;
	warm) echo 'gate, store in memory' ;;
	middle) echo 'gate, another history of 600 commits' ;;
	short) echo 'gate, another history of 50 commits' ;;
	nightly) echo 'nightly page with 500 trends' ;;
	esac
}

bench_history() {
	local name file
	cat <<TEXT
## A long history

500 series under 2,000 commits, one run each: a store of $(($(stat -c %s "$work/long/.rooflog/runs.db") / 1000000)) MB.

| command | CPU ms | from, to | wall ms | peak MiB |
|---|---|---|---|---|
TEXT
	take_turns "$rounds" history timed_history cold warm middle short
	take_turns "$rounds" history timed_history nightly
	for name in cold warm middle short nightly; do
		file=$(measured history "$name")
		row "$(history_title "$name")" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(wall_ms "$file")" "$(peak_mib "$file")"
	done
	cat <<'TEXT'

* The long history is invented (`bench/tools/generate_store.c`); its rows are there because a gate that has to
  judge 500 series has to be quick on a machine that just started. Here wall times matter, too.
TEXT
}
