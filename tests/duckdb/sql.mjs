// usage: sql.mjs MODULES STATEMENT...
// Runs statements in DuckDB, whose packages are in MODULES, with rows in the order of the files.
import { createRequire } from 'node:module';

const [modules, ...statements] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run('SET threads = 1');
for (const statement of statements)
	await connection.run(statement);
