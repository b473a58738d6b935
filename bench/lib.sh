#!/bin/bash
# What the sections of the benchmark share: where things are, taking turns, medians, cells of tables,
# and the inputs that more than one of them reads. Sourced from the top of the repository; defines,
# and does nothing else, so a section may source it again.

# shellcheck disable=SC2034 # used by those who read this file
{
	rounds=7
	work=${BENCH_FOLDER:-$PWD/build/bench}
	rooflog=${BENCH_ROOFLOG:-$PWD/build/release/rooflog}
	measure=$work/measure
	repository=$work/repository
	times=$work/times
	large='' # yes: what takes minutes and gigabytes, too
}

say() {
	printf 'bench: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit 1
}

# Programs

cache_value() {
	sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt
}

# That of rooflog.
c_compiler() {
	[ -e build/release/CMakeCache.txt ] && cache_value CMAKE_C_COMPILER || echo cc
}

compile() { # PROGRAM SOURCE...: unless it is there
	local program=$work/$1
	shift
	[ -x "$program" ] || "$(c_compiler)" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra \
		-include base/banned.h -I . "$@" -o "$program"
}

# Where python3 is a wrapper, its cost is not python's.
python=$(python3 -c 'import sys; print(sys.executable)')

# Inputs

# The profile of a size and seed in $work/NAME.json, made when it is first asked for.
need_profile() { # NAME BYTES SEED [PLACE of the summary]
	[ ! -e "$work/$1.json" ] || return 0
	compile generate bench/tools/generate.c bench/tools/schedule.c
	mkdir -p "$(dirname "$work/$1")"
	say "generating $1.json"
	"$work/generate" --summary "${4-any}" "$2" "$3" >"$work/$1.json"
}

# $work/NAME: a store of SERIES under COMMITS, one run each.
need_store() { # NAME SERIES COMMITS
	[ ! -e "$work/$1" ] || return 0
	# shellcheck disable=SC2046 # a list of words
	compile generate_store bench/tools/generate_store.c bench/tools/schedule.c build/release/librooflog_db.a \
		build/release/librooflog_model.a build/release/librooflog_base.a \
		$(pkg-config --libs sqlite3 libcjson) -pthread -lm
	say "making a store of $2 series under $3 commits"
	"$work/generate_store" "$work/$1" "$2" "$3" 1 >"$work/$1.planted"
	sync "$work/$1/.rooflog/runs.db"
}

# Fifty commits: the six of the samples, then the last one's profiles under 44 more.
need_repository() {
	local step
	[ ! -e "$repository" ] || return 0
	say "making a history of 50 commits"
	ROOFLOG=$rooflog sh samples/history.sh "$repository" 1 6 >"$work/history.log" 2>&1
	for step in {7..50}; do
		git -C "$repository" -c user.name=bench -c user.email=bench@example.org \
			commit -q --allow-empty -m "Step $step"
		(cd "$repository" && "$rooflog" ingest --quiet --commit HEAD \
			"$OLDPWD/samples/history/06") >>"$work/history.log" 2>&1
	done
}

# Measuring

# In every round each NAME has its turn: `FUNCTION NAME` prints a line of `measure`, which is kept in
# the file that `measured GROUP NAME` names.
take_turns() { # ROUNDS GROUP FUNCTION NAME...
	local count=$1 group=$2 function=$3 round name
	shift 3
	say "$group: $*"
	for ((round = 0; round < count; round++)); do
		for name; do
			"$function" "$name" >>"$(measured "$group" "$name")"
		done
	done
}

measured() { # GROUP NAME
	echo "$times/$1.$2"
}

# Verdicts (3, 4) are no failures.
measure_verdict() { # COMMAND...
	# shellcheck disable=SC2016 # the inner shell expands it
	"$measure" 1 sh -c '"$@"; case $? in 0 | 3 | 4) ;; *) exit 1 ;; esac' verdict "$@"
}

# Cells: each takes a file of lines of `measure`, which are CPU s, wall s, peak KiB.

median() {
	sort -g | awk '{ value[NR] = $1 }
		END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

median_of() { # FILE COLUMN
	awk -v column="$2" '{ print $column }' "$1" | median
}

# Three digits, or all those before the point.
short() {
	awk '{ printf $1 < 100 ? "%.3g" : "%.0f", $1 }'
}

cpu_ms() { # FILE
	awk '{ print $1 * 1000 }' "$1" | median | short
}

wall_ms() { # FILE
	awk '{ print $2 * 1000 }' "$1" | median | short
}

peak_mib() { # FILE
	median_of "$1" 3 | awk '{ printf "%.1f", $1 / 1024 }'
}

# Smallest and largest CPU ms.
cpu_range() { # FILE
	awk '{ print $1 * 1000 }' "$1" | sort -g | awk 'NR == 1 { low = $1 } { high = $1 }
		END { printf high < 100 ? "%.3g to %.3g" : "%.0f to %.0f", low, high }'
}

gb_per_cpu_second() { # FILE BYTES
	median_of "$1" 1 | awk -v bytes="$2" '{ printf "%.2g", bytes / 1e9 / $1 }'
}

# Median of the ratios of CPU time, or of another column, round by round.
ratio() { # FILE FILE [COLUMN]
	paste -d ' ' "$1" "$2" | awk -v column="${3-1}" '{ print $column / $(column + 3) }' |
		median | awk '{ printf "%.3g", $1 }'
}

# A line of a table; cells that could not be measured are left empty by the caller.
row() { # CELL...
	printf '| '
	printf '%s |' "$1"
	shift
	[ $# = 0 ] || printf ' %s |' "$@"
	echo
}
