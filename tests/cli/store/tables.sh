#!/bin/bash
# rooflog store export: the tables in Parquet have every number of the export as JSON, as this program's own reader and
# DuckDB read them.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
rows=$BUILD_DIR/tests/parquet_rows

compared() { # NAME
	"$rows" runs.parquet >runs.csv 2>err && "$rows" numbers.parquet >numbers.csv 2>>err
	equal "$1: both are read: $(cat err)" "$?" 0
	told=$(python3 "$root/tests/cli/store/tables.py" all.jsonl runs.csv numbers.csv hex)
	equal "$1: $told" "$?" 0
}
exported() { # STORE
	run --store "$1" store export -o all.jsonl
	run --store "$1" store export -o runs.parquet
	equal "export of runs: $err" "$status" 0
	check "says how many: $err" grep -qE '[0-9]+ runs written to runs.parquet' <<<"$err"
	run --store "$1" store export -o numbers=numbers.parquet
	check "and of numbers: $err" grep -qE '[0-9]+ numbers written to numbers.parquet' <<<"$err"
}

# --- profiles with many metrics, and a run that was removed ---
repository tables
nights 3
series attention '1*e'
measured 0
run ingest --quiet "$root/samples/mlp" "$root/samples/attention"
run rm --kernel attention --tool table --commit HEAD~1
exported .rooflog/runs.db
compared "samples"

# --- several row groups; texts that fill the dictionary, and numbers that repeat ---
python3 - "$(git rev-parse HEAD)" >large.csv <<'END'
import sys
print("commit,op,gpu,value")
for i in range(70000):
    print(f"{sys.argv[1]},op{i % 66000}_{i // 66000},h100-sxm,{1 + i % 3}")
END
run --store large.db ingest --quiet --max-series 100000 --columns commit,kernel=op,device=gpu,time=value:ms large.csv
equal "ingest: $err" "$status" 0
exported large.db
compared "70,000 runs"

# --- an empty store, and what is refused ---
head -1 all.jsonl >none.jsonl
printf '{"end":{"commits":0,"runs":0,"edits":0,"baselines":0},"sha256":"%s"}\n' "$(sha256sum <none.jsonl | cut -d' ' -f1)" >>none.jsonl
run --store empty.db store import none.jsonl
equal "nothing is imported: $err" "$status" 0
run --store empty.db store export -o runs.parquet
equal "an empty table: $err" "$status" 0
equal "has no rows" "$("$rows" runs.parquet 2>&1 | tail -n +2)" ""
refused "another extension" "neither .jsonl nor .parquet" store export -o runs.txt
refused "a folder that is not there" "nosuch" store export -o nosuch/runs.parquet

# --- DuckDB ---
duckdb_or_finish
for store in .rooflog/runs.db large.db; do
	exported "$store"
	statements=()
	for table in runs numbers; do
		statements+=("COPY (SELECT * FROM '$table.parquet') TO '$table.csv' (FORMAT csv, HEADER)")
	done
	node "$root/tests/duckdb/sql.mjs" "$modules" "${statements[@]}" 2>err
	equal "DuckDB reads $store: $(cat err)" "$?" 0
	told=$(python3 "$root/tests/cli/store/tables.py" all.jsonl runs.csv numbers.csv)
	equal "DuckDB, $store: $told" "$?" 0
done
finish
