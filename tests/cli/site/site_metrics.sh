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
browsers
check "pages in a browser" node "$root/tests/browser/metrics.mjs" pages "$modules"
finish
