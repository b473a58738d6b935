#!/bin/bash
# A commit whose clock was wrong does not hide what stopped arriving before it.
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
printf '[gate]\n\tseen-within = 1000\n' >.rooflog/config
verdict "one that stopped before it" 6 '1 stale'
run gate --json
equal "last seen at" "$(jq -r '.gate.comparisons[] | select(.verdict == "stale") | .kernel' <<<"$out")" conv
finish
