"use strict";
/* The timeline of one run: zoom, move, select a range; the instructions and source lines of the selection. */
(() => {
const $ = (selector) => document.querySelector(selector);
const data = JSON.parse($("#trace").textContent);
const ROWS = 400, SHOWN = 40;

/* --- the data --- */

const digit = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((c, i) => { digit[c.charCodeAt(0)] = i; });
function* numbersOf(text) {
	for (let i = 0; i < text.length;) {
		let number = 0, place = 1, one;
		do {
			one = digit[text.charCodeAt(i++)];
			number += (one & 31) * place;
			place *= 32;
		} while (one > 31);
		yield number;
	}
}
function column(text, out) {
	for (let i = 0, k = 0; i < text.length; k++) {
		let number = 0, place = 1, one;
		do {
			one = digit[text.charCodeAt(i++)];
			number += (one & 31) * place;
			place *= 32;
		} while (one > 31);
		out[k] = number;
	}
	return out;
}
const engines = new Map([["tensor", "Tensor"], ["vector", "Vector"], ["scalar", "Scalar"], ["gpsimd", "GpSimd"], ["sync", "Sync"]]);
const several = new Set(data.tracks.filter((track) => track.kind === "engine").map((track) => track.core)).size > 1;
const tracks = data.tracks.map((from, index) => {
	const n = from.count, track = { index, kind: from.kind, left: from.left, active: from.active, n };
	track.role = from.kind === "engine" ? (engines.has(from.name) ? from.name : "other") : from.kind === "queue" ? "dma" : "sync";
	track.label = (several && from.core ? from.core + " " : "") + (from.kind === "engine" ? engines.get(from.name) ?? from.name : from.name);
	if (!track.label) track.label = "(no name)";
	track.core = from.core;
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
		track.begin[i] = at;
		track.end[i] = at + Math.floor(track.end[i] / 2);
		far = Math.max(far, track.end[i]);
		track.far[i] = far;
	}
	return track;
});
/* Operands are made when they are shown. */
const starts = new Uint32Array(data.operand_count), pieces = [];
let filled = 0, missing = 0;
for (const number of numbersOf(data.operands)) {
	if (missing === 0) {
		starts[filled++] = pieces.length;
		missing = number + 1;
	}
	pieces.push(number);
	missing--;
}
function operandsOf(index) {
	if (!index) return "";
	const at = starts[index - 1];
	return pieces.slice(at + 1, at + 1 + pieces[at]).map((word) => data.words[word]).join(" ");
}
const first = (track, time) => {
	let low = 0, high = track.n;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (track.far[middle] < time) low = middle + 1; else high = middle;
	}
	return low;
};

/* --- words --- */

const units = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"], [1e-12, "ps"]];
function unitOf(ticks) {
	const seconds = Math.abs(ticks * data.tick);
	return units.find(([size]) => seconds >= size * .9999) ?? units[seconds > 0 ? 4 : 3];
}
function time(ticks, [size, unit] = unitOf(ticks)) {
	const number = ticks * data.tick / size, whole = Math.max(1, Math.ceil(Math.log10(Math.abs(number) + 1e-12)));
	return number.toFixed(Math.max(0, 4 - whole)).replace(/^0\.?0*$/, "0") + " " + unit;
}
/* A point in time, as exact as what is shown. */
function moment(ticks) {
	const unit = unitOf(Math.max(Math.abs(ticks), 1)), step = (view.b - view.a) * data.tick / unit[0] / 1000;
	return (ticks * data.tick / unit[0]).toFixed(Math.max(0, Math.min(6, Math.ceil(-Math.log10(step))))) + " " + unit[1];
}
const count = (number) => number.toLocaleString("en");
function element(name, text, className) {
	const made = document.createElement(name);
	if (text !== undefined) made.textContent = text;
	if (className) made.className = className;
	return made;
}

/* --- state --- */

