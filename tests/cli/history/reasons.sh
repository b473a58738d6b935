#!/bin/bash
# The reason of an undecided verdict is the one of this case, and asks for nothing that was done or cannot help.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

clock=1800000000
store() { # US: a measurement of the current commit
	printf 'kernel,us\nk,%s\n' "$1" >"$scratch/in.csv"
	clock=$((clock + 60))
	SOURCE_DATE_EPOCH=$clock run ingest --commit HEAD --columns kernel=kernel,total_time=us:us --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
}
measure() { # US...: one commit each
	local us
	for us; do
		commit "$us us"
		store "$us"
	done
}
reason() { # NAME VERDICT PATTERN
	run gate --json
	equal "$1: verdict" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" "$2"
	out=$(jq -r '.gate.comparisons[0].reason' <<<"$out")
	check "$1: $out" grep -qE "^$3\$" <<<"$out"
}
reruns() { # NAME COUNT
	run gate -o rerun=-
	equal "$1: to measure again" "$(grep -c '^{' <<<"$out")" "$2"
}
quiet='100 101.2 99.1 100.4 98.9 100.8 99.6 101 99.3 100.2 99 100.9'
between='the data neither show a change nor exclude one of 5 %'

repository between
run init
# shellcheck disable=SC2086
measure $quiet 102.9
reason "first look" undecided "$between: re-measure"
reruns "first look" 1
store 102.8
reason "measured again" undecided "$between, in 2 measurements: only later commits can decide"
reruns "measured again" 0

# Of noise of 3 % no history shows 5 %, of 1.5 % a longer one does.
repository loud
run init
measure 100 103.6 97.3 101.2 96.7 102.4 98.8 103 97.9 100.6 97 102.7 103
reason "too noisy" undecided 'noise between commits is [0-9.]+ %: .* not 5 %; reduce the noise, or raise the tolerance in the rule'
reruns "too noisy" 0
repository short
run init
measure 100 101.8 98.7 100.6 98.4 101.2 99.4 101.5 99 102
reason "too short" undecided 'noise between commits is [0-9.]+ %: .* not 5 %; [0-9]+ more commits of history needed'
run gate --explain '*'
check "the numbers say as many: $out" grep -qE '; [0-9]+ more +commits needed' <<<"${out//$'\n'/ }"

# The commit before is as bad: its record does not count it.
repository older
run init
# shellcheck disable=SC2086
measure $quiet 104.62
bad=$(git rev-parse --short=10 HEAD)
measure 104.7
older="but $bad before it is no better, so the cause is older"
reason "a commit before" undecided "beyond noise: p = .*; $older"
reruns "a commit before" 0
repository young
run init
measure 100 100.8 148
bad=$(git rev-parse --short=10 HEAD)
measure 148.6
older="but $bad before it is no better, so the cause is older"
reason "after two commits" undecided "beyond noise: p = .*, 2 commits of history; $older"

finish
