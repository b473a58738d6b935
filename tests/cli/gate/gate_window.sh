#!/bin/bash
# What a verdict reads of a long history is all that it looks at: a commit whose clock was wrong does
# not hide what is no longer measured before it, and a metric that few commits have is counted by itself.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository r
nights 80
commit 'a wrong clock' 1980-01-01T09:00:00Z
nights 620 83
series gemm e 503
series conv e 1 60
measured
mkdir -p .rooflog
configure '[gate]\n\tseen-within = 1000\n'
verdict "one that stopped before it" 6 '1 missing (stopped)'
run gate --json
equal "last seen at" "$(jq -r '.gate.comparisons[] | select(.verdict == "stale") | .kernel' <<<"$out")" conv

repository q
nights 800
series gemm e
measured
series gemm 'i % 20 == 0 || i == 801 ? e : ""'
METRIC=host_time=value:ms measured 1
mkdir -p .rooflog
configure '[rule "host"]\n\tmetric = host_time\n'
run gate --json
equal "all commits that have it are counted" \
	"$(jq -c '.gate.comparisons[] | [.metric, .record.commits]' <<<"$out")" '["host_time",40]'
finish
