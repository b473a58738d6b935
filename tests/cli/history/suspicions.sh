#!/bin/bash
# What several nights show: one better night does not end it, and what was fixed once and comes back is red
# as soon as what never was there.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

clock=1800000000
measure() { # PERCENT...: one commit each, so many percent above the level
	local percent
	for percent; do
		commit "$percent"
		printf 'kernel,us\nk,%s\n' "$(awk "BEGIN { print 100 * (1 + $percent / 100) }")" >"$scratch/in.csv"
		clock=$((clock + 86400))
		SOURCE_DATE_EPOCH=$clock run ingest --commit HEAD --columns kernel=kernel,total_time=us:us --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
	done
}
nights() { # NAME VERDICTS PERCENT...: of a night each
	local name=$1 verdicts=$2 percent said=
	shift 2
	for percent; do
		measure "$percent"
		run gate --against window --json
		said+="${said:+ }$(jq -r '.gate.comparisons[0].verdict' <<<"$out")"
	done
	equal "$name" "$said" "$verdicts"
}
quiet='.1 -.3 .4 -.2 .3 -.4 0 .2 -.1 .3 -.3 .1'

# The fourth night is at 0.8 % by chance, which alone is less than the 1 % that count.
repository lucky
run init
# shellcheck disable=SC2086
measure $quiet
nights "a lucky night" "suspect regressed regressed regressed regressed regressed regressed regressed" 1.6 1.5 1.4 .8 1.5 1.6 .9 1.4
nights "but a repair is one" "improved" .1

# Three nights, fixed, and back.
repository back
run init
# shellcheck disable=SC2086
measure $quiet 6.1 6.3 5.9 $quiet
nights "back again" "suspect regressed regressed" 6.2 6 6.1
# A third time: it is what this series does now and then.
# shellcheck disable=SC2086
measure $quiet
nights "a mode" "undecided suspect" 6.2 6

finish
