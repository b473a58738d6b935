/* The tracks as a picture: what is shown, at which scale, and how it is drawn. */
const ROWS = 400, FOLD = 40, WEDGES = 44, TOP = 8, AXIS = 26;
const whole = { a: Math.min(...sides.map((side) => side.a)), b: Math.max(...sides.map((side) => side.b)) };
const view = { ...whole }, least = Math.min(whole.b - whole.a, 20);
let selection = null, hot = null, filtered = false;
const box = $("#tracks"), canvas = box.querySelector("canvas"), mini = $("#whole");
const folding = $("#fold"), toggles = { queue: $("#queues"), semaphore: $("#semaphores") };
const many = { queue: run.streams ? "Copies" : "DMA queues", semaphore: "Semaphores" };
const few = { queue: run.streams ? "Copies" : "DMA", semaphore: "Semaphores" };
for (const kind of ["queue", "semaphore"]) {
	const number = everyTrack.filter((track) => track.kind === kind).length, label = toggles[kind];
	label.hidden = number === 0;
	label.lastElementChild.textContent = `${many[kind]} (${number})`;
	label.firstElementChild.addEventListener("change", () => draw());
}

/* --- idle stretches --- */

/* Where nothing is active on any side. */
const idle = run.idle.flatMap((one) => !base ? [one] : base.idle.map((other) => ({ a: Math.max(one.a, other.a), b: Math.min(one.b, other.b) })))
	.filter((one) => one.b - one.a >= (whole.b - whole.a) / 20);
folding.parentElement.hidden = !idle.length;
/* Those that are folded now: in view, not all that is in view, and no more than there is room for. */
function foldsNow() {
	const room = Math.floor((width - left) * .4 / FOLD), length = view.b - view.a, pixels = (width - left) / length;
	return !folding.checked ? [] : idle.map(({ a, b }) => ({ a: Math.max(a, view.a), b: Math.min(b, view.b) }))
		.filter(({ a, b }) => b > a && b - a < length * .9999 && (b - a) * pixels > FOLD)
		.sort((one, other) => other.b - other.a - (one.b - one.a)).slice(0, room).sort((one, other) => one.a - other.a);
}

/* --- the scale: straight between folds --- */

let left = 90, width = 800, folds = [], pieces = [], piece = 0;
function setScale() {
	folds = foldsNow();
	const folded = folds.reduce((sum, one) => sum + one.b - one.a, 0), scale = (width - left - FOLD * folds.length) / (view.b - view.a - folded);
	let from = view.a, px = left;
	pieces = [];
	piece = 0;
	const add = (b, k) => { pieces.push({ a: from, b, px, k }); px += (b - from) * k; from = b; };
	for (const one of folds) {
		add(one.a, scale);
		add(one.b, FOLD / (one.b - one.a));
	}
	add(view.b, scale);
}
function x(ticks) {
	while (piece > 0 && ticks < pieces[piece].a) piece--;
	while (piece < pieces.length - 1 && ticks > pieces[piece].b) piece++;
	return pieces[piece].px + (ticks - pieces[piece].a) * pieces[piece].k;
}
function at(px) {
	const one = pieces.findLast((other) => px >= other.px) ?? pieces[0];
	return one.a + (px - one.px) / one.k;
}

/* --- rows --- */

/* One row for each engine; queues and semaphores are one row until they are asked for. */
function rowsOf(side, height) {
	const rows = side.tracks.filter((track) => track.kind === "engine").map((track) => ({ side, label: track.label, role: track.role, tracks: [track], height }));
	for (const kind of ["queue", "semaphore"]) {
		const all = side.tracks.filter((track) => track.kind === kind), role = kind === "queue" ? "dma" : "sync";
		if (!all.length) continue;
		if (toggles[kind].firstElementChild.checked)
			for (const track of all) rows.push({ side, label: track.label, role, tracks: [track], height: 16, small: true });
		else rows.push({ side, label: few[kind], role, tracks: all, height: kind === "queue" ? height : 16, small: kind !== "queue", many: all.length > 1 });
	}
	return rows.slice(0, ROWS);
}
let rows = [], bottom = 0, wedges = 0;
function place() {
	const height = base ? 28 : width < 560 ? 30 : 36, all = sides.map((side) => rowsOf(side, height));
	let y = TOP;
	all.forEach((list, index) => {
		if (index) {
			wedges = y;
			y += WEDGES;
		}
		if (base) y += 20;
		for (const row of list) {
			row.y = y;
			y += row.height;
		}
	});
	bottom = y;
	rows = all.flat();
	const drawn = new Set(rows.flatMap((row) => row.tracks)).size;
	$("#undrawn").hidden = drawn === everyTrack.length;
	$("#undrawn").textContent = `${drawn} of ${everyTrack.length} tracks are drawn; the table below has all.`;
}

