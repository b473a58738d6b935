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

# figures for people: each share names its whole
run show "$profile"
check "HFU beside MFU" grep -qF -- 'HFU           6.010 % of the same peak: all 427.8 MFLOP executed, 25.17 MFLOP' <<<"$out"
check "MBU" grep -qF -- 'MBU 21.03 % of 716.0 GB/s' <<<"$out"
check "engines" grep -qF -- 'active share of the run time, active time' <<<"$out"
finish
