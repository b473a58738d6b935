#!/bin/bash
# usage: bench/run.sh [--large]     (by way of ./dev bench, which builds the program first)
# Measures build/release/rooflog in build/bench and writes bench/RESULTS.md. The programs take turns
# in every round, and each is compared with its neighbours of the same round; --large adds 1 GB.
set -euo pipefail
cd -P "$(dirname "$0")/.."
export LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
rounds=7 work=$PWD/build/bench rooflog=$PWD/build/release/rooflog
measure=$work/measure repository=$work/repository times=$work/times
sizes='1 20 200' traces='5.20 5.600 6.600' # traces: version and MB
# Where python3 is a wrapper, its cost is not python's.
python=$(python3 -c 'import sys; print(sys.executable)')
case ${1-} in
'') ;;
--large) sizes="$sizes 1000" ;;
*) echo "bench: unknown argument \"$1\"; only --large is known" >&2 && exit 2 ;;
esac

say() {
	printf 'bench: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit 1
}

# Preparation

cache_value() {
	sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt
}

compile() { # PROGRAM SOURCE...
	local program=$1
	shift
	"$(cache_value CMAKE_C_COMPILER)" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra \
		-include base/banned.h -I . "$@" -o "$work/$program"
}

make_profiles() {
	local size seed
	for size in $sizes; do
		say "generating $size MB"
		"$work/generate" "${size}000000" 1 >"$work/$size.json"
	done
	for seed in {101..200}; do
		"$work/generate" 20000 "$seed" >"$work/small/$seed.json"
	done
}

make_traces() {
	local trace
	for trace in $traces; do
		say "generating a trace of ${trace#*.} MB"
		"$work/generate_ntff" "${trace#*.}000000" "${trace%.*}" 2 1 plain "$work/$trace.ntff" |
			sort >"$work/$trace.put"
	done
}

# Fifty commits: the six of the samples, then the last one's profiles under 44 more. The store of
# an empty history is kept aside, to be filled again in every round.
make_repository() {
	local step
	say "making a history of 50 commits"
	ROOFLOG=$rooflog sh samples/history.sh "$repository" 1 6 >"$work/history.log" 2>&1
	for step in {7..50}; do
		git -C "$repository" -c user.name=bench -c user.email=bench@example.org \
			commit -q --allow-empty -m "Step $step"
		(cd "$repository" && "$rooflog" ingest --quiet --commit HEAD \
			"$OLDPWD/samples/history/06") >>"$work/history.log" 2>&1
	done
	cp -r "$repository" "$work/fresh"
	rm -r "$work/fresh/.rooflog"
	(cd "$work/fresh" && "$rooflog" init >/dev/null 2>&1)
	cp "$work/fresh/.rooflog/runs.db" "$work/empty.db"
}

# 500 series under 2,000 commits: a million runs.
make_long_history() {
	say "making a history of 2,000 commits and 1,000,000 runs"
	"$work/generate_store" "$work/long" 500 2000 1 >"$work/long.planted"
	sync "$work/long/.rooflog/runs.db"
}

# 10,000 series under 12 commits, for what a pull request waits for.
make_wide_history() {
	say "making a history of 10,000 series"
	"$work/generate_store" "$work/wide" 10000 12 1 >"$work/wide.planted"
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

# The same for a trace; what the generator put in has to be found, too.
trace_answers_agree() { # TRACE PEER...
	local trace=$1 peer
	shift
	"$rooflog" ingest --dry-run --json --kernel k --commit HEAD "$work/$trace.ntff" \
		2>"$work/messages" >"$work/answer.json"
	! grep -q 'came too late' "$work/messages" || die "rooflog warns: $(cat "$work/messages")"
	jq -r --arg version "${trace%.*}" -f bench/answer_ntff.jq "$work/answer.json" |
		sort >"$work/answer"
	cmp "$work/answer" "$work/$trace.put" || die "rooflog finds other totals than were put in"
	for peer; do
		"run_$peer" "$work/$trace.ntff" | sort | cmp -s "$work/answer" - || return 1
	done
}

# The programs to compare: run_NAME FILE, or measured: timed_NAME FILE

run_python() {
	"$python" bench/peer.py "$1"
}

run_python_ntff() {
	"$python" bench/peer_ntff.py "$1"
}

run_jq() {
	jq -r -f bench/peer.jq "$1"
}

timed() { # NAME FILE: the lines of `measure`
	case $1 in
	cat) "$measure" 1 cat "$2" ;;
	rooflog_ntff) "$measure" 1 "$rooflog" ingest --quiet --dry-run --kernel k "$2" 2>"$work/messages" ;;
	rooflog) "$measure" 1 "$rooflog" ingest --quiet --dry-run --kernel k --dtype bf16 "$2" ;;
	python) "$measure" 1 "$python" bench/peer.py "$2" ;;
	python_ntff) "$measure" 1 "$python" bench/peer_ntff.py "$2" ;;
	rooflog_json) "$measure" 1 "$rooflog" ingest --quiet --dry-run --kernel k --dtype bf16 "$work/200.json" ;;
	jq) "$measure" 1 jq -r -f bench/peer.jq "$2" ;;
	esac
}