const whole = { a: data.from, b: Math.max(data.to, data.from + 1) };
const view = { ...whole }, least = Math.min(whole.b - whole.a, 20);
let selection = null, hot = null, line = 0, shown = SHOWN;
const box = $("#tracks"), canvas = box.querySelector("canvas"), mini = $("#whole");
const toggles = { queue: $("#queues"), semaphore: $("#semaphores") };
for (const kind of ["queue", "semaphore"]) {
	const number = tracks.filter((track) => track.kind === kind).length, label = toggles[kind];
	label.hidden = number === 0;
	label.lastElementChild.textContent = (kind === "queue" ? "DMA queues (" : "Semaphores (") + number + ")";
	label.firstElementChild.addEventListener("change", () => draw());
}

/* One row for each engine; queues and semaphores are one row until they are asked for. */
function rowsOf() {
	const rows = tracks.filter((track) => track.kind === "engine").map((track) => ({ label: track.label, role: track.role, tracks: [track], height: 26 }));
	for (const kind of ["queue", "semaphore"]) {
		const all = tracks.filter((track) => track.kind === kind);
		if (!all.length) continue;
		const role = kind === "queue" ? "dma" : "sync";
		if (toggles[kind].firstElementChild.checked)
			for (const track of all) rows.push({ label: track.label, role, tracks: [track], height: 15, small: true });
		else rows.push({ label: kind === "queue" ? "DMA" : "Semaphores", role, tracks: all, height: kind === "queue" ? 26 : 15, small: kind !== "queue" });
	}
	$("#undrawn").hidden = rows.length <= ROWS;
	$("#undrawn").textContent = `${ROWS} of ${rows.length} tracks are drawn; the instructions below are of all.`;
	return rows.slice(0, ROWS);
}
let rows = rowsOf();

/* --- drawing --- */

let color = {};
function readColors() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ["ink", "faint", "paper", "card", "line", "accent", "tensor", "vector", "scalar", "gpsimd", "sync", "dma", "other", "on-tensor", "on-vector", "on-scalar", "on-gpsimd", "on-sync", "on-dma", "on-other", "sans"])
		color[name] = style.getPropertyValue("--" + name).trim();
}
const font = (size) => size + "px " + color.sans;
const TOP = 22;
let left = 90, width = 800;
const x = (ticks) => left + (ticks - view.a) / (view.b - view.a) * (width - left);
const at = (px) => view.a + (px - left) / (width - left) * (view.b - view.a);

