#!/bin/bash
# Ledgers whose rows name their commits: each row goes under its own, what names no commit of the
# repository is skipped and named, and ten thousand rows over many commits are all stored.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository ledger
commit two 2026-03-02T09:00:00Z
git tag v2
commit three 2026-03-03T09:00:00Z
{
	printf 'commit\tphase\ttok_per_s\tmfu\tcompile_s\tdescription\n'
	printf '%s\t1\t512.5\t0.2\t300.0\tbaseline\n' "$(git rev-parse --short HEAD~2)"
	printf 'v2\t1\t512.5\t0.2\t300.0\tthe same again\n'
	printf '%s\t1\t1024.5\t41.5\t150.0\ttwice as fast\n' "$(git rev-parse HEAD)"
	printf '0123abc\t2\t2048.0\t60.0\t100.0\telsewhere\n'
	printf 'renamed\t9999.0\ta row of another table\n'
} >results.tsv
map=commit,throughput=tok_per_s,mfu=mfu:percent,compile_time=compile_s:s,attr:description
run ingest --set kernel=qwen --columns "$map" results.tsv
equal "three of five rows: $err" "$status" 0
check "the fourth is named: $err" grep -qF 'skipped results.tsv: unknown revision "0123abc"' <<<"$err"
check "the fifth is counted: $err" grep -qF 'line 6: skipped: cell count differs' <<<"$err"
run log --json
equal "each under its commit" \
	"$(jq -c '[.runs[] | [.commit.subject, .metrics.throughput.value, .metrics.mfu.value]]' <<<"$out")" \
	'[["three",1024.5,0.415],["two",512.5,0.002],["first",512.5,0.002]]'
run ingest --set kernel=qwen --columns "$map" results.tsv
check "again changes nothing: $err" grep -q '0 runs stored, 3 duplicates, 1 skipped' <<<"$err"
gzip -k results.tsv
run ingest --set kernel=qwen --columns "$map" results.tsv.gz
check "nor does gzip: $err" grep -q '0 runs stored, 3 duplicates, 1 skipped' <<<"$err"

refused "a commit twice" 'names its own commits: remove --commit|--commit' ingest --set kernel=qwen \
	--commit HEAD --columns "$map" results.tsv
refused "no commit at all" ': this format records no commit' ingest --set kernel=qwen \
	--columns throughput=tok_per_s results.tsv
sed '2,4d' results.tsv >elsewhere.tsv
refused "no commit is here" ': none of the named commits is in this repository' ingest --set kernel=qwen \
	--columns "$map" elsewhere.tsv
refused "no kernel" 'does not say its kernel|--set kernel=NAME' ingest --columns "$map" results.tsv
refused "no unit" 'unit missing|time=compile_s:UNIT' ingest --columns commit,time=compile_s results.tsv
refused "no column" 'no column "latency"|"tok_per_s"' ingest --columns commit,time=latency:ms \
	results.tsv
refused "no map" '"commit", "phase"|--columns' ingest results.tsv
refused "a map that is none" 'unknown target "speed"' ingest --columns speed=x:ms results.tsv

# Files that the map does not fit stay what they are.
mkdir folder
cp results.tsv folder/
printf 'a,b,c\n1,2,3\n' >folder/other.csv
run ingest --dry-run --set kernel=qwen --columns "$map" folder
equal "a folder: $err" "$status" 0
check "the other table is skipped: $err" grep -q 'skipped folder/other.csv' <<<"$err"

# Ten thousand rows over two hundred commits, in no order: git is asked about each commit once.
for i in $(seq 200); do
	printf 'commit refs/heads/many\ncommitter a <a@example.org> %d +0000\ndata 2\nc\n\n' \
		$((1772874000 + i * 60))
done | git fast-import --quiet
git log --format=%h many >commits
awk 'BEGIN { print "commit,op,M,ms" } { names[NR] = $1 } END { for (i = 0; i < 10000; i++)
	printf "%s,gemm,%d,0.5\n", names[i * 7919 % NR + 1], i }' commits >many.csv
run ingest --history --columns commit,kernel=op,param:M,time=ms:ms many.csv
check "ten thousand rows: $err" grep -q '10000 runs stored' <<<"$err"
awk 'BEGIN { print "commit,op,ms" } { names[NR] = $1 } END { for (i = 0; i < 25; i++)
	printf "%07x,gemm,0.5\n", i; print names[1] ",gemm,0.5" }' commits >unknown.csv
run ingest --history --columns commit,kernel=op,time=ms:ms unknown.csv
equal "the first of many skipped rows: $err" "$(grep -c '^skipped' <<<"$err")" 21
check "and how many more: $err" grep -qF 'skipped 5 more; --json' <<<"$err"

finish
