/* Search, sort, filter and zoom. Without it the pages are whole: it only adds. */
"use strict";
(function () {
	var root = document.body.dataset.root || "";

	function all(selector, from) {
		return Array.prototype.slice.call((from || document).querySelectorAll(selector));
	}

	function element(name, attributes, text) {
		var made = document.createElement(name);
		Object.keys(attributes || {}).forEach(function (key) {
			made.setAttribute(key, attributes[key]);
		});
		if (text !== undefined)
			made.textContent = text;
		return made;
	}

	/* The data of a page is a script of its own: pages opened from a disk cannot fetch. */
	function load(names, then, failed) {
		var left = names.length;
		names.forEach(function (name) {
			var script = element("script", { src: root + "data/" + name + ".js" });
			script.onload = function () {
				if (--left === 0)
					then();
			};
			script.onerror = failed;
			document.head.appendChild(script);
		});
	}

	/* --- quantities, as the program prints them --- */

	var prefixes = [["P", 15], ["T", 12], ["G", 9], ["M", 6], ["k", 3], ["", 0], ["m", -3], ["u", -6], ["n", -9],
		["p", -12]];

	/* What lies in the middle of two goes to the even one, which toFixed() does not do. */
	function fixed(size, decimals) {
		var scaled = size * Math.pow(10, decimals), low = Math.floor(scaled);
		var middle = size * Math.pow(2, decimals + 1) % 1 === 0 && scaled - low === 0.5;
		return (middle && low % 2 === 0 ? low / Math.pow(10, decimals) : size).toFixed(decimals);
	}

	/* Four significant digits without an exponent for the usual magnitudes. */
	function digits(size) {
		if (size !== 0 && (size < 1e-4 || size >= 1e7))
			return size.toExponential(3).replace(/e(.)(\d)$/, "e$10$2");
		var decimals = 3, limit;
		for (limit = 9.9995; decimals > 0 && size >= limit; limit *= 10)
			decimals--;
		for (limit = 0.99995; size !== 0 && size < limit && decimals < 7; limit /= 10)
			decimals++;
		return fixed(size, decimals);
	}

	function prefixed(size, unit) {
		var best = prefixes[5];
		prefixes.some(function (prefix) {
			if (size === 0 || prefix[1] > 0 && !unit[2] || prefix[1] < 0 && !unit[1])
				return false;
			best = prefix;
			return size >= 0.99995 * Math.pow(10, prefix[1]);
		});
		var whole = best[1] === 0 && size % 1 === 0 && unit[2];
		return (whole ? String(size) : digits(size / Math.pow(10, best[1]))) + " " + best[0] + unit[0];
	}

	/* unit: what follows the prefix, and whether there are prefixes below and above 1; null for a
	 * plain number, "" for a count. */
	function quantity(value, unit) {
		if (value === null || !isFinite(value))
			return "unknown";
		var size = Math.abs(value), sign = value < 0 ? "-" : "";
		if (unit[0] === "" && size < 1e15 && size % 1 === 0)
			return sign + String(size).replace(/\B(?=(\d{3})+$)/g, ",");
		if (!unit[0])
			return sign + digits(size);
		if (unit[0] === "%")
			return sign + digits(size * 100) + " %";
		if (unit[1] || unit[2])
			return sign + prefixed(size, unit);
		return sign + digits(size) + " " + unit[0];
	}

	/* --- tables --- */

	function sortKey(row, column, kind) {
		var cell = row.cells[column], given = cell.getAttribute("data-s");
		if (kind === "number")
			return given === null || given === "" ? NaN : Number(given);
		return given === null ? cell.textContent.trim() : given;
	}

	var collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

	/* What is unknown stays last, whichever way the rest is turned. */
	function compare(a, b, kind, turn) {
		if (kind !== "number")
			return turn * collator.compare(a, b);
		if (isNaN(a) || isNaN(b))
			return (isNaN(a) ? 1 : 0) - (isNaN(b) ? 1 : 0);
		return turn * (a - b);
	}

	function sortBy(table, header) {
		var kind = header.dataset.key, column = header.cellIndex, body = table.tBodies[0];
		var turn = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
		var rows = Array.prototype.slice.call(body.rows).map(function (row, index) {
			return { row: row, key: sortKey(row, column, kind), index: index };
		});
		rows.sort(function (a, b) {
			return compare(a.key, b.key, kind, turn) || a.index - b.index;
		});
		all("th[aria-sort]", table).forEach(function (other) {
			other.removeAttribute("aria-sort");
		});
		header.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
		var fragment = document.createDocumentFragment();
		rows.forEach(function (entry) {
			fragment.appendChild(entry.row);
		});
		body.appendChild(fragment);
	}

	function makeSortable(table) {
		all("thead th[data-key]", table).forEach(function (header) {
			var button = element("button", { type: "button", "class": "sort" }, header.textContent);
			header.textContent = "";
			header.appendChild(button);
			button.addEventListener("click", function () {
				sortBy(table, header);
			});
		});
	}

	/* --- search, chips, filters and order of the index --- */

	function fillFilter(select, items) {
		var seen = Object.create(null), name = select.dataset.filter;
		items.forEach(function (item) {
			if (item.dataset[name])
				seen[item.dataset[name]] = (seen[item.dataset[name]] || 0) + 1;
		});
		var values = Object.keys(seen).sort(collator.compare);
		values.forEach(function (value) {
			select.appendChild(element("option", { value: value }, value + " (" + seen[value] + ")"));
		});
		select.parentNode.hidden = values.length < 2;
	}

	function Index(tools) {
		var index = this;
		this.items = all(".group [data-state]");
		this.items.forEach(function (item, place) {
			var list = item.parentNode;
			item.rooflog = { place: place, list: list, group: item.closest(".group"),
				text: ((list.dataset.prefix || "") + item.textContent + " " +
					["device", "dtype", "bottleneck", "state"].map(function (key) {
						return item.dataset[key] || "";
					}).join(" ")).toLowerCase() };
		});
		this.search = document.getElementById("search");
		this.sort = document.getElementById("sort");
		this.filters = all("select[data-filter]", tools);
		this.chips = all("[data-chip]", tools);
		this.filters.forEach(function (filter) {
			fillFilter(filter, index.items);
		});
		this.search.parentNode.hidden = this.sort.parentNode.hidden = false;
		this.chips.forEach(function (chip) {
			chip.setAttribute("role", "button");
			chip.setAttribute("aria-pressed", "false");
		});
		this.listen(tools);
		this.apply();
	}

	Index.prototype.listen = function (tools) {
		var index = this;
		function press(chip) {
			chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
			index.apply();
		}
		this.chips.forEach(function (chip) {
			chip.addEventListener("click", function (event) {
				event.preventDefault();
				press(chip);
			});
			chip.addEventListener("keydown", function (event) {
				if (event.key === " ") {
					event.preventDefault();
					press(chip);
				}
			});
		});
		tools.addEventListener("input", function (event) {
			if (event.target === index.sort)
				index.order();
			index.apply();
		});
		tools.addEventListener("submit", function (event) {
			event.preventDefault();
		});
		tools.addEventListener("reset", function () {
			index.chips.forEach(function (chip) {
				chip.setAttribute("aria-pressed", "false");
			});
			setTimeout(function () {
				index.order();
				index.apply();
			}, 0);
		});
		this.reset = tools.querySelector("button[type=reset]");
	};

	/* Every word is somewhere in the item. */
	Index.prototype.fits = function (item, words, states) {
		return (states.length === 0 || states.indexOf(item.dataset.state) >= 0) &&
			words.every(function (word) {
				return item.rooflog.text.indexOf(word) >= 0;
			}) && this.filters.every(function (filter) {
				return !filter.value || item.dataset[filter.dataset.filter] === filter.value;
			});
	};

	Index.prototype.apply = function () {
		var words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean), count = 0, lists = new Map();
		var states = this.chips.filter(function (chip) {
			return chip.getAttribute("aria-pressed") === "true";
		}).map(function (chip) {
			return chip.dataset.chip;
		});
		this.items.forEach(function (item) {
			var fit = this.fits(item, words, states);
			item.hidden = !fit;
			count += fit ? 1 : 0;
			[item.parentNode, item.rooflog.group].forEach(function (box) {
				lists.set(box, lists.get(box) || fit);
			});
		}, this);
		all(".group, .group ul").forEach(function (box) {
			box.hidden = !lists.get(box);
			var head = box.previousElementSibling;
			if (head && head.localName === "h3")
				head.hidden = box.hidden;
		});
		var chosen = words.length > 0 || states.length > 0 || this.filters.some(function (filter) {
			return filter.value;
		});
		all(".group details").forEach(function (fold) {
			fold.hidden = !all("li", fold).some(function (item) {
				return !item.hidden;
			});
			if (chosen)
				fold.open = true;
		});
		this.reset.hidden = !chosen && !this.sort.value;
		document.getElementById("none").hidden = count > 0;
		document.getElementById("count").textContent =
			(chosen ? count + " of " : "") + this.items.length + " series";
	};

	/* In another order than the page's the lists of a group become one. */
	Index.prototype.order = function () {
		var key = this.sort.value, first = new Map();
		function number(item) {
			return item.dataset[key] === "" ? NaN : Math.abs(Number(item.dataset[key]));
		}
		var items = this.items.slice().sort(function (a, b) {
			var order = 0;
			if (key === "name")
				order = collator.compare(a.rooflog.text, b.rooflog.text);
			else if (key)
				order = compare(number(a), number(b), "number", -1);
			return order || a.rooflog.place - b.rooflog.place;
		});
		all("h3").forEach(function (head) {
			head.classList.toggle("apart", key !== "");
		});
		items.forEach(function (item) {
			var home = item.rooflog.list, tiles = home.classList.contains("grid");
			var box = item.rooflog.group, name = item.querySelector("span");
			if (key && !tiles) {
				if (!first.has(box))
					first.set(box, home);
				home = first.get(box);
			}
			all(".prefix", item).forEach(function (prefix) {
				prefix.remove();
			});
			if (key && item.rooflog.list.dataset.prefix)
				name.insertBefore(element("span", { "class": "prefix" }, item.rooflog.list.dataset.prefix),
					name.firstChild);
			home.appendChild(item);
		});
		all(".group details").forEach(function (fold) {
			fold.open = fold.open || key !== "";
		});
	};

	/* --- all series of a commit --- */

	function showAll(table) {
		var body = table.tBodies[0];
		body.textContent = "";
		self.rooflog.commit.forEach(function (one) {
			var series = self.rooflog.series[one[0]], row = element("tr");
			var head = element("th", { scope: "row" });
			head.appendChild(element("a", { href: root + series[1] }, series[0]));
			row.appendChild(head);
			row.appendChild(element("td", { "class": "n", "data-s": one[1] }, quantity(one[1], series[2])));
			row.appendChild(element("td", { "class": "n", "data-s": one[2] === null ? "" : one[2] / 100 },
				one[2] === null ? "first" : (one[2] < 0 ? "" : "+") + one[2].toFixed(2) + " %"));
			body.appendChild(row);
		});
		table.caption.textContent = "All " + self.rooflog.commit.length +
			" series and their previous measurement; differences not listed above as changes are mostly noise";
	}

	function makeShowAll(table) {
		var button = element("button", { type: "button", id: "all" }, "Show all series");
		table.parentNode.parentNode.insertBefore(button, table.parentNode);
		button.addEventListener("click", function () {
			button.disabled = true;
			load(["series", "c-" + table.dataset.all], function () {
				showAll(table);
				button.remove();
				table.parentNode.focus();
			}, function () {
				button.textContent = "The data file of this commit is missing";
			});
		});
	}

	/* --- the chart that zooms --- */

	var height = 260, left = 76, right = 12, top = 12, bottom = 34;
	var drawnPoints = 400;

	function svg(name, attributes, parent) {
		var made = document.createElementNS("http://www.w3.org/2000/svg", name);
		Object.keys(attributes).forEach(function (key) {
			made.setAttribute(key, attributes[key]);
		});
		if (parent)
			parent.appendChild(made);
		return made;
	}

	function titled(made, text) {
		svg("title", {}, made).textContent = text;
		return made;
	}

	/* Places count from the latest commit; x grows with age's end. */
	function unpack(data) {
		var place = 0;
		return data.p.map(function (step, index) {
			place = index ? place - step : step;
			return { place: place, value: data.v[index] };
		});
	}

	function levelAt(data, place) {
		var level = null;
		data.c.forEach(function (change, index) {
			if (index === 0 && place > change[0])
				level = change[1];
			if (place <= change[0])
				level = change[2];
		});
		return level;
	}

	function Zoom(box, data) {
		this.box = box;
		this.data = data;
		this.points = unpack(data);
		this.whole = { from: this.points[0].place, to: this.points[this.points.length - 1].place };
		this.cursor = this.points.length - 1;
		this.build();
		this.show(this.whole.from, this.whole.to);
	}

	Zoom.prototype.build = function () {
		var zoom = this;
		var tools = element("div", { "class": "tools" });
		[["Zoom in", 0.5, 0], ["Zoom out", 2, 0], ["Older", 1, 1], ["Newer", 1, -1], ["Whole history", 0, 0]]
			.forEach(function (row) {
				var button = element("button", { type: "button" }, row[0]);
				button.addEventListener("click", function () {
					zoom.move(row[1], row[2]);
				});
				tools.appendChild(button);
			});
		this.box.appendChild(tools);
		this.chart = svg("svg", { role: "img", tabindex: "0" });
		this.box.appendChild(this.chart);
		self.addEventListener("resize", function () {
			zoom.draw();
		});
		this.told = element("output", { "aria-live": "polite" });
		this.box.appendChild(this.told);
		this.chart.addEventListener("keydown", function (event) {
			zoom.key(event);
		});
		this.listen();
	};

	Zoom.prototype.x = function (place) {
		var span = this.from - this.to || 1;
		return left + (this.from - place) / span * (this.width - left - right);
	};

	Zoom.prototype.placeAt = function (event) {
		var box = this.chart.getBoundingClientRect();
		var x = (event.clientX - box.left) / box.width * this.width;
		return this.from - (x - left) / (this.width - left - right) * (this.from - this.to);
	};

	/* Places fall from left to right. */
	Zoom.prototype.show = function (from, to) {
		var least = Math.min(4, this.whole.from - this.whole.to);
		if (from - to < least)
			from = to + least;
		if (from > this.whole.from) {
			to -= Math.max(0, from - this.whole.from);
			from = this.whole.from;
		}
		this.from = Math.round(Math.min(from, this.whole.from));
		this.to = Math.round(Math.max(to, this.whole.to));
		this.draw();
	};

	Zoom.prototype.move = function (factor, steps) {
		var span = this.from - this.to, middle = (this.from + this.to) / 2;
		if (factor === 0)
			return this.show(this.whole.from, this.whole.to);
		if (steps) {
			var shift = steps * span / 2;
			shift = Math.max(this.whole.to - this.to, Math.min(this.whole.from - this.from, shift));
			return this.show(this.from + shift, this.to + shift);
		}
		return this.show(middle + span * factor / 2, middle - span * factor / 2);
	};

	Zoom.prototype.key = function (event) {
		var keys = { "+": [0.5, 0], "=": [0.5, 0], "-": [2, 0], "0": [0, 0], Home: [0, 0] };
		if (keys[event.key])
			this.move(keys[event.key][0], keys[event.key][1]);
		else if (event.key === "ArrowLeft" || event.key === "ArrowRight")
			this.tell(this.cursor + (event.key === "ArrowLeft" ? -1 : 1));
		else
			return;
		event.preventDefault();
	};

	Zoom.prototype.nearest = function (place) {
		var low = 0, high = this.points.length - 1;
		while (low < high) {
			var middle = (low + high) >> 1;
			if (this.points[middle].place > place)
				low = middle + 1;
			else
				high = middle;
		}
		if (low > 0 && this.points[low - 1].place - place < place - this.points[low].place)
			low--;
		return low;
	};

	Zoom.prototype.words = function (point) {
		var commit = self.rooflog.commits[point.place] || ["?", "", ""];
		return quantity(point.value, this.data.unit) + " at " + commit[0] + ", " + commit[1] + " " + commit[2];
	};

	Zoom.prototype.tell = function (index) {
		this.cursor = Math.max(0, Math.min(this.points.length - 1, index));
		var point = this.points[this.cursor];
		if (point.place > this.from || point.place < this.to) {
			var span = this.from - this.to;
			this.show(point.place + span / 2, point.place - span / 2);
		}
		this.at.setAttribute("cx", this.x(point.place));
		this.at.setAttribute("cy", this.y(point.value));
		this.at.setAttribute("r", 5);
		this.told.textContent = "";
		var commit = self.rooflog.commits[point.place];
		if (!commit || !commit[3]) {
			this.told.textContent = this.words(point);
			return;
		}
		this.told.appendChild(document.createTextNode(quantity(point.value, this.data.unit) + " at "));
		this.told.appendChild(element("a", { href: root + "c/" + commit[3] + ".html" }, commit[0]));
		this.told.appendChild(document.createTextNode(", " + commit[1] + " " + commit[2]));
	};

	Zoom.prototype.listen = function () {
		var zoom = this, start = null;
		this.chart.addEventListener("pointerdown", function (event) {
			start = zoom.placeAt(event);
		});
		this.chart.addEventListener("pointermove", function (event) {
			var place = zoom.placeAt(event);
			zoom.tell(zoom.nearest(place));
			if (start === null)
				return;
			zoom.chosen.setAttribute("x", Math.min(zoom.x(start), zoom.x(place)));
			zoom.chosen.setAttribute("width", Math.abs(zoom.x(start) - zoom.x(place)));
		});
		function end(event) {
			var from = start, to = zoom.placeAt(event);
			start = null;
			if (from !== null && Math.abs(zoom.x(from) - zoom.x(to)) > 8)
				zoom.show(Math.max(from, to), Math.min(from, to));
		}
		this.chart.addEventListener("pointerup", end);
		this.chart.addEventListener("pointerleave", end);
		this.chart.addEventListener("dblclick", function () {
			zoom.move(0, 0);
		});
	};

	Zoom.prototype.y = function (value) {
		return top + (this.high - value) / (this.high - this.low) * (height - top - bottom);
	};

	Zoom.prototype.scale = function (seen) {
		var values = seen.map(function (point) {
			return point.value;
		});
		this.low = Math.min.apply(null, values);
		this.high = Math.max.apply(null, values);
		/* Quiet series look quiet. */
		var middle = (this.low + this.high) / 2;
		var half = Math.max((this.high - this.low) * 0.58, Math.abs(middle) * 0.025) || 1;
		this.low = middle - half;
		this.high = middle + half;
	};

	Zoom.prototype.drawAxes = function (seen) {
		var step = Math.pow(10, Math.floor(Math.log10((this.high - this.low) / 3)));
		while ((this.high - this.low) / step > 5)
			step *= 2;
		for (var tick = Math.ceil(this.low / step) * step; tick < this.high; tick += step) {
			var y = this.y(tick);
			svg("line", { "class": "axis", x1: left, x2: this.width - right, y1: y, y2: y }, this.chart);
			svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, this.chart).textContent =
				quantity(tick, this.data.unit);
		}
		[[seen[0], left, "start"], [seen[seen.length - 1], this.width - right, "end"]].forEach(function (row) {
			var commit = self.rooflog.commits[row[0].place] || ["?", ""];
			svg("text", { x: row[1], y: height - 10, "text-anchor": row[2] }, this.chart).textContent =
				commit[0] + (this.width > 480 ? " " + commit[1] : "");
		}, this);
	};

	/* A line joins commits that follow each other about as closely as others of the series do. */
	Zoom.prototype.paths = function (seen) {
		var steps = seen.slice(1).map(function (point, index) {
			return seen[index].place - point.place;
		}).sort(function (a, b) {
			return a - b;
		});
		var gap = 3 * (steps[steps.length >> 1] || 1);
		return seen.map(function (point, index) {
			var joined = index && seen[index - 1].place - point.place <= gap;
			return (joined ? "L" : "M") + this.x(point.place).toFixed(1) + " " + this.y(point.value).toFixed(1);
		}, this).join("");
	};

	Zoom.prototype.drawPoints = function (seen) {
		svg("path", { "class": "line", d: this.paths(seen) }, this.chart);
		seen.forEach(function (point) {
			titled(svg("circle", { "class": "dot", cx: this.x(point.place).toFixed(1),
				cy: this.y(point.value).toFixed(1), r: seen.length > 120 ? 1.5 : 3 }, this.chart),
				this.words(point));
		}, this);
	};

	/* Too many for one picture: of each column of pixels the least, the greatest and the median. */
	Zoom.prototype.drawColumns = function (seen) {
		var count = Math.min(240, Math.floor(this.width / 4)), columns = [], medians = [];
		seen.forEach(function (point) {
			var at = Math.min(count - 1, Math.floor((this.from - point.place) / (this.from - this.to) * count));
			(columns[at] = columns[at] || []).push(point);
		}, this);
		columns.forEach(function (column) {
			var sorted = column.slice().sort(function (a, b) {
				return a.value - b.value;
			});
			var middle = sorted[sorted.length >> 1], last = sorted[sorted.length - 1];
			var x = this.x(column[0].place), y = this.y(last.value);
			medians.push({ place: column[0].place, value: middle.value });
			titled(svg("rect", { "class": "range", x: (x - 2).toFixed(1), y: y.toFixed(1), width: 4,
				height: Math.max(1, this.y(sorted[0].value) - y).toFixed(1) }, this.chart),
				column.length + " commits, " + quantity(sorted[0].value, this.data.unit) + " to " +
				quantity(last.value, this.data.unit) + ", median " + quantity(middle.value, this.data.unit));
		}, this);
		svg("path", { "class": "line", d: this.paths(medians) }, this.chart);
	};

	Zoom.prototype.drawLevels = function () {
		var data = this.data, ends = [this.from];
		data.c.forEach(function (change) {
			if (change[0] < this.from && change[0] > this.to) {
				ends.push(change[0]);
				var x = this.x(change[0]);
				titled(svg("line", { "class": "step", x1: x, x2: x, y1: top, y2: height - bottom }, this.chart),
					"mean " + quantity(change[1], data.unit) + " to " + quantity(change[2], data.unit) +
					", first seen at " + self.rooflog.commits[change[0]][0]);
			}
		}, this);
		ends.push(this.to);
		for (var i = 0; i + 1 < ends.length; i++) {
			var level = levelAt(data, ends[i + 1] + (i + 2 < ends.length ? 1 : 0));
			if (level === null || level < this.low || level > this.high)
				continue;
			svg("line", { "class": "level", x1: this.x(ends[i]), x2: this.x(ends[i + 1]), y1: this.y(level),
				y2: this.y(level) }, this.chart);
		}
	};

	Zoom.prototype.draw = function () {
		var seen = this.points.filter(function (point) {
			return point.place <= this.from && point.place >= this.to;
		}, this);
		this.chart.textContent = "";
		this.width = Math.max(320, this.chart.clientWidth);
		this.chart.setAttribute("viewBox", "0 0 " + this.width + " " + height);
		if (seen.length === 0)
			seen = [this.points[this.nearest(this.to)]];
		this.scale(seen);
		this.chart.setAttribute("aria-label", this.data.name + ": " + this.data.title + ", " + seen.length + " of " +
			this.points.length + " commits; arrow keys read the values, plus and minus zoom");
		this.drawAxes(seen);
		if (seen.length > drawnPoints)
			this.drawColumns(seen);
		else
			this.drawPoints(seen);
		this.drawLevels();
		this.chosen = svg("rect", { "class": "chosen", y: top, height: height - top - bottom, width: 0 }, this.chart);
		this.at = svg("circle", { "class": "at", r: 0 }, this.chart);
		this.box.dataset.shown = seen.length;
	};

	function makeZoom(box) {
		var tools = element("div", { "class": "tools" });
		var button = element("button", { type: "button", "class": "open" }, "Zoom into the history");
		tools.appendChild(button);
		box.appendChild(tools);
		box.hidden = false;
		button.addEventListener("click", function () {
			button.disabled = true;
			load(["commits", "k-" + document.body.dataset.kernel], function () {
				tools.remove();
				all("figure.trend", box.parentNode).forEach(function (panel) {
					panel.classList.add("replaced");
				});
				new Zoom(box, self.rooflog.kernel[box.dataset.series]).chart.focus();
			}, function () {
				button.textContent = "The data file of this kernel is missing";
			});
		});
	}

	/* For the scripts of single pages. */
	self.rooflog = self.rooflog || {};
	self.rooflog.page = { all: all, element: element, svg: svg, titled: titled, load: load, quantity: quantity,
		collator: collator };

	var tools = document.getElementById("tools");
	all("table.sortable").forEach(makeSortable);
	if (tools)
		new Index(tools);
	all("table[data-all]").forEach(makeShowAll);
	all(".zoom").forEach(makeZoom);
})();
