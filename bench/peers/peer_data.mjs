// usage: peer_data.mjs FILE COMMITS SERIES ROUNDS
// What a benchmark page that keeps its history in one data.js does for each new commit: read the
// file, parse it, add an entry with a number for each series, write all of it again. Makes the file
// first, then prints milliseconds of CPU for each round and the bytes of the file.
import { readFileSync, statSync, writeFileSync } from 'node:fs';

const [file, commits, series, rounds] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const prefix = 'window.BENCHMARK_DATA = ';

function entryOf(commit) {
	const id = commit.toString(16).padStart(40, '0');
	const benches = [];
	for (let i = 0; i < series; i++)
		benches.push({
			name: `kernel_${Math.floor(i / 40)}/metric_${i % 40}`,
			value: 1e-6 * (1 + ((commit * 7919 + i * 104729) % 1e6) / 1e6),
			range: '± 1 %',
			unit: 's',
		});
	const person = { email: 'ada@example.org', name: 'Ada', username: 'ada' };
	const url = `https://example.org/commit/${id}`;
	const timestamp = new Date(1.7e12 + commit * 3.6e6).toISOString();
	return {
		commit: { author: person, committer: person, id, message: `Step ${commit}`, timestamp, url },
		date: 1.7e12 + commit * 3.6e6,
		tool: 'customSmallerIsBetter',
		benches,
	};
}

const entries = Array.from({ length: commits }, (_, commit) => entryOf(commit));
const data = { lastUpdate: 0, repoUrl: 'https://example.org', entries: { Benchmark: entries } };
writeFileSync(file, prefix + JSON.stringify(data, null, 2));

for (let round = 0; round < rounds; round++) {
	const before = process.cpuUsage();
	const read = JSON.parse(readFileSync(file, 'utf8').slice(prefix.length));
	read.lastUpdate = Date.now();
	read.entries.Benchmark.push(entryOf(commits + round));
	writeFileSync(file, prefix + JSON.stringify(read, null, 2));
	const used = process.cpuUsage(before);
	console.log(((used.user + used.system) / 1000).toFixed(3), statSync(file).size);
}