function context(canvas, height) {
	const scale = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
	canvas.width = Math.round(width * scale);
	canvas.height = Math.round(height * scale);
	canvas.style.height = height + "px";
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	pen.clearRect(0, 0, width, height);
	return pen;
}
function fitted(pen, text, room) {
	if (pen.measureText(text).width <= room) return text;
	let keep = text.length;
	while (keep > 1 && pen.measureText(text.slice(0, keep) + "…").width > room) keep--;
	return text.slice(0, keep) + "…";
}
/* Draws the events of a track between two times; what is nearer than a pixel becomes one. */
function drawTrack(pen, track, fill, place, y, height, from, to, names) {
	let a = NaN, b = NaN, waits = 0, name = -1;
	const flush = () => {
		if (!(b >= a)) return;
		pen.globalAlpha = waits ? .3 : 1;
		pen.fillRect(a, y, Math.max(b - a, .7), height);
		pen.globalAlpha = 1;
		if (name >= 0 && b - a > 34) {
			pen.fillStyle = waits ? color.ink : color["on-" + track.role];
			pen.fillText(fitted(pen, data.names[name], b - a - 8), a + 4, y + height / 2 + 4);
			pen.fillStyle = fill;
		}
	};
	pen.fillStyle = fill;
	for (let i = first(track, from); i < track.n && track.begin[i] <= to; i++) {
		if (track.end[i] < from) continue;
		const p = place(Math.max(track.begin[i], from)), q = place(Math.min(track.end[i], to));
		if (p <= b + .35 && waits === track.waits[i] && (q - p < 1.5 || b - a < 1.5 || q <= b)) {
			b = Math.max(b, q);
			name = -1;
			continue;
		}
		flush();
		a = p;
		b = Math.max(q - (q - p > 3 ? .6 : 0), p + .7);
		waits = track.waits[i];
		name = names ? track.name[i] : -1;
	}
	flush();
}
function step(span, room) {
	const rough = span / Math.max(3, room / 90), power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
}
function drawAxis(pen, height) {
	const unit = unitOf((view.b - view.a) / 2), size = unit[0] / data.tick, by = step((view.b - view.a) / size, width - left) * size;
	const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(by / size) + 1e-9)));
	pen.font = font(11.5);
	const tick = Math.ceil(view.a / by);
	for (let k = tick; k * by <= view.b && k < tick + 200; k++) {
		const px = x(k * by), text = (k * by / size).toFixed(digits), w = pen.measureText(text).width;
		pen.fillStyle = color.line;
		pen.fillRect(px, TOP - 4, 1, height - TOP + 4);
		pen.fillStyle = color.faint;
		if (px + w / 2 < width && px - w / 2 > left + 20) pen.fillText(text, px - w / 2, 13);
	}
	pen.fillStyle = color.faint;
	pen.fillText(unit[1], left, 13);
}
function drawTracks() {
	const height = TOP + rows.reduce((sum, row) => sum + row.height, 0) + 4, pen = context(canvas, height);
	pen.fillStyle = color.card;
	let y = TOP;
	for (const row of rows) {
		row.y = y;
		pen.fillRect(left, y + 1, width - left, row.height - 3);
		y += row.height;
	}
	drawAxis(pen, height);
	for (const row of rows) {
		pen.font = font(row.small ? 10.5 : 12);
		pen.fillStyle = color.ink;
		pen.fillText(fitted(pen, row.label, left - 8), 0, row.y + row.height / 2 + (row.small ? 3 : 3.5));
		pen.font = font(11);
		for (const track of row.tracks)
			drawTrack(pen, track, color[row.role], x, row.y + 1, row.height - 3, view.a, view.b, !row.small && row.tracks.length === 1);
	}
	const bottom = height - 2;
	if (selection) {
		const p = Math.max(left, x(selection.a)), q = Math.min(width, x(selection.b));
		pen.fillStyle = color.accent;
		pen.globalAlpha = .16;
		if (q > p) pen.fillRect(p, TOP - 4, q - p, bottom - TOP + 4);
		pen.globalAlpha = 1;
		for (const edge of [x(selection.a), x(selection.b)])
			if (edge >= left - 1 && edge <= width + 1) pen.fillRect(Math.min(edge, width - 1.5), TOP - 4, 1.5, bottom - TOP + 4);
	}
	const row = hot && rows.find((one) => one.tracks.includes(hot.track));
	if (row) {
		const p = Math.max(left, x(hot.track.begin[hot.i])), q = Math.min(width, x(hot.track.end[hot.i]));
		pen.strokeStyle = color.ink;
		pen.lineWidth = 2;
		if (q >= left && p <= width) pen.strokeRect(p - 1, row.y, Math.max(q - p, 1) + 2, row.height - 1);
	}
}
function drawWhole() {
	const pen = context(mini, 34), place = (ticks) => left + (ticks - whole.a) / (whole.b - whole.a) * (width - left);
	const big = rowsOf().filter((row) => !row.small), height = Math.max(1.5, 30 / big.length);
	pen.fillStyle = color.card;
	pen.fillRect(left, 0, width - left, 34);
	big.forEach((row, k) => row.tracks.forEach((track) => drawTrack(pen, track, color[row.role], place, 2 + k * height, Math.max(1, height - .7), whole.a, whole.b, false)));
	const p = place(view.a), q = place(view.b);
	pen.globalAlpha = .72;
	pen.fillStyle = color.paper;
	pen.fillRect(left, 0, p - left, 34);
	pen.fillRect(q, 0, width - q, 34);
	pen.globalAlpha = 1;
	pen.strokeStyle = color.accent;
	pen.lineWidth = 1.5;
	pen.strokeRect(p + .75, .75, Math.max(2, q - p - 1.5), 32.5);
	pen.fillStyle = color.faint;
	pen.font = font(12);
	pen.fillText(mini.dataset.name, 0, 21);
}
let asked = false;
function draw() {
	if (asked) return;
	asked = true;
	requestAnimationFrame(() => {
		asked = false;
		rows = rowsOf();
		width = Math.max(260, Math.floor(box.clientWidth));
		const pen = canvas.getContext("2d");
		pen.font = font(12);
		const room = width < 560 ? 92 : 168;
		left = Math.ceil(Math.min(room, Math.max(...rows.map((row) => { pen.font = font(row.small ? 10.5 : 12); return pen.measureText(row.label).width; }), 44) + 10));
		drawTracks();
		drawWhole();
		remember();
	});
}