peers_of() { # SIZE
	case $1 in
	20) echo python jq ;;
	1000) ;;
	*) echo python ;;
	esac
}

# A column of a file of `measure` lines: 1 CPU s, 2 wall s, 3 KiB.
median_of() { # FILE COLUMN
	awk -v column="$2" '{ print $column }' "$1" | median
}

median() {
	sort -g | awk '{ value[NR] = $1 }
		END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

# Median of the ratios of CPU time, round by round.
ratio_of() { # FILE FILE
	paste -d ' ' "$1" "$2" | awk '{ print $1 / $4 }' | median
}

range_of() { # FILE: smallest and largest CPU ms
	awk '{ print $1 * 1000 }' "$1" | sort -g | awk 'NR == 1 { low = $1 } { high = $1 }
		END { printf high < 100 ? "%.3g to %.3g" : "%.0f to %.0f", low, high }'
}

# Reading profiles

read_row() { # SIZE NAME
	local file=$times/$1.$2 bytes
	bytes=$(stat -c %s "$work/$1.json")
	awk -v size="$1" -v name="$2" -v cpu="$(median_of "$file" 1)" -v bytes="$bytes" \
		-v range="$(range_of "$file")" -v kib="$(median_of "$file" 3)" \
		-v cat="$(ratio_of "$file" "$times/$1.cat")" \
		-v own="$(ratio_of "$file" "$times/$1.rooflog")" 'BEGIN {
		form = cpu < 0.1 ? "%.3g" : "%.0f"
		printf "| %s MB | %s | " form " | %s | %.2g | %.1f | %.3g | %.3g |\n", size, name,
			cpu * 1000, range, bytes / 1e9 / cpu, kib / 1024, cat, own }'
}

read_rounds() { # SIZE NAME...
	local size=$1 round name
	shift
	for ((round = 0; round < rounds; round++)); do
		for name; do
			timed "$name" "$work/$size.json" >>"$times/$size.$name"
		done
	done
}

bench_reading() {
	local size peer
	cat <<'TEXT'

## Reading a profile

`cat` writes to `/dev/null`; python and jq are `bench/peer.py` and `bench/peer.jq`.

| profile | program | CPU ms | from, to | GB/s of CPU | peak MiB | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|---|---|
TEXT
	for size in $sizes; do
		local names='cat rooflog'
		answers_agree "$size"
		for peer in $(peers_of "$size"); do
			if answers_agree "$size" "$peer"; then
				names="$names $peer"
			else
				echo "| $size MB | $peer | answers differently: not measured |||||"
			fi
		done
		say "reading $size MB: $names"
		# shellcheck disable=SC2086 # a list of words
		read_rounds "$size" $names
		for peer in $names; do
			read_row "$size" "$peer"
		done
	done
}

# Reading traces

trace_row() { # TRACE NAME TITLE
	local file=$times/trace.$1.$2 bytes
	bytes=$(stat -c %s "$work/$1.ntff")
	[ "$2" != rooflog_json ] || bytes=$(stat -c %s "$work/200.json")
	awk -v trace="$1" -v title="$3" -v cpu="$(median_of "$file" 1)" -v bytes="$bytes" \
		-v wall="$(median_of "$file" 2)" -v range="$(range_of "$file")" \
		-v kib="$(median_of "$file" 3)" -v cat="$(ratio_of "$file" "$times/trace.$1.cat")" \
		-v own="$(ratio_of "$file" "$times/trace.$1.rooflog_ntff")" 'BEGIN {
		split(trace, part, ".")
		form = cpu < 0.1 ? "%.3g" : "%.0f"
		printf "| %s MB, version %s | %s | " form " | %s | %.0f | %.3g | %.1f | %.3g | %.3g |\n",
			part[2], part[1], title, cpu * 1000, range, wall * 1000, bytes / 1e6 / cpu,
			kib / 1024, cat, own }'
}

