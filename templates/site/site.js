/* Search, sort and filter, and what other scripts share. Without it the pages are whole: it only adds. */
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

	var prefixes = [["P", 15], ["T", 12], ["G", 9], ["M", 6], ["k", 3], ["", 0], ["m", -3], ["µ", -6], ["n", -9],
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

	/* For the scripts of single pages. */
	self.rooflog = self.rooflog || {};
	self.rooflog.page = { all: all, element: element, svg: svg, titled: titled, load: load, quantity: quantity,
		collator: collator };

	var tools = document.getElementById("tools");
	all("table.sortable").forEach(makeSortable);
	if (tools)
		new Index(tools);
	all("table[data-all]").forEach(makeShowAll);
})();
