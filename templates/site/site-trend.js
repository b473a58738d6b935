/* Draws the trend of one or two series over commits, for the width that there is. */
"use strict";
(function () {
	var page = self.rooflog.page, svg = page.svg, quantity = page.quantity;
	var months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
	var edgeMarks = 6, dotsMost = 600, levelLeast = 8;

	/* Reckoned with the widest usual face, so that a text fits with every other. */
	function textWidth(text, size) {
		return text.length * size * 0.64;
	}

	function clamp(low, high, value) {
		return Math.max(low, Math.min(high, value));
	}

	function median(values) {
		var sorted = values.slice().sort(function (a, b) {
			return a - b;
		});
		return sorted.length % 2 ? sorted[sorted.length >> 1] :
			(sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
	}

	/* A series by commit index: 0 is the oldest commit of the site. */
	function Series(data, newest) {
		var place = 0, points = [];
		this.data = data;
		data.p.forEach(function (step, index) {
			place = index ? place - step : step;
			points.push({ i: newest - place, v: data.v[index], n: data.n ? data.n[index] : 1,
				range: data.r ? data.r[index] : null });
		});
		this.points = points;
		this.at = new Map(points.map(function (point, index) {
			return [point.i, index];
		}));
		this.first = points[0].i;
		this.last = points[points.length - 1].i;
		this.changes = data.c.map(function (row) {
			return { i: newest - row[0], before: row[1], after: row[2], text: row[3], interval: row[4],
				worse: row[5], accepted: row[6] === 1 };
		});
		this.levels = this.changes.map(function (change, index, all) {
			return { from: change.i, to: index + 1 < all.length ? all[index + 1].i - 1 : this.last, v: change.after };
		}, this);
		/* A few commits without a change have no level to speak of. */
		this.settled = this.changes.length > 0 || points.length >= levelLeast;
		this.levels.unshift({ from: this.first, to: this.changes.length ? this.changes[0].i - 1 : this.last,
			v: this.changes.length ? this.changes[0].before : median(data.v) });
	}

	Series.prototype.levelAt = function (i) {
		return this.levels.reduce(function (found, level) {
			return i >= level.from ? level.v : found;
		}, this.levels[0].v);
	};

	/* The measured commit nearest to an index. */
	Series.prototype.near = function (i) {
		return this.points.reduce(function (best, point) {
			return Math.abs(point.i - i) < Math.abs(best.i - i) ? point : best;
		}, this.points[0]);
	};

	Series.prototype.visible = function (from, to) {
		return this.points.filter(function (point) {
			return point.i >= from && point.i <= to;
		});
	};

	/* --- scales --- */

	/* The factor and the unit in which the axis counts: 1e9 and "ns". */
	function unitOf(size, unit) {
		var text = quantity(size, unit), number = Number(text.split(" ")[0].replace(/,/g, ""));
		var factor = size && number ? Math.pow(10, Math.round(Math.log10(Math.abs(number / size)))) : 1;
		return { factor: factor, name: text.split(" ")[1] || "" };
	}

	function ticks(low, high, wanted) {
		var raw = (high - low) / wanted, power = Math.pow(10, Math.floor(Math.log10(raw))), share = raw / power;
		var step = (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power, list = [];
		for (var tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step)
			list.push(Number(tick.toPrecision(12)));
		return list;
	}

	/* Levels with three noises set the range, and what lies within a third of it beyond. */
	function rangeOf(lines, view) {
		var low = Infinity, high = -Infinity;
		lines.forEach(function (line) {
			var noise = line.series.data.noise || 0;
			line.series.levels.forEach(function (level) {
				if (level.to < view.from || level.from > view.to)
					return;
				var size = Math.abs(level.v) * noise * 3;
				low = Math.min(low, line.value(level.v - size));
				high = Math.max(high, line.value(level.v + size));
			});
			var inner = line.seen.map(function (point) {
				return line.value(point.v);
			}).sort(function (a, b) {
				return a - b;
			});
			if (inner.length) {
				low = Math.min(low, inner[Math.floor(inner.length * 0.03)]);
				high = Math.max(high, inner[Math.min(inner.length - 1, Math.floor(inner.length * 0.97))]);
			}
		});
		var third = (high - low) / 3;
		lines.forEach(function (line) {
			line.seen.forEach(function (point) {
				var value = line.value(point.v);
				if (value < high + third && value > low - third) {
					low = Math.min(low, value);
					high = Math.max(high, value);
				}
			});
		});
		var least = 0.03 * Math.max(Math.abs(low), Math.abs(high)) || 1e-12;
		if (high - low < least) {
			var middle = (high + low) / 2;
			low = middle - least / 2;
			high = middle + least / 2;
		}
		return { low: low, high: high };
	}

	function scaleOf(lines, view) {
		var range = rangeOf(lines, view), pad = (range.high - range.low) * 0.1;
		var log = view.scale === "log" && range.low > 0 && !view.relative;
		if (log)
			return { low: range.low / 1.05, high: range.high * 1.05, log: true };
		if (view.scale === "zero")
			return { low: Math.min(0, range.low - pad), high: Math.max(0, range.high + pad), log: false };
		return { low: range.low >= 0 && range.low - pad < 0 && !view.relative ? 0 : range.low - pad,
			high: range.high + pad, log: false };
	}

	/* --- the drawing --- */

	function Trend(box, view) {
		var narrow = view.width < 560;
		this.view = view;
		this.box = box;
		this.width = view.width;
		this.height = narrow ? 310 : 360;
		this.left = 62;
		this.right = narrow ? 12 : 96;
		this.releases = [];
		for (var i = view.to; i >= view.from; i--)
			if (view.commit(i)[5])
				this.releases.push({ i: i, name: view.commit(i)[5] });
		this.lane = this.releases.length ? 22 : 0;
		this.top = 60 + this.lane;
		this.base = this.height - 46;
		this.narrow = narrow;
		this.count = view.to - view.from + 1;
		this.step = (this.width - this.left - this.right) / this.count;
		this.lines = view.lines.map(function (series, index) {
			var first = series.levelAt(Math.max(view.from, series.first));
			return { series: series, seen: series.visible(view.from, view.to), color: index ? "var(--over)" : "var(--data)",
				value: function (v) {
					return view.relative ? v / first - 1 : v;
				} };
		});
		this.scale = scaleOf(this.lines, view);
	}

	Trend.prototype.x = function (i) {
		return this.left + (i - this.view.from + 0.5) * this.step;
	};

	Trend.prototype.y = function (value) {
		var scale = this.scale, f = scale.log ? Math.log : Number;
		return this.base - (f(value) - f(scale.low)) / (f(scale.high) - f(scale.low)) * (this.base - this.top);
	};

	Trend.prototype.inside = function (value) {
		return value >= this.scale.low && value <= this.scale.high;
	};

	Trend.prototype.line = function (x1, y1, x2, y2, style, more) {
		var made = svg("line", { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), "class": style },
			this.svg);
		Object.keys(more || {}).forEach(function (key) {
			made.setAttribute(key, more[key]);
		});
		return made;
	};

	Trend.prototype.text = function (x, y, text, style, anchor, parent) {
		var made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "class": style || "" }, parent || this.svg);
		if (anchor)
			made.setAttribute("text-anchor", anchor);
		made.textContent = text;
		return made;
	};

	Trend.prototype.axes = function () {
		var data = this.lines[0].series.data, scale = this.scale, view = this.view;
		var unit = view.relative ? { factor: 100, name: "%" } : unitOf(Math.max(Math.abs(scale.low), Math.abs(scale.high)), data.unit);
		var list = scale.log ? ticks(scale.low, scale.high, 4).filter(function (tick) {
			return tick > 0;
		}) : ticks(scale.low, scale.high, this.narrow ? 4 : 5);
		var step = list.length > 1 ? (list[1] - list[0]) * unit.factor : 1;
		var decimals = clamp(0, 6, Math.ceil(-Math.log10(step) - 1e-9));
		if (String(Number((step).toPrecision(2))).replace(/^0\.0*|\./g, "").length > 1)
			decimals++;
		list.forEach(function (tick) {
			var y = this.y(tick), shown = (tick * unit.factor).toFixed(decimals);
			this.line(this.left, y, this.width - this.right, y, "grid");
			this.text(this.left - 8, y + 4, (view.relative && tick > 0 ? "+" : "") + shown.replace("-", "−"), "tick", "end");
		}, this);
		var title = view.relative ? "Change from the first level shown" : data.title;
		title += unit.name ? ", " + unit.name : "";
		this.text(0, 13, title, "title");
		if (data.better && textWidth(title, 13) + 140 < this.width)
			this.text(textWidth(title, 13) + 12, 13, data.better + " is better", "tick");
		this.line(this.left, this.base, this.width - this.right, this.base, "axis");
		this.commits();
		this.months();
	};

	Trend.prototype.commits = function () {
		var space = this.width - this.left - this.right, every = Math.max(1, Math.ceil(this.count / Math.floor(space / 92)));
		for (var i = this.view.to; i >= this.view.from; i -= every) {
			var commit = this.view.commit(i), x = this.x(i);
			this.line(x, this.base, x, this.base + 4, "axis");
			var link = commit[3] ? svg("a", { href: this.view.root + "c/" + commit[3] + ".html", tabindex: -1 }, this.svg) : this.svg;
			this.text(clamp(this.left + 10, this.width - 36, x), this.base + 17, commit[0], "hash", "middle", link);
		}
	};

	Trend.prototype.months = function () {
		var before = "", end = -100;
		for (var i = this.view.from; i <= this.view.to; i++) {
			var month = this.view.commit(i)[1].slice(0, 7), x = this.x(i) - this.step / 2;
			if (month === before || month === "")
				continue;
			if (i > this.view.from)
				this.line(x, this.base, x, this.base + 36, "axis");
			var text = months[Number(month.slice(5)) - 1] + (before.slice(0, 4) === month.slice(0, 4) ? "" : " " + month.slice(0, 4));
			if (x > end && x + textWidth(text, 12) + 8 < this.width) {
				this.text(x + 5, this.base + 35, text, "tick");
				end = x + textWidth(text, 12) + 8;
			}
			before = month;
		}
	};

	/* Noise as a band, levels as steps. */
	Trend.prototype.levels = function (line) {
		if (!line.series.settled)
			return;
		line.series.levels.forEach(function (level) {
			if (level.to < this.view.from || level.from > this.view.to)
				return;
			var from = this.x(Math.max(level.from, this.view.from)) - this.step / 2;
			var to = this.x(Math.min(level.to, this.view.to)) + this.step / 2;
			var noise = line.series.data.noise, half = Math.abs(level.v) * (noise || 0) * 2;
			var high = clamp(this.top, this.base, this.y(line.value(level.v + half)));
			var low = clamp(this.top, this.base, this.y(line.value(level.v - half)));
			if (noise && line === this.lines[0])
				svg("rect", { "class": "band", x: from.toFixed(1), y: high.toFixed(1), width: (to - from).toFixed(1),
					height: Math.max(1, low - high).toFixed(1) }, this.svg);
			if (this.inside(line.value(level.v)))
				this.line(from, this.y(line.value(level.v)), to, this.y(line.value(level.v)), "level")
					.setAttribute("stroke", line === this.lines[0] ? "var(--ink)" : line.color);
		}, this);
	};

	/* Neighbours are joined if they are about as close as others of the series. */
	Trend.prototype.curve = function (line) {
		var seen = line.seen, steps = seen.slice(1).map(function (point, index) {
			return point.i - seen[index].i;
		}).sort(function (a, b) {
			return a - b;
		});
		var gap = 3 * (steps[steps.length >> 1] || 1), before = null, path = "";
		seen.forEach(function (point) {
			var value = line.value(point.v);
			if (!this.inside(value))
				return;
			path += (before !== null && point.i - before <= gap ? "L" : "M") + this.x(point.i).toFixed(1) + " " +
				this.y(value).toFixed(1);
			before = point.i;
		}, this);
		svg("path", { "class": "line", d: path, stroke: line.color }, this.svg);
	};

	Trend.prototype.dots = function (line) {
		var radius = clamp(1.75, 4, this.step / 4), beyond = [];
		line.seen.forEach(function (point) {
			var value = line.value(point.v), commit = this.view.commit(point.i);
			if (!this.inside(value)) {
				beyond.push(point);
				return;
			}
			if (line.seen.length > dotsMost)
				return;
			if (point.range && this.step > 9)
				this.line(this.x(point.i), this.y(line.value(point.range[0])), this.x(point.i),
					this.y(line.value(point.range[1])), "spread");
			var link = commit[3] ? svg("a", { href: this.view.root + "c/" + commit[3] + ".html", tabindex: -1,
				"aria-label": commit[0] + ": " + quantity(point.v, line.series.data.unit) }, this.svg) : this.svg;
			svg("circle", { "class": "dot", cx: this.x(point.i).toFixed(1), cy: this.y(value).toFixed(1), r: radius.toFixed(1),
				fill: line.color }, link);
		}, this);
		this.beyond(line, beyond);
	};

	/* Values beyond the range: a mark at the edge; of a few, the number, too. */
	Trend.prototype.beyond = function (line, points) {
		var end = -100;
		points.forEach(function (point) {
			var high = line.value(point.v) > this.scale.high, x = this.x(point.i), y = high ? this.top + 7 : this.base - 7;
			svg("path", { "class": "far", d: high ? "M" + x + " " + (y - 5) + "l4.5 8h-9z" : "M" + x + " " + (y + 5) + "l4.5-8h-9z" },
				this.svg);
			var text = quantity(point.v, line.series.data.unit), width = textWidth(text, 11) + 12;
			if (points.length > edgeMarks || x - width < end)
				return;
			var left = x + width > this.width - 4;
			this.text(left ? x - 8 : x + 8, y + 4, text, "tick halo", left ? "end" : "start");
			end = x + width;
		}, this);
	};

	/* Pills in a lane above the plot, moved apart from right to left. */
	Trend.prototype.changes = function () {
		var right = Infinity;
		this.lines[0].series.changes.slice().reverse().forEach(function (change) {
			if (change.i < this.view.from || change.i > this.view.to)
				return;
			var x = this.x(change.i) - this.step / 2;
			var kind = change.accepted ? "accepted" : change.worse > 0 ? "bad" : change.worse < 0 ? "good" : "stopped";
			var text = (change.accepted ? "✓ " : change.worse > 0 ? "▲ " : change.worse < 0 ? "▼ " : "") + change.text;
			var width = textWidth(text, 12) + 18, at = clamp(0, this.width - width - 1, x - width / 2);
			at = Math.min(at, right - width - 4);
			this.line(x, this.top - 12 - this.lane, x, this.base, "change", { stroke: "var(--" + kind + ")" });
			if (at < 0)
				return;
			right = at;
			var pill = svg("g", { "class": "pill pill-" + kind }, this.svg);
			svg("rect", { x: at.toFixed(1), y: this.top - 34 - this.lane, width: width.toFixed(1), height: 22, rx: 11,
				fill: "var(--" + kind + "-paper)", stroke: "var(--" + kind + ")" }, pill);
			this.text(at + width / 2, this.top - 19 - this.lane, text, "", "middle", pill);
		}, this);
	};

	/* Releases in a lane of their own, the newest first; one without room is left out. */
	Trend.prototype.marks = function () {
		var free = this.width - 1;
		this.releases.forEach(function (release) {
			var name = release.name.length > 14 ? release.name.slice(0, 13) + "…" : release.name, x = this.x(release.i);
			var width = textWidth(name, 12) + 12, at = Math.min(clamp(0, this.width - width - 1, x - width / 2), free - width);
			if (at < 0 || x < at || x > at + width)
				return;
			free = at - 4;
			this.line(x, this.top - 12, x, this.base, "", { stroke: "var(--line-strong)", "stroke-dasharray": "1 3" });
			var mark = svg("g", {}, this.svg);
			svg("title", {}, mark).textContent = "release " + release.name + ": " + this.view.commit(release.i)[0];
			svg("rect", { x: at.toFixed(1), y: this.top - 30, width: width.toFixed(1), height: 18, rx: 4,
				fill: "var(--track)", stroke: "var(--line)" }, mark);
			this.text(at + width / 2, this.top - 17, name, "small", "middle", mark);
		}, this);
	};

	Trend.prototype.newest = function () {
		var line = this.lines[0], last = line.seen[line.seen.length - 1];
		if (!last || last.i !== line.series.last || !this.inside(line.value(last.v)))
			return;
		var y = this.y(line.value(last.v));
		svg("circle", { "class": "newest", cx: this.x(last.i).toFixed(1), cy: y.toFixed(1), r: 5.5 }, this.svg);
		if (this.narrow || this.view.relative || !line.series.settled)
			return;
		var level = line.series.levels[line.series.levels.length - 1].v, at = clamp(this.top + 8, this.base - 20, this.y(level));
		this.text(this.width - this.right + 10, at + 2, quantity(level, line.series.data.unit), "now");
		this.text(this.width - this.right + 10, at + 17, "level now", "small");
	};

	/* A and B as discs on the axis, apart from each other. */
	Trend.prototype.picked = function () {
		var view = this.view, near = Math.abs(this.x(view.a) - this.x(view.b)), shift = near < 18 ? (18 - near) / 2 : 0;
		[["a", "A"], ["b", "B"]].forEach(function (row) {
			var i = view[row[0]], index = this.lines[0].series.at.get(i);
			if (index === undefined || i < view.from || i > view.to)
				return;
			var x = this.x(i), disc = x + ((row[0] === "a") === (view.a < view.b) ? -shift : shift);
			this.line(x, clamp(this.top, this.base, this.y(this.lines[0].value(this.lines[0].series.points[index].v))), x, this.base, "pick");
			var mark = svg("svg", { x: (disc - 8.5).toFixed(1), y: this.base - 8.5, width: 17, height: 17, role: "img",
				"aria-label": row[1] }, this.svg);
			svg("rect", { "class": "disc", width: "100%", height: "100%", rx: 8.5 }, mark);
			this.text(8.5, 12.5, row[1], "letter", "middle", mark);
		}, this);
	};

	Trend.prototype.draw = function () {
		var view = this.view, seen = this.lines[0].seen;
		this.svg = svg("svg", { "class": "trend", viewBox: "0 0 " + this.width + " " + this.height, width: this.width,
			height: this.height, role: "img" });
		this.svg.setAttribute("aria-label", "Trend of " + this.lines.map(function (line) {
			return line.series.data.name;
		}).join(" and ") + ": " + seen.length + " commits from " + view.commit(view.from)[0] + " to " + view.commit(view.to)[0]);
		svg("rect", { "class": "paper", width: "100%", height: "100%" }, this.svg);
		this.axes();
		this.lines.slice().reverse().forEach(this.levels, this);
		this.lines.slice().reverse().forEach(this.curve, this);
		this.lines.slice().reverse().forEach(this.dots, this);
		this.changes();
		this.marks();
		this.newest();
		this.picked();
		this.cursor = svg("g", { "class": "cursor" }, this.svg);
		this.box.replaceChildren(this.svg);
		return this;
	};

	/* The whole history, small; what is shown is framed. */
	function overview(box, series, view, total) {
		var width = view.width, height = 44, made = svg("svg", { viewBox: "0 0 " + width + " " + height, width: width,
			height: height, role: "img", "aria-label": "The whole history; the part that is shown is framed" });
		var sorted = series.data.v.slice().sort(function (a, b) {
			return a - b;
		});
		var low = sorted[Math.floor(sorted.length * 0.02)], high = sorted[Math.floor((sorted.length - 1) * 0.98)];
		var half = Math.max((high - low) * 0.55, Math.abs(high) * 0.02) || 1, middle = (low + high) / 2;
		function x(i) {
			return (i - total.from) * width / (total.to - total.from + 1);
		}
		svg("rect", { "class": "ground", width: width, height: height, rx: 6 }, made);
		svg("path", { "class": "line", stroke: "var(--faint)", d: series.points.map(function (point, index) {
			var y = clamp(3, height - 3, height / 2 - (point.v - middle) / half * (height / 2 - 5));
			return (index ? "L" : "M") + x(point.i + 0.5).toFixed(1) + " " + y.toFixed(1);
		}).join("") }, made);
		var from = x(view.from), to = x(view.to + 1);
		svg("rect", { "class": "veil", width: Math.max(0, from), height: height }, made);
		svg("rect", { "class": "veil", x: to, width: Math.max(0, width - to), height: height }, made);
		svg("rect", { "class": "frame", x: from + 0.75, y: 0.75, width: Math.max(6, to - from - 1.5), height: height - 1.5, rx: 6 }, made);
		[from, to].forEach(function (edge) {
			svg("rect", { "class": "grip", x: clamp(1, width - 5, edge - 2), y: 14, width: 4, height: 16, rx: 2 }, made);
		});
		box.replaceChildren(made);
	}

	page.Series = Series;
	page.Trend = Trend;
	page.overview = overview;
	page.clamp = clamp;
})();
