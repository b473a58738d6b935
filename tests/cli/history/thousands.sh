#!/bin/bash
# Lists of thousands: complete, in their order, and in the memory of a part of them.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sanitized=
case $(readlink -f "$rooflog") in */asan/* | */fuzz/*) sanitized=yes ;; esac
series=1500 commits=8 runs=12000
repository thousands
nights $((commits - 1))
git rev-list --reverse HEAD | python3 -c '
import sys
print("commit,kernel,m,ms")
for night, commit in enumerate(sys.stdin.read().split(), 1):
    for i in range(int(sys.argv[1])):
        slow = 1.5 if night == 8 and i % 100 == 0 else 1
        print(f"{commit},k{i:04},{i + 1},{(1 + i / 100) * (1 + 0.001 * ((night * 7 + i) % 5)) * slow:.9f}")
' $series >table.csv
run ingest --quiet --set dtype=bf16,device=a100-sxm-80gb \
	--columns commit=commit,kernel=kernel,param:m=m,time=ms:ms table.csv
equal "ingest: $err" "$status" 0

# More than the program needs for these lists, less than for a tree of one; sanitizers need terabytes.
bounded() { # MIB ARGS...: output in list
	local limit=$1
	shift
	(
		[ -n "$sanitized" ] || ulimit -v $((limit * 1024))
		"$rooflog" "$@" >list 2>.err </dev/null
	)
	status=$?
}

# --- log: pages of 10,000 ---

bounded 150 log
equal "log: $(cat .err)" "$status" 0
equal "a line for each run" "$(grep -c '^[0-9a-f]\{8\} ' list)" $runs
equal "each with its own id" "$(grep -o '^[0-9a-f]\{8\} ' list | sort -u | wc -l)" $runs
equal "a heading for each page" "$(grep -c '^run  *commit' list)" 2
equal "after 10,000" "$(sed -n '/^run  *commit/,$p' list | tail -n +2 | sed '/^run  *commit/q' | grep -c '^[0-9a-f]\{8\} ')" 10000
equal "newest commit first" "$(grep '^[0-9a-f]\{8\} ' list | awk '{ print $2 }' | uniq)" "$(git log --format=%h --abbrev=10)"
grep '^[0-9a-f]\{8\} ' list | head -n 5000 | cut -c 1-40 >first
bounded 150 log --max-count 5000
equal "a limit takes the first" "$(grep '^[0-9a-f]\{8\} ' list | cut -c 1-40 | cmp - first)" ""
bounded 150 log --kernel 'k00*' --view runs
equal "a filter takes the matching" "$(grep -c '^[0-9a-f]\{8\} ' list)" $((100 * commits))
bounded 150 log --json
equal "log --json: $(cat .err)" "$status" 0
equal "all runs" "$(grep -c '^      "id": ' list)" $runs
check "it is JSON" python3 -c 'import json, sys; assert len(json.load(open("list"))["runs"]) == int(sys.argv[1])' $runs
# shellcheck disable=SC2016 # the inner shell expands it
check "a full device is an error" bash -c '! "$0" log --json >/dev/full 2>/dev/null' "$rooflog"

# --- documents: beyond those that the tree keeps, items are made when they are visited ---

is() { # NAME JQ EXPECTED
	equal "$1" "$(jq -c "$2" list)" "$3"
}

# What is visited once is not kept: 47 MiB do, and 83 to 102 if the first 500 runs, as many as were kept once, or the text are.
bounded 70 report --as json
equal "report --as json: $(cat .err)" "$status" 0
cp list report.json
is "all runs, all comparisons" '[(.runs | length), (.gate.comparisons | length)]' "[$series,$series]"
is "each once" '[([.runs[].id] | unique | length), ([.gate.comparisons[].series] | unique | length)]' "[$series,$series]"
is "with names, findings and contracts" '[.runs[] | select(.name and .findings and .contract)] | length' $series
is "with baselines" '[.runs[] | select(.baseline)] | length' $series
bounded 70 report --output report-file.json
equal "report --as json into a file: $(cat .err)" "$status" 0
check "the same as printed" cmp -s report-file.json report.json
bounded 70 report --as openmetrics --output report.prom
equal "report --as openmetrics into a file: $(cat .err)" "$status" 0
check "the same as printed" cmp -s report.prom <("$rooflog" report --as openmetrics)
bounded 70 report
equal "report: $(cat .err)" "$status" 0
equal "a section for each run, in Markdown" "$(grep -c '^## k[0-9]' list)" $series
bounded 250 report --as html
equal "report --as html: $(cat .err)" "$status" 0
equal "a section for each run" "$(grep -c '<section class="run">' list)" $series
check "the page ends" grep -qx '</html>' list
equal "no chart without FLOP" "$(grep -c '<svg' list)" 0
bounded 250 report --as html -c 'work.k*.flops=1e9*m' -c 'work.k*.bytes=1e6*m'
check "the chart tells its part: $(cat .err)" grep -q 'the first 300 of 1500 runs' list
bounded 250 report --as html --output page.html
equal "into a file: $(cat .err)" "$status" 0
"$rooflog" report --as html >printed.html
check "the same" cmp -s page.html printed.html
bounded 250 show
equal "show" "$(grep -c '^k[0-9]' list)" $series
bounded 250 show --details
equal "show --details" "$(grep -c '^k[0-9]*, bf16, m=' list)" $series
bounded 250 gate --json
is "gate --json" '.gate.comparisons | length' $series
jq -r '.gate.comparisons[] | "\(.series),\(.verdict)"' list | sort >verdicts
bounded 250 gate --as jsonl
equal "gate --as jsonl" "$(jq -r '"\(.series),\(.verdict)"' list | sort | cmp - verdicts)" ""
bounded 250 gate --as csv
equal "gate --as csv" "$(tail -n +2 list | wc -l)" $series
bounded 250 gate --as junit
equal "gate --as junit" "$(grep -c '<testcase ' list)" $series
equal "its total" "$(grep -o 'testsuites name="rooflog" tests="[0-9]*"' list)" "testsuites name=\"rooflog\" tests=\"$series\""
bounded 250 gate --as openmetrics
equal "gate --as openmetrics" "$(grep -c '^rooflog_change_ratio{' list)" $series
bounded 250 compare HEAD~1 HEAD --json
is "compare --json" '[(.gate.comparisons | length), ([.compare.blocks[].rows | length] | add)]' "[$series,$series]"
bounded 250 gate --selftest --json
is "gate --selftest" '.comparisons | length' $series
bounded 250 log --view history
equal "log --view history" "$(grep -c '^k[0-9]' list)" $series
bounded 250 log --view history --json
is "its JSON" '[(.series | length), ([.series[].points | length] | add)]' "[$series,$runs]"
bounded 250 log --view series
equal "log --view series" "$(grep -c '^k[0-9]' list)" $series
bounded 350 chart roofline --output chart.svg
equal "chart: $(cat .err)" "$status" 0
check "it tells its part" grep -q 'the first 1000 of 1500 runs' chart.svg

# --- a fault that is met while a file is made: the good file stays ---

late=$(jq -r '.runs[1200].series' report.json)
python3 - "$late" "$(git rev-parse HEAD~1)" <<'PYTHON'
import sqlite3, sys
store = sqlite3.connect(".rooflog/runs.db")
store.execute("""insert into engine (run_id, ordinal, name, active_time)
	select run.id, 0, 'tensor', 1 from run join series on series.id = series_id
	join revision on revision.id = revision_id where key = ? and oid = ?""", sys.argv[1:])
assert store.total_changes == 1
store.commit()
PYTHON
for format in json html md openmetrics; do
	echo good >kept
	run report --as $format --output kept
	equal "report --as $format over a damaged baseline: $err" "$status" 2
	check "report --as $format: $err" grep -q damaged <<<"$err"
	equal "report --as $format: the good file stays" "$(head -c 100 kept)" good
	rm -f kept*
	run report --as $format --output kept
	equal "report --as $format: no file" "$(ls kept* 2>/dev/null)" ""
done

# --- a format that is ordered by metric, over runs with many of them ---

repository columns
python3 -c '
import sys
print("kernel,m,ms,read,written,flops")
for i in range(int(sys.argv[1])):
    print(f"k{i},{i + 1},{1 + i / 1000:.3f},{i + 1}000000,{i + 2}000000,{i + 3}000000000")
' 3000 >table.csv
run ingest --quiet --commit HEAD --set dtype=bf16,device=a100-sxm-80gb \
	--columns kernel=kernel,param:m=m,time=ms:ms,hbm_read_bytes=read:B,hbm_write_bytes=written:B,hardware_flops=flops:FLOP \
	table.csv
equal "ingest: $err" "$status" 0
bounded 145 report --as openmetrics
equal "report --as openmetrics: $(cat .err)" "$status" 0
equal "each series under its metric" "$(grep -c '^rooflog_total_time_seconds{' list)" 3000
equal "the metrics in their order" "$(grep '^# TYPE rooflog_' list | tail -n +2 | LC_ALL=C sort -c 2>&1)" ""
check "the file ends" grep -qx '# EOF' list

# --- chains of first parents: git knows 60,000 commits below the fork, and 60,000 above it ---

repository chains
python3 -c '
def commit(mark, parents, branch):
    print(f"commit refs/heads/{branch}\nmark :{mark}\ncommitter a <a@example.org> {1700000000 + mark} +0000\ndata 0")
    for word, parent in zip(["from", "merge"], parents):
        print(f"{word} :{parent}")
for mark in range(1, 120001):
    commit(mark, [mark - 1] if mark > 1 else [], "trunk")
commit(120001, [1], "topic")
commit(120002, [120001, 60000], "topic")
commit(120003, [120002], "topic")
' | git fast-import --quiet
git checkout -q topic
for back in 3 2 1 0; do
	echo "$(git rev-parse HEAD~$back),k,1,1.0"
done | sed '1i commit,kernel,m,ms' >table.csv
run ingest --quiet --set dtype=bf16,device=a100-sxm-80gb \
	--columns commit=commit,kernel=kernel,param:m=m,time=ms:ms table.csv
equal "ingest: $err" "$status" 0
status=0
(
	# What is linear takes a second; comparing each with each takes a minute.
	[ -n "$sanitized" ] || ulimit -t 10
	exec "$rooflog" gate --exit-code --against merge-base:trunk --json >list 2>.err
) || status=$?
equal "gate: $(cat .err)" "$status" 0
is "the merge base" '.gate.against | contains("'"$(git rev-parse --short=10 trunk~60000)"'")' true

# --- a store that was young when its statistics were made, and then met thousands of commits ---
repository gap
nights 6000 2
series gemm '1 * e' 1 1
measured 0
series gemm '1 * e' 6001 6001
measured 10
run gate
equal "the walk over the commits between: $err" "$status" 0
check "finds the measured one: $out" grep -q '6000 commits back' <<<"$out"
finish
