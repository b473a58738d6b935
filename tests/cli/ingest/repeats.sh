#!/bin/bash
# Files of one series and commit are repeats of one measurement: where they are of unlike work, ingest stores nothing and says
# what differs, or tells them apart with --split-by.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
samples=$root/samples/mlp
repository repeats

profile() { # FILE EXPRESSION...: the sample with another time and other changes
	local file=$1
	shift
	sed -E "$@" "$samples/profile.json" >"$file"
}
params() { "$rooflog" ingest --dry-run --json "$@" 2>/dev/null | python3 -c '
import json, sys
for one in json.load(sys.stdin)["runs"]: print(one["params_text"])' | sort; }
# A later ingest ends with status 2, its message contains each TEXT, and no run was added.
refused_later() { # NAME TEXTS(separated by |) ARGS...
	local name=$1 texts=$2 before text
	shift 2
	before=$("$rooflog" log --json | jq '.runs | length')
	run "$@"
	equal "$name: status" "$status" 2
	equal "$name: runs" "$("$rooflog" log --json | jq '.runs | length')" "$before"
	while IFS= read -r text; do
		check "$name: \"$text\" in: $err" grep -qF -- "$text" <<<"$err"
	done < <(tr '|' '\n' <<<"$texts")
}
of_mlp=(--set "kernel=mlp,dtype=bf16")
hash=c98ddbc99a2ef9ae1964b5e5a68477fd

# What is alike.
profile a.json 's/"total_time": *[0-9.e-]+/"total_time": 0.000045/'
profile b.json 's/"total_time": *[0-9.e-]+/"total_time": 0.000046/'
sed "s/$hash/22222222222222222222222222222222/" b.json >rebuilt.json
run ingest "${of_mlp[@]}" a.json b.json rebuilt.json
equal "two files of one kernel are repeats, and one of a second build that does the same work: $err" "$status" 0

# What is not.
commit second
profile c.json "s/$hash/11111111111111111111111111111111/; s/\"hardware_flops\": *[0-9.e+]+/\"hardware_flops\": 400000000/; s/\"total_time\": *[0-9.e-]+/\"total_time\": 0.000047/"
refused "two kernel hashes" 'a.json and c.json|mlp|kernel hash: c98ddbc99a2e and 111111111111|nothing is stored|--set variant=|--set NAME=VALUE|--split-by' \
	ingest "${of_mlp[@]}" a.json c.json
refused "and without storing" 'kernel hash: c98ddbc99a2e' ingest --dry-run "${of_mlp[@]}" a.json c.json
run ingest "${of_mlp[@]}" --split-by none a.json c.json
equal "those who know it better: $err" "$status" 0
mixed() { "$rooflog" doctor --json | jq -r '.checks[] | select(.topic == "repeats") | .text'; }
equal "a store of unlike runs" "$(mixed)" 'mlp: runs of one commit differ at 1 commit, e.g. '"$(git rev-parse --short=10 HEAD)"': kernel hash 111111111111 and c98ddbc99a2e; remove them by "rooflog rm" and ingest them with --split-by hash, or give some another name by "rooflog mv"'
check "is shown, and is not a problem" "$rooflog" doctor

commit third
of_k=(--commit HEAD --columns "kernel=op,device=gpu,hardware_flops=flops:FLOP,time=value:ms")
counted() { printf 'op,gpu,flops,value\nk,h100-sxm,%d,%s\n' "$1" "$2"; }
counted 1000000 1.0 >few.csv
counted 9000000 1.1 >many.csv
counted 1004000 1.2 >near.csv
refused "two counts of FLOP" 'few.csv and many.csv|k|hardware_flops: 1.000 MFLOP and 9.000 MFLOP|nothing is stored' ingest "${of_k[@]}" few.csv many.csv
equal "by FLOP" "$(params "${of_k[@]}" --split-by flop few.csv many.csv)" "flop=1.000MFLOP
flop=9.000MFLOP"
run ingest "${of_k[@]}" few.csv near.csv
equal "what is counted varies a little: $err" "$status" 0
tail -1 many.csv >>few.csv
refused "in one table" 'few.csv|lines 2 and 3|flops is 1.000 MFLOP and 9.000 MFLOP|column' ingest "${of_k[@]}" few.csv

# With what is stored.
commit fourth
run ingest "${of_mlp[@]}" a.json
refused_later "a later ingest" 'a.json (stored) and c.json|kernel hash: c98ddbc99a2e and 111111111111|--replace' ingest "${of_mlp[@]}" c.json
run ingest "${of_mlp[@]}" --replace c.json
equal "that replaces the first: $err" "$status" 0
run ingest "${of_mlp[@]}" b.json
equal "or else is refused as well" "$status" 2

# Series of their own.
commit fifth
mkdir one two
cp a.json one/p.json
cp c.json two/p.json
run ingest "${of_mlp[@]}" --split-by file a.json c.json
equal "by file: $err" "$status" 0
equal "by folder" "$(params "${of_mlp[@]}" --split-by folder one two)" "folder=one
folder=two"
equal "by hash" "$(params "${of_mlp[@]}" --split-by hash a.json c.json)" "hash=111111111111
hash=c98ddbc99a2e"
sed 's/\[128 1024\]/[256 1024]/' a.json >d.json
refused "shapes of tensors" 'a.json and d.json|shape' ingest --dry-run "${of_mlp[@]}" a.json d.json
check "by shape" grep -q 'shape=256x1024' <<<"$(params "${of_mlp[@]}" --split-by shape a.json d.json)"
refused "a parameter that is there already" 'already has a parameter of this name' ingest --split-by file --set file=x "${of_mlp[@]}" a.json
refused "what nothing knows" '--split-by hash|near.csv' ingest --split-by hash "${of_k[@]}" near.csv
refused "another word" 'file, folder, hash, flop, shape' ingest --split-by colour "${of_mlp[@]}" a.json

# KernelBench: only the file's name says what was timed.
commit sixth
bench=$root/samples/formats/benchmarks/kernelbench/sample.json
cp "$bench" eager.json
sed -E 's/"mean": [0-9.]+/"mean": 0.5/' "$bench" >inductor.json
mkdir level1 level2 && cp "$root/samples/formats/benchmarks/kernelbench-evaluation/sample.json" level1/eval_results.json && cp level1/eval_results.json level2
refused "problems of two levels" 'level1/eval_results.json and level2/eval_results.json|folder' ingest level1 level2 --set device=h100-sxm
refused "eager and compiled" 'eager.json and inductor.json|file name' ingest eager.json inductor.json
run ingest eager.json
equal "eager: $err" "$status" 0
refused_later "compiled later" 'eager.json (stored) and inductor.json' ingest inductor.json
# The names that KernelBench gives are variants.
cp eager.json baseline_time_torch.json
cp inductor.json baseline_time_torch_compile_inductor_default.json
run ingest --dry-run --json baseline_time_torch.json baseline_time_torch_compile_inductor_default.json
equal "two series: $err" "$(jq -c '[.runs[].variant] | unique' <<<"$out")" \
	'["torch","torch_compile_inductor_default"]'
run ingest --set variant=compiled inductor.json
equal "compiled, and said so: $err" "$status" 0
mkdir again
sed -E 's/"mean": [0-9.]+/"mean": 0.7/' "$bench" >again/eager.json
run ingest again/eager.json
equal "eager again: $err" "$status" 0

# One table is one run.
cat >two.md <<'TABLES'
# Baseline

| Group | Name | Value |
| --- | --- | --- |
| overall_stats | **total_time** | 53.78 **ms** |
| **tensor_engine_active_time** | 9.81 **ms** | |
| **instance_type** | trn1.2xlarge | |

# Batch 16

| Group | Name | Value |
| --- | --- | --- |
| overall_stats | **total_time** | 73.37 **ms** |
| **hardware_flops** | 1.287 **TFLOPS** | |
| **instance_type** | trn1.2xlarge | |
TABLES
equal "two tables" "$(params --set kernel=bert,dtype=bf16 two.md)" "stage=Baseline
stage=Batch 16"
sed -i '/^#/d' two.md
refused "without headings" 'two.md|two tables (lines 4 and 11)|its own file' ingest --set kernel=bert,dtype=bf16 two.md

# What was measured in a work tree with changes is of another program each time.
commit seventh
touch x && git add x
run ingest "${of_mlp[@]}" a.json
run ingest "${of_mlp[@]}" c.json
equal "a work tree with changes: $err" "$status" 0
# Neither the order of the files nor one that knows less hides what is unlike.
commit eighth
row() { printf 'op,gpu,model,flops,value\n%s,h100-sxm,%s,%s,%s\n' "$@"; }
of_f=(--commit HEAD --columns "kernel=op,device=gpu,model_flops=model:FLOP,hardware_flops=flops:FLOP,time=value:ms")
row k "" "" 1.0 >none.csv
row k "" 1000000 1.1 >few.csv
row k "" 1008000 1.2 >more.csv
row k "" 1016000 1.3 >most.csv
row k "" 1009000 1.3 >mid.csv
row k "" 9000000 1.4 >many.csv
row k 5000000 1000000 1.5 >both.csv
for order in "none few many" "few none many" "many few none" "many none few" "none few more most" "more few most"; do
	# shellcheck disable=SC2046,SC2086 # words are meant
	refused "in the order $order" 'k|hardware_flops: |MFLOP' ingest "${of_f[@]}" $(printf '%s.csv ' $order)
done
refused "what both know is said" 'both.csv and many.csv|hardware_flops: 1.000 MFLOP and 9.000 MFLOP' ingest "${of_f[@]}" both.csv many.csv
run ingest "${of_f[@]}" few.csv none.csv more.csv
equal "what is alike: $err" "$status" 0
refused_later "a later ingest whose first file knows less" 'few.csv (stored) and many.csv|hardware_flops' \
	ingest "${of_f[@]}" <(row k "" "" 1.6) many.csv
refused_later "or is alike" 'few.csv (stored) and most.csv|hardware_flops' ingest "${of_f[@]}" mid.csv most.csv
head=$(git rev-parse HEAD)
for name in "$head" "${head:0:12}"; do
	sed "1s/^/commit,/; 2s/^/$name,/" "$([ "$name" = "$head" ] && echo few.csv || echo many.csv)" >"by-${#name}.csv"
done
commit ninth
refused_later "of one commit by two names" 'by-40.csv and by-12.csv|hardware_flops' \
	ingest --history --replace --columns "commit,${of_f[3]}" by-40.csv by-12.csv

# Series are those that [alias] says.
row w 5000000 9000000 1.4 >other.csv
configure '[alias "w"]\n\tas = k\n'
refused "another series that [alias] calls so" 'few.csv and other.csv|hardware_flops' ingest "${of_f[@]}" few.csv other.csv
configured=()
run ingest "${of_f[@]}" other.csv
equal "without [alias] it is one of its own: $err" "$status" 0
configure '[alias "w"]\n\tas = k\n'
refused_later "to which a stored one belongs by now" 'other.csv (stored) and few.csv|hardware_flops' ingest "${of_f[@]}" few.csv
configured=()

# A store of an older program, in which texts are missing: the migration takes them as they are.
commit tenth
python3 - old.db "$root/tests/golden/stores/v5.sql" "$(git rev-parse HEAD)" <<'STORE'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.executescript(open(sys.argv[2], encoding="utf-8").read())
store.execute("UPDATE series SET key = 'k///?/h100-sxm/?/table/0', kernel = 'k', variant = NULL, dtype = NULL, "
              "params = '{}', device = 'h100-sxm', instance_type = NULL, cores = 0, tool = 'table' WHERE id = 1")
store.execute("UPDATE revision SET oid = ? WHERE id = 2", [sys.argv[3]])
store.execute("UPDATE run SET source = NULL WHERE id = 1")
store.commit()
STORE
refused "what they are of is said" 'many.csv: runs of one series (k)|hardware_flops' ingest --store old.db "${of_f[@]}" many.csv

# Executions are of different files, however many rows there are.
repository executions
{
	echo op,gpu,value
	for ((n = 0; n < 4000; n++)); do echo "k$n,h100-sxm,1.$n"; done
} >t_exec_1.csv
(ulimit -t 5 && "$rooflog" ingest --quiet --commit HEAD --columns kernel=op,device=gpu,time=value:ms t_exec_1.csv >/dev/null)
equal "4,000 rows in a second" $? 0
sed 's/,1\.\([0-9]*\)$/,2.\1/' t_exec_1.csv >t_exec_2.csv
run ingest --dry-run --json --columns kernel=op,device=gpu,time=value:ms t_exec_1.csv t_exec_2.csv
equal "two executions of each: $err" "$(jq -c '[.runs[] | .metrics.launch_count.value] | [length, min, max]' <<<"$out")" '[4000,2,2]'
finish