title_of_reader() {
	case $1 in
	rooflog_ntff) echo rooflog ;;
	rooflog_json) echo 'rooflog, JSON of 200 MB' ;;
	python_ntff) echo python ;;
	*) echo "$1" ;;
	esac
}

bench_traces() {
	local trace round name
	cat <<'TEXT'

## Reading a native trace

Records of 16 bytes and instruction words of 64, of two cores. python is `bench/peer_ntff.py`; the JSON
is the profile of 200 MB above, which has about as many instructions and transfers as the trace of 20 MB.

| trace | program | CPU ms | from, to | wall ms | MB/s of CPU | peak MiB | CPU / cat | CPU / rooflog |
|---|---|---|---|---|---|---|---|---|
TEXT
	for trace in $traces; do
		local names='cat rooflog_ntff'
		trace_answers_agree "$trace"
		if [ "${trace#*.}" = 20 ]; then
			trace_answers_agree "$trace" python_ntff || die "python answers differently"
			names="$names python_ntff rooflog_json"
		fi
		say "reading a trace of ${trace#*.} MB: $names"
		for ((round = 0; round < rounds; round++)); do
			for name in $names; do
				timed "$name" "$work/$trace.ntff" >>"$times/trace.$trace.$name"
			done
		done
		for name in $names; do
			trace_row "$trace" "$name" "$(title_of_reader "$name")"
		done
	done
}

# Small commands: what ingest, gate and chart cost as whole processes

small_names='true version one hundred gate log roofline-svg roofline-png occupancy-svg occupancy-png'

# shellcheck disable=SC2016 # Markdown
title_of() {
	case $1 in
	true) echo '`true`, an empty process' ;;
	version) echo '`rooflog --version`' ;;
	one) echo '`ingest` of 1 profile of 1 MB into an empty store' ;;
	hundred) echo '`ingest` of 100 profiles of 22 kB into an empty store' ;;
	gate) echo '`gate`, 2 series, 50 commits, 300 runs' ;;
	log) echo '`log` of the same store' ;;
	*) echo "\`chart ${1%-*}\`, 6 runs, ${1#*-}" ;;
	esac
}

small() { # NAME
	local history=$repository
	case $1 in one | hundred)
		history=$work/fresh
		cp "$work/empty.db" "$history/.rooflog/runs.db"
		;;
	esac
	(
		cd "$history"
		case $1 in
		true) "$measure" 1 true ;;
		version) "$measure" 1 "$rooflog" --version ;;
		one) "$measure" 1 "$rooflog" ingest --quiet --kernel k --dtype bf16 "$work/1.json" ;;
		hundred) "$measure" 1 "$rooflog" ingest --quiet --kernel k --dtype bf16 "$work/small" ;;
		gate | log) "$measure" 1 "$rooflog" "$1" ;;
		*) "$measure" 1 "$rooflog" chart "${1%-*}" --output "$work/${1%-*}.${1#*-}" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# The commands must have done what their titles say.
check_small() {
	local stored
	small hundred >/dev/null
	stored=$(cd "$work/fresh" && "$rooflog" log --json | jq length)
	[ "$stored" = 100 ] || die "$stored runs of 100 were stored"
	stored=$(cd "$repository" && "$rooflog" log --json | jq length)
	[ "$stored" = 300 ] || die "the history has $stored runs instead of 300"
}

small_row() { # NAME
	local file=$times/small.$1
	awk -v title="$(title_of "$1")" -v cpu="$(median_of "$file" 1)" -v range="$(range_of "$file")" \
		-v wall="$(median_of "$file" 2)" -v kib="$(median_of "$file" 3)" \
		-v floor="$(ratio_of "$file" "$times/small.true")" 'BEGIN {
		printf "| %s | %.3g | %s | %.3g | %.1f | %.3g |\n", title, cpu * 1000, range,
			wall * 1000, kib / 1024, floor }'
}

bench_small() {
	local round name
	cat <<'TEXT'

## Whole commands

| command | CPU ms | from, to | wall ms | peak MiB | CPU / true |
|---|---|---|---|---|---|
TEXT
	check_small
	say "commands: $small_names"
	for ((round = 0; round < 3 * rounds; round++)); do
		for name in $small_names; do
			small "$name" >>"$times/small.$name"
		done
	done
	for name in $small_names; do
		small_row "$name"
	done
}

# A long history

# The system forgets the store, which needs no privilege; true when nothing of it is left in memory.
forget_store() {
	local store=$work/long/.rooflog/runs.db
	sync "$store"
	dd if="$store" iflag=nocache count=0 2>/dev/null
	[ "$(fincore --bytes --noheadings --output RES "$store" 2>/dev/null | tr -d ' ')" = 0 ]
}