/* --- what the selection has --- */

const range = () => selection ?? whole;
/* How long at least one of the tracks was active. */
function activeIn(list, { a, b }) {
	const parts = [];
	for (const track of list)
		for (let i = first(track, a); i < track.n && track.begin[i] < b; i++)
			if (!track.waits[i] && track.end[i] > a) parts.push([Math.max(a, track.begin[i]), Math.min(b, track.end[i])]);
	if (list.length > 1) parts.sort((p, q) => p[0] - q[0]);
	let sum = 0, until = a;
	for (const [from, to] of parts) {
		if (to <= until) continue;
		sum += to - Math.max(from, until);
		until = to;
	}
	return sum;
}
function tellShares() {
	const part = range(), out = $("#shares"), bold = element("b", selection ? "Selected" : "All");
	out.replaceChildren(bold, element("span", selection ? `${moment(part.a)} to ${moment(part.b)}, ${time(part.b - part.a)}` : time(part.b - part.a)));
	const groups = tracks.filter((track) => track.kind === "engine").map((track) => [track.label, track.role, [track]]);
	const queues = tracks.filter((track) => track.kind === "queue");
	if (queues.length) groups.push(["DMA", "dma", queues]);
	for (const [label, role, list] of groups) {
		const cut = list.some((track) => track.left > 0), exact = !selection && list.length === 1;
		const active = exact ? list[0].active : activeIn(list, part), item = element("span", undefined, "share");
		item.append(element("i", undefined, "swatch " + role), label + " ", element("b", (cut && !exact ? "at least " : "") + (active / (part.b - part.a) * 100).toFixed(1) + " %"));
		out.append(item);
	}
}
const only = $("#only"), order = $("#order"), find = $("#find"), waits = $("#waits"), body = $("#instructions tbody");
{
	const add = (value, text) => { const option = element("option", text); option.value = value; only.append(option); };
	add("engine", "all engines");
	tracks.filter((track) => track.kind === "engine").forEach((track) => add(String(track.index), track.label));
	if (tracks.some((track) => track.kind === "queue")) add("queue", "DMA");
	if (tracks.some((track) => track.kind === "semaphore")) add("semaphore", "Semaphores");
	add("all", "everything");
}
function chosenTracks() {
	const value = only.value;
	return tracks.filter((track) => value === "all" || track.kind === value || String(track.index) === value);
}
function matching() {
	const { a, b } = range(), found = [], wanted = find.value.trim().toLowerCase();
	for (const track of chosenTracks())
		for (let i = first(track, a); i < track.n && track.begin[i] <= b; i++) {
			if (track.end[i] <= a && track.begin[i] < a) continue;
			if (track.waits[i] && !waits.checked) continue;
			if (line && track.source[i] !== line) continue;
			if (wanted && !(data.names[track.name[i]] + " " + operandsOf(track.operands[i]) + " " + data.sources[track.source[i]]).toLowerCase().includes(wanted)) continue;
			found.push({ track, i });
		}
	const long = (one) => one.track.end[one.i] - one.track.begin[one.i], early = (p, q) => p.track.begin[p.i] - q.track.begin[q.i];
	return found.sort(order.value === "time" ? (p, q) => long(q) - long(p) || early(p, q) : early);
}
/* The name of the file is enough; its folders are those of another machine. */
function lineCell(source) {
	const cell = element("td", undefined, "line");
	cell.append(element("code", source.split("/").at(-1)));
	cell.title = source;
	return cell;
}
let found = [];
function rowOf(one) {
	const { track, i } = one, row = element("tr"), name = element("td"), operands = operandsOf(track.operands[i]), pick = element("button", data.names[track.name[i]] || "(no name)", "pick");
	pick.type = "button";
	pick.addEventListener("click", () => choose(one, true));
	name.append(pick);
	if (operands) name.append(element("code", operands, "operands"));
	const where = element("td", undefined, "where");
	where.append(element("i", undefined, "swatch " + track.role), track.label);
	const length = element("td", track.end[i] > track.begin[i] ? time(track.end[i] - track.begin[i]) : "", "num");
	if (track.waits[i]) length.prepend(element("span", "waits ", "note"));
	row.append(name, where, element("td", moment(track.begin[i]), "num"), length, lineCell(data.sources[track.source[i]]));
	row.classList.toggle("hot", hot !== null && hot.track === track && hot.i === i);
	one.row = row;
	return row;
}
function showRows() {
	body.replaceChildren(...found.slice(0, shown).map(rowOf));
	$("#more").hidden = found.length <= shown;
	$("#shown").textContent = found.length > shown ? `${count(shown)} of ${count(found.length)} shown` : found.length ? `${count(found.length)} shown` : "None in this part.";
}
function tell() {
	tellShares();
	shown = SHOWN;
	found = matching();
	$("#which").textContent = (selection ? "of the selection" : "of all that is on this page") + (line ? ", line " + data.sources[line] : "");
	$("[data-zoom=selection]").disabled = !selection;
	showRows();
	tellSource();
}

