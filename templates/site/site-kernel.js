/* The page of a kernel: which series and metric are shown, the trend with controls, the hover card,
 * two series in one plot, and two commits to compare. The view is in the address. */
"use strict";
(function () {
	var page = self.rooflog.page, all = page.all, element = page.element, quantity = page.quantity, clamp = page.clamp;
	var root = document.body.dataset.root || "", commits, newest, kernels = {}, others = null;

	/* The commit at an index that grows towards the newest. */
	function commitAt(i) {
		return commits[newest - i] || ["?", "", "", null, ""];
	}

	function indexOf(id) {
		var place = commits.findIndex(function (commit) {
			return commit[0] === id;
		});
		return place < 0 ? null : newest - place;
	}

	function percent(value) {
		return (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value * 100).toFixed(Math.abs(value) < 0.1 ? 2 : 1) + " %";
	}

	/* --- the address: #ANCHOR&metric=KEY&view=FROM-TO&scale=log&with=SLUG.ANCHOR&a=ID&b=ID --- */

	function readAddress() {
		var state = {}, parts = location.hash.slice(1).split("&");
		parts.forEach(function (part, index) {
			var at = part.indexOf("=");
			if (at > 0)
				state[part.slice(0, at)] = part.slice(at + 1);
			else if (index === 0)
				state.anchor = part;
		});
		return state;
	}

	function View(section, data) {
		this.section = section;
		this.anchor = section.id;
		this.box = section.querySelector(".card");
		this.lead = data;
		this.take(data);
		this.state = { from: this.total.from, to: this.total.to, scale: "fit" };
		this.other = null;
		this.at = null;
		this.pickFirst();
		this.build();
	}

	View.prototype.take = function (data) {
		this.series = new page.Series(data, newest);
		this.total = { from: this.series.first, to: Math.max(this.series.last, this.series.first + 1) };
	};

	/* A and B at first: the commits around the newest change, else the newest two. */
	View.prototype.pickFirst = function () {
		var series = this.series, points = series.points, index = points.length - 1;
		if (series.changes.length)
			index = series.at.get(series.changes[series.changes.length - 1].i);
		this.state.b = points[index].i;
		this.state.a = points[Math.max(0, index - 1)].i;
	};

	/* --- controls --- */

	function segment(label, rows, chosen) {
		var group = element("span", { "class": "seg", role: "group", "aria-label": label });
		rows.forEach(function (row) {
			var button = element("button", { type: "button", "aria-pressed": "false" }, row[1]);
			button.value = row[0];
			button.addEventListener("click", function () {
				chosen(row[0]);
			});
			group.appendChild(button);
		});
		return group;
	}

	function press(group, value) {
		all("button", group).forEach(function (button) {
			button.setAttribute("aria-pressed", String(button.value === value));
		});
	}

	function labelled(text, control) {
		var label = element("label", {}, text);
		label.appendChild(control);
		return label;
	}

	View.prototype.build = function () {
		var view = this, measured = this.series.points.length;
		var tools = element("div", { "class": "tools" });
		var ranges = [["30", "30 commits"], ["60", "60"]].filter(function (row) {
			return measured > Number(row[0]);
		});
		this.ranges = segment("Range", ranges.concat([["all", "All " + measured]]), function (value) {
			view.range(value);
			view.changed();
		});
		this.scales = segment("Scale", [["fit", "Fit"], ["zero", "From 0"], ["log", "Log"]], function (value) {
			view.state.scale = value;
			view.changed();
		});
		this.overlay = element("select", {});
		this.link = element("a", { "class": "btn", href: "#" }, "Link to this view");
		[this.metricSelect(), this.ranges, this.scales, labelled("Overlay ", this.overlay), this.link].forEach(function (part) {
			if (part)
				tools.appendChild(part);
		});
		this.plot = element("div", { "class": "plot", tabindex: "0", role: "group",
			"aria-label": "Trend; arrow keys go from commit to commit, Enter sets B, Shift and Enter A" });
		this.tip = element("div", { "class": "tip", hidden: "" });
		this.told = element("p", { "class": "skip", "aria-live": "polite" });
		this.drawn = element("div", {});
		this.plot.appendChild(this.drawn);
		this.plot.appendChild(this.tip);
		this.brush = element("div", { "class": "brush" });
		this.legend = element("ul", { "class": "legend" });
		var made = element("div", { "class": "live" });
		[tools, this.plot, this.told, this.brush, this.legend, this.picker()].forEach(function (part) {
			made.appendChild(part);
		});
		this.box.appendChild(made);
		all("figure.trend", this.box).forEach(function (figure) {
			figure.classList.add("replaced");
		});
		this.fillOverlay();
		this.listen();
		this.listenBrush();
		var width = 0;
		new ResizeObserver(function () {
			if (view.plot.clientWidth !== width) {
				width = view.plot.clientWidth;
				view.draw();
			}
		}).observe(this.plot);
	};

	View.prototype.range = function (value) {
		var points = this.series.points;
		this.state.to = this.total.to;
		this.state.from = value === "all" ? this.total.from : points[Math.max(0, points.length - Number(value))].i;
	};

	View.prototype.picker = function () {
		var view = this, box = element("div", { "class": "picker" });
		this.picks = {};
		["a", "b"].forEach(function (key) {
			var label = element("label", {}), select = element("select", { "aria-label": "Commit " + key.toUpperCase() });
			label.appendChild(element("span", { "class": "ab", "aria-hidden": "true" }, key.toUpperCase()));
			label.appendChild(select);
			select.addEventListener("change", function () {
				view.state[key] = Number(select.value);
				view.changed();
			});
			view.picks[key] = select;
			if (key === "b")
				box.appendChild(element("span", { "class": "note" }, "against"));
			box.appendChild(label);
		});
		this.compare = element("a", { "class": "btn main", href: root + "compare.html" }, "Compare A and B");
		box.appendChild(this.compare);
		this.fillPicker();
		return box;
	};

	View.prototype.fillPicker = function () {
		var view = this;
		["a", "b"].forEach(function (key) {
			view.picks[key].replaceChildren();
			view.series.points.slice(-60).reverse().forEach(function (point) {
				view.picks[key].add(view.option(point));
			});
		});
	};

	View.prototype.option = function (point) {
		var commit = commitAt(point.i);
		return new Option(commit[0] + (commit[5] ? " (" + commit[5] + ")" : "") + " · " + quantity(point.v, this.series.data.unit) + " · " + commit[2].slice(0, 80), point.i);
	};

	/* --- another metric of the series --- */

	/* Null where the series has one metric. */
	View.prototype.metricSelect = function () {
		var view = this, select = element("select", {});
		if (!this.lead.metrics)
			return null;
		select.add(new Option(this.lead.title, ""));
		this.lead.metrics.forEach(function (row) {
			select.add(new Option(row[1], row[0]));
		});
		select.addEventListener("change", function () {
			view.setMetric(select.value, view.changed);
		});
		this.metrics = select;
		return labelled("Metric ", select);
	};

	/* Shows the metric with this key ("": the one that leads), then does what follows. */
	View.prototype.setMetric = function (key, then) {
		var view = this, known = (this.lead.metrics || []).some(function (row) {
			return row[0] === key;
		});
		if ((this.state.metric || "") === key || key && !known)
			return then.call(this);
		loadMetrics(function () {
			var data = key ? (others[view.anchor] || {})[key] : view.lead;
			if (data) {
				var whole = view.state.from === view.total.from && view.state.to === view.total.to;
				view.state.metric = key || undefined;
				view.take(data);
				view.keepRange(whole);
				view.fillPicker();
			}
			view.metrics.value = view.state.metric || "";
			then.call(view);
		});
	};

	/* The other metric may have been measured at other commits. */
	View.prototype.keepRange = function (whole) {
		var state = this.state, total = this.total, series = this.series;
		state.from = clamp(total.from, total.to, whole ? total.from : state.from);
		state.to = clamp(total.from, total.to, whole ? total.to : state.to);
		if (state.to <= state.from) {
			state.from = total.from;
			state.to = total.to;
		}
		if (!state.picked)
			this.pickFirst();
		["a", "b"].forEach(function (key) {
			state[key] = series.near(state[key]).i;
		});
		this.at = null;
	};

	/* --- another series in the same plot --- */

	View.prototype.fillOverlay = function () {
		var view = this, select = this.overlay, mine = document.body.dataset.kernel;
		select.add(new Option("none", ""));
		Object.keys(kernels[mine]).forEach(function (anchor) {
			if (anchor !== view.anchor)
				select.add(new Option(kernels[mine][anchor].name, mine + "." + anchor));
		});
		select.add(new Option("of another kernel …", "more"));
		select.addEventListener("change", function () {
			if (select.value === "more")
				view.listKernels();
			else
				view.setOverlay(select.value);
		});
	};

	View.prototype.listKernels = function () {
		var select = this.overlay, mine = document.body.dataset.kernel, group = element("optgroup", { label: "Other kernels" });
		page.load(["series"], function () {
			self.rooflog.series.forEach(function (one) {
				var parts = one[1].match(/^k\/(.*)\.html#(.*)$/);
				if (parts && parts[1] !== mine)
					group.appendChild(new Option(one[0], parts[1] + "." + parts[2]));
			});
			select.remove(select.length - 1);
			select.appendChild(group);
			select.value = "";
			select.focus();
		}, function () {
			select.value = "";
		});
	};

	View.prototype.setOverlay = function (name) {
		var view = this, at = name.lastIndexOf("."), slug = name.slice(0, at), anchor = name.slice(at + 1);
		this.state.with = name || undefined;
		if (!/^[a-z0-9-]+\.s[0-9a-f]{10}$/.test(name)) {
			this.other = null;
			this.state.with = undefined;
			return this.changed();
		}
		loadKernel(slug, function () {
			var data = kernels[slug][anchor];
			view.other = data ? new page.Series(data, newest) : null;
			if (data && !all("option", view.overlay).some(function (option) {
				return option.value === name;
			}))
				view.overlay.add(new Option(data.name, name), view.overlay.length - 1);
			view.overlay.value = data ? name : "";
			view.changed();
		});
	};

	/* One axis serves both if their units are equal and their levels within a factor of three. */
	View.prototype.isRelative = function () {
		if (!this.other)
			return false;
		var mine = this.series.data, other = this.other.data;
		var ratio = Math.abs(this.series.levelAt(this.state.to) / this.other.levelAt(this.state.to));
		return String(mine.unit) !== String(other.unit) || !(ratio < 3 && ratio > 1 / 3);
	};

	/* --- drawing --- */

	View.prototype.draw = function () {
		var state = this.state, width = Math.max(280, Math.floor(this.plot.clientWidth));
		var view = { width: width, from: state.from, to: state.to, scale: state.scale, a: state.a, b: state.b, root: root,
			commit: commitAt, relative: this.isRelative(), lines: this.other ? [this.series, this.other] : [this.series] };
		this.trend = new page.Trend(this.drawn, view).draw();
		page.overview(this.brush, this.series, view, this.total);
		this.tell(view);
		var at = this.at;
		this.at = null;
		this.show(at);
	};

	View.prototype.tell = function (view) {
		var state = this.state, series = this.series, legend = this.legend;
		press(this.scales, state.scale);
		var counts = { all: this.total.from, "30": null, "60": null }, pressed = "";
		Object.keys(counts).forEach(function (key) {
			var from = key === "all" ? this.total.from : (series.points[series.points.length - Number(key)] || {}).i;
			if (state.from === from && state.to === this.total.to)
				pressed = key;
		}, this);
		press(this.ranges, pressed);
		["a", "b"].forEach(function (key) {
			var select = this.picks[key], point = series.points[series.at.get(state[key])];
			if (point && !all("option", select).some(function (option) {
				return Number(option.value) === state[key];
			}))
				select.add(this.option(point));
			select.value = String(state[key]);
		}, this);
		this.compare.href = root + "compare.html#" + commitAt(state.a)[0] + ".." + commitAt(state.b)[0];
		this.link.href = this.address();
		this.section.dataset.shown = series.visible(state.from, state.to).length;
		legend.replaceChildren();
		var rows = [["key-dot", "a commit" + (series.data.n ? ", median of its runs" : "")]];
		if (series.settled)
			rows.push(["key-level", "level"]);
		if (series.data.noise && series.settled)
			rows.push(["key-band", "noise between commits"]);
		if (series.changes.length)
			rows.push(["key-change", "change point"]);
		if (this.other)
			rows.push(["key-over", this.other.data.name + (view.relative ? "; each relative to its first level" : "")]);
		rows.forEach(function (row) {
			var item = element("li", {});
			item.appendChild(element("span", { "class": "key " + row[0], "aria-hidden": "true" }));
			item.appendChild(document.createTextNode(row[1]));
			legend.appendChild(item);
		});
	};

	View.prototype.address = function () {
		var state = this.state, parts = [this.anchor];
		if (state.metric)
			parts.push("metric=" + state.metric);
		if (state.from !== this.total.from || state.to !== this.total.to)
			parts.push("view=" + commitAt(state.from)[0] + "-" + commitAt(state.to)[0]);
		if (state.scale !== "fit")
			parts.push("scale=" + state.scale);
		if (state.with)
			parts.push("with=" + state.with);
		if (state.picked)
			parts.push("a=" + commitAt(state.a)[0], "b=" + commitAt(state.b)[0]);
		return "#" + parts.join("&");
	};

	/* Draws, and puts the view into the address. */
	View.prototype.changed = function () {
		this.draw();
		history.replaceState(null, "", this.address());
	};

	View.prototype.adopt = function (wanted) {
		this.setMetric(wanted.metric || "", function () {
			this.adoptView(wanted);
		});
	};

	View.prototype.adoptView = function (wanted) {
		var state = this.state, ids = (wanted.view || "").split("-"), from = indexOf(ids[0]), to = indexOf(ids[1]);
		if (from !== null && to !== null && from < to) {
			state.from = clamp(this.total.from, this.total.to, from);
			state.to = clamp(this.total.from, this.total.to, to);
		}
		if (["zero", "log"].indexOf(wanted.scale) >= 0)
			state.scale = wanted.scale;
		["a", "b"].forEach(function (key) {
			var at = wanted[key] ? indexOf(wanted[key]) : null;
			if (at !== null && this.series.at.has(at)) {
				state[key] = at;
				state.picked = true;
			}
		}, this);
		this.draw();
		if (wanted.with)
			this.setOverlay(wanted.with);
	};

	/* --- the hover card --- */

	function fact(list, name, value, style) {
		list.appendChild(element("dt", {}, name));
		list.appendChild(element("dd", style ? { "class": style } : {}, value));
	}

	View.prototype.card = function (point) {
		var series = this.series, unit = series.data.unit, commit = commitAt(point.i), index = series.at.get(point.i);
		var before = series.points[index - 1], list = element("dl", {}), card = this.tip;
		var change = series.changes.find(function (one) {
			return one.i === point.i;
		});
		card.replaceChildren(element("code", {}, commit[0]),
			element("span", { "class": "note" }, " " + (commit[4] ? commit[4] + ", " : "") + commit[1]),
			element("b", {}, commit[2] || ""), list);
		fact(list, point.n > 1 ? "Median of " + point.n + " runs" : "One run", quantity(point.v, unit), "value");
		if (point.range)
			fact(list, "Runs", quantity(point.range[0], unit) + " to " + quantity(point.range[1], unit));
		fact(list, "From the one before", before ? percent(point.v / before.v - 1) : "first");
		if (change)
			fact(list, "Change point", change.text + (change.interval ? " (" + change.interval + ")" : ""),
				change.worse > 0 ? "worse" : "better");
		var other = this.other && this.other.points[this.other.at.get(point.i)];
		if (other)
			fact(list, this.other.data.name, quantity(other.v, this.other.data.unit));
		card.appendChild(element("p", { "class": "hint" }, "Click sets B, Shift-click A; the dot leads to the commit; drag zooms"));
		return commit[0] + ", " + commit[1] + " " + commit[2] + ": " + quantity(point.v, unit) +
			(before ? ", " + percent(point.v / before.v - 1) + " from the one before" : "");
	};

	/* Shows the card of the commit at an index; null: none. */
	View.prototype.show = function (i, aloud) {
		var index = i === null ? undefined : this.series.at.get(i), trend = this.trend;
		trend.cursor.replaceChildren();
		this.at = index === undefined ? null : i;
		this.tip.hidden = index === undefined;
		if (index === undefined)
			return;
		var point = this.series.points[index], x = trend.x(i), y = clamp(trend.top, trend.base, trend.y(trend.lines[0].value(point.v)));
		page.svg("line", { x1: x, x2: x, y1: trend.top, y2: trend.base }, trend.cursor);
		page.svg("circle", { cx: x, cy: y, r: 5 }, trend.cursor);
		var words = this.card(point);
		if (aloud)
			this.told.textContent = words;
		var wide = this.tip.offsetWidth, high = this.tip.offsetHeight;
		this.tip.style.left = (x + wide + 16 > trend.width ? Math.max(0, x - wide - 14) : x + 14) + "px";
		this.tip.style.top = Math.max(0, y > (trend.top + trend.base) / 2 ? y - high - 18 : y + 18) + "px";
	};

	View.prototype.indexAt = function (event) {
		var box = this.plot.getBoundingClientRect(), trend = this.trend;
		return clamp(this.state.from, this.state.to,
			this.state.from + Math.floor((event.clientX - box.left - trend.left) / trend.step));
	};

	View.prototype.pick = function (key, i) {
		this.state[key] = i;
		this.state.picked = true;
		this.changed();
	};

	View.prototype.zoom = function (from, to) {
		this.state.from = clamp(this.total.from, this.total.to, from);
		this.state.to = clamp(this.total.from, this.total.to, to);
		this.changed();
	};

	View.prototype.listen = function () {
		var view = this, plot = this.plot, start = null, moved = false;
		plot.addEventListener("pointerdown", function (event) {
			start = view.indexAt(event);
			moved = false;
		});
		plot.addEventListener("pointermove", function (event) {
			var i = view.indexAt(event), trend = view.trend;
			moved = moved || start !== null && Math.abs(i - start) > 1;
			if (start === null || !moved)
				return view.show(view.nearest(i));
			view.show(null);
			var from = Math.min(i, start), to = Math.max(i, start);
			page.svg("rect", { "class": "chosen", x: trend.x(from) - trend.step / 2, y: trend.top,
				width: (to - from + 1) * trend.step, height: trend.base - trend.top }, trend.cursor);
		});
		self.addEventListener("pointerup", function (event) {
			var from = start;
			start = null;
			if (from === null || !moved)
				return;
			var to = view.indexAt(event);
			if (Math.abs(to - from) > 2)
				view.zoom(Math.min(from, to), Math.max(from, to));
			else
				view.draw();
		});
		plot.addEventListener("click", function (event) {
			if (moved)
				return event.preventDefault();
			if (event.target.closest("a"))
				return;
			var near = view.nearest(view.indexAt(event));
			if (near !== null)
				view.pick(event.shiftKey ? "a" : "b", near);
		});
		plot.addEventListener("dragstart", function (event) {
			event.preventDefault();
		});
		plot.addEventListener("dblclick", function () {
			view.zoom(view.total.from, view.total.to);
		});
		plot.addEventListener("pointerleave", function () {
			if (start === null)
				view.show(null);
		});
		plot.addEventListener("keydown", function (event) {
			view.key(event);
		});
	};

	/* The nearest measured commit of what is shown. */
	View.prototype.nearest = function (i) {
		var near = this.series.near(i).i;
		return near >= this.state.from && near <= this.state.to ? near : null;
	};

	View.prototype.key = function (event) {
		var points = this.series.points, step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], state = this.state;
		if (step) {
			var index = this.at === null ? points.length + (step > 0 ? -1 : 0) : this.series.at.get(this.at);
			var next = points[clamp(0, points.length - 1, index + step)].i;
			if (next < state.from || next > state.to) {
				var shift = next < state.from ? next - state.from : next - state.to;
				this.at = next;
				this.zoom(state.from + shift, state.to + shift);
			}
			this.show(next, true);
		} else if (event.key === "Enter" && this.at !== null) {
			this.pick(event.shiftKey ? "a" : "b", this.at);
		} else if (event.key === "Escape") {
			this.show(null);
		} else {
			return;
		}
		event.preventDefault();
	};

	/* The frame below is moved, or one of its edges. */
	View.prototype.listenBrush = function () {
		var view = this, brush = this.brush, grip = null, start, before;
		function at(event) {
			var box = brush.getBoundingClientRect(), total = view.total;
			return total.from + (event.clientX - box.left) / box.width * (total.to - total.from + 1);
		}
		brush.addEventListener("pointerdown", function (event) {
			var near = (view.total.to - view.total.from) * 0.02 + 0.5;
			start = at(event);
			before = { from: view.state.from, to: view.state.to };
			grip = Math.abs(start - before.from) < near ? "from" : Math.abs(start - before.to - 1) < near ? "to" : "both";
			brush.setPointerCapture(event.pointerId);
		});
		brush.addEventListener("pointermove", function (event) {
			if (!grip)
				return;
			var shift = Math.round(at(event) - start), total = view.total;
			if (grip === "both")
				shift = clamp(total.from - before.from, total.to - before.to, shift);
			view.zoom(grip === "to" ? before.from : Math.min(before.from + shift, before.to - 3),
				grip === "from" ? before.to : Math.max(before.to + shift, before.from + 3));
		});
		["pointerup", "pointercancel"].forEach(function (name) {
			brush.addEventListener(name, function () {
				grip = null;
			});
		});
	};

	/* --- which series is shown --- */

	var views = {};

	function loadKernel(slug, then) {
		if (kernels[slug])
			return then();
		page.load(["k-" + slug], function () {
			kernels[slug] = self.rooflog.kernel;
			then();
		}, function () {
			kernels[slug] = {};
			then();
		});
	}

	function loadMetrics(then) {
		if (others)
			return then();
		page.load(["m-" + document.body.dataset.kernel], function () {
			others = self.rooflog.metrics;
			then();
		}, function () {
			others = {};
			then();
		});
	}

	function choose(wanted) {
		var sections = all("section.series"), chosen = document.getElementById(wanted.anchor || "");
		var data = kernels[document.body.dataset.kernel];
		if (sections.indexOf(chosen) < 0)
			chosen = sections[0];
		sections.forEach(function (section) {
			section.hidden = section !== chosen;
		});
		all(".switch a").forEach(function (link) {
			var fold = link.closest("details");
			if (link.getAttribute("href") !== "#" + chosen.id) {
				link.removeAttribute("aria-current");
				return;
			}
			link.setAttribute("aria-current", "true");
			if (fold)
				fold.open = true;
		});
		if (!chosen.querySelector(".card figure.trend") || !data[chosen.id])
			return;
		views[chosen.id] = views[chosen.id] || new View(chosen, data[chosen.id]);
		views[chosen.id].adopt(wanted);
	}

	page.load(["commits", "k-" + document.body.dataset.kernel], function () {
		commits = self.rooflog.commits;
		newest = commits.length - 1;
		kernels[document.body.dataset.kernel] = self.rooflog.kernel;
		choose(readAddress());
		self.addEventListener("hashchange", function () {
			choose(readAddress());
		});
		document.body.dataset.ready = "true";
	}, function () {
		document.body.dataset.ready = "failed";
	});
})();
