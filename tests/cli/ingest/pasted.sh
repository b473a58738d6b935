#!/bin/bash
# Tables within a text, parameters in one cell, and results that were measured on a CPU.
. tests/cli/lib.sh

repository pasted
printf '%s\n' 'Results of 2026-01-26' '=====' '' \
	'1. host times' '-----' 'Kernel     Config            Torch (ms)   Note' '-----' \
	'ours       b=1, s=128, h=64  4000.5       compiled again' \
	'theirs     b=1, s=128, h=64  1.25         cached' '' \
	'2. device times' '-----' 'Kernel     Config            Total (us)   DMA (us)' '-----' \
	'theirs     b=1, s=128, h=64  40           20' \
	'ours       b=1; s=128; h=64  50           21' '' 'Conclusion: 1.25x' >notes.txt
given=(--set "kernel=mlp,dtype=bf16,device=trn2")
device='variant=Kernel,params=Config,time="Total (us)":us,dma_active_time="DMA (us)":us'
run ingest --commit HEAD "${given[@]}" --columns "$device" notes.txt
equal "the table that has the columns" "$status" 0
check "in words" grep -qF -- '2 runs stored' <<<"$err"
run compare --by variant
check "one row of work, two variants" grep -qF -- '1.250x' <<<"$out"
run show --json
check "parameters and times" python3 - "$scratch/.out" <<'PY'
import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
for run in runs:
    params = {p["name"]: p["value"] for p in run["params"]}
    assert params == {"b": "1", "h": "64", "s": "128"}, params
times = {run["variant"]: run["metrics"]["total_time"]["value"] for run in runs}
assert times == {"ours": 50e-6, "theirs": 40e-6}, times
PY
run show "${given[@]}" --columns 'variant=Kernel,params=Config,host_time="Torch (ms)":ms' notes.txt
check "the other table" grep -qF -- '4.000 s host' <<<"$out"

run show --details "${given[@]}" --columns 'variant=Kernel,params=Config,host_time="Torch (ms)":ms' notes.txt
check "the table that was not read: $out" grep -qF -- 'not read: other tables of the text: line 13 (Kernel, Config,' \
	<<<"$(tr -s ' \n' ' ' <<<"$out")"
run show --json "${given[@]}" --columns "$device" notes.txt
check "and how it would be" grep -qF -- "line 6 (Kernel, Config, Torch (ms), Note): --columns 'kernel=Kernel,params=Config,host_time=\\\"Torch (ms)\\\":ms'" "$scratch/.out"
run show "${given[@]}" notes.txt
equal "without a map" "$status" 2
check "all tables: $err" grep -qF -- "and has 2 tables, each of which --columns can map: line 6 (Kernel, Config, Torch (ms), Note): --columns 'kernel=Kernel,params=Config,host_time=\"Torch (ms)\":ms'; line 13 (Kernel, Config, Total (us), DMA (us)): --columns 'kernel=Kernel,params=Config,time=\"Total (us)\":us,dma_active_time=\"DMA (us)\":us'" <<<"$err"
run show "${given[@]}" --columns 'variant=Kernel,time=Latency:us' notes.txt
check "a map of no table: $err" grep -qF -- 'no table has all columns of the map; tables of the text: line 6 (' <<<"$err"

# compile and host time of a text, together with the device time
printf '%s\n' 'Kernel  Compile time (ms)  Torch (ms)  Total (us)' '----' 'mlp     4312               4039.86     45.26' >compile.txt
run show "${given[@]:0:1}" dtype=bf16,device=trn2 --columns 'kernel=Kernel,compile_time="Compile time (ms)":ms,host_time="Torch (ms)":ms,time="Total (us)":us' compile.txt --json
equal "recompiled on every call" "$(jq -r '.runs[0].findings[] | select(.rule == "recompiled-every-call") | .value.value * 1e4 | round' "$scratch/.out")" 9369
printf '%s\n' 'Kernel  编译时间 (ms)  Total (μs)' '----' 'mlp     4312           45.26' >chinese.txt
run show chinese.txt
check "in other words: $err" grep -qF -- "--columns 'kernel=Kernel,compile_time=\"编译时间 (ms)\":ms,time=\"Total (μs)\":us'" <<<"$err"

# columns of two tables
printf '%s\n' 'Kernel  Config   Torch (ms)  Note' '----' 'ours    s=8, b=1   4039.86     slow' 'theirs  s=8, b=1   1.41  -' '' \
	'Kernel  Config   Total (us)  Compile time (ms)' '----' 'ours    s=9, b=1   50  1' 'ours    s=8, b=1   45.26  4312' '' \
	'Kernel  Config   DMA (us)' '----' 'ours    s=8, b=1   20.5' >tables.txt
