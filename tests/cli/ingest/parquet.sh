#!/bin/bash
# Parquet: rows in every encoding against what was written, and Neuron Explorer's tables against the
# same profile as JSON.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2
rows=$BUILD_DIR/tests/parquet_rows
table=$root/tests/cli/ingest/parquet_table.py

mkdir written large
python3 "$table" write written
python3 "$table" large large
for file in written/*.parquet large/*.parquet; do
	"$rows" "$file" >rows.csv 2>err || check "$file is read: $(cat err)" false
	check "$file as written" python3 "$table" same "${file%.parquet}.csv" rows.csv
done

# What the profile gives, but for the names of cores and their cycles, which the tables lack.
of_file() { # FILE
	run show --json --set kernel=attention,dtype=bf16 "$1"
	check "$1 is read: $err" test "$status" = 0
	jq 'del(.generator, .generated_at, .commit, .runs[].id, .runs[].commit, .runs[].source, .runs[].versions, .runs[].source_lines,
		.runs[].cores_work[].name, .runs[].cores_work[].cycles, .runs[].format) |
		walk(if type == "object" and (.reported | type) == "number"
			then .reported |= (. * 1e12 | round / 1e12) else . end)' <<<"$out"
}
for profile in attention/fused-s256 attention/baseline-s512 mlp; do
	json=profile.json
	cp "$root/samples/$profile/profile.json" $json
	of_file $json >json.txt
	for options in '{}' '{"percent": 100, "codec": 2, "version": 2, "group_rows": 100, "page_rows": 7, "parts": 4}'; do
		rm -rf tables
		python3 "$table" explorer "$json" tables "$options"
		of_file ./tables >tables.txt
		check "$profile: tables $options as JSON" diff json.txt tables.txt
	done
done
check "times and FLOP are compared" grep -q hardware_flops json.txt

# The parts of a folder.
cp -r tables summary && rm summary/[!S]*
run ingest --dry-run --set kernel=k,dtype=bf16 summary
equal "a summary alone is a run: $err" "$status" 0
run ingest --dry-run --set kernel=k,dtype=bf16 --summary-only tables
check "--summary-only leaves the others: $err" grep -q 'summary only: engine timelines' <<<"$err"
mkdir alone && cp tables/Instruction_0.parquet alone/Instruction.parquet
refused "a table without its summary" "alone/Instruction.parquet|Summary.parquet|--columns" \
	ingest --set kernel=k,dtype=bf16 alone/Instruction.parquet
cp -r tables linked && rm linked/ActiveTime.parquet && ln -s "$PWD/tables/ActiveTime.parquet" linked
refused "a table that is a link" "linked/ActiveTime.parquet|symbolic link" \
	ingest --set kernel=k,dtype=bf16 linked/Summary.parquet
cp -r tables damaged && dd if=/dev/zero of=damaged/Instruction_1.parquet bs=1 seek=60 count=9000 conv=notrunc 2>err
refused "a damaged table" "damaged/Summary.parquet|Instruction_1.parquet|row " \
	ingest --set kernel=k,dtype=bf16 damaged

cp -r tables twice && cp twice/Instruction_0.parquet twice/Instruction.parquet
refused "tables of two profiles" "twice/Summary.parquet|Instruction.parquet and Instruction_0.parquet|remove" \
	ingest --set kernel=k,dtype=bf16 twice
mkdir piped && cp tables/Summary.parquet piped && mkfifo piped/ActiveTime.parquet
refused "a pipe is not waited for" "piped/ActiveTime.parquet is not a regular file" \
	ingest --set kernel=k,dtype=bf16 piped/Summary.parquet
cp tables/Summary.parquet encrypted.parquet && printf 'PARE' | dd of=encrypted.parquet bs=1 conv=notrunc 2>err
printf 'PARE' | dd of=encrypted.parquet bs=1 seek=$(($(stat -c %s encrypted.parquet) - 4)) conv=notrunc 2>err
refused "an encrypted file" "encrypted.parquet|without encryption" ingest --set kernel=k,dtype=bf16 encrypted.parquet

# A plain table.
run ingest --dry-run --columns 'kernel=op,time=latency_ms:ms,param:M' "$root/samples/formats/tables/table/sample.parquet"
check "a plain table: $out" grep -q 'gemm' <<<"$out"
refused "a column that is not there" "no column|the columns are|latency_ms" \
	ingest --columns 'kernel=op,time=us:us' "$root/samples/formats/tables/table/sample.parquet"
gzip -c "$root/samples/formats/tables/table/sample.parquet" >packed.gz
run ingest --dry-run --columns 'kernel=op,time=latency_ms:ms,param:M' packed.gz
check "a plain table in gzip: $err" grep -q 'gemm' <<<"$out"

# DuckDB reads what was written, and what it writes is read.
duckdb() { # STATEMENT...
	node "$root/tests/duckdb/sql.mjs" "$modules" "$@" 2>duckdb.err || check "DuckDB: $(cat duckdb.err)" false
}
duckdb_or_finish
in_hex() { # COLUMN...
	sed "s/.*/'x' || lower(hex(\"&\")) AS \"&\"/" < <(printf '%s\n' "$@") | paste -sd,
}
statements=()
for file in written/*.parquet; do
	statements+=("COPY (SELECT * REPLACE ($(in_hex text_plain text_dictionary text_delta-length text_delta-bytes))
		FROM '$file') TO '${file%.parquet}.duckdb.csv' (FORMAT csv)")
done
statements+=("CREATE TABLE t AS SELECT i AS int64, i::INTEGER int32, (i % 100)::TINYINT int8, (i % 200)::UTINYINT uint8,
	(i * 7)::UINTEGER uint32, i::UBIGINT * 1000000007 uint64, i / 7.0 AS double_7, (i / 3)::FLOAT float_3,
	i % 2 = 0 bool, NULL::BIGINT null_only, CASE WHEN i % 11 = 0 THEN NULL ELSE 'text ' || (i % 1000) END text_short,
	'row number ' || i text_long, CASE WHEN i % 3 = 0 THEN NULL ELSE i END nullable, (i / 100.0)::DECIMAL(9, 2) decimal9,
	(i / 100.0)::DECIMAL(18, 3) decimal18, (i * 1.5)::DECIMAL(30, 4) decimal30, 42 same FROM range(12000) r(i)"
	"COPY (SELECT * REPLACE ($(in_hex text_short text_long)) FROM t) TO 't.csv' (FORMAT csv)")
mkdir duckdb rewritten
for codec in snappy zstd gzip uncompressed; do
	for version in V1 V2; do
		statements+=("COPY t TO 'duckdb/$codec-$version.parquet' (FORMAT parquet, COMPRESSION $codec,
			PARQUET_VERSION $version, ROW_GROUP_SIZE 5000)")
	done
done
for file in tables/*.parquet; do
	statements+=("COPY (FROM '$file') TO 'rewritten/${file##*/}' (FORMAT parquet, COMPRESSION zstd)")
done
for codec in lz4_raw brotli; do
	statements+=("COPY (SELECT 1 op, 2.5 ms) TO '$codec.parquet' (FORMAT parquet, COMPRESSION $codec)")
done
duckdb "${statements[@]}" "COPY (SELECT [1, 2] ids, 2.5 ms) TO 'nested.parquet' (FORMAT parquet)"

for file in written/*.parquet; do
	check "$file as DuckDB reads it" python3 "$table" same "${file%.parquet}.csv" "${file%.parquet}.duckdb.csv"
done
for file in duckdb/*.parquet; do
	"$rows" "$file" >rows.csv 2>err || check "$file is read: $(cat err)" false
	check "$file as DuckDB reads it" python3 "$table" same t.csv rows.csv
done
of_file ./rewritten >tables.txt
check "a profile that DuckDB wrote" diff json.txt tables.txt
for codec in lz4_raw brotli; do
	refused "$codec" "$codec.parquet|write the file with Snappy, zstd, gzip" \
		ingest --columns 'kernel=op,time=ms:ms' "$codec.parquet"
done
refused "a list" "nested.parquet|is a list" ingest --columns 'kernel=ids.list.element,time=ms:ms' nested.parquet
finish
