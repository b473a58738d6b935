"use strict";
/* The events of the page: columns of digits made into arrays, and words for numbers. */
const $ = (selector) => document.querySelector(selector);
const data = JSON.parse($("#trace").textContent);

const digit = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((c, i) => { digit[c.charCodeAt(0)] = i; });
function column(text, out) {
	for (let i = 0, k = 0; i < text.length; k++) {
		let number = 0, place = 1, one;
		do {
			one = digit[text.charCodeAt(i++)];
			number += (one & 31) * place;
			place *= 32;
		} while (one > 31);
		if (Array.isArray(out)) out.push(number); else out[k] = number;
	}
	return out;
}
const engineNames = new Map([["tensor", "Tensor"], ["vector", "Vector"], ["scalar", "Scalar"], ["gpsimd", "GpSimd"], ["sync", "Sync"]]);
const streamRoles = ["tensor", "scalar", "gpsimd", "vector", "other"];
function roleOf(side, from, number) {
	if (from.kind !== "engine") return from.kind === "queue" ? "dma" : "sync";
	if (side.streams) return streamRoles[number % streamRoles.length];
	return engineNames.has(from.name) ? from.name : "other";
}
/* Times become ticks of the run, whatever the ticks of the file are. */
function trackOf(side, from, index, several, scale) {
	const n = from.count, track = { side, index, kind: from.kind, left: from.left, active: from.active * scale, n };
	track.role = roleOf(side, from, index);
	const name = from.kind === "engine" ? engineNames.get(from.name) ?? from.name : from.name;
	track.label = (several && from.core ? from.core + " " : "") + name || "(no name)";
	track.begin = column(from.begins, new Float64Array(n));
	track.end = column(from.lengths, new Float64Array(n));
	track.waits = new Uint8Array(n);
	track.far = new Float64Array(n);
	track.name = column(from.names, new Uint32Array(n));
	track.operands = column(from.operands, new Uint32Array(n));
	track.source = column(from.sources, new Uint32Array(n));
	for (let i = 0, at = 0, far = 0; i < n; i++) {
		track.waits[i] = track.end[i] % 2;
		at += track.begin[i];
		track.begin[i] = at * scale;
		track.end[i] = (at + Math.floor(track.end[i] / 2)) * scale;
		far = Math.max(far, track.end[i]);
		track.far[i] = far;
	}
	return track;
}
function sideOf(from, title) {
	const scale = from.tick / data.tick, side = { title, name: from.name, streams: from.streams, names: from.names, sources: from.sources, words: from.words, files: from.files };
	const several = new Set(from.tracks.filter((track) => track.kind === "engine").map((track) => track.core)).size > 1;
	side.a = from.from * scale;
	side.b = Math.max(from.to * scale, side.a + 1);
	side.idle = from.idle.map(([a, b]) => ({ a: a * scale, b: b * scale }));
	side.tracks = from.tracks.map((track, index) => trackOf(side, track, index, several, scale));
	side.place = side.sources.map((text) => { const colon = text.lastIndexOf(":"); return [text.slice(0, colon), Number(text.slice(colon + 1))]; });
	side.starts = [];
	side.pieces = column(from.operands, []);
	for (let at = 0; at < side.pieces.length; at += side.pieces[at] + 1) side.starts.push(at);
	return side;
}
const run = sideOf(data, "B");
const base = data.baseline ? sideOf(data.baseline, "A") : null;
const sides = base ? [base, run] : [run];
const everyTrack = sides.flatMap((side) => side.tracks);
const unitName = run.streams ? "kernel" : "instruction";

const nameOf = ({ track, i }) => track.side.names[track.name[i]] || "(no name)";
const sourceOf = ({ track, i }) => track.side.sources[track.source[i]];
/* Operands are made when they are shown. */
function operandsOf({ track, i }) {
	const index = track.operands[i], side = track.side;
	if (!index) return "";
	const at = side.starts[index - 1];
	return side.pieces.slice(at + 1, at + 1 + side.pieces[at]).map((word) => side.words[word]).join(" ");
}
/* The first event of a track that may reach a time. */
function first(track, time) {
	let low = 0, high = track.n;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (track.far[middle] < time) low = middle + 1; else high = middle;
	}
	return low;
}

/* --- which time of one run is which of the other --- */

/* Events of equal name and line that both runs have equally often on an engine are the same, in their order. */
function anchorsOf() {
	const events = (side) => {
		const found = new Map();
		for (const track of side.tracks) {
			if (track.kind !== "engine") continue;
			for (let i = 0; i < track.n; i++) {
				const key = track.label + "\0" + side.names[track.name[i]] + "\0" + side.sources[track.source[i]].split(":")[0];
				if (!found.has(key)) found.set(key, []);
				found.get(key).push(track.begin[i]);
			}
		}
		return found;
	};
	const before = events(base), after = events(run), pairs = [];
	let all = 0;
	for (const [key, times] of after) {
		all += times.length;
		if (before.get(key)?.length === times.length) times.forEach((time, k) => pairs.push([before.get(key)[k], time]));
	}
	if (pairs.length * 2 < all) return [];
	pairs.sort((p, q) => p[1] - q[1] || p[0] - q[0]);
	/* Engines run ahead of each other: the shift is the median of those near. */
	let last = -Infinity;
	return pairs.map(([, time], k) => {
		const near = pairs.slice(Math.max(0, k - 4), k + 5).map(([a, b]) => a - b).sort((p, q) => p - q);
		last = Math.max(last, time + near[near.length >> 1]);
		return [last, time];
	});
}
/* Rows of times in A and in B; without common instructions the ends of the parts that match. */
let anchors = base ? anchorsOf() : [];
if (!anchors.length) anchors = (data.matches ?? []).flatMap(([a0, a1, b0, b1]) => [[a0, b0], [a1, b1]]).map((pair) => pair.map((seconds) => seconds / data.tick));
const matches = (data.matches ?? []).map((times) => times.map((seconds) => seconds / data.tick));
/* Straight between two rows; outside of all, as far from the nearest. */
function mapped(time, from, to) {
	let low = 0, high = anchors.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (anchors[middle][from] <= time) low = middle + 1; else high = middle;
	}
	const p = anchors[low - 1], q = anchors[low];
	if (!p || !q) return (p ?? q) ? time + (p ?? q)[to] - (p ?? q)[from] : time;
	return p[to] + (time - p[from]) / (q[from] - p[from]) * (q[to] - p[to]);
}
const toBase = (time) => mapped(time, 1, 0), toRun = (time) => mapped(time, 0, 1);
/* A part of the run, in the time of a side. */
const inSide = (side, { a, b }) => side === run ? { a, b } : { a: toBase(a), b: toBase(b) };

/* --- words --- */

const units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];
function unitOf(ticks) {
	const seconds = Math.abs(ticks * data.tick);
	return units.find(([size]) => seconds >= size * .9999) ?? units[seconds > 0 ? 4 : 3];
}
function time(ticks, [size, unit] = unitOf(ticks)) {
	const number = ticks * data.tick / size, whole = Math.max(1, Math.ceil(Math.log10(Math.abs(number) + 1e-12)));
	return (number < 0 ? "−" : "") + Math.abs(number).toFixed(Math.max(0, 4 - whole)).replace(/^0\.?0*$/, "0") + " " + unit;
}
const change = (ticks) => (ticks > 0 ? "+" : "") + time(ticks);
const count = (number) => number.toLocaleString("en");
const percent = (share) => (share * 100).toFixed(1) + " %";
function element(name, text, className) {
	const made = document.createElement(name);
	if (text !== undefined) made.textContent = text;
	if (className) made.className = className;
	return made;
}