joined='variant=Kernel,params=Config,time="Total (us)":us,compile_time="Compile time (ms)":ms,host_time="Torch (ms)":ms,attr:note=Note'
run show "${given[@]}" --columns "$joined" tables.txt --json
equal "columns of two tables: $err" "$status" 0
check "rows with the same keys are one run" python3 - "$scratch/.out" <<'PY'
import json, sys
runs = {}
for run in json.load(open(sys.argv[1]))["runs"]:
    params = {p["name"]: p["value"] for p in run["params"]}
    assert params["b"] == "1", params
    metrics = {k: v["value"] for k, v in run["metrics"].items() if v["value"] is not None}
    runs[run["variant"], params["s"]] = {k: metrics[k] for k in ("total_time", "compile_time", "host_time") if k in metrics}
    if run["variant"] == "ours" and params["s"] == "8":
        assert any(one["rule"] == "recompiled-every-call" for one in run["findings"]), run["findings"]
assert runs == {("ours", "8"): {"total_time": 45.26e-6, "compile_time": 4.312, "host_time": 4.03986},
                ("theirs", "8"): {"host_time": 1.41e-3},
                ("ours", "9"): {"total_time": 50e-6, "compile_time": 1e-3}}, runs
PY
check "and the table that was not read" grep -qF -- 'other tables of the text: line 11 (Kernel, Config, DMA (us))' "$scratch/.out"
check "no other is" test -z "$(grep -oF 'line 6 (' "$scratch/.out")"
sed 's/^ours    s=9/ours    s=8/' tables.txt >same.txt
run show "${given[@]}" --columns "$joined" same.txt
equal "two rows with the same keys in one of them" "$status" 2
check "in words: $err" grep -qF -- 'lines 8 and 9 have the same Kernel, Config: which of them belongs to a row of another table is not known' <<<"$err"
sed 's/DMA (us)/Total (us)/' tables.txt >both.txt
run show "${given[@]}" --columns "$joined" both.txt
equal "a column that two tables have" "$status" 2
check "in words: $err" grep -qF -- '2 tables have the column "Total (us)": put the table that is meant into a file of its own' <<<"$err"
sed 's/^theirs.*/theirs s=8/' tables.txt >cut.txt
run show "${given[@]}" --columns "$joined" cut.txt --json
check "a line that is no row: $err" grep -qF -- 'line 4: skipped: cell count differs from the header' "$scratch/.out"
{
	cat tables.txt
	printf 'ours  n=%s  1\n' {1..5000}
} >long.txt
run show "${given[@]}" --columns 'variant=Kernel,params=Config,dma_active_time="DMA (us)":us,host_time="Torch (ms)":ms' long.txt
equal "tables that are too long to join" "$status" 2
check "in words: $err" grep -qF -- 'more than 4096 rows in tables to join' <<<"$err"

# a table of another reader in the same text
{
	cat "$root/samples/session.txt" notes.txt
} >session.txt
run show --json "${given[@]}" session.txt
check "the session's other tables" grep -qF -- 'not read: other tables of the text: line' "$scratch/.out"
run show --json "${given[@]}" "$root/samples/session.txt"
check "there are none" test -z "$(grep -F 'not read' "$scratch/.out")"

printf '%s\n' '# Results' '' '| Kernel | Config | us |' '|---|:--|--:|' '| a | s=8 | 3.5 |' >n.md
run show "${given[@]}" --columns 'variant=Kernel,params=Config,time=us:us' n.md
check "a Markdown table" grep -qF -- '3.500 us' <<<"$out"
run show "${given[@]}" --columns 'variant=Kernel,param:c=Config,time=ms:ms' n.md
equal "a column that no table has" "$status" 2
check "in words" grep -qF -- 'no column' <<<"$err"

cat notes.txt notes.txt >twice.txt
run show "${given[@]}" --columns "$device" twice.txt
equal "two such tables" "$status" 2
check "in words" grep -qF -- 'lines 13 and 31 are headers with these columns' <<<"$err"
sed 's/b=1;/b 1;/' notes.txt >broken.txt
run show "${given[@]}" --columns "$device" broken.txt
equal "a cell that is no list of parameters" "$status" 2
check "in words" grep -qF -- 'line 16: Config is "b 1; s=128; h=64", not of the form' <<<"$err"

# --- lines within a table that are no rows ---

columns='variant=Kernel,params=Config,time="Total (us)":us'
printf '%s\n' 'Notes' '' 'Kernel  Config  Total (us)' '---' 'a       s=8     3.5' 'b s=16 4.5' '---' \
	'"c      s=32    5.5' >short.txt
