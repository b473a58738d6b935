#!/bin/bash
# The site's script prints quantities as the program does: of every unit, over the data of a site.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository units
commit second 2026-03-02T09:00:00Z
of() { # METRIC UNIT VALUE...: a series of each value at HEAD, all in one measurement
	local metric=$1 unit=$2 value at=0
	shift 2
	echo commit,op,value >rows.csv
	for value; do
		echo "$(git rev-parse HEAD~1),$metric$((++at)),$value"
		echo "$(git rev-parse HEAD),$metric$at,$value"
	done >>rows.csv
	[ "$metric" = total_time ] || printf '[rule "%s"]\n\tmetric = %s\n\tkernel = %s*\n' "$metric" \
		"$metric" "$metric" >>"$scratch/config"
	run ingest --history --columns "commit,kernel=op,$metric=value${unit:+:$unit}" --set device=a100-sxm-80gb rows.csv
	equal "$metric: $err" "$status" 0
}

configure ''
of total_time s 1500 999.96 0.99996 2.5e-5 1.0625 1.1875 9.9995e-7 3e-12 8345678
of throughput '' 1.5e6 1500 12 0.25 999.95
of dma_transfer_count '' 1234567 7 123 1000 123456789
of l2_intensity '' 0.5 1500 0.00002 1234.5 1235.5
of spill_save_bytes B 0 512 1023 4096 6816000
of model_flops FLOP 1e15 2.5e18
of mfu fraction 0.05657 1
of host_overhead '' 1.5 12345678
run site pages
equal "status: $err" "$status" 0
sed -n 's#.*<span>\(.*\)</span><svg.*<span class="v">\([^<]*\)<.*#\1: \2#p; s#.*<b>\(.*\)</b>.*<span class="val">\([^<]*\)<.*#\1: \2#p' \
	pages/index.html | sed 's#<wbr>##g' | sort >program.txt
equal "series" "$(wc -l <program.txt)" 35
command -v node >/dev/null || { echo "skipped: no node" && finish; }
node "$root/tests/browser/quantity.mjs" pages | sort >script.txt
check "the script prints as the program does" diff -u program.txt script.txt
finish
