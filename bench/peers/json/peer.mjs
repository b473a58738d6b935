// usage: node peer.mjs FILE: the answer, with JSON.parse.
import { readFileSync } from "node:fs";
import { PARTS, byCodePoint, longest, timeline } from "./answer.mjs";

// Disjoint intervals, in order.
function union(intervals) {
	intervals.sort((a, b) => a[0] - b[0]);
	const result = [];
	let last = [0, -1];
	for (const [start, end] of intervals) {
		if (start > last[1]) result.push((last = [start, end]));
		else if (end > last[1]) last[1] = end;
	}
	return result;
}

function add(sums, name, ...numbers) {
	const entry = sums.get(name);
	if (entry) numbers.forEach((number, i) => (entry[i] += number));
	else sums.set(name, numbers);
}

function addInterval(engines, name, start, end) {
	const intervals = engines.get(name);
	if (intervals) intervals.push([start, end]);
	else engines.set(name, [[start, end]]);
}

const profile = JSON.parse(readFileSync(process.argv[2], "utf8"));
const [engines, opcodes, sources, queues] = [new Map(), new Map(), new Map(), new Map()];
for (const row of profile.active_time) addInterval(engines, row.engine, row.start_ts, row.end_ts);
for (const row of profile.instruction) {
	add(opcodes, row.opcode, 1, row.duration);
	if (row.nki_source_location) add(sources, row.nki_source_location, 1, row.duration);
}
for (const row of profile.dma) {
	addInterval(engines, "dma", row.timestamp, row.timestamp + row.duration);
	add(queues, row.queue_type, 1, row.duration, row.transfer_size);
}
const width = (profile.summary[0].total_time * 1e9) / PARTS;
const rows = (sums) => Array.from(sums, ([name, numbers]) => [name, ...numbers]);
const lines = [...longest("opcode", rows(opcodes)), ...longest("source", rows(sources))];
for (const row of rows(queues)) lines.push(`queue ${row.join(" ")}`);
for (const [name, intervals] of engines) {
	const disjoint = union(intervals);
	lines.push(`engine ${name} ${disjoint.reduce((sum, [start, end]) => sum + end - start, 0)}`);
	lines.push(`timeline ${name} ${timeline(disjoint, width)}`);
}
console.log(lines.sort(byCodePoint).join("\n"));
