#!/bin/bash
# Section "reading": a profile against those who read the same JSON; growth with the size;
# instruction sets and early ends where rooflog has them.

# shellcheck source=bench/peers/peers.sh
. bench/peers/peers.sh

reading_rounds=5
present='' # peers that are installed

reading_sizes() { # in MB
	echo 1 10 100 1000 ${large:+3000}
}

# A file lies in the page cache in pieces as large as it was written in, a few kB as a rule; what is
# read from its disk lies there in large ones, and is copied and mapped in half the time. So every
# profile is brought to the first state, and measured in the second one besides.
write_again() { # FILE
	dd if="$1" of="$1.again" bs=4k status=none
	sync "$1.again" # nothing is to be written while others are measured
	mv "$1.again" "$1"
}

# False where it was not dropped: then it is in the state that it was in before.
read_back() { # FILE
	dd if="$1" iflag=nocache count=0 status=none
	[ "$(fincore --bytes --noheadings --output RES "$1" | tr -d ' ')" = 0 ] || return 1
	cat "$1" >/dev/null
}

prepare_reading() {
	local size peer
	for size in $(reading_sizes); do
		need_profile "$size" "${size}000000" 1
		write_again "$work/$size.json"
	done
	install_duckdb || say 'no DuckDB: npm cannot install it'
	for peer in $peer_names; do
		! prepare_peer "$peer" || present="$present $peer"
	done
}

# How large a profile in MB a peer reads in about a minute: by default in a few seconds.
peer_limit() { # NAME
	case $1 in
	simdjson | rapidjson | yajl) echo 3000 ;;
	duckdb) echo 1000 ;;
	cjson | ijson | python | pandas) echo ${large:+1000} 100 ;;
	*) echo 100 ;;
	esac | cut -d ' ' -f 1
}

# MB of memory for one of the profile, of those that cannot do with less than it is long.
peer_memory() { # NAME
	case $1 in
	simdjson) echo 2 ;;
	duckdb | cjson | python | pandas | node | jq) echo 8 ;;
	*) echo 0 ;;
	esac
}

# Nothing when a peer is to be measured, otherwise why not.
not_measured() { # SIZE NAME
	local available
	available=$(awk '/^MemAvailable/ { printf "%.0f", $2 / 1000 }' /proc/meminfo)
	if [ "$1" -gt "$(peer_limit "$2")" ]; then
		echo 'too slow or too large for it'
	elif [ $(($(peer_memory "$2") * $1)) -gt "$available" ]; then
		echo 'not enough memory here'
	else
		peer_agrees "$2" "$work/$1.json" | grep -vx agrees || true
	fi
}

