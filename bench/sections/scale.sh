#!/bin/bash
# Section "scale": time and memory of commands over 2,000, 5,000 and 20,000 series, a million runs in
# all. What counts is that ten times as much takes ten times the time, and no more memory than the
# commit needs.

# shellcheck source=bench/lib.sh
. bench/lib.sh

scale_sizes='2000 5000 20000'

prepare_scale() {
	local size
	for size in $scale_sizes; do
		need_store "scale$size" "$size" 50
	done
}

# Names of commands, in the order of the table.
scale_names='python gate selftest gate-json junit csv window log series history log-json compare show report html
	openmetrics chart trend site calibrate bisect doctor'

scale_command() { # NAME
	case $1 in
	gate) echo gate ;;
	selftest) echo gate --selftest ;;
	gate-json) echo gate --json ;;
	junit) echo gate --as junit ;;
	csv) echo gate --as csv ;;
	window) echo gate --against window ;;
	log) echo log ;;
	series) echo log --view series ;;
	history) echo log --view history ;;
	log-json) echo log --json ;;
	compare) echo compare HEAD~1 HEAD ;;
	show) echo show ;;
	report) echo report ;;
	html) echo report --as html ;;
	openmetrics) echo report --as openmetrics ;;
	chart) echo chart roofline --output roofline.svg ;;
	trend) echo chart trend --output trend.svg ;;
	site) echo site pages ;;
	calibrate | bisect | doctor) echo "$1" ;;
	esac
}

# The JSON of a million runs is 30 GB of text, that of 250,000 7 GB.
scale_leaves_out() { # NAME SIZE
	[ "$1" = log-json ] && [ "$2" != 2000 ] && [ -z "$large" ]
}

timed_scale() { # SIZE.NAME
	local size=${1%%.*} name=${1#*.}
	(
		cd "$work/scale$size"
		if [ "$name" = python ]; then
			"$measure" 1 "$python" "$OLDPWD/bench/peers/peer_store.py" .rooflog/runs.db
		else
			# Verdicts, a regression among them, are no failures.
			# shellcheck disable=SC2016,SC2046 # the inner shell expands it; a list of words
			"$measure" 1 sh -c '"$@"; case $? in [0134]) ;; *) exit 1 ;; esac' verdict \
				"$rooflog" $(scale_command "$name")
		fi
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# CPU ms and MiB; nothing where it was not measured.
scale_cells() { # NAME
	local size file
	for size in $scale_sizes; do
		file=$(measured scale "$size.$1")
		if [ -e "$file" ]; then
			echo "$(cpu_ms "$file") | $(peak_mib "$file")"
		else
			echo ' | '
		fi
	done
}

scale_row() { # NAME
	local cells growth='' peer='' title=python
	mapfile -t cells < <(scale_cells "$1")
	[ "$1" = python ] || title="\`$(scale_command "$1")\`"
	if [ -e "$(measured scale "20000.$1")" ]; then
		growth=$(ratio "$(measured scale "20000.$1")" "$(measured scale "2000.$1")")
		peer=$(ratio "$(measured scale "20000.$1")" "$(measured scale 20000.python)")
	fi
	row "$title" "${cells[@]}" "$growth" "$peer"
}

bench_scale() {
	local name size turns=()
	for name in $scale_names; do
		for size in $scale_sizes; do
			scale_leaves_out "$name" "$size" || turns+=("$size.$name")
		done
	done
	take_turns 3 scale timed_scale "${turns[@]}"
	cat <<'TEXT'
## Scale

2,000, 5,000 and 20,000 series under 50 commits, one run each: 100,000, 250,000 and 1,000,000 runs. The growth is the time of 20,000
series over that of 2,000; 10 is linear. python is `bench/peers/peer_store.py`, which reads the times of all runs and compares each
series with its median on record.

| command | 2,000: ms | MiB | 5,000: ms | MiB | 20,000: ms | MiB | growth | 20,000 / python |
|---|---|---|---|---|---|---|---|---|
TEXT
	for name in $scale_names; do
		scale_row "$name"
	done
	cat <<'TEXT'

* Times are of the CPU. `log` lists all runs, `show` and `report` those of the newest commit in full, `gate` its series.
  `chart roofline` draws the first 1,000 runs.
TEXT
}
