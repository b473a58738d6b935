// usage: node peer_duckdb.mjs FILE: the answer, with DuckDB (npm's @duckdb/node-api, found by NODE_PATH).
// The file is one object, so DuckDB has to take it whole; only the members that are wanted become columns.
import { createRequire } from "node:module";
import { statSync } from "node:fs";
import { PARTS, byCodePoint, longest, timeline } from "./answer.mjs";

const { DuckDBInstance } = createRequire(import.meta.url)("@duckdb/node-api");

// The disjoint intervals, in order: a new one begins behind all that came before.
const UNION = `
	WITH ordered AS (
		SELECT *, max("end") OVER (PARTITION BY engine ORDER BY start, "end"
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered FROM intervals),
	numbered AS (
		SELECT *, sum(CASE WHEN start <= covered THEN 0 ELSE 1 END)
			OVER (PARTITION BY engine ORDER BY start, "end") AS number FROM ordered)
	SELECT engine, min(start)::DOUBLE, max("end")::DOUBLE FROM numbered
	GROUP BY engine, number ORDER BY engine, number`;

const file = process.argv[2].replaceAll("'", "''");
const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const rowsOf = async (sql) => (await connection.runAndReadAll(sql)).getRows();

await connection.run(`
	CREATE TEMP TABLE profile AS SELECT * FROM read_json('${file}', format = 'unstructured', records = true,
		maximum_object_size = ${Math.min(statSync(process.argv[2]).size + 1024, 4294967295)}, columns = {
		summary: 'STRUCT(total_time DOUBLE)[]',
		instruction: 'STRUCT(opcode VARCHAR, duration UBIGINT, nki_source_location VARCHAR)[]',
		dma: 'STRUCT("timestamp" UBIGINT, duration UBIGINT, queue_type VARCHAR, transfer_size UBIGINT)[]',
		active_time: 'STRUCT(engine VARCHAR, start_ts UBIGINT, end_ts UBIGINT)[]'});
	CREATE TEMP VIEW instructions AS SELECT unnest(instruction, recursive := true) FROM profile;
	CREATE TEMP VIEW transfers AS SELECT unnest(dma, recursive := true) FROM profile;
	CREATE TEMP VIEW active AS SELECT unnest(active_time, recursive := true) FROM profile;
	CREATE TEMP VIEW intervals AS
		SELECT engine, start_ts AS start, end_ts AS "end" FROM active
		UNION ALL SELECT 'dma', "timestamp", "timestamp" + duration FROM transfers`);

const [[total]] = await rowsOf("SELECT summary[1].total_time FROM profile");
const lines = longest("opcode", await rowsOf(
	"SELECT opcode, count(*)::DOUBLE, sum(duration)::DOUBLE FROM instructions GROUP BY opcode"));
lines.push(...longest("source", await rowsOf(`
	SELECT nki_source_location, count(*)::DOUBLE, sum(duration)::DOUBLE FROM instructions
	WHERE nki_source_location <> '' GROUP BY nki_source_location`)));
for (const row of await rowsOf(`
	SELECT queue_type, count(*)::DOUBLE, sum(duration)::DOUBLE, sum(transfer_size)::DOUBLE
	FROM transfers GROUP BY queue_type`)) lines.push(`queue ${row.join(" ")}`);
const engines = new Map();
for (const [engine, start, end] of await rowsOf(UNION)) {
	if (!engines.has(engine)) engines.set(engine, []);
	engines.get(engine).push([start, end]);
}
for (const [name, intervals] of engines) {
	lines.push(`engine ${name} ${intervals.reduce((sum, [start, end]) => sum + end - start, 0)}`);
	lines.push(`timeline ${name} ${timeline(intervals, (total * 1e9) / PARTS)}`);
}
console.log(lines.sort(byCodePoint).join("\n"));
