#!/bin/bash
# Section "charts": three charts as three files by one process, beside those of plotting programs.

# shellcheck source=bench/lib.sh
. bench/lib.sh

charts_python=/usr/bin/python3 # Debian's matplotlib is no other python's

# 500 commits, of which the newest two have runs of an accelerator; one series under all of them.
prepare_charts() {
	local home=$work/charts day
	say "making a history of 500 commits with charts to draw"
	mkdir -p "$home/repository" "$home/matplotlib"
	git init -q -b main "$home/repository"
	for ((day = 1; day <= 500; day++)); do
		printf 'commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata <<.\nnight %d\n.\n' \
			$((1772355600 + day * 86400)) "$day"
	done | git -C "$home/repository" fast-import --quiet
	{
		echo commit,kernel,device,time
		git -C "$home/repository" log --reverse --format=%H | awk '{
			state = (state * 69069 + 12345) % 4294967296
			printf "%s,decode,trn2,%.9g\n", $1, 0.99 + 0.02 * state / 4294967296 + 0.1 * (NR > 300) }'
	} >"$home/measured.csv"
	(
		root=$PWD
		cd "$home/repository"
		"$rooflog" init
		"$rooflog" ingest --commit HEAD~1 "$root/samples/history/03"
		"$rooflog" ingest --commit HEAD "$root/samples/history/05"
		"$rooflog" ingest --columns commit,kernel,device,time=time:ms "$home/measured.csv"
		"$rooflog" report --as json
	) >"$home/report.json" 2>"$work/messages" || die "charts: $(cat "$work/messages")"
	charts_data "$home"
}

# What the others draw: the same points.
charts_data() { # FOLDER
	sed -n '/^{/,$p' "$1/report.json" >"$1/document.json"
	jq -r '.runs[] | select(.engines | length > 0) | [.metrics.arithmetic_intensity.value,
		.metrics.achieved_flops.value, .params_text] | @tsv' "$1/document.json" >"$1/points.tsv"
	jq -r '.runs[0] | [.peaks.bandwidth.value, .peaks.core_flops.value] | @tsv' "$1/document.json" >"$1/roof.tsv"
	jq -r '.runs[] as $run | $run.engines[] | [.title, .occupancy.value * 100,
		(.baseline_occupancy // 0) * 100] | @tsv' "$1/document.json" >"$1/engines.tsv"
	awk -F , 'NR > 1 { printf "%d\t%s\n", NR - 501, $4 }' "$1/measured.csv" >"$1/trend.tsv"
	[ "$(wc -l <"$1/trend.tsv")" = 500 ] || die "charts: no trend of 500 commits"
	[ -s "$1/points.tsv" ] || die "charts: no points of a roofline"
	[ -s "$1/engines.tsv" ] || die "charts: no engines"
}

timed_charts() { # PROGRAM.ENDING
	local ending=${1#*.} home=$work/charts
	rm -f "$home"/roofline.* "$home"/occupancy.* "$home"/trend.svg "$home"/trend.png
	case $1 in
	rooflog.*) (
		cd "$home/repository"
		"$measure" 1 "$rooflog" chart roofline --quiet --output "$home/roofline.$ending" \
			-o occupancy="$home/occupancy.$ending" -o trend="$home/trend.$ending"
	) ;;
	gnuplot.*) "$measure" 1 gnuplot -e "folder='$home'; ending='$ending'" bench/peers/peer_charts.gp ;;
	matplotlib.*) MPLCONFIGDIR=$home/matplotlib "$measure" 1 "$charts_python" bench/peers/peer_charts.py \
		"$home" "$ending" ;;
	esac 2>"$work/messages" || die "$1: $(cat "$work/messages")"
	charts_sizes "$home" "$1"
}

# A program that draws nothing is quick, too.
charts_sizes() { # FOLDER NAME
	local name
	for name in roofline occupancy trend; do
		[ -s "$1/$name.${2#*.}" ] || die "$2: no $name"
	done
	cat "$1"/{roofline,occupancy,trend}."${2#*.}" | wc -c >"$1/bytes.$2"
}

charts_peers() {
	! command -v gnuplot >/dev/null || echo gnuplot
	! "$charts_python" -c 'import matplotlib' 2>/dev/null || echo matplotlib
}

bench_charts() {
	local ending name file own peers
	peers=$(charts_peers)
	cat <<'TEXT'
## Charts

A roofline, the occupancy of the engines, and a trend of 500 commits: three files by one process, PNG with 1640 pixels across.
gnuplot and matplotlib draw the same points with fewer texts and without the timelines of the engines
(`bench/peers/peer_charts.gp`, `bench/peers/peer_charts.py`); rooflog also looks up the runs, compares and judges them.

| program | files | CPU ms | from, to | wall ms | peak MiB | kB | CPU / rooflog |
|---|---|---|---|---|---|---|---|
TEXT
	for ending in svg png; do
		own=rooflog.$ending
		# shellcheck disable=SC2086 # a list of words
		take_turns $((3 * rounds)) charts timed_charts "$own" ${peers:+$(printf "%s.$ending " $peers)}
		for name in rooflog $peers; do
			file=$(measured charts "$name.$ending")
			row "$name" "$ending" "$(cpu_ms "$file")" "$(cpu_range "$file")" "$(wall_ms "$file")" \
				"$(peak_mib "$file")" "$(($(cat "$work/charts/bytes.$name.$ending") / 1000))" \
				"$(ratio "$file" "$(measured charts "$own")")"
		done
	done
}