/* --- source lines --- */

const file = $("#file"), pre = $("#source pre");
const place = data.sources.map((text) => { const colon = text.lastIndexOf(":"); return [text.slice(0, colon), Number(text.slice(colon + 1))]; });
if (file) data.files.forEach((one, index) => { const option = element("option", one.path); option.value = index; file.append(option); });
function tellSource() {
	if (!file) return;
	const spent = new Map(), { a, b } = range(), one = data.files[file.value];
	for (const track of tracks) {
		if (track.kind !== "engine") continue;
		for (let i = first(track, a); i < track.n && track.begin[i] < b; i++)
			if (track.source[i]) spent.set(track.source[i], (spent.get(track.source[i]) ?? 0) + Math.max(0, Math.min(b, track.end[i]) - Math.max(a, track.begin[i])));
	}
	const of = new Map(), all = document.createDocumentFragment();
	let most = 1;
	for (const [source, ticks] of spent) {
		most = Math.max(most, ticks);
		if (place[source][0] === one.location) of.set(place[source][1], [source, ticks]);
	}
	one.lines.forEach((text, index) => {
		const [source, ticks] = of.get(index + 1) ?? [0, 0], row = element("span", undefined, "row");
		row.append(element("span", ticks ? time(ticks) : "", "spent"), element("span", String(index + 1), "n"), text || " ");
		if (source) {
			row.dataset.source = source;
			row.classList.add("timed");
			row.style.setProperty("--share", (ticks / most * 100).toFixed(1) + "%");
		}
		row.classList.toggle("hot", source > 0 && (source === line || (hot !== null && hot.track.source[hot.i] === source)));
		all.append(row);
	});
	pre.replaceChildren(all);
}
function showLine() {
	const row = pre && (pre.querySelector(".hot") ?? pre.querySelector(".timed"));
	if (row) pre.scrollTop = Math.max(0, row.offsetTop - pre.clientHeight / 3);
}
if (pre) pre.addEventListener("click", (event) => {
	const row = event.target.closest("[data-source]");
	if (!row) return;
	line = line === Number(row.dataset.source) ? 0 : Number(row.dataset.source);
	tell();
});
if (file) file.addEventListener("change", () => { tellSource(); showLine(); });

/* --- what people do --- */

