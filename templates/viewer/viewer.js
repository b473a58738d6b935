/* What is found in the selection, and what people do. */
const SHOWN = 20;
const only = $("#only"), order = $("#order"), find = $("#find"), waits = $("#waits"), table = $("#instructions table"), body = $("#instructions tbody");
/* What is selected of a side, in its time; all of it if nothing is. */
const partOf = (side) => selection ? inSide(side, selection) : { a: side.a, b: side.b };
const range = () => partOf(run);
let shown = SHOWN;

/* --- shares --- */

/* How long at least one of some intervals lasts. */
function covered(parts) {
	let sum = 0, until = -Infinity;
	parts.sort((p, q) => p[0] - q[0]);
	for (const [from, to] of parts) {
		if (to <= until) continue;
		sum += to - Math.max(from, until);
		until = to;
	}
	return sum;
}
function activeIn(list, { a, b }) {
	const parts = [];
	for (const track of list)
		for (let i = first(track, a); i < track.n && track.begin[i] < b; i++)
			if (!track.waits[i] && track.end[i] > a) parts.push([Math.max(a, track.begin[i]), Math.min(b, track.end[i])]);
	return covered(parts);
}
function groupsOf(side) {
	const groups = new Map(side.tracks.filter((track) => track.kind === "engine").map((track) => [track.label, { role: track.role, list: [track] }]));
	const queues = side.tracks.filter((track) => track.kind === "queue");
	if (queues.length) groups.set(few.queue, { role: "dma", list: queues });
	return groups;
}
/* The active time of a group of tracks in the range, and whether it may be more. */
function activeOf(side, group) {
	if (!group) return { active: 0, cut: false };
	const cut = group.list.some((track) => track.left > 0), exact = !selection && group.list.length === 1;
	return { active: exact ? group.list[0].active : activeIn(group.list, partOf(side)), cut: cut && !exact };
}
function tellShares() {
	const part = range(), out = $("#shares"), all = groupsOf(run), before = base && groupsOf(base);
	out.replaceChildren(element("b", selection ? "Selected" : data.part ? "All that is shown" : "Whole run"));
	const told = element("span", selection ? `${moment(part.a)} to ${moment(part.b)}, ` : "");
	told.append(element("b", time(part.b - part.a)));
	out.append(told);
	if (base && selection) {
		const other = partOf(base);
		out.append(element("span", `in A ${moment(other.a)} to ${moment(other.b)}, ${change(part.b - part.a - (other.b - other.a))}`));
	}
	for (const label of new Set([...(before?.keys() ?? []), ...all.keys()])) {
		const now = activeOf(run, all.get(label)), item = element("span", undefined, "share");
		item.append(element("i", undefined, "swatch " + (all.get(label) ?? before.get(label)).role), label + " ");
		item.append(element("b", (now.cut ? "at least " : "") + percent(now.active / (part.b - part.a))));
		if (base) {
			const was = activeOf(base, before.get(label)), more = now.active - was.active;
			if (more) item.append(element("small", " " + change(more), more > 0 ? "more" : "less"));
			if (was.cut) item.append(element("small", " (A: at least)"));
		}
		out.append(item);
	}
}

/* --- search --- */

/* "mlp.py:33" or "mlp.py:*": a source line; "/./": any; else what name, operands and line contain. */
function testOf(word) {
	if (word === "/./") return (one) => sourceOf(one) !== "";
	const line = /^(.*\.\w+):(\d+|\*)$/.exec(word);
	if (line) {
		const fits = (text) => {
			const colon = text.lastIndexOf(":"), file = text.slice(0, colon).toLowerCase();
			return (file === line[1] || file.endsWith("/" + line[1])) && (line[2] === "*" || text.slice(colon + 1) === line[2]);
		};
		return bySource(fits);
	}
	const parts = word.split("*");
	const contains = (text) => {
		let from = 0;
		return parts.every((part) => {
			const found = text.indexOf(part, from);
			from = found + part.length;
			return found >= 0;
		});
	};
	const name = bySource(contains), operands = byText((side) => side.names, (one) => one.track.name[one.i], contains), seen = new Map();
	return (one) => {
		if (operands(one) || name(one)) return true;
		const side = one.track.side, index = one.track.operands[one.i];
		if (!seen.has(side)) seen.set(side, new Uint8Array(side.starts.length + 1));
		const known = seen.get(side);
		if (index && !known[index]) known[index] = contains(operandsOf(one).toLowerCase()) ? 2 : 1;
		return known[index] === 2;
	};
}
/* A test of one text of an event, made once for each text. */
function byText(texts, index, fits) {
	const known = new Map(sides.map((side) => [side, texts(side).map((text) => fits(text.toLowerCase()))]));
	return (one) => known.get(one.track.side)[index(one)];
}
const bySource = (fits) => byText((side) => side.sources, (one) => one.track.source[one.i], fits);
function search() {
	const words = find.value.trim().toLowerCase().split(/\s+/).filter(Boolean), tests = words.map(testOf);
	filtered = tests.length > 0;
	if (!filtered) return;
	for (const track of everyTrack) {
		const one = { track, i: 0 };
		track.fits = new Uint8Array(track.n);
		for (; one.i < track.n; one.i++) track.fits[one.i] = tests.every((test) => test(one));
	}
}
function findNext(text) {
	find.value = find.value === text ? "" : text;
	shown = SHOWN;
	search();
	tell();
	draw();
}

