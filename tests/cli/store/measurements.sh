#!/bin/bash
# Two calls of ingest are two measurements, even within one second; the runs of one call are one.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,variant=impl,dtype=type,device=gpu,param:m=m,time=ms:ms

measure() { # RANGE KERNEL=...
	local range=$1
	shift
	git rev-list --reverse "$range" | python3 "$root/tests/cli/gate/gate_record.py" "$@" >table.csv
	run ingest --quiet --columns "$map" table.csv
	equal "ingest: $err" "$status" 0
}

repository twice
nights 20
measure HEAD~1 bad=1:0.004
measure HEAD~1..HEAD bad=1.2:0.004:1@0:3
run gate --exit-code --json
equal "one call: a suspicion" "$status $(jq '.gate.comparisons[0].measurements' <<<"$out")" "3 1"
measure HEAD~1..HEAD bad=1.21:0.004:1@0:3
run gate --json
equal "two calls in one second: confirmed" "$status $(jq '.gate.comparisons[0].measurements' <<<"$out")" "1 2"
finish