# Its caller has set `size`.
timed_reading() { # NAME
	local command
	peer_command "$1" "$work/$size.json"
	"$measure" 1 "${command[@]}" 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

reading_row() { # SIZE NAME
	local file
	file=$(measured "reading.$1" "$2")
	row "$1 MB" "${peer_titles[$2]}" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
		"$(gb_per_cpu_second "$file" "$(stat -c %s "$work/$1.json")")" "$(peak_mib "$file")" \
		"$(ratio "$file" "$(measured "reading.$1" cat)")" \
		"$(ratio "$file" "$(measured "reading.$1" rooflog)")"
}

reading_table() { # SIZE
	local size=$1 peer names='cat rooflog' reason
	rooflog_answer "$work/$size.json"
	for peer in $present; do
		reason=$(not_measured "$size" "$peer")
		if [ -z "$reason" ]; then
			names="$names $peer"
		elif [ "$size" -le "$(peer_limit "$peer")" ]; then
			left_out="$left_out; ${peer_titles[$peer]} at $size MB $reason"
		fi
	done
	# shellcheck disable=SC2086 # a list of words
	take_turns "$reading_rounds" "reading.$size" timed_reading $names
	for peer in $names; do
		reading_row "$size" "$peer"
	done
}

missing_peers() {
	local peer list=''
	for peer in $peer_names; do
		[[ " $present " = *" $peer "* ]] ||
			list="$list, ${peer_titles[$peer]} (${peer_packages[$peer]})"
	done
	echo "${list#, }"
}

growth_table() {
	local size file
	cat <<'TEXT'

### Growth

rooflog with one thread; CPU less that of the smallest profile, for each MB more.

| profile | CPU ms | CPU ms / MB more | peak MiB |
|---|---|---|---|
TEXT
	for size in $(reading_sizes); do
		file=$(measured "reading.$size" rooflog)
		row "$size MB" "$(cpu_ms "$file")" "$(growth_of "$size" "$file")" "$(peak_mib "$file")"
	done
}

growth_of() { # SIZE FILE
	local base
	base=$(median_of "$(measured reading.1 rooflog)" 1)
	[ "$1" = 1 ] || median_of "$2" 1 | awk -v base="$base" -v more="$(($1 - 1))" \
		'{ printf "%.3g", ($1 - base) * 1000 / more }'
}

# Of the first table the rows of the largest size that is always there, with the file in the other
# state.
cached_table() {
	local size=1000 peer names='cat rooflog' file
	[ ! -e "$(measured "reading.$size" simdjson)" ] || names="$names simdjson"
	read_back "$work/$size.json" || return 0
	cat <<'TEXT'

### Read from a disk before

1000 MB. In the other tables of this section a profile is in the page cache as some program has written it,
4 kB at a time. Here it was dropped from there, and read again: the system keeps it in larger pieces.

| program | CPU ms | from, to | GB/s of CPU | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|
TEXT
	# shellcheck disable=SC2086 # a list of words
	take_turns "$reading_rounds" cached timed_reading $names
	for peer in $names; do
		file=$(measured cached "$peer")
		row "${peer_titles[$peer]}" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(gb_per_cpu_second "$file" "$(stat -c %s "$work/$size.json")")" \
			"$(ratio "$file" "$(measured cached cat)")" "$(ratio "$file" "$(measured cached rooflog)")"
	done
	write_again "$work/$size.json"
}

# Variants of the scanner that ROOFLOG_ISA chooses here: those that doctor then names.
scanner_variants() {
	local variant told
	for variant in avx512 avx2 neon words; do
		told=$(ROOFLOG_ISA=$variant "$rooflog" doctor 2>/dev/null) || true
		! grep -qw "$variant" <<<"$told" || echo "$variant"
	done
}

timed_variant() { # NAME
	local command
	peer_command rooflog "$work/100.json"
	[ "$1" = default ] || local -x ROOFLOG_ISA=$1
	"$measure" 1 "${command[@]}" 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

variants_table() {
	local variant variants file
	variants=$(scanner_variants)
	[ -n "$variants" ] || return 0
	cat <<'TEXT'

### Instruction sets

100 MB; `default` is what rooflog chooses itself.

| instruction set | CPU ms | from, to | CPU / default |
|---|---|---|---|
TEXT
	# shellcheck disable=SC2086 # a list of words
	take_turns "$reading_rounds" variants timed_variant default $variants
	for variant in default $variants; do
		file=$(measured variants "$variant")
		row "$variant" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(ratio "$file" "$(measured variants default)")"
	done
}

timed_early() { # cat|whole|first|last
	local place=$1
	case $1 in
	cat) "$measure" 1 cat "$work/summary-last.json" ;;
	whole) "$measure" 1 "$rooflog" ingest --quiet --dry-run --jobs 1 --set kernel=k,dtype=bf16 \
		"$work/summary-last.json" ;;
	*) "$measure" 1 "$rooflog" ingest --summary-only --quiet --dry-run --jobs 1 --set kernel=k \
		--set dtype=bf16 "$work/summary-$place.json" ;;
	esac 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# shellcheck disable=SC2016 # Markdown
early_title() {
	case $1 in
	cat) echo '`cat`' ;;
	whole) echo 'rooflog' ;;
	*) echo "rooflog \`--summary-only\`, the summary is $1" ;;
	esac
}

# Only for a rooflog that can do with the summary alone.
early_table() {
	local place file
	grep -q -- --summary-only <<<"$("$rooflog" ingest --help)" || return 0
	for place in first last; do
		need_profile "summary-$place" 1000000000 1 "$place"
		write_again "$work/summary-$place.json"
	done
	cat <<'TEXT'

### The summary alone

1000 MB.

| program | CPU ms | from, to | CPU / cat | CPU / rooflog |
|---|---|---|---|---|
TEXT
	take_turns "$reading_rounds" early timed_early cat whole first last
	for place in cat whole first last; do
		file=$(measured early "$place")
		row "$(early_title "$place")" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(ratio "$file" "$(measured early cat)")" "$(ratio "$file" "$(measured early whole)")"
	done
}

bench_reading() {
	local size left_out='' missing
	missing=$(missing_peers)
	cat <<TEXT
## Reading a profile

Each program reads the profile and prints the same answer: active time of every engine as the union of
its intervals, its timeline in 256 parts, count and time of every opcode and source line, count, time
and bytes of every DMA queue. Medians of $reading_rounds rounds; rooflog has one thread.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="results-dark.svg">
  <img alt="CPU time of rooflog and its peers, for 100 MB and over the size" src="results.svg">
</picture>

| profile | program | CPU ms | from, to | GB/s of CPU | peak MiB | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|---|---|
TEXT
	for size in $(reading_sizes); do
		reading_table "$size"
	done
	printf '\nNot installed: %s. ' "${missing:-none}"
	[ -z "$left_out" ] || printf 'Not measured: %s. ' "${left_out#; }"
	echo "Of the others, those that are not in the table at a size take more than a few seconds there."
	growth_table
	cached_table
	variants_table
	early_table
	cat bench/sections/reading.md
}