/* --- drawing --- */

let color = {};
function readColors() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ["ink", "ink-2", "faint", "paper", "card", "line", "line-strong", "accent", "on-accent", "bad", "bad-paper", "good", "good-paper", "tensor", "vector", "scalar", "gpsimd", "sync", "dma", "other", "on-tensor", "on-vector", "on-scalar", "on-gpsimd", "on-sync", "on-dma", "on-other", "sans"])
		color[name] = style.getPropertyValue("--" + name).trim();
}
const font = (size, weight = 400) => `${weight} ${size}px ${color.sans}`;
/* A point in time, as exact as what is shown. */
function moment(ticks) {
	const unit = unitOf(Math.max(Math.abs(ticks), 1)), step = (view.b - view.a) * data.tick / unit[0] / 1000;
	return (ticks * data.tick / unit[0]).toFixed(Math.max(0, Math.min(6, Math.ceil(-Math.log10(step))))) + " " + unit[1];
}
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
	let keep = Math.min(text.length, Math.ceil(room / 2));
	while (keep > 1 && pen.measureText(text.slice(0, keep) + "…").width > room) keep--;
	return text.slice(0, keep) + "…";
}
/* A color of the page on the ground of the rows; not by transparency, which adds up where tracks share a row. */
function pale(fill, share) {
	const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
	return `rgb(${[0, 1, 2].map((i) => Math.round(part(fill, i) * share + part(color.card, i) * (1 - share))).join()})`;
}
/* How far a text may go that begins at a: to the next fold. */
function before(a, b) {
	const fold = folds.find((one) => x(one.b) > a);
	return fold ? Math.min(b, x(fold.a)) : b;
}
/* Draws the events of a track between two times; what is nearer than a pixel becomes one. NAMES gives the end of a
 * text's room; null: no texts. */