/* --- the table --- */

{
	const add = (value, text) => { const option = element("option", text); option.value = value; only.append(option); };
	add("engine", run.streams ? "all streams" : "all engines");
	for (const label of new Set(everyTrack.filter((track) => track.kind === "engine").map((track) => track.label))) add("=" + label, label);
	for (const kind of ["queue", "semaphore"]) if (everyTrack.some((track) => track.kind === kind)) add(kind, few[kind]);
	add("all", "everything");
}
const chosen = (side) => side.tracks.filter((track) => only.value === "all" || track.kind === only.value || (track.kind === "engine" && "=" + track.label === only.value));
/* Calls with each event of the range that is wanted. */
function each(side, call) {
	const { a, b } = partOf(side);
	for (const track of chosen(side))
		for (let i = first(track, a); i < track.n && track.begin[i] <= b; i++) {
			if (track.end[i] <= a && track.begin[i] < a) continue;
			if ((track.waits[i] && !waits.checked) || (filtered && !track.fits[i])) continue;
			call({ track, i }, Math.max(0, Math.min(b, track.end[i]) - Math.max(a, track.begin[i])));
		}
}
const fileName = (text) => text.split("/").at(-1);
/* The same line of both sides: by its text where both have it, else by its number. */
function linesOf(side) {
	const files = new Map(side.files.map((file) => [file.location, file]));
	return side.place.map(([location, number], index) => {
		const file = files.get(location), text = file?.lines[number - 1]?.trim(), name = fileName(side.sources[index]);
		if (!base || !text) return name;
		return fileName(location) + " " + text + " " + file.lines.slice(0, number - 1).filter((other) => other.trim() === text).length;
	});
}
for (const side of sides) side.line = linesOf(side);
function grouped() {
	const groups = new Map();
	for (const side of sides)
		each(side, (one, spent) => {
			const key = nameOf(one) + "\0" + one.track.label + "\0" + side.line[one.track.source[one.i]];
			let group = groups.get(key);
			if (!group) groups.set(key, group = { one, n: 0, time: 0, wasN: 0, was: 0 });
			if (side === run) {
				group.one = group.n ? group.one : one;
				group.n++;
				group.time += spent;
			} else {
				group.wasN++;
				group.was += spent;
			}
		});
	const size = (group) => base ? Math.abs(group.time - group.was) : group.time;
	return [...groups.values()].sort((p, q) => size(q) - size(p) || q.time - p.time);
}
function single() {
	const list = [], long = (one) => one.track.end[one.i] - one.track.begin[one.i], early = (p, q) => p.track.begin[p.i] - q.track.begin[q.i];
	for (const side of sides) each(side, (one) => list.push(one));
	return list.sort(order.value === "time" ? (p, q) => long(q) - long(p) || early(p, q) : early);
}
/* The name of the file is enough; its folders are those of another machine. */
function lineCell(source) {
	const cell = element("td", undefined, "line");
	if (!source) return cell;
	const go = element("button", fileName(source), "pick");
	go.type = "button";
	go.title = source;
	go.addEventListener("click", (event) => { event.stopPropagation(); findNext(fileName(source)); });
	cell.append(go);
	return cell;
}
function pickCell(text, act, operands) {
	const cell = element("td"), pick = element("button", text, "pick");
	pick.type = "button";
	pick.addEventListener("click", act);
	cell.append(pick);
	if (operands) cell.append(element("code", operands, "operands"));
	return cell;
}
function whereCell(track) {
	const cell = element("td", undefined, "where");
	cell.append(element("i", undefined, "swatch " + track.role), (base && order.value !== "group" ? track.side.title + " " : "") + track.label);
	return cell;
}
const number = (text, kind = "") => element("td", text, "num " + kind);
function groupRow(group) {
	const row = element("tr"), { track } = group.one, source = sourceOf(group.one), more = group.time - group.was, length = range().b - range().a;
	row.append(pickCell(nameOf(group.one), () => {
		only.value = track.kind === "engine" ? "=" + track.label : track.kind;
		order.value = "time";
		findNext(nameOf(group.one) + (source ? " " + fileName(source) : ""));
	}), whereCell(track));
	if (base) row.append(number(group.n === group.wasN ? count(group.n) : `${count(group.wasN)} → ${count(group.n)}`, "drop"), number(group.wasN ? time(group.was) : "none", "drop"), number(group.n ? time(group.time) : "none", "drop"), number(change(more), more > 0 ? "more" : more < 0 ? "less" : ""));
	else row.append(number(count(group.n), "drop"), number(time(group.time)), number(percent(group.time / length), "drop"));
	row.append(lineCell(source));
	return row;
}
function eventRow(one) {
	const { track, i } = one, row = element("tr"), length = number(track.end[i] > track.begin[i] ? time(track.end[i] - track.begin[i]) : "");
	if (track.waits[i]) length.prepend(element("span", "waits ", "note"));
	row.append(pickCell(nameOf(one), () => choose(one, true), operandsOf(one)), whereCell(track), number(moment(track.begin[i])), length, lineCell(sourceOf(one)));
	row.classList.toggle("hot", hot !== null && hot.track === track && hot.i === i);
	one.row = row;
	return row;
}
let found = [];
function showRows() {
	const groups = order.value === "group", unit = unitName[0].toUpperCase() + unitName.slice(1), track = run.streams ? "Stream" : "Engine";
	const heads = !groups ? [unit + ", operands", "Track", "Start", "Time", "Source"] : base ? [unit, track, "Count", "A", "B", "Change", "Source"] : [unit, track, "Count", "Time", "Share", "Source"];
	const head = element("tr");
	heads.forEach((text, i) => { const cell = element("th", text, i > 1 && i < heads.length - 1 ? "num" : ""); cell.scope = "col"; head.append(cell); });
	table.tHead.replaceChildren(head);
	table.className = groups ? base ? "pairs" : "groups" : "events";
	body.replaceChildren(...found.slice(0, shown).map(groups ? groupRow : eventRow));
	$("#more").hidden = found.length <= shown;
	$("#shown").textContent = found.length > shown ? `${count(shown)} of ${count(found.length)} shown` : found.length ? `${count(found.length)} shown` : "None in this part.";
}
function tell() {
	tellShares();
	found = order.value === "group" ? grouped() : single();
	$("#which").textContent = (selection ? "in the selection" : data.part ? "of all that is on this page" : "of the whole run") + (order.value === "group" ? base ? ", by change" : ", by time" : "") + (filtered ? ", " + find.value.trim() : "");
	$("[data-zoom=selection]").disabled = !selection;
	$("#clear").hidden = !filtered;
	showRows();
	tellSource();
}