function describe({ track, i }) {
	const source = data.sources[track.source[i]], length = track.end[i] - track.begin[i];
	return `${track.label}: ${data.names[track.name[i]]}${length ? ", " + time(length) : ""} at ${moment(track.begin[i])}${track.waits[i] ? ", waits" : ""}${source ? ", " + source : ""} ${operandsOf(track.operands[i])}`;
}
function limit() {
	const length = Math.min(whole.b - whole.a, Math.max(least, view.b - view.a));
	view.a = Math.min(Math.max(whole.a, view.a), whole.b - length);
	view.b = view.a + length;
	draw();
}
function zoom(factor, center = selection && selection.a < view.b && selection.b > view.a ? (selection.a + selection.b) / 2 : (view.a + view.b) / 2) {
	const length = Math.min(whole.b - whole.a, Math.max(least, (view.b - view.a) * factor));
	const share = (center - view.a) / (view.b - view.a);
	view.a = center - share * length;
	view.b = view.a + length;
	limit();
}
function move(share) {
	const by = (view.b - view.a) * share;
	view.a += by;
	view.b += by;
	limit();
}
function show(a, b) {
	view.a = a;
	view.b = b;
	limit();
}
function select(part) {
	selection = part && part.b > part.a ? part : null;
	tell();
	draw();
}
/* Marks an event, and shows where it is. */
function choose(one, goes) {
	hot = one;
	$("#pointed").textContent = describe(one);
	const begin = one.track.begin[one.i], end = one.track.end[one.i], length = view.b - view.a;
	if (goes && (end < view.a || begin > view.b || (end - begin) / length < .002)) {
		const half = Math.max(Math.min(length, (end - begin) * 20 || length) / 2, least / 2), middle = (begin + end) / 2;
		show(middle - half, middle + half);
	}
	body.querySelectorAll("tr.hot").forEach((row) => row.classList.remove("hot"));
	found.find((other) => other.row && other.track === one.track && other.i === one.i)?.row.classList.add("hot");
	const source = one.track.source[one.i], index = file ? data.files.findIndex((other) => other.location === place[source][0]) : -1;
	if (source && index >= 0) file.value = index;
	tellSource();
	if (source) showLine();
	draw();
}
/* The event at a point of the tracks; near ones count for those who cannot point that well. */
function pointed(px, py) {
	const row = rows.find((one) => py >= one.y && py < one.y + one.height), time = at(px), near = (view.b - view.a) / (width - left) * 3;
	let best = null, distance = near;
	if (!row || px < left) return null;
	for (const track of row.tracks)
		for (let i = first(track, time - near); i < track.n && track.begin[i] <= time + near; i++) {
			const far = Math.max(track.begin[i] - time, time - track.end[i], 0);
			if (far < distance || (far === 0 && !track.waits[i])) {
				best = { track, i };
				distance = far;
			}
		}
	return best;
}
function next(forward) {
	const list = hot ? hot.track : chosenTracks().find((track) => track.n) ?? tracks.find((track) => track.n);
	if (!list) return;
	const i = hot ? hot.i + (forward ? 1 : -1) : first(list, view.a);
	if (i >= 0 && i < list.n) choose({ track: list, i }, true);
}
function stretch(share) {
	const by = (view.b - view.a) * share, old = selection ?? { a: (view.a + view.b) / 2, b: (view.a + view.b) / 2 };
	const b = Math.min(whole.b, Math.max(old.a + least / 20, old.b + by));
	selection = { a: old.a, b };
	if (b > view.b) move((b - view.b) / (view.b - view.a) + .05);
	select(selection);
}
let from = null, moved = false;
const position = (event) => { const edge = box.getBoundingClientRect(); return [event.clientX - edge.left, event.clientY - edge.top]; };
box.addEventListener("pointerdown", (event) => {
	const [px] = position(event);
	if (event.button !== 0 || px < left) return;
	from = { px, time: at(px) };
	moved = false;
	box.setPointerCapture(event.pointerId);
});
box.addEventListener("pointermove", (event) => {
	const [px, py] = position(event);
	if (!from) {
		const one = pointed(px, py);
		$("#pointed").textContent = one ? describe(one) : hot ? describe(hot) : "\u00a0";
		return;
	}
	if (Math.abs(px - from.px) < 4 && !moved) return;
	moved = true;
	const time = Math.max(view.a, Math.min(view.b, at(px)));
	selection = { a: Math.min(from.time, time), b: Math.max(from.time, time) };
	draw();
});
box.addEventListener("pointerup", (event) => {
	const [px, py] = position(event), one = pointed(px, py);
	if (!from) return;
	if (moved) select(selection);
	else if (one) choose(one, false);
	else { hot = null; select(null); }
	from = null;
});
box.addEventListener("pointercancel", () => { from = null; });
box.addEventListener("dblclick", () => show(whole.a, whole.b));
box.addEventListener("wheel", (event) => {
	if (!event.ctrlKey && !event.shiftKey) return;
	event.preventDefault();
	if (event.ctrlKey) zoom(event.deltaY > 0 ? 1.25 : .8, at(position(event)[0]));
	else move((event.deltaY || event.deltaX) > 0 ? .1 : -.1);
}, { passive: false });
box.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const shift = event.shiftKey, keys = {
		w: () => zoom(.7), "+": () => zoom(.7), "=": () => zoom(.7), s: () => zoom(1.4), "-": () => zoom(1.4), a: () => move(-.2), d: () => move(.2),
		ArrowLeft: () => shift ? stretch(-.02) : move(-.1), ArrowRight: () => shift ? stretch(.02) : move(.1),
		n: () => next(true), p: () => next(false), Home: () => show(whole.a, whole.b), Enter: () => select({ a: view.a, b: view.b }),
		Escape: () => { hot = null; line = 0; $("#pointed").textContent = "\u00a0"; select(null); },
	}, act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
	if (!act) return;
	act();
	event.preventDefault();
});
let grip = null;
function pull(event) {
	const edge = mini.getBoundingClientRect(), time = whole.a + (event.clientX - edge.left - left) / (width - left) * (whole.b - whole.a);
	if (grip === null) grip = time >= view.a && time <= view.b ? time - view.a : (view.b - view.a) / 2;
	show(time - grip, time - grip + view.b - view.a);
}
mini.addEventListener("pointerdown", (event) => { mini.setPointerCapture(event.pointerId); grip = null; pull(event); });
mini.addEventListener("pointermove", (event) => { if (grip !== null) pull(event); });
for (const name of ["pointerup", "pointercancel"]) mini.addEventListener(name, () => { grip = null; });
document.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => {
	const how = button.dataset.zoom;
	if (how === "all") show(whole.a, whole.b);
	else if (how === "selection") { if (selection) show(selection.a, selection.b); }
	else zoom(how === "in" ? .6 : 1.7);
}));
for (const control of [only, order, find, waits]) control.addEventListener("input", tell);
$("#more").addEventListener("click", () => { shown += 2 * SHOWN; showRows(); });
document.querySelectorAll("#slowest tr[data-at]").forEach((row) => {
	const track = tracks[row.dataset.track], name = row.querySelector("code"), start = Number(row.dataset.at), button = element("button", name.textContent, "pick");
	let i = first(track, start);
	while (i < track.n && track.begin[i] < start) i++;
	if (i >= track.n || track.begin[i] !== start) return;
	button.type = "button";
	button.addEventListener("click", () => { choose({ track, i }, true); box.scrollIntoView({ block: "nearest" }); });
	name.replaceWith(button);
});

