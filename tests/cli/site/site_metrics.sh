#!/bin/bash
# A site shows the metrics that rules name: in files of their own, and chosen on the page of a kernel.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository kernels
nights 39
echo commit,op,time,work >both.csv
i=0
for id in $(git rev-list --first-parent --reverse HEAD); do
	i=$((i + 1))
	echo "$id,both,$((1000 + i % 3)),$((i < 20 ? 700 + i % 3 : 900 + i % 3))"
done >>both.csv
run ingest --history --columns commit,kernel=op,time=time:us,hbm_bytes=work:MB --set device=a100-sxm-80gb both.csv
equal "a kernel with two metrics: $err" "$status" 0
git tag v1.0 "$(git rev-list --first-parent --reverse HEAD | sed -n 20p)"
run site one
equal "without a rule it has one metric: $err" "$(find one/data -name 'm-*')" ""
check "and its data name no other" test -z "$(grep -l '"metrics"' one/data/k-both-*.js)"
printf '[rule "time"]\nkernel = *\n[rule "traffic"]\nmetric = hbm_bytes\nrole = context\n' >>.rooflog/config
run site pages --trust-work-tree
equal "with a rule: $err" "$status" 0
check "the other is in a file of its own" grep -q '"hbm_bytes":{"name":"both"' pages/data/m-both-*.js
check "with its change point" grep -q '"+28\.[0-9]* %"' pages/data/m-both-*.js
check "which the data of the kernel name" grep -q '"metrics":\[\["hbm_bytes","HBM traffic"\]\]' pages/data/k-both-*.js

# The newest runs with their share of the roof, their traffic and their machine, where these are known.
text_of() { # PAGE: of the table of runs, a row a line
	sed -n '/<h2>Runs/,/<\/table>/ { s/<[^>]*>/ /g; s/  */ /g; p; }' "$1"
}
check "without FLOP there is no share of the roof" grep -q '^ Commit Value From the one before DRAM traffic Runs' \
	<(text_of pages/k/both-*.html)
printf 'commit,op,time,flop,bytes,host\n%s,roof,10000,3e10,1.2e9,ci-1\n%s,roof,10100,3e10,1.2e9,ci-1\n' \
	"$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)" >roof.csv
run ingest --history --columns commit,kernel=op,total_time=time:us,hardware_flops=flop:FLOP,device_memory_traffic=bytes:B,instance_type=host \
	--set device=trn2 --set cores=2 --set dtype=bf16 roof.csv
equal "runs with all of it: $err" "$status" 0
run site pages --trust-work-tree
roof=$(text_of pages/k/roof-*.html)
check "columns of what is known: $roof" grep -q '^ Commit Value From the one before Of its roof HBM traffic Machine Runs' <<<"$roof"
# 30 GFLOP in 10.1 ms: 2.970 of the 17.9 TFLOP/s that 25 FLOP/B allow at 716 GB/s.
check "with their values" grep -qE '10\.10 ms \+1\.00 % 16\.59 % 1\.200 GB ci-1 1' <<<"$roof"
browsers
check "pages in a browser" node "$root/tests/browser/metrics.mjs" pages "$modules"
finish
