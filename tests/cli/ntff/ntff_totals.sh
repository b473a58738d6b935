#!/bin/bash
# Native traces that the generator of bench/ invents: rooflog finds exactly the totals that were put
# in, whatever the version, the cores, and how uneven the parts of the trace are; where there is no
# order at all and more than can be kept, counts are still exact and active times lower bounds.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

cc -std=c11 -D_GNU_SOURCE -O2 -include base/banned.h -I. -o "$scratch/generate" \
	bench/tools/generate_ntff.c bench/tools/ntff_file.c bench/tools/ntff_schedule.c bench/tools/ntff_words.c \
	bench/tools/schedule.c || exit 1

# What was put in is in $scratch/put, what was found in $scratch/found, messages in $err.
decode() { # BYTES VERSION CORES SEED SHAPE
	"$scratch/generate" "$@" "$scratch/trace.ntff" | LC_ALL=C sort >"$scratch/put"
	run ingest --dry-run --json --set kernel=k --commit "$(printf '%040d' 0)" "$scratch/trace.ntff"
	equal "$* is read" "$status" 0
	jq -r --arg version "$2" -f bench/peers/answer_ntff.jq "$scratch/.out" |
		LC_ALL=C sort >"$scratch/found"
	check "$*: something was put in" [ "$(wc -l <"$scratch/put")" -gt 30 ]
}

for shape in plain uneven shuffled; do
	for version in 4 5 6; do
		for cores in 1 2; do
			decode 3000000 "$version" "$cores" 1 "$shape"
			check "$shape, version $version, $cores cores" \
				diff "$scratch/put" "$scratch/found"
		done
	done
done
for seed in {2..9}; do
	decode 60000 5 2 "$seed" uneven
	check "seed $seed" diff "$scratch/put" "$scratch/found"
done

# More than the unions keep, twice: in the order of real traces, and in none.
decode 80000000 5 2 1 uneven
check 'more than is kept' diff "$scratch/put" "$scratch/found"
decode 120000000 6 1 1 shuffled
case $err in
*'active times are lower bounds'*) ;;
*) check 'no order at all is told' false ;;
esac
# Nothing but the last number of these lines is an active time.
without_unions() { # FILE
	sed -E '/^metric (dma|total)_active_time /d; /^(engine|class) /s/ [0-9]+$//' "$1"
}
check 'no order at all: all else is exact' \
	diff <(without_unions "$scratch/put") <(without_unions "$scratch/found")
larger=$(paste -d '|' "$scratch/put" "$scratch/found" | awk -F '|' '{
	count = split($1, put, " "); split($2, found, " ")
	larger += found[count] + 0 > put[count] + 0 } END { print larger + 0 }')
equal 'active times larger than what was put in' "$larger" 0
finish
