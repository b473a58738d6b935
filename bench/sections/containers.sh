#!/bin/bash
# Section "containers": a Parquet table of Neuron Explorer beside DuckDB, a report of Nsight Compute beside Python.

# shellcheck disable=SC2154 # bench/lib.sh assigns what is not assigned here
# shellcheck source=bench/lib.sh
. bench/lib.sh

container_rows() {
	echo "${large:+1}6000000"
}

# Instructions as the profile's schema has them: operands that differ, ids that do not repeat.
# shellcheck disable=SC2016 # SQL
container_table='SELECT i * 53 AS start_ts, i * 53 + 40 + (hash(i) % 30)::BIGINT AS end_ts,
	40 + (hash(i) % 30)::BIGINT AS duration_ns, (i % 2)::BIGINT AS pcore_idx,
	CASE i % 5 WHEN 0 THEN '"'tensor'"' WHEN 1 THEN '"'vector'"' WHEN 2 THEN '"'scalar'"' ELSE '"'sync'"' END AS engine,
	CASE WHEN i % 5 = 0 THEN '"'MATMUL'"' ELSE '"'OP' || (i % 40)"' END AS opcode,
	'"'S[' || (i % 256) || '] src=bfloat16@0x' || hex(hash(i) % 1048576) || '[1,512] dst=fp32@0x' || hex(hash(i + 7) % 1048576)"' AS operands,
	hash(i * 3)::UBIGINT AS id, (i % 100000)::BIGINT AS pc, '"'sg0000:' || (hash(i) % 100000)"' AS bir_id,
	'"'dot.' || (i % 300)"' AS hlo_name, '"'layer_' || (i % 32)"' AS layer,
	CASE WHEN i % 5 = 0 THEN '"'REGULAR'"' END AS tensor_instruction_type, CASE WHEN i % 5 = 0 THEN 16777216 ELSE 0 END AS raw_flops,
	'"'kernel.py:' || (i % 700)"' AS nki_source_location, (hash(i * 13) % 65536)::BIGINT AS crc_in'

prepare_containers() {
	local codec folder
	tests/browser/install.sh "$work/duckdb" tests/duckdb || die 'DuckDB cannot be installed'
	for codec in snappy zstd; do
		folder=$work/explorer-$codec-$(container_rows)
		[ ! -e "$folder" ] || continue
		say "making a table of $(container_rows) instructions"
		mkdir "$folder"
		cp samples/formats/neuron/neuron-explorer/sample/{Summary,Metadata}.parquet "$folder"
		node tests/duckdb/sql.mjs "$work/duckdb" \
			"COPY ($container_table FROM range($(container_rows)) r(i)) TO '$folder/Instruction.parquet'
			(FORMAT parquet, COMPRESSION $codec)"
	done
	[ -e "$work/100.ncu-rep" ] || "$python" bench/tools/ncu_report.py 100000000 "$work/100.ncu-rep"
}

# Its caller has set `input`.
timed_container() { # NAME
	case $1 in
	rooflog) "$measure" 1 "$rooflog" ingest --quiet --dry-run --set kernel=k,dtype=bf16 "$input" ;;
	duckdb) "$measure" 1 node tests/duckdb/sql.mjs "$work/duckdb" "CREATE TABLE answer AS SELECT opcode, pcore_idx, count(*),
		sum(duration_ns), sum(raw_flops), count(DISTINCT nki_source_location), count(tensor_instruction_type),
		max(length(operands)) FROM '$input/Instruction.parquet' GROUP BY opcode, pcore_idx" ;;
	report) "$measure" 1 "$rooflog" ingest --quiet --dry-run --set dtype=fp32 "$input" ;;
	python) "$measure" 1 "$python" bench/peers/peer_ncu_report.py "$input" ;;
	esac 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

container_row() { # GROUP TITLE NAME LEAST
	local file
	file=$(measured "container.$1" "$3")
	row "$2" "${3/report/rooflog}" "$(cpu_ms "$file")" "$(cpu_range "$file")" "$(wall_ms "$file")" "$(peak_mib "$file")" \
		"$(ratio "$file" "$(measured "container.$1" "$4")")"
}

bench_containers() {
	local codec input size
	cat <<'TEXT'
## Reading Parquet and reports of Nsight Compute

Instructions of a Neuron Explorer profile, as one table of 16 columns, of which seven are read. DuckDB, in one thread and with node's start of
about 0.1 s, groups the same columns by opcode and core; rooflog does so by opcode, core and source line, and looks for the data type in
each operand. The report has invented launches; python is a decoder without libraries (`bench/peers/peer_ncu_report.py`).

| file | program | CPU ms | from, to | wall ms | peak MiB | CPU / other |
|---|---|---|---|---|---|---|
TEXT
	for codec in snappy zstd; do
		input=$work/explorer-$codec-$(container_rows)
		size=$(($(stat -c %s "$input/Instruction.parquet") / 1000000))
		take_turns "$rounds" "container.$codec" timed_container rooflog duckdb
		container_row "$codec" "$size MB of Parquet, $codec" rooflog duckdb
		container_row "$codec" "$size MB of Parquet, $codec" duckdb duckdb
	done
	input=$work/100.ncu-rep
	take_turns 1 container.report timed_container report python
	container_row report '100 MB of .ncu-rep' report python
	container_row report '100 MB of .ncu-rep' python python
}