run show "${given[@]}" --columns "$columns" short.txt --json
equal "a row apart by single blanks, and a quote: $err" "$status" 0
check "is reported" grep -qF -- 'line 6: skipped: cell count differs from the header' "$scratch/.out"
check "rules are not" test -z "$(grep -F 'rows, first at line 6' "$scratch/.out")"
check "a quote in a cell stays" python3 - "$scratch/.out" <<'PY'
import json, sys
assert sorted(run["variant"] for run in json.load(open(sys.argv[1]))["runs"]) == ['"c', "a"]
PY
{
	printf '| Kernel | Config | Total (us) | Note |\n|--|--|--|--|\n| a | s=8 | 3.5 | b\t"c" |\n'
	printf '| x %.0s' {1..70}
	echo '|'
} >wide.md
run show "${given[@]}" --columns "$columns" wide.md --json
equal "a tab in a cell, and 70 cells: $err" "$status" 0
check "are reported" grep -qF -- 'line 4: skipped: cell count differs from the header' "$scratch/.out"

# --- measured on a CPU ---

warning='Warning: Neuron device not available: no module. Falling back to CPU.'
printf 'M,K,N,latency_ms\n128,512,512,1.25\n256,512,512,1.5\n' >sizes.csv
inf2=(--set "dtype=fp32,device=inf2")
run show "${inf2[@]}" sizes.csv
equal "without a log" "$status" 0
(
	echo "$warning"
	echo 'Using CPU device'
	cat sizes.csv
) >whole.log
run show "${inf2[@]}" whole.log
equal "the log before the table" "$status" 2
check "in words" grep -qF -- "whole.log: times of a CPU, not of a Neuron device: line 1 says \"$warning\"" <<<"$err"
for log in sizes.log run.log nohup.out; do
	printf 'start\n%s\n' "$warning" >"$log"
	run ingest --commit HEAD "${inf2[@]}" sizes.csv
	equal "a log beside it: $log" "$status" 2
	check "in words" grep -qF -- "sizes.csv: these are times of a CPU, not of inf2: line 2 of ./$log says" <<<"$err"
	check "and how to go on" grep -qF -- "if ./$log is the log of another run, move or rename it" <<<"$err"
	rm "$log"
done
echo "$warning" >other.log
run show "${inf2[@]}" sizes.csv
equal "the log of something else" "$status" 0
echo 'Using CPU device' >run.log
run show --set dtype=fp32,device=a100-sxm-80gb sizes.csv
equal "another device has no such log" "$status" 0
for line in 'aten::sort is not implemented. Falling back to CPU.' 'op: Using CPU device' \
	'Using CPU device for the tokenizer' "note: $warning"; do
	printf 'start, a\n%s\n' "$line" >run.log
	run show "${inf2[@]}" sizes.csv
	equal "the log of something else: $line: $err" "$status" 0
done
rm run.log
printf 'M,K,N,latency_ms,note\n128,512,512,1.25,"of old:\n%s\n"\n' "$warning" >quoted.csv
run show "${inf2[@]}" --columns 'kernel=note,param:m=M,time=latency_ms:ms' quoted.csv
equal "a cell that quotes a log: $err" "$(grep -cF 'times of a CPU' <<<"$err")" 0
printf 'M,K,N,latency_ms,note\n128,512,512,1.25,aten::sort Falling back to CPU\n' >note.csv
run show "${inf2[@]}" --columns 'param:m=M,time=latency_ms:ms' --set kernel=mlp note.csv
equal "a cell that is about a CPU: $err" "$status" 0
printf '%s\n' '2026-01-01 10:00:00,123 start' '2026-01-01 10:00:00,124 end' 'Using CPU device' >run.log
run show "${inf2[@]}" sizes.csv
equal "a log with commas" "$status" 2
rm run.log

# --- compiled or from the cache ---

head -n 2 sizes.csv >one.csv
{
	printf '2026-01-01 INFO: Using a cached neff at /var/tmp/neuron-compile-cache/a/model.neff\n%.0s' {1..3}
	printf '.\nCompiler status PASS\n%.0s' 1 2
} >one.log
run show --json "${inf2[@]}" one.csv
equal "counted: $err" "$(jq -c '.runs[0].metrics | [.compile_count, .cached_neff_count] | map(.value)' <<<"$out")" '[2,3]'
run show --details "${inf2[@]}" one.csv
check "for people: $out" grep -qE 'Compilations +2' <<<"$out"
mv one.log sizes.log
run show --json "${inf2[@]}" sizes.csv
equal "a log of several runs tells nothing of one" "$(jq -c '[.runs[].metrics | has("compile_count")] | unique' <<<"$out")" '[false]'
mv sizes.log one.txt
run show --json --set dtype=fp32,device=a100-sxm-80gb one.csv
equal "nor is it of a GPU" "$(jq -c '.runs[0].metrics | has("compile_count")' <<<"$out")" false
finish