/* The view is in the address, so that it can be sent. */
let saved = "";
function remember() {
	const part = (name, { a, b }) => `${name}=${(a * data.tick).toPrecision(9)}-${(b * data.tick).toPrecision(9)}`;
	const parts = [];
	if (view.a > whole.a || view.b < whole.b) parts.push(part("view", view));
	if (selection) parts.push(part("sel", selection));
	const text = parts.length ? "#" + parts.join("&") : "";
	if (text === saved) return;
	saved = text;
	try { history.replaceState(null, "", text || location.pathname + location.search); } catch { /* not from here */ }
}
function recall(name) {
	const found = new RegExp(name + "=([0-9.e+-]+?)-([0-9.e+]+(?:e-[0-9]+)?)(?:&|$)").exec(location.hash);
	const a = found && Number(found[1]) / data.tick, b = found && Number(found[2]) / data.tick;
	return found && a < b && b >= whole.a && a <= whole.b ? { a: Math.max(a, whole.a), b: Math.min(b, whole.b) } : null;
}
$("#waits").parentElement.hidden = !tracks.some((track) => track.waits.includes(1));
selection = recall("sel");
Object.assign(view, recall("view") ?? {});
$("#timeline").hidden = $("#beside").hidden = false;
readColors();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); draw(); });
new ResizeObserver(draw).observe(box);
tell();
showLine();
draw();
})();