# Verdicts are no failures; what ends with 2 is one.
judged() {
	(
		cd "$work/long"
		# shellcheck disable=SC2016 # the inner shell expands it
		"$measure" 1 sh -c '"$@"; [ $? -ne 2 ]' gate "$rooflog" gate
	) 2>"$work/messages" || die "gate: $(cat "$work/messages")"
}

# A page with a trend of each series.
nightly() {
	(cd "$work/long" && "$measure" 1 "$rooflog" report nightly --output "$work/nightly.html") \
		2>"$work/messages" || die "report nightly: $(cat "$work/messages")"
}

long_row() { # NAME TITLE
	local file=$times/long.$1
	awk -v title="$2" -v cpu="$(median_of "$file" 1)" -v range="$(range_of "$file")" \
		-v wall="$(median_of "$file" 2)" -v kib="$(median_of "$file" 3)" 'BEGIN {
		printf "| %s | %.3g | %s | %.3g | %.1f |\n", title, cpu * 1000, range, wall * 1000,
			kib / 1024 }'
}

bench_long() {
	local round cold='gate, store not in memory' bytes
	bytes=$(stat -c %s "$work/long/.rooflog/runs.db")
	cat <<TEXT

## A long history

500 series under 2,000 commits, one run each: a store of $((bytes / 1000000)) MB.

| command | CPU ms | from, to | wall ms | peak MiB |
|---|---|---|---|---|
TEXT
	say 'gate over a long history'
	for ((round = 0; round < rounds; round++)); do
		forget_store || cold='gate, store perhaps partly in memory'
		judged >>"$times/long.cold"
		judged >>"$times/long.warm"
	done
	long_row cold "$cold"
	long_row warm 'gate, store in memory'
	for ((round = 0; round < rounds; round++)); do
		nightly >>"$times/long.nightly"
	done
	long_row nightly 'nightly page with 500 trends'
}

# A wide commit

wide() { # NAME
	(
		cd "$work/wide"
		# shellcheck disable=SC2016 # the inner shell expands it
		case $1 in
		python) "$measure" 1 "$python" "$OLDPWD/bench/peer_store.py" .rooflog/runs.db ;;
		text) "$measure" 1 sh -c '"$@"; [ $? -ne 2 ]' gate "$rooflog" gate ;;
		*) "$measure" 1 sh -c '"$@"; [ $? -ne 2 ]' gate "$rooflog" gate --format "$1" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

wide_row() { # NAME TITLE
	local file=$times/wide.$1
	awk -v title="$2" -v cpu="$(median_of "$file" 1)" -v range="$(range_of "$file")" \
		-v wall="$(median_of "$file" 2)" -v kib="$(median_of "$file" 3)" \
		-v ratio="$(ratio_of "$file" "$times/wide.python")" 'BEGIN {
		printf "| %s | %.3g | %s | %.3g | %.1f | %.3g |\n", title, cpu * 1000, range, wall * 1000,
			kib / 1024, ratio }'
}

bench_wide() {
	local round name
	cat <<'TEXT'

## A wide commit

10,000 series under 12 commits, one run each. python is `bench/peer_store.py`, which reads the same numbers and compares
each with its median on record.

| command | CPU ms | from, to | wall ms | peak MiB | CPU / python |
|---|---|---|---|---|---|
TEXT
	say 'gate over 10,000 series'
	for ((round = 0; round < rounds; round++)); do
		for name in python text pr-comment; do
			wide $name >>"$times/wide.$name"
		done
	done
	wide_row python python
	wide_row text "\`gate\`"
	wide_row pr-comment "\`gate --format pr-comment\`"
}

# A site

site_made() {
	rm -rf "$work/site"
	(
		cd "$work/long"
		"$measure" 1 "$rooflog" site --quiet "$work/site" HEAD~1000
	) 2>"$work/messages" || die "site: $(cat "$work/messages")"
}

