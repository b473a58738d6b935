// What the JavaScript peers share: timelines, and the lines of the longest.
export const PARTS = 256;
const KEPT = 50;

export const byCodePoint = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

// How much of each part of the execution disjoint intervals cover, in parts of 10,000.
export function timeline(intervals, width) {
	const busy = new Float64Array(PARTS);
	for (let [start, end] of intervals)
		for (let part = Math.floor(start / width); part < PARTS && start < end; part++) {
			const edge = Math.min(end, (part + 1) * width);
			busy[part] += edge - start;
			start = edge;
		}
	return Array.from(busy, (ticks) => Math.round((ticks / width) * 10000)).join(" ");
}

// Of [name, count, time] the first in order of time, and the rest as one.
export function longest(kind, rows) {
	rows.sort((a, b) => b[2] - a[2] || byCodePoint(a[0], b[0]));
	const shown = rows.length <= KEPT + 1 ? rows.length : KEPT;
	const lines = rows.slice(0, shown);
	if (shown < rows.length)
		lines.push(rows.slice(shown).reduce((sum, row) => ["(rest)", sum[1] + row[1], sum[2] + row[2]],
			["", 0, 0]));
	return lines.map((row) => `${kind} ${row.join(" ")}`);
}
