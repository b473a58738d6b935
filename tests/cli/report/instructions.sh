#!/bin/bash
# show --source, --opcode and --slowest: sums and single instructions, their shares, and the lines
# that instructions lack.
. tests/cli/lib.sh

profile=$root/samples/mlp/profile.json
repository here

run show "$profile" --opcode '*' --source '' --slowest 3 --json
check "sums, shares and the longest instructions are those of the file" \
	python3 - "$profile" "$scratch/.out" <<'PY'
import json, sys
instructions = json.load(open(sys.argv[1]))["instruction"]
document = json.load(open(sys.argv[2]))
waits = [i for i in instructions if i["opcode"] == "EVENT_SEMAPHORE"]
work = [i for i in instructions if i["opcode"] != "EVENT_SEMAPHORE"]
def time(rows): return sum(i["duration"] for i in rows) * 1e-9
def near(a, b): return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
rows = {(r["kind"], r["name"]): r for r in document["attributions"]}
rest = rows["source", "no source line"]
lone = [i for i in instructions if not i.get("nki_source_location")]
assert rest["count"]["value"] == len(lone) and near(rest["time"]["value"], time(lone))
assert rest["share_of"] == "instructions"
assert near(rest["share"]["value"], time(lone) / time(instructions)), rest
matmul = [i for i in instructions if i["opcode"] == "MATMUL"]
row = rows["opcode", "MATMUL"]
assert row["share_of"] == "work" and near(row["share"]["value"], time(matmul) / time(work)), row
row = rows["opcode", "EVENT_SEMAPHORE"]
assert row["share_of"] == "none" and row["share"]["value"] is None, row
# --opcode '*' asks for those that wait, too
longest = sorted(instructions, key=lambda i: -i["duration"])[:3]
found = document["instructions"]
assert [near(f["time"]["value"], i["duration"] * 1e-9) for f, i in zip(found, longest)] == [True] * 3
assert [(f["core"], f["opcode"]) for f in found] == [(i["subgraph"], i["opcode"]) for i in longest]
PY

run show "$profile" --slowest 2
check "the longest that work" grep -qF -- 'ACT_TABLE_LOAD' <<<"$out"
check "what is left out" grep -qF -- 'the longest 2 of 769 instructions; skipped: 481 that wait (EVENT_SEMAPHORE)' <<<"$out"
run show "$profile" --slowest 2 --source mlp.py:61
check "of one line" grep -qF -- 'the longest 2 of 24 instructions' <<<"$out"
run show "$profile" --slowest 3 --from 10us --to 12us
check "of a part of the time" grep -qF -- 'the longest 3 of 67 instructions; skipped: 49 that wait' <<<"$out"
run show "$profile" --source ''
check "its whole" grep -qF -- 'The share is of the time of all instructions of the run, waits included.' <<<"$out"
run show "$profile" --from 1us
equal "a part needs what is shown of it" "$status" 2
check "in words" grep -qF -- '--from is for a page, or for --source, --opcode, --slowest' <<<"$err"
run show "$profile" --slowest 0
equal "none is no list" "$status" 2
run show "$root/samples/prefill.csv" --set dtype=fp16,device=inf2,kernel=k --slowest 3 --params M=64
equal "a table has no instructions" "$status" 2
check "in words" grep -qF -- 'has no events' <<<"$err"

# --- source pages of Nsight Compute: samples in place of times ---

page=$root/samples/formats/nvidia/ncu-source
run show "$page/sample-cuda-sass.csv" --source /./ --opcode '*' --json
check "sums, shares and stalls are those of the page" python3 - "$scratch/.out" <<'PY'
import json, sys
rows = {(r["kind"], r["name"]): r for r in json.load(open(sys.argv[1]))["attributions"]}
step = rows["source", "/home/user/sums/step.cuh:7"]
figures = {f["name"]: f["count"]["value"] for f in step["figures"]}
assert figures["samples"] == 820 and figures["stall_long_sb"] == 760, figures
assert figures["global_sectors_excess"] == 49152 and step["count"]["value"] == 12288
assert step["text"] == 'return fmaf(load(p), scale(",", "b"), sum); // "b" is the name', step["text"]
assert step["share_of"] == "samples" and abs(step["share"]["value"] - 820 / 1000) < 1e-12, step
opcodes = [r for r in rows.values() if r["kind"] == "opcode"]
assert abs(sum(r["share"]["value"] for r in opcodes) - 1) < 1e-12
lines = [r for r in rows.values() if r["kind"] == "source"]
assert abs(sum(r["share"]["value"] for r in lines) - 1.82) < 1e-12 # 7 is inlined in 14
PY
run show "$page/sample-cuda-sass.csv" --source 'step.cuh:*'
check "as a table: $out" grep -qE -- '^step.cuh:7 +820 +82.00 % +long_sb 93 % +12,288 +49,152 ' <<<"$out"
check "its whole" grep -qF -- 'The share is of the warp samples of the kernel.' <<<"$out"
run show "$page/sample-sass.csv" --source /./
check "no lines: $err" grep -qF -- 'compile with -lineinfo' <<<"$err"
for way in '-o page.html' '--slowest 3'; do
	# shellcheck disable=SC2086 # two words
	run show "$page/sample-sass.csv" $way
	equal "$way" "$status" 2
	check "in words: $err" grep -qF -- 'has no events: Nsight Compute samples a kernel' <<<"$err"
done
mkdir both
cp "$page/sample-cuda-sass.csv" both
sed 's/"void sums<.*>(const double \*, double \*)"/"sums(const double *)"/' "$page/sample-sass.csv" >both/sass.csv
printf '"ID","Kernel Name","gpu__time_duration.sum"\n"","","us"\n"0","sums(const double *)","5"\n' >both/raw.csv
run show ./both --json
check "the pages join the run beside them" jq -e '(.runs | length) == 1 and .runs[0].timing.value == 5e-6 and
	(.runs[0].opcodes | length) == 6 and .runs[0].metrics.warp_instructions.value == 28672' "$scratch/.out"

# figures for people: each share names its whole
run show "$profile"
check "HFU beside MFU" grep -qF -- 'HFU           6.010 % of the same peak: all 427.8 MFLOP executed, 25.17 MFLOP' <<<"$out"
check "MBU" grep -qF -- 'MBU 21.03 % of 716.0 GB/s' <<<"$out"
check "engines" grep -qF -- 'active share of the run time, active time' <<<"$out"
# Reports list the source lines.
run report "$root/samples/formats/nvidia/ncu-source/sample-cuda-sass.csv" -o lines.html
check "samples: $err" grep -qF '<td class="n">820</td><td class="n full" data-l="share">82.00 %</td><td class="full">long_sb 93 %</td>' lines.html
check "their text is escaped" grep -qF 'scale(&quot;,&quot;, &quot;b&quot;), sum); // &quot;b&quot;' lines.html
check "their whole" grep -qF 'Share: of warp samples of the kernel.' lines.html
run report --language zh "$root/samples/formats/nvidia/ncu-source/sample-cuda-sass.csv" -o zh.html
check "in Chinese" grep -qF '占比的基数：该内核的 warp 采样。' zh.html
check "no English title is left" test "$(grep -cE '>(Source lines|Line|Share|Main stall|Text)<' zh.html)" = 0
run report "$root/samples/attention" -o times.html
check "times: $err" grep -qF '<tr><td>attention.py:94</td><td class="n">7.640 µs</td><td class="n full" data-l="share">16.89 %</td></tr>' times.html
check "no stalls without samples" test "$(grep -c 'Main stall' times.html)" = 0
finish