/* --- source lines --- */

const file = $("#file"), pre = $("#source pre");
if (file) run.files.forEach((one, index) => { const option = element("option", one.path); option.value = index; file.append(option); });
if (file) file.parentElement.hidden = run.files.length < 2;
/* For each line of a side, how long its instructions are active; those of several engines count once. */
function spentOf(side) {
	const { a, b } = partOf(side), parts = new Map(), spent = new Map();
	for (const track of side.tracks) {
		if (track.kind !== "engine") continue;
		for (let i = first(track, a); i < track.n && track.begin[i] < b; i++) {
			const source = track.source[i];
			if (!source || track.waits[i] || track.end[i] <= a) continue;
			if (!parts.has(source)) parts.set(source, []);
			parts.get(source).push([Math.max(a, track.begin[i]), Math.min(b, track.end[i])]);
		}
	}
	for (const [source, list] of parts) spent.set(source, covered(list));
	return spent;
}
function tellSource() {
	if (!file) return;
	const one = run.files[file.value], of = new Map(), all = document.createDocumentFragment(), length = range().b - range().a, before = new Map();
	let most = 1;
	for (const [source, ticks] of spentOf(run)) {
		most = Math.max(most, ticks);
		if (run.place[source][0] === one.location) of.set(run.place[source][1], [source, ticks]);
	}
	if (base) for (const [source, ticks] of spentOf(base)) before.set(base.line[source], ticks);
	one.lines.forEach((text, index) => {
		const [source, ticks] = of.get(index + 1) ?? [0, 0], row = element("span", undefined, "row"), more = source && base ? ticks - (before.get(run.line[source]) ?? 0) : 0;
		const told = element("span", ticks ? base ? more ? change(more) : "same" : percent(ticks / length) : "", "spent" + (more > 0 ? " more" : more < 0 ? " less" : ""));
		if (ticks) told.title = time(ticks);
		row.append(told, element("span", String(index + 1), "n"), text || " ");
		if (source) {
			row.dataset.source = source;
			row.classList.add("timed");
			row.style.setProperty("--share", (ticks / most * 100).toFixed(1) + "%");
		}
		row.classList.toggle("hot", source > 0 && (fileName(run.sources[source]) === find.value || (hot !== null && hot.track.side === run && hot.track.source[hot.i] === source)));
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
	if (row) findNext(fileName(run.sources[Number(row.dataset.source)]));
});
if (file) file.addEventListener("change", () => { tellSource(); showLine(); });

/* --- one event --- */

function describe(one) {
	const { track, i } = one, source = sourceOf(one), length = track.end[i] - track.begin[i];
	return `${base ? track.side.title + " " : ""}${track.label}: ${nameOf(one)}${length ? ", " + time(length) : ""} at ${moment(track.begin[i])}${track.waits[i] ? ", waits" : ""}${source ? ", " + source : ""} ${operandsOf(one)}`;
}
const card = $("#hover");
/* Beside the pointer, so that the event stays in sight. */
function hover(one, px, py) {
	card.hidden = !one;
	if (!one) return;
	const { track, i } = one, source = sourceOf(one), line = source && run.files.find((other) => other.location === track.side.place[track.source[i]][0])?.lines[track.side.place[track.source[i]][1] - 1];
	const rows = [["Time", track.end[i] > track.begin[i] ? time(track.end[i] - track.begin[i]) + (track.waits[i] ? ", waits" : "") : "no length"], ["Start", moment(track.begin[i])], [track.kind === "engine" ? run.streams ? "Stream" : "Engine" : "Track", (base ? track.side.title + " " : "") + track.label], ["Operands", operandsOf(one)], ["Source", source]];
	const list = element("dl");
	for (const [name, text] of rows) if (text) list.append(element("dt", name), element("dd", text));
	card.replaceChildren(element("b", nameOf(one)), list);
	if (line && track.side === run) card.append(element("code", line.trim()));
	const edge = box.getBoundingClientRect(), wide = card.offsetWidth, high = card.offsetHeight;
	card.style.left = Math.max(0, px + 16 + wide > edge.width ? px - wide - 16 : px + 16) + "px";
	card.style.top = (edge.top + py + 16 + high > innerHeight ? py - high - 12 : py + 16) + "px";
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
	const source = one.track.source[one.i], index = file && one.track.side === run ? run.files.findIndex((other) => other.location === run.place[source][0]) : -1;
	if (source && index >= 0) file.value = index;
	tellSource();
	if (source) showLine();
	draw();
}
/* The event at a point of the tracks; near ones count for those who cannot point that well. */
function pointed(px, py) {
	const row = rows.find((one) => py >= one.y && py < one.y + one.height);
	if (!row || px < left) return null;
	const time = at(px), near = Math.max(at(px + 3) - time, time - at(px - 3));
	let best = null, distance = near;
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
	const list = hot ? hot.track : chosen(run).find((track) => track.n) ?? run.tracks.find((track) => track.n), step = forward ? 1 : -1;
	if (!list) return;
	let i = hot ? hot.i + step : first(list, view.a);
	while (filtered && i >= 0 && i < list.n && !list.fits[i]) i += step;
	if (i >= 0 && i < list.n) choose({ track: list, i }, true);
}

/* --- zoom and selection --- */

function limit() {
	const length = Math.min(whole.b - whole.a, Math.max(least, view.b - view.a));
	view.a = Math.min(Math.max(whole.a, view.a), whole.b - length);
	view.b = view.a + length;
	card.hidden = true;
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
	shown = SHOWN;
	tell();
	draw();
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
	const [px, py] = position(event);
	if (event.button !== 0 || px < left) return;
	/* A drag over the baseline selects its time; the selection is kept in the time of the run. */
	from = { px, time: at(px), own: base && py < wedges ? toRun : (ticks) => ticks };
	moved = false;
	card.hidden = true;
	box.setPointerCapture(event.pointerId);
});
box.addEventListener("pointermove", (event) => {
	const [px, py] = position(event);
	if (!from) {
		const one = pointed(px, py);
		$("#pointed").textContent = one ? describe(one) : hot ? describe(hot) : "\u00a0";
		if (event.pointerType !== "touch") hover(one, px, py);
		return;
	}
	if (Math.abs(px - from.px) < 4 && !moved) return;
	moved = true;
	const time = Math.max(view.a, Math.min(view.b, at(px))), ends = [from.own(from.time), from.own(time)];
	selection = { a: Math.min(...ends), b: Math.max(...ends) };
	draw();
});
box.addEventListener("pointerleave", () => { card.hidden = true; });
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
function clear() {
	hot = null;
	find.value = "";
	$("#pointed").textContent = "\u00a0";
	search();
	select(null);
}
box.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const shift = event.shiftKey, keys = {
		w: () => zoom(.7), "+": () => zoom(.7), "=": () => zoom(.7), s: () => zoom(1.4), "-": () => zoom(1.4), a: () => move(-.2), d: () => move(.2),
		ArrowLeft: () => shift ? stretch(-.02) : move(-.1), ArrowRight: () => shift ? stretch(.02) : move(.1),
		n: () => next(true), p: () => next(false), Home: () => show(whole.a, whole.b), Enter: () => select({ a: view.a, b: view.b }),
		Escape: clear,
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
for (const control of [only, order, waits]) control.addEventListener("input", () => { shown = SHOWN; tell(); draw(); });
find.addEventListener("input", () => { shown = SHOWN; search(); tell(); draw(); });
folding.addEventListener("input", draw);
$("#clear").addEventListener("click", () => { find.value = ""; search(); tell(); draw(); });
$("#more").addEventListener("click", () => { shown += 2 * SHOWN; showRows(); });
document.querySelectorAll("#slowest tr[data-at]").forEach((row) => {
	const track = run.tracks[row.dataset.track], name = row.querySelector("code"), start = Number(row.dataset.at), button = element("button", name.textContent, "pick");
	let i = first(track, start);
	while (i < track.n && track.begin[i] < start) i++;
	if (i >= track.n || track.begin[i] !== start) return;
	button.type = "button";
	button.addEventListener("click", () => { choose({ track, i }, true); box.scrollIntoView({ block: "nearest" }); });
	name.replaceWith(button);
});

/* --- the address has what is shown, so that it can be sent --- */

let saved = location.hash;
const kept = { q: find, list: order, of: only };
const usual = { q: "", list: order.value, of: only.value };
function remember() {
	const part = (name, { a, b }) => `${name}=${(a * data.tick).toPrecision(9)}-${(b * data.tick).toPrecision(9)}`;
	const parts = [];
	if (view.a > whole.a || view.b < whole.b) parts.push(part("view", view));
	if (selection) parts.push(part("sel", selection));
	for (const [name, control] of Object.entries(kept))
		if (control.value !== usual[name]) parts.push(name + "=" + encodeURIComponent(control.value));
	if (!folding.checked) parts.push("fold=0");
	const text = parts.length ? "#" + parts.join("&") : "";
	if (text === saved) return;
	saved = text;
	try { history.replaceState(null, "", text || location.pathname + location.search); } catch { /* not from here */ }
}
function recall(name) {
	const found = new RegExp("[#&]" + name + "=([0-9.e+-]+?)-([0-9.e+]+(?:e-[0-9]+)?)(?:&|$)").exec(location.hash);
	const a = found && Number(found[1]) / data.tick, b = found && Number(found[2]) / data.tick;
	return found && a < b && b >= whole.a && a <= whole.b ? { a: Math.max(a, whole.a), b: Math.min(b, whole.b) } : null;
}
function recallText(name, control) {
	const found = new RegExp("[#&]" + name + "=([^&]*)").exec(location.hash);
	if (!found) return;
	try { control.value = decodeURIComponent(found[1]); } catch { return; }
	if (control.value === "") control.value = usual[name];
}
$("#waits").parentElement.hidden = !everyTrack.some((track) => track.waits.includes(1));
selection = recall("sel");
Object.assign(view, recall("view") ?? {});
folding.checked = !/[#&]fold=0/.test(location.hash);
for (const [name, control] of Object.entries(kept)) recallText(name, control);
$("#timeline").hidden = $("#beside").hidden = false;
readColors();
/* At once: paper does not wait for the next frame. */
for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", () => { readColors(); redraw(); });
new ResizeObserver(draw).observe(box);
search();
tell();
showLine();
draw();
