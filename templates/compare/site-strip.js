/*
 * What the page that compares two commits draws: all changes as a strip, and each over its noise.
 * Both have one scale, even to 5 % and then narrower, on which worse is at the right.
 */
"use strict";
(function () {
	var page = self.rooflog.page;

	/* --- numbers --- */

	function percent(share, unsigned) {
		var size = Math.abs(share) * 100, digits = size < 0.9995 ? 2 : size < 99.95 ? 1 : 0, text = size.toFixed(digits);
		var sign = share < 0 && Number(text) !== 0 ? "−" : unsigned ? "" : "+";
		return isNaN(share) ? "unknown" : sign + text + " %";
	}

	function plural(count, one, several) {
		return count.toLocaleString("en") + " " + (count === 1 ? one : several);
	}

	/* 1 where a rise is worse, -1 where a fall is. */
	function turn(row) {
		return row.entry.rule[0] === "higher" ? -1 : 1;
	}

	/* --- the strip --- */

	/* Even to 5 %, then narrower. */
	function bent(share) {
		var size = Math.abs(share) * 100;
		return (share < 0 ? -1 : 1) * (size <= 5 ? size : 5 + 2.5 * Math.log2(size / 5));
	}

	function reachOf(rows) {
		return rows.reduce(function (most, row) {
			return isFinite(row.change) ? Math.max(most, Math.abs(bent(row.change))) : most;
		}, bent(0.1)) * 1.04;
	}

	function drawMark(parent, verdict, x, y, size) {
		var shapes = { slower: "M0-1 1 .8H-1Z", faster: "M0 1-1-.8H1Z", unclear: "M0-1 1 0 0 1-1 0Z" };
		return page.svg("path", { "class": "cmp-mark v-" + verdict, d: shapes[verdict],
			transform: "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ") scale(" + size + ")",
			"vector-effect": "non-scaling-stroke" }, parent);
	}

	function drawTicks(svg, x, width, base, rows) {
		var sign = rows.every(function (row) {
			return turn(row) < 0;
		}) ? -1 : 1, mixed = rows.some(function (row) {
			return turn(row) !== sign;
		}), free = -Infinity;
		[-8, -4, -2, -1, -0.5, -0.2, -0.1, -0.05, -0.02, -0.01, 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16, 32, 64]
			.forEach(function (tick) {
				var place = x(tick), label = tick ? (mixed ? "" : tick * sign < 0 ? "−" : "+") + Math.abs(tick * 100) + " %" : "0";
				var half = label.length * 3.6, middle = Math.max(half, Math.min(width - half, place));
				if (place < 0 || place > width || !mixed && tick * sign < -1 || tick !== 0 && (middle - half < free + 8 || Math.abs(middle - x(0)) < half + 14))
					return;
				page.svg("line", { "class": "cmp-axis", x1: place, x2: place, y1: base, y2: base + 4 }, svg);
				page.svg("text", { "class": "cmp-tick", x: middle, y: base + 17, "text-anchor": "middle" }, svg).textContent = label;
				free = middle + half;
			});
	}

	/* Columns of equal width, the nearest to 0 first; what is beyond the noise stands lowest. */
	function stack(rows, x, size) {
		var heights = Object.create(null), highest = 0;
		var places = rows.map(function (row) {
			var column = Math.round(x(turn(row) * row.change) / size);
			var level = heights[column] = (heights[column] || 0) + 1;
			highest = Math.max(highest, level);
			return { row: row, x: row.verdict === "steady" ? column * size : x(turn(row) * row.change), level: level - 1 };
		});
		return { places: places, highest: highest };
	}

	/* The top of what stands between two places. */
	function topOf(places, base, step, from, to) {
		return places.reduce(function (top, place) {
			return place.x > from && place.x < to ? Math.min(top, base - place.level * step - 8) : top;
		}, base);
	}

	function isFree(taken, label) {
		return !taken.some(function (other) {
			return Math.abs(other.x - label.x) < other.half + label.half + 8 && Math.abs(other.y - label.y) < 15;
		});
	}

	/* What all names begin and end with, in characters, up to their own punctuation. */
	function sharedOf(names) {
		var first = names[0], start = 0, end = 0;
		function all(test) {
			return names.length > 1 && names.every(test);
		}
		while (start < first.length && all(function (name) {
			return name[start] === first[start];
		}))
			start++;
		while (end < first.length - start && all(function (name) {
			return name.length - end > start && name[name.length - 1 - end] === first[first.length - 1 - end];
		}))
			end++;
		while (start > 0 && !/[\s/._,:;]/.test(first[start - 1]))
			start--;
		while (end > 0 && !/[\s/._,:;]/.test(first[first.length - end]))
			end--;
		return { start: start, end: end };
	}

	function shorten(name, shared, most) {
		var text = name.slice(shared.start, name.length - shared.end), keep = most / 2 - 1;
		return text.length > most ? text.slice(0, keep) + "…" + text.slice(-keep) : text;
	}

	/* Names the largest changes above everything that stands there, in up to three lines. */
	function drawNames(svg, places, base, step, width) {
		var taken = [], shared = sharedOf(places.map(function (place) {
			return place.row.entry.name;
		}));
		places.filter(function (place) {
			return place.row.verdict === "slower" || place.row.verdict === "faster";
		}).sort(function (p, q) {
			return Math.abs(q.row.change) - Math.abs(p.row.change);
		}).slice(0, 12).forEach(function (place) {
			var text = shorten(place.row.entry.name, shared, width < 500 ? 20 : 34);
			var half = text.length * 3.8, x = Math.max(half, Math.min(width - half, place.x));
			var top = topOf(places, base, step, x - half - 6, x + half + 6), label = { x: x, y: top - 6, half: half };
			for (var line = 0; line < 3 && !isFree(taken, label); line++)
				label.y -= 16;
			if (!isFree(taken, label) || label.y < 26)
				return;
			taken.push(label);
			page.svg("line", { "class": "cmp-lead", x1: place.x, x2: place.x, y1: label.y + 3, y2: base - place.level * step - 6 },
				svg);
			page.svg("text", { "class": "cmp-name v-" + place.row.verdict, x: x.toFixed(1), y: label.y.toFixed(1),
				"text-anchor": "middle" }, svg).textContent = text;
		});
	}

	function legend(shape, text) {
		var item = page.element("span"), svg = page.svg("svg", { viewBox: "0 0 16 10", "aria-hidden": "true" }, item);
		page.svg(shape[0], shape[1], svg);
		item.appendChild(document.createTextNode(text));
		return item;
	}

	function drawStrip(box, rows, called) {
		var width = Math.max(280, box.clientWidth - 34 || 1100), reach = reachOf(rows), size = 10, placed;
		var noises = rows.map(function (row) {
			return row.scale;
		}).filter(isFinite), noise = noises.length ? self.rooflog.judge.median(noises) : NaN;
		function x(share) {
			return width / 2 + bent(share) / reach * (width / 2 - 8);
		}
		var order = rows.filter(function (row) {
			return isFinite(row.change);
		}).sort(function (p, q) {
			return (p.verdict === "steady") - (q.verdict === "steady") || Math.abs(p.change) - Math.abs(q.change);
		});
		for (; size > 2; size -= 2) {
			placed = stack(order, x, size);
			if (placed.highest * size <= 140)
				break;
		}
		var step = Math.min(size, 140 / placed.highest), base = Math.max(84, placed.highest * step + 34), height = base + 22;
		box.textContent = "";
		box.hidden = order.length === 0;
		var svg = page.svg("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "Changes of " +
			plural(order.length, "series", "series") + ", " + called.faster + " at the left, " + called.slower + " at the right" }, box);
		if (isFinite(noise))
			page.svg("rect", { "class": "cmp-noise", x: x(-2 * noise), y: 16, width: x(2 * noise) - x(-2 * noise),
				height: base - 16 }, svg);
		page.svg("line", { "class": "cmp-axis", x1: 0, x2: width, y1: base, y2: base }, svg);
		page.svg("line", { "class": "cmp-axis", x1: x(0), x2: x(0), y1: 16, y2: base }, svg);
		drawTicks(svg, x, width, base, rows);
		placed.places.forEach(function (place) {
			var y = base - 6 - place.level * step, verdict = place.row.verdict;
			var made = verdict === "steady" ? page.svg("circle", { "class": "cmp-dot", cx: place.x.toFixed(1), cy: y.toFixed(1),
				r: size * 0.42 }, svg) : drawMark(svg, verdict, place.x, y, Math.max(3, size * 0.5));
			page.titled(made, place.row.entry.name + ": " + percent(place.row.change) + ", " + called[verdict]);
		});
		drawNames(svg, placed.places, base - 6, step, width);
		page.svg("text", { "class": "cmp-side", x: 0, y: 11 }, svg).textContent = called.faster;
		page.svg("text", { "class": "cmp-side", x: width, y: 11, "text-anchor": "end" }, svg).textContent = called.slower;
		var caption = page.element("figcaption");
		caption.appendChild(legend(["circle", { cx: 8, cy: 5, r: 4, "class": "cmp-dot" }], "a series within its noise"));
		if (isFinite(noise))
			caption.appendChild(legend(["rect", { width: 16, height: 10, "class": "cmp-noise" }], "±" +
				percent(2 * noise, true) + ": two standard deviations of the median series"));
		caption.appendChild(page.element("span", {}, "Even to 5 %, then narrower"));
		box.appendChild(caption);
	}

	/* --- one change --- */

	function drawOver(cell, row, reach) {
		var width = 180, text = percent(row.change) + ", 95 % " + percent(row.low) + " to " + percent(row.high) + "; noise " +
			percent(row.scale, true);
		function x(share) {
			return width / 2 + Math.max(-1, Math.min(1, bent(share) * turn(row) / reach)) * (width / 2 - 6);
		}
		if (!isFinite(row.change))
			return;
		var svg = page.svg("svg", { viewBox: "0 0 180 24", role: "img", "aria-label": text }, cell);
		if (isFinite(row.scale))
			page.svg("rect", { "class": "cmp-noise", x: Math.min(x(-2 * row.scale), x(2 * row.scale)).toFixed(1), width:
				Math.abs(x(2 * row.scale) - x(-2 * row.scale)).toFixed(1), height: 24 }, svg);
		page.svg("line", { "class": "cmp-axis", x1: width / 2, x2: width / 2, y1: 0, y2: 24 }, svg);
		if (isFinite(row.low))
			page.svg("line", { "class": "cmp-reach v-" + row.verdict, x1: x(row.low).toFixed(1), x2: x(row.high).toFixed(1),
				y1: 12, y2: 12 }, svg);
		page.titled(page.svg("circle", { "class": "v-" + row.verdict, cx: x(row.change).toFixed(1), cy: 12, r: 4 }, svg), text);
	}

	self.rooflog.draw = { percent: percent, plural: plural, reachOf: reachOf, strip: drawStrip, over: drawOver };
})();