function drawTrack(pen, track, fill, place, y, height, from, to, names) {
	const fills = [fill, pale(fill, .3), pale(fill, .2), pale(fill, .1)];
	let a = NaN, b = NaN, state = -1, name = -1;
	const flush = () => {
		if (!(b >= a)) return;
		pen.fillStyle = fills[state];
		pen.fillRect(a, y, Math.max(b - a, .7), height);
		const end = name >= 0 ? names(a, b) : a;
		if (end - a > 34 && state < 2) {
			pen.fillStyle = state ? color.ink : color["on-" + track.role];
			pen.fillText(fitted(pen, track.side.names[name], end - a - 10), a + 5, y + height / 2 + 4);
		}
	};
	for (let i = first(track, from); i < track.n && track.begin[i] <= to; i++) {
		if (track.end[i] < from) continue;
		const p = place(Math.max(track.begin[i], from)), q = place(Math.min(track.end[i], to)), now = track.waits[i] + (filtered && !track.fits[i] ? 2 : 0);
		if (p <= b + .35 && state === now && (q - p < 1.5 || b - a < 1.5 || q <= b)) {
			b = Math.max(b, q);
			name = -1;
			continue;
		}
		flush();
		a = p;
		b = Math.max(q - (q - p > 3 ? .6 : 0), p + .7);
		state = now;
		name = names ? track.name[i] : -1;
	}
	flush();
}
/* Lines and texts of the axis stay out of folds. */
function drawAxis(pen) {
	const length = (view.b - view.a - folds.reduce((sum, one) => sum + one.b - one.a, 0)), unit = unitOf(Math.max(Math.abs(view.a), Math.abs(view.b)) / 2), size = unit[0] / data.tick;
	const rough = length / size / Math.max(3, (width - left) / 90), power = 10 ** Math.floor(Math.log10(rough)), by = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) * size;
	const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(by / size) + 1e-9)));
	let until = -1;
	pen.font = font(11.5);
	for (let k = Math.ceil(view.a / by), n = 0; k * by <= view.b && n < 2000; k++, n++) {
		if (folds.some((one) => k * by > one.a && k * by < one.b)) continue;
		const px = x(k * by), text = (k * by / size).toFixed(digits) + (until < 0 ? " " + unit[1] : ""), w = pen.measureText(text).width;
		const start = Math.max(left, Math.min(width - w, px - w / 2));
		pen.fillStyle = color["line-strong"];
		pen.fillRect(Math.min(px, width - 1), TOP - 5, 1, 4);
		pen.fillRect(Math.min(px, width - 1), bottom, 1, 4);
		if (start < until + 8) continue;
		pen.fillStyle = color.faint;
		pen.fillText(text, start, bottom + 17);
		until = start + w;
	}
}
function zigzag(pen, px) {
	pen.beginPath();
	for (let y = TOP, k = 0; y <= bottom; y += 8, k++) pen.lineTo(px + (k % 2 ? 2 : -2), y);
	pen.stroke();
}
function drawFolds(pen) {
	pen.strokeStyle = color["line-strong"];
	pen.lineWidth = 1;
	pen.font = font(11.5);
	for (const one of folds) {
		const p = x(one.a), q = x(one.b);
		pen.fillStyle = color.paper;
		pen.fillRect(p, TOP - 5, q - p, bottom - TOP + 8);
		zigzag(pen, p + 4);
		zigzag(pen, q - 4);
		pen.save();
		pen.translate((p + q) / 2 + 4, (TOP + (base ? wedges : bottom)) / 2);
		pen.rotate(-Math.PI / 2);
		pen.textAlign = "center";
		pen.fillStyle = color.faint;
		pen.fillText("idle " + time(one.b - one.a), 0, 0);
		pen.restore();
	}
}
/* Joins what matches: red where the run is longer than its baseline, green where it is shorter. */
function drawWedges(pen) {
	const y = wedges + 3, height = WEDGES - 6;
	pen.font = font(11.5, 600);
	for (const [a0, a1, b0, b1] of matches) {
		if (Math.max(a1, b1) < view.a || Math.min(a0, b0) > view.b) continue;
		const grown = b1 - b0 - (a1 - a0), news = Math.abs(grown) * data.tick >= data.resolution;
		const edge = (ticks) => Math.max(left, Math.min(width, x(Math.max(view.a, Math.min(view.b, ticks)))));
		pen.beginPath();
		pen.moveTo(edge(a0), y);
		pen.lineTo(edge(a1), y);
		pen.lineTo(edge(b1), y + height);
		pen.lineTo(edge(b0), y + height);
		pen.closePath();
		pen.fillStyle = news ? color[grown > 0 ? "bad-paper" : "good-paper"] : color.card;
		pen.fill();
		pen.strokeStyle = color.line;
		pen.stroke();
		const text = news ? change(grown) : "", w = pen.measureText(text).width, middle = (edge(a0) + edge(a1) + edge(b0) + edge(b1)) / 4;
		if (!news || edge(b1) - edge(b0) + edge(a1) - edge(a0) < w * 1.6) continue;
		pen.fillStyle = color[grown > 0 ? "bad" : "good"];
		pen.fillText(text, Math.max(left, Math.min(width - w, middle - w / 2)), y + height / 2 + 4);
	}
}
/* The selection of a side, from its first row to its last. */
function drawSelection(pen, side) {
	const part = inSide(side, selection), own = rows.filter((row) => row.side === side);
	if (!own.length) return;
	const y = own[0].y - 4, end = own.at(-1).y + own.at(-1).height, p = Math.max(left, x(Math.max(part.a, view.a))), q = Math.min(width, x(Math.min(part.b, view.b)));
	if (part.b < view.a || part.a > view.b) return;
	pen.fillStyle = color.accent;
	pen.globalAlpha = .14;
	pen.fillRect(p, y, q - p, end - y);
	pen.globalAlpha = 1;
	if (part.a >= view.a) pen.fillRect(p, y, 1.5, end - y);
	if (part.b <= view.b) pen.fillRect(q - 1.5, y, 1.5, end - y);
	if (side !== run) return;
	pen.font = font(12, 600);
	const text = time(part.b - part.a), w = pen.measureText(text).width + 14, center = Math.max(left + w / 2, Math.min(width - w / 2, (p + q) / 2));
	pen.beginPath();
	pen.roundRect(center - w / 2, bottom + 3, w, 20, 4);
	pen.fill();
	pen.fillStyle = color["on-accent"];
	pen.fillText(text, center - w / 2 + 7, bottom + 17);
}
function drawHot(pen) {
	const row = rows.find((one) => one.tracks.includes(hot.track)), p = Math.max(left, x(Math.max(view.a, hot.track.begin[hot.i]))), q = Math.min(width, x(Math.min(view.b, hot.track.end[hot.i])));
	if (!row || hot.track.end[hot.i] < view.a || hot.track.begin[hot.i] > view.b) return;
	pen.strokeStyle = color.ink;
	pen.lineWidth = 2;
	pen.strokeRect(p - 1, row.y, Math.max(q - p, 1) + 2, row.height - 4);
}
function drawTracks() {
	const pen = context(canvas, bottom + AXIS);
	for (const row of rows) {
		pen.fillStyle = color.card;
		pen.fillRect(left, row.y, width - left, row.height - 4);
		pen.font = font(row.small ? 11 : 12);
		pen.fillStyle = color["ink-2"];
		const text = fitted(pen, row.label, left - 12);
		pen.fillText(text, left - 10 - pen.measureText(text).width, row.y + row.height / 2 + 2);
		pen.font = font(11);
		for (const track of row.tracks)
			drawTrack(pen, track, color[row.role], x, row.y, row.height - 4, view.a, view.b, row.small || row.many ? null : before);
	}
	if (base) drawWedges(pen);
	drawFolds(pen);
	if (base)
		for (const side of sides) {
			const y = rows.find((row) => row.side === side)?.y ?? wedges;
			pen.font = font(12, 600);
			const text = fitted(pen, `${side.title}  ${side.name}, ${time(side.b - side.a)}`, width - left);
			pen.fillStyle = color.paper;
			pen.fillRect(left, y - 19, pen.measureText(text).width + 6, 18);
			pen.fillStyle = color.ink;
			pen.fillText(text, left, y - 7);
		}
	drawAxis(pen);
	if (selection) sides.forEach((side) => drawSelection(pen, side));
	if (hot) drawHot(pen);
}
function drawWhole() {
	const pen = context(mini, 34), place = (ticks) => left + (ticks - whole.a) / (whole.b - whole.a) * (width - left);
	const big = sides.flatMap((side) => rowsOf(side, 1)).filter((row) => !row.small), height = Math.max(1.5, 30 / big.length);
	pen.fillStyle = color.card;
	pen.fillRect(left, 0, width - left, 34);
	big.forEach((row, k) => row.tracks.forEach((track) => drawTrack(pen, track, color[row.role], place, 2 + k * height, Math.max(1, height - .7), whole.a, whole.b, null)));
	const p = place(view.a), q = place(view.b);
	pen.globalAlpha = .72;
	pen.fillStyle = color.paper;
	pen.fillRect(left, 0, p - left, 34);
	pen.fillRect(q, 0, width - q, 34);
	pen.globalAlpha = 1;
	pen.strokeStyle = color.accent;
	pen.lineWidth = 1.5;
	pen.beginPath();
	pen.roundRect(p + .75, .75, Math.max(2, q - p - 1.5), 32.5, 4);
	pen.stroke();
	pen.fillStyle = color.faint;
	pen.font = font(12);
	pen.fillText(mini.dataset.name, left - 10 - pen.measureText(mini.dataset.name).width, 21);
}
let asked = false;
function redraw() {
	asked = false;
	width = Math.max(260, Math.floor(box.clientWidth));
	place();
	const pen = canvas.getContext("2d"), room = width < 560 ? 92 : 168;
	left = Math.ceil(Math.min(room, Math.max(...rows.map((row) => { pen.font = font(row.small ? 11 : 12); return pen.measureText(row.label).width; }), 44) + 12));
	setScale();
	drawTracks();
	drawWhole();
	remember();
}
function draw() {
	if (!asked) requestAnimationFrame(redraw);
	asked = true;
}
