#!/bin/bash
# Section "traces": native traces of Neuron, against Python and against rooflog's own reading of JSON.

# shellcheck source=bench/lib.sh
. bench/lib.sh

trace_list='5.20 5.600 6.600' # version and MB

prepare_traces() {
	local trace
	compile generate_ntff bench/tools/generate_ntff.c bench/tools/ntff_file.c bench/tools/ntff_schedule.c \
		bench/tools/ntff_words.c bench/tools/schedule.c
	for trace in $trace_list; do
		say "generating a trace of ${trace#*.} MB"
		"$work/generate_ntff" "${trace#*.}000000" "${trace%.*}" 2 1 plain "$work/$trace.ntff" |
			sort >"$work/$trace.put"
	done
	need_profile 200 200000000 1
}

# rooflog has to find what the generator put in.
check_trace() { # TRACE
	"$rooflog" ingest --dry-run --json --set kernel=k --commit HEAD "$work/$1.ntff" \
		2>"$work/messages" >"$work/answer.json"
	! grep -q 'came too late' "$work/messages" || die "rooflog warns: $(cat "$work/messages")"
	jq -r --arg version "${1%.*}" -f bench/peers/answer_ntff.jq "$work/answer.json" |
		sort >"$work/answer"
	cmp "$work/answer" "$work/$1.put" || die "rooflog finds other totals than were put in"
}

check_trace_peer() { # TRACE
	"$python" bench/peers/peer_ntff.py "$work/$1.ntff" | sort | cmp "$work/$1.put" - ||
		die "python answers differently"
}

# Its caller has set `trace`.
timed_trace() { # NAME
	local file=$work/$trace.ntff
	case $1 in
	cat) "$measure" 1 cat "$file" ;;
	rooflog) "$measure" 1 "$rooflog" ingest --quiet --dry-run --set kernel=k "$file" 2>"$work/messages" ;;
	python) "$measure" 1 "$python" bench/peers/peer_ntff.py "$file" ;;
	json) "$measure" 1 "$rooflog" ingest --quiet --dry-run --set kernel=k,dtype=bf16 "$work/200.json" ;;
	esac
}

trace_row() { # TRACE NAME
	local file input=$work/$1.ntff title=$2
	file=$(measured "trace.$1" "$2")
	[ "$2" != json ] || input=$work/200.json title='rooflog, JSON of 200 MB'
	row "${1#*.} MB, version ${1%.*}" "$title" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
		"$(wall_ms "$file")" "$(gb_per_cpu_second "$file" "$(stat -c %s "$input")")" \
		"$(peak_mib "$file")" "$(ratio "$file" "$(measured "trace.$1" cat)")" \
		"$(ratio "$file" "$(measured "trace.$1" rooflog)")"
}

bench_traces() {
	local trace name names
	cat <<'TEXT'
## Reading a native trace

Records of 16 bytes and instruction words of 64, of two cores. python is `bench/peers/peer_ntff.py`; the JSON
is an invented profile of 200 MB, which has about as many instructions and transfers as the trace of 20 MB.

| trace | program | CPU ms | from, to | wall ms | GB/s of CPU | peak MiB | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|---|---|---|
TEXT
	for trace in $trace_list; do
		names='cat rooflog'
		check_trace "$trace"
		if [ "${trace#*.}" = 20 ]; then
			check_trace_peer "$trace"
			names="$names python json"
		fi
		# shellcheck disable=SC2086 # a list of words
		take_turns "$rounds" "trace.$trace" timed_trace $names
		for name in $names; do
			trace_row "$trace" "$name"
		done
	done
	cat <<'TEXT'

* The traces are invented, too (`bench/tools/generate_ntff.c`), in the proportions of real ones: for 10
  instructions, each with a word of its own, 13 events and 39 transfers of three records. The
  generator adds up and sorts what it puts in; rooflog has to find exactly that.
TEXT
}
