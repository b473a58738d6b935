#!/bin/bash
# Section "reading": a profile against those who read the same JSON.

# shellcheck source=bench/lib.sh
. bench/lib.sh

reading_sizes() {
	echo 1 20 200 ${large:+1000}
}

prepare_reading() {
	local size
	for size in $(reading_sizes); do
		need_profile "$size" "${size}000000" 1
	done
}

# Whether all readers agree about a profile, and rooflog has nothing to warn of.
answers_agree() { # SIZE PEER...
	local size=$1 peer
	shift
	"$rooflog" ingest --dry-run --json --kernel k --dtype bf16 "$work/$size.json" \
		2>"$work/messages" >"$work/answer.json"
	! grep -q 'warning' "$work/messages" || die "rooflog warns: $(cat "$work/messages")"
	[ "$(jq '.runs[0].warnings | length' "$work/answer.json")" = 0 ] || die "the run has warnings"
	jq -r -f bench/answer.jq "$work/answer.json" >"$work/answer"
	for peer; do
		"run_$peer" "$work/$size.json" >"$work/answer.$peer"
		cmp -s "$work/answer" "$work/answer.$peer" || return 1
	done
}

run_python() {
	"$python" bench/peer.py "$1"
}

run_jq() {
	jq -r -f bench/peer.jq "$1"
}

peers_of() { # SIZE
	case $1 in
	20) echo python jq ;;
	1000) ;;
	*) echo python ;;
	esac
}

# Its caller has set `size`.
timed_reading() { # NAME
	local file=$work/$size.json
	case $1 in
	cat) "$measure" 1 cat "$file" ;;
	rooflog) "$measure" 1 "$rooflog" ingest --quiet --dry-run --kernel k --dtype bf16 "$file" ;;
	python) "$measure" 1 "$python" bench/peer.py "$file" ;;
	jq) "$measure" 1 jq -r -f bench/peer.jq "$file" ;;
	esac
}

reading_row() { # SIZE NAME
	local file
	file=$(measured "reading.$1" "$2")
	row "$1 MB" "$2" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
		"$(gb_per_cpu_second "$file" "$(stat -c %s "$work/$1.json")")" "$(peak_mib "$file")" \
		"$(ratio "$file" "$(measured "reading.$1" cat)")" \
		"$(ratio "$file" "$(measured "reading.$1" rooflog)")"
}

bench_reading() {
	local size peer names
	cat <<'TEXT'
## Reading a profile

`cat` writes to `/dev/null`; python and jq are `bench/peer.py` and `bench/peer.jq`.

| profile | program | CPU ms | from, to | GB/s of CPU | peak MiB | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|---|---|
TEXT
	for size in $(reading_sizes); do
		names='cat rooflog'
		answers_agree "$size"
		for peer in $(peers_of "$size"); do
			if answers_agree "$size" "$peer"; then
				names="$names $peer"
			else
				row "$size MB" "$peer" 'answers differently: not measured' '' '' '' '' ''
			fi
		done
		# shellcheck disable=SC2086 # a list of words
		take_turns "$rounds" "reading.$size" timed_reading $names
		for peer in $names; do
			reading_row "$size" "$peer"
		done
	done
	cat <<'TEXT'

* The profiles are invented (`bench/generate.c`): half instructions, a third DMA, members and
  sections in random order. Real ones differ in the length of records, and no profile of gigabytes
  was at hand.
* Before a program is measured it has to print the same answer as rooflog: active time of every
  engine, count and time of every opcode, count, time and bytes of every queue. Where no peer is in
  the table (1 GB), only rooflog's own checks of summary against intervals vouch for the answer.
* rooflog does more than the peers: it also derives all metrics and findings, and prints them. It
  does less with what it does not need: it checks that, but builds nothing from it.
* The peers read everything into memory first, as people's scripts do. Faster JSON libraries exist;
  they are not measured here.
TEXT
}