# Nothing where there is no browser, or none to steer it with.
site_paints() {
	local name kb middle longest
	command -v node >/dev/null && command -v chromium >/dev/null || return 0
	tests/browser/install.sh "$work" 2>"$work/messages" || return 0
	cat <<TEXT

| page, opened from the disk in Chromium | kB | first paint, ms | longest of five |
|---|---|---|---|
TEXT
	node bench/paint.mjs "$work/site" "$work" | while read -r name kb middle longest; do
		case $name in
		k/*) name='the largest of a kernel' ;;
		c/*) name='the largest of a commit' ;;
		esac
		echo "| $name | $kb | $middle | $longest |"
	done
}

bench_site() {
	local round
	say 'a site of a long history'
	for ((round = 0; round < 3; round++)); do
		site_made >>"$times/long.site"
	done
	cat <<TEXT

## A site

500 series under 1,000 commits: $(find "$work/site" -type f | wc -l) files, $(($(find "$work/site" -type f -printf '%s+')0)) bytes.

| command | CPU ms | from, to | wall ms | peak MiB |
|---|---|---|---|---|
TEXT
	long_row site 'site, into a new folder'
	site_paints
}

# The report

facts() {
	local compiler
	compiler=$(cache_value CMAKE_C_COMPILER)
	cat <<TEXT
# Benchmarks

Written by \`./dev bench\`; do not edit.

| | |
|---|---|
| rooflog | $("$rooflog" --version | head -n 1), commit $(git rev-parse --short=10 HEAD) |
| processor | $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1) |
| memory | $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo) |
| system | $(uname -sr | sed 's/-.*//'), $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release) |
| compiler | $("$compiler" --version | head -n 1), $(cache_value CMAKE_C_FLAGS_RELEASE) |
| python, jq | $("$python" --version), $(jq --version) |
| load average | $load before, $(cut -d ' ' -f 1 /proc/loadavg) after |
| rounds | $rounds for profiles, $((3 * rounds)) for commands |
TEXT
}

remarks() {
	cat <<'TEXT'

## How to read this

Figures are medians over the rounds, of whole processes, with the files in the page cache. CPU is
user plus system time. The programs take turns, and a ratio is the median of the ratios within the
rounds: on a machine that does other things too, ratios mean more than milliseconds, and wall times
mean least.

* The profiles are invented (`bench/generate.c`): half instructions, a third DMA, members and
  sections in random order. Real ones differ in the length of records, and no profile of gigabytes
  was at hand.
* Before a program is measured it has to print the same answer as rooflog: active time of every
  engine, count and time of every opcode, count, time and bytes of every queue. Where no peer is in
  the table (1 GB), only rooflog's own checks of summary against intervals vouch for the answer.
* rooflog does more than the peers: it also derives all metrics and findings, and prints them. It
  does less with what it does not need: it checks that, but builds nothing from it.
* The traces are invented, too (`bench/generate_ntff.c`), in the proportions of real ones: for 10
  instructions, each with a word of its own, 13 events and 39 transfers of three records. The
  generator adds up and sorts what it puts in; rooflog has to find exactly that.
* The peers read everything into memory first, as people's scripts do. Faster JSON libraries exist;
  they are not measured here.
* The peak of a process includes the libraries it maps; `rooflog --version` shows that floor.
* `cat` only copies in the kernel. Its own cost doubles and halves with what else the machine does, so
  ratios to it swing most; those to rooflog are steadier.
* `gate` sees 50 commits of which the last 45 have the same profiles. The git work (finding the
  ancestors) is included; a repository of real size costs more.
* The long history is invented (`bench/generate_store.c`); its rows are there because a gate that has to
  judge 500 series has to be quick on a machine that just started. Here wall times matter, too.
* `ingest` into a store includes the wait for the disk in its wall time, not in its CPU time.

## Again

```
./dev bench
./dev bench --large
```

The first needs 2.4 GB in `build/bench`, the second 3.4 GB. The profiles depend on nothing but their
size and seed, so other machines measure the same bytes.
TEXT
}

[ -x "$rooflog" ] || die "build the program first: ./dev build"
load=$(cut -d ' ' -f 1 /proc/loadavg)
rm -rf "$work"
mkdir -p "$work/small" "$times"
compile generate bench/generate.c bench/schedule.c
compile generate_ntff bench/generate_ntff.c bench/ntff_file.c bench/ntff_schedule.c \
	bench/ntff_words.c bench/schedule.c
compile measure bench/measure.c
# shellcheck disable=SC2046 # a list of words
compile generate_store bench/generate_store.c bench/schedule.c build/release/librooflog_db.a \
	build/release/librooflog_model.a build/release/librooflog_base.a \
	$(pkg-config --libs sqlite3 libcjson) -pthread -lm
make_profiles
make_traces
make_repository
make_long_history
make_wide_history
{
	bench_reading
	bench_traces
	bench_small
	bench_long
	bench_wide
	bench_site
	. bench/store.sh && bench_store
} >"$work/tables.md"
{
	facts
	cat "$work/tables.md"
	remarks
} >"$work/RESULTS.md"
mv "$work/RESULTS.md" bench/RESULTS.md
cat bench/RESULTS.md
