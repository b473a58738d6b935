/*
 * The page that compares two commits: which ones, as one answer, a strip of all changes and a table.
 * All that is chosen is in the address: #A..B&metric=KEY&show=slower,faster&find=WORDS&sort=-change.
 */
"use strict";
(function () {
	var page = self.rooflog.page, data = self.rooflog.compare, draw = self.rooflog.draw, element = page.element;
	var percent = draw.percent, plural = draw.plural, drawn = 500;
	var classes = ["slower", "faster", "unclear", "steady"], usual = "slower,faster,unclear";
	var marks = { slower: "▲", faster: "▼", unclear: "◇", steady: "=" };
	var badges = { slower: "regressed", faster: "improved", unclear: "undecided", steady: "unchanged" };
	var state, result, shownPair, commits = self.rooflog.commits.map(function (row, at) {
		return { id: row[0], day: row[1], subject: row[2], oid: row[3], release: row[5], place: data.newest - at };
	});

	function at(id) {
		return document.getElementById(id);
	}

	/* --- words --- */

	function chance(p) {
		return p < 1e-4 ? p.toExponential(0) : String(Number(p.toPrecision(2)));
	}

	/* What the classes are called for these rows: times and rates are slower, other metrics worse. */
	function words(rows) {
		var speed = rows.every(function (row) {
			return row.entry.metric[3];
		}), either = rows.some(function (row) {
			return row.entry.rule[0] === "";
		});
		return { slower: either && !speed ? "changed" : speed ? "slower" : "worse", faster: speed ? "faster" : "better",
			unclear: "unclear", steady: "within noise" };
	}

	function reasonOf(row) {
		var gates = row.gates || {};
		if (row.together)
			return row.together[0] + " of " + row.together[1] + " series became slower alike, usually by " +
				percent(row.together[2]) + ": perhaps the machine";
		if (row.verdict !== "unclear")
			return row.assumed ? "noise assumed: too few commits" : "";
		if (row.unproven)
			return "far faster than all before, which no other measurement confirms";
		if (gates.record === false || isNaN(row.p))
			return "no noise record: " + plural(row.count, "commit", "commits") + " since the last change point";
		if (row.chance)
			return "may be chance among " + result.rows.length + " series: q " + chance(row.q);
		if (gates.p && !gates.effect)
			return "beyond the noise, below the limit";
		if (gates.p && !gates.repeats)
			return "the repeats disagree";
		if (gates.p && !gates.seen)
			return plural(row.seen, "commit", "commits") + " before A had such a value";
		if (gates.p && !gates.known)
			return "the series has been there before: a known mode";
		return "noise " + percent(row.scale, true) + ": slowdowns below " + percent(row.detectable) + " may go unseen";
	}

	/* --- the address --- */

	function parse(hash) {
		var parts = hash.replace(/^#/, "").split("&"), sides = /^([0-9a-f]*)\.\.([0-9a-f]*)$/i.exec(parts[0]);
		var read = { a: sides ? sides[1] : "", b: sides ? sides[2] : "", metric: "", show: usual, find: "", sort: "" };
		parts.slice(1).forEach(function (part) {
			var equals = part.indexOf("="), name = part.slice(0, equals);
			if (equals < 0 || !/^(metric|show|find|sort)$/.test(name))
				return;
			try {
				read[name] = decodeURIComponent(part.slice(equals + 1));
			} catch (error) {
				read[name] = "";
			}
		});
		read.bad = parts[0] !== "" && !sides ? parts[0] : "";
		return read;
	}

	function addressOf(one) {
		var hash = "#" + one.a + ".." + one.b;
		["metric", "show", "find", "sort"].forEach(function (name) {
			if (one[name] !== (name === "show" ? usual : ""))
				hash += "&" + name + "=" + encodeURIComponent(one[name]);
		});
		return hash;
	}

	/* Typing replaces the address, everything else is a step that "back" undoes. */
	function go(changes, replace) {
		var next = Object.assign({}, state, changes, { bad: "" }), hash = addressOf(next);
		if (hash === self.location.hash)
			return;
		if (replace)
			self.location.replace(hash);
		else
			self.location.hash = hash;
	}

	function commitOf(id) {
		id = id.toLowerCase();
		return id.length < 4 ? undefined : commits.find(function (commit) {
			return (commit.oid || commit.id).indexOf(id.slice(0, (commit.oid || commit.id).length)) === 0;
		});
	}

	/* --- the table --- */

	function linkTo(commit) {
		return commit.oid ? element("a", { href: "c/" + commit.oid + ".html" }) : element("span");
	}

	function addCommit(parent, place) {
		var commit = commits[data.newest - place], link = linkTo(commit);
		link.appendChild(element("code", {}, commit.id));
		parent.appendChild(link);
		parent.appendChild(document.createTextNode(" "));
		parent.appendChild(element("bdi", {}, commit.subject));
	}

	function addCause(head, row) {
		var reason = reasonOf(row);
		if (row.moves.length && row.verdict !== "steady") {
			var last = row.moves[row.moves.length - 1], commit = commits[data.newest - last], cause = element("span", {
				"class": "cause at", title: commit.subject }, row.moves.length > 1 ? row.moves.length + " change points, the last at " :
				"mean changed at ");
			addCommit(cause, last);
			head.appendChild(cause);
		}
		if (reason)
			head.appendChild(element("span", { "class": "cause" }, reason));
	}

	/* Names break behind their own punctuation. */
	function linkToSeries(entry) {
		var link = element("a", { href: "k/" + entry.slug + ".html#" + entry.anchor });
		entry.name.split(/(?<=[/._,:;\])])/).forEach(function (part, i) {
			if (i)
				link.appendChild(element("wbr"));
			link.appendChild(document.createTextNode(part));
		});
		return link;
	}

	function addNames(head, row) {
		var entry = row.entry;
		head.appendChild(linkToSeries(entry));
		if (entry.common && entry.common !== data.common) {
			head.appendChild(document.createTextNode(" "));
			head.appendChild(element("span", { "class": "soft" }, entry.common));
		}
		addCause(head, row);
		head.appendChild(element("small", { "class": "narrow" }, quantity(row, row.a) + " → " + quantity(row, row.b)));
	}

	function quantity(row, value) {
		return page.quantity(value, row.entry.metric[2]);
	}

	function addCell(tr, kind, text, small) {
		var cell = element("td", { "class": kind }, text);
		if (small)
			cell.appendChild(element("small", {}, small));
		tr.appendChild(cell);
		return cell;
	}

	function drawRow(row, called, reach, pair) {
		var tr = element("tr", { "data-verdict-name": row.verdict }), head = element("th", { scope: "row" });
		var from = row.judged ? "mean of " + plural(row.count, "commit", "commits") : "", interval = isFinite(row.low) ? percent(row.low) + " to " + percent(row.high) :
			row.method === "exact" ? "exact" : "";
		var older = row.at === pair.a.place ? "" : ", last " + commits[data.newest - row.at].id;
		addNames(head, row);
		tr.appendChild(head);
		addCell(tr, "n drop", quantity(row, row.a), from + older);
		addCell(tr, "n drop", quantity(row, row.b), row.entry.now.runs > 1 ? plural(row.entry.now.runs, "run", "runs") : "");
		addCell(tr, "n change v-" + row.verdict, (row.verdict === "steady" ? "" : marks[row.verdict] + " ") +
			percent(row.change), interval);
		draw.over(addCell(tr, "over"), row, reach);
		addCell(tr, "n", isFinite(row.significance) ? (row.significance < 999.5 ? row.significance.toFixed(1) : "> 999") + "×" : "",
			isFinite(row.p) ? "p " + chance(row.slower ? row.p : row.pFaster) : "");
		addCell(tr, "drop").appendChild(element("span", { "class": "verdict", "data-verdict": badges[row.verdict] },
			marks[row.verdict] + " " + called[row.verdict]));
		return tr;
	}

	var keys = {
		name: function (row) {
			return row.entry.name;
		},
		a: function (row) {
			return row.a;
		},
		b: function (row) {
			return row.b;
		},
		change: function (row) {
			return row.change;
		},
		significance: function (row) {
			return row.significance;
		},
		verdict: function (row) {
			return classes.indexOf(row.verdict);
		}
	};

	/* Unknown stays last. */
	function sorted(rows) {
		var down = state.sort[0] === "-", key = keys[state.sort.replace(/^-/, "")], sign = down ? -1 : 1;
		return rows.slice().sort(function (p, q) {
			if (!key)
				return classes.indexOf(p.verdict) - classes.indexOf(q.verdict) || Math.abs(q.change) - Math.abs(p.change);
			var x = key(p), y = key(q);
			if (typeof x === "string")
				return sign * page.collator.compare(x, y);
			if (isNaN(x) || isNaN(y))
				return isNaN(x) - isNaN(y);
			return sign * (x - y) || page.collator.compare(p.entry.name, q.entry.name);
		});
	}

	function fits(row) {
		var entry = row.entry, text = [entry.name, entry.common, entry.device, entry.tool, entry.dtype].join(" ").toLowerCase();
		return state.find.toLowerCase().split(/\s+/).every(function (word) {
			return text.indexOf(word) >= 0;
		});
	}

	/* The mean of times; a rate counts as the time that it stands for. */
	function meanOf(rows) {
		var logs = rows.filter(function (row) {
			return row.a > 0 && row.b > 0;
		}).map(function (row) {
			return Math.log(row.b / row.a);
		}), mixed = rows.some(function (row) {
			return row.entry.metric !== rows[0].entry.metric;
		});
		if (mixed || logs.length < 2)
			return null;
		return { count: logs.length, change: Math.expm1(logs.reduce(function (sum, one) {
			return sum + one;
		}, 0) / logs.length) };
	}

	function drawFoot(mean) {
		var foot = page.all("#rows tfoot")[0];
		foot.textContent = "";
		if (!mean)
			return;
		var tr = element("tr");
		tr.appendChild(element("th", { scope: "row" }, "Geometric mean"));
		["n drop", "n drop", "n", "over drop", "n drop"].forEach(function (kind, column) {
			addCell(tr, kind, column === 2 ? percent(mean.change) : "");
		});
		addCell(tr, "drop", "of " + plural(mean.count, "series", "series"));
		foot.appendChild(tr);
	}

	function drawTable(pair, called) {
		var wanted = state.show.split(","), body = page.all("#rows tbody")[0], fragment = document.createDocumentFragment();
		var found = result.rows.filter(fits), rows = sorted(found.filter(function (row) {
			return wanted.indexOf(row.verdict) >= 0;
		})), reach = draw.reachOf(result.rows);
		rows.slice(0, drawn).forEach(function (row) {
			fragment.appendChild(drawRow(row, called, reach, pair));
		});
		if (rows.length === 0) {
			var tr = element("tr"), cell = element("td", { colspan: "7", "class": "full note" }, found.length === 0 ?
				"No series matches the search." : "None of the chosen verdicts; " + plural(found.length, "series has", "series have") +
				" another: choose it above.");
			tr.appendChild(cell);
			fragment.appendChild(tr);
		}
		body.textContent = "";
		body.appendChild(fragment);
		at("count").textContent = rows.length > drawn ? "the first " + drawn + " of " + plural(rows.length, "row", "rows") +
			": search to see others" : rows.length + " of " + plural(result.rows.length, "series", "series");
		page.all("#rows thead th[data-by]").forEach(function (head) {
			var by = head.dataset.by;
			if (state.sort.replace(/^-/, "") === by)
				head.setAttribute("aria-sort", state.sort[0] === "-" ? "descending" : "ascending");
			else
				head.removeAttribute("aria-sort");
		});
	}

	function drawChips(called) {
		var box = at("chips"), wanted = state.show.split(","), focused = box.contains(document.activeElement) &&
			document.activeElement.dataset.show;
		box.textContent = "";
		classes.forEach(function (verdict) {
			var count = result.rows.filter(function (row) {
				return row.verdict === verdict && fits(row);
			}).length, button = element("button", { type: "button", "class": "v-" + verdict, "data-show": verdict,
				"aria-pressed": String(wanted.indexOf(verdict) >= 0) }, marks[verdict] + " ");
			button.appendChild(element("b", {}, String(count)));
			button.appendChild(document.createTextNode(" " + called[verdict]));
			button.addEventListener("click", function () {
				var now = state.show.split(",");
				go({ show: classes.filter(function (other) {
					return (now.indexOf(other) >= 0) !== (other === verdict);
				}).join(",") });
			});
			box.appendChild(button);
			if (focused === verdict)
				button.focus();
		});
	}

	function listOf(entries, why) {
		var details = element("details"), list = element("ul");
		details.appendChild(element("summary", {}, plural(entries.length, "series", "series") + " " + why));
		entries.slice(0, drawn).forEach(function (entry) {
			var item = element("li");
			item.appendChild(linkToSeries(entry));
			list.appendChild(item);
		});
		if (entries.length > drawn)
			list.appendChild(element("li", {}, "and " + (entries.length - drawn) + " more"));
		details.appendChild(list);
		return details;
	}

	function drawLeftOut() {
		var box = at("left-out");
		box.textContent = "";
		if (result.gone.length + result.fresh.length)
			box.appendChild(element("p", {}, "Not compared:"));
		if (result.gone.length)
			box.appendChild(listOf(result.gone, "not measured at B"));
		if (result.fresh.length)
			box.appendChild(listOf(result.fresh, "not measured at A or before"));
		box.appendChild(element("p", {}, "Other devices, shapes, data types or tools are other series: they are never compared."));
	}

	/* --- the whole page --- */

	function countsOf(rows) {
		return classes.map(function (verdict) {
			return rows.filter(function (row) {
				return row.verdict === verdict;
			}).length;
		});
	}

	function answerOf(called) {
		var counts = countsOf(result.rows), parts = [];
		classes.slice(0, 3).forEach(function (verdict, i) {
			if (counts[i])
				parts.push(counts[i] + " " + called[verdict]);
		});
		if (result.rows.length === 0)
			return "Nothing to compare";
		return parts.length ? parts.join(", ") : counts[3] === 1 ? "1 series, within noise" :
			"All " + counts[3] + " series within noise";
	}

	function forgeLink(pair) {
		var url = at("compared").dataset.diffUrl, older = pair.a.place < pair.b.place ? pair.a : pair.b;
		var newer = older === pair.a ? pair.b : pair.a;
		if (!url)
			return null;
		return element("a", { href: url + (older.oid || older.id) + "..." +
			(newer.oid || newer.id) }, "diff on the forge");
	}

	function drawTold(pair, mean) {
		var told = at("told"), steps = pair.b.place - pair.a.place, link = forgeLink(pair);
		told.textContent = plural(result.rows.length, "series", "series") + " compared";
		if (mean) {
			told.appendChild(document.createTextNode("; geometric mean "));
			told.appendChild(element("b", {}, percent(mean.change)));
		}
		told.appendChild(document.createTextNode(". B is " + plural(Math.abs(steps), "commit", "commits") +
			(steps > 0 ? " after A" : " before A") + (link ? ": " : ".")));
		if (link) {
			told.appendChild(link);
			told.appendChild(document.createTextNode("."));
		}
		if (steps < 0)
			told.appendChild(document.createTextNode(" The later commit is A: swap them to see what the commits between changed."));
	}

	function caption() {
		var entry = result.rows.length ? result.rows[0].entry : null, same = entry && result.rows.every(function (row) {
			return row.entry.metric === entry.metric;
		});
		return (same ? entry.metric[1] + "; " + (entry.rule[0] ? entry.rule[0] + " is better" : "any change counts") :
			"Time or rate of each series") + (data.common ? "; all " + data.common : "") +
			". Significance: the change in units of the noise between commits.";
	}

	function drawAll(pair) {
		var called = words(result.rows), mean = meanOf(result.rows), answer = answerOf(called);
		at("answer").textContent = answer;
		document.title = answer + ": " + pair.a.id + ".." + pair.b.id + " · rooflog";
		at("command").textContent = "rooflog compare " + pair.a.id + " " + pair.b.id +
			(state.metric ? " --metric " + state.metric : "");
		drawTold(pair, mean);
		at("compared").hidden = false;
		page.all("#rows caption")[0].textContent = caption();
		["A", "B"].forEach(function (side, i) {
			var button = page.all("#rows thead th[data-by=" + side.toLowerCase() + "] button")[0];
			button.textContent = side + " ";
			button.appendChild(element("code", {}, (i ? pair.b : pair.a).id));
		});
		draw.strip(at("strip"), result.rows, called);
		drawChips(called);
		drawTable(pair, called);
		drawFoot(mean);
		drawLeftOut();
		at("filters").hidden = result.rows.length === 0;
		at("rows").hidden = result.rows.length === 0;
	}

	/* Says why nothing can be compared, and what to do. */
	function drawEmpty(answer, why, command) {
		var box = at("empty");
		result = null;
		at("answer").textContent = answer;
		document.title = answer + " · rooflog";
		at("told").textContent = "";
		at("compared").hidden = true;
		box.textContent = "";
		box.hidden = false;
		box.appendChild(element("p", {}, why));
		if (command)
			box.appendChild(element("code", {}, command));
	}

	function sideOf(id, name) {
		var commit = commitOf(id);
		if (!commit)
			drawEmpty("No such commit", name + " is " + (id || "empty") + ". This site does not have that commit: choose one above. " +
				"Of a branch, or of another site, the command compares it:", "rooflog compare " + (state.a || "A") + " " + (state.b || "B"));
		return commit;
	}

	function show() {
		state = parse(self.location.hash);
		var measured = commits.filter(function (commit) {
			return commit.oid;
		});
		if (state.bad)
			return drawEmpty("No such comparison", "The address ends in " + state.bad.slice(0, 80) + "; expected #A..B, with two commit ids.");
		if (!state.a && !state.b && measured.length > 1) {
			state.a = measured[1].id;
			state.b = measured[0].id;
		}
		if (measured.length < 2)
			return drawEmpty("Nothing to compare yet", "This site has " + plural(measured.length, "measured commit", "measured commits") +
				": measure another, and write the site again.", "rooflog ingest FILE...");
		["a", "b"].forEach(function (side) {
			var commit = commitOf(state[side]);
			at(side).value = commit ? labelOf(commit) : state[side];
		});
		at("find").value = state.find;
		at("metric").value = state.metric;
		var a = sideOf(state.a, "A"), b = a && sideOf(state.b, "B");
		if (!b)
			return;
		if (a === b)
			return drawEmpty("A and B are the same commit", "Choose two commits above.");
		compare({ a: a, b: b });
	}

	function compare(pair) {
		var column = data.metrics.findIndex(function (metric) {
			return metric[0] === state.metric;
		}), wanted = pair.a.id + " " + pair.b.id + " " + state.metric, hash = self.location.hash;
		if (state.metric && column < 0)
			return drawEmpty("No such metric", "No series of this site has the metric " + state.metric.slice(0, 80) + ".");
		at("empty").hidden = true;
		if (result && shownPair === wanted)
			return drawAll(pair);
		self.rooflog.pair(pair.a.place, pair.b.place, column < 0 ? null : column, page.load, function (compared) {
			if (hash !== self.location.hash)
				return;
			result = compared;
			shownPair = wanted;
			drawAll(pair);
		}, function () {
			drawEmpty("A file of this site is missing", "The values of these commits cannot be read: write the site again.", "rooflog site FOLDER");
		});
	}

	/* --- choosing commits --- */

	function labelOf(commit) {
		return commit.id + (commit.release ? " (" + commit.release + ")" : "") + " · " + commit.day + " · " + commit.subject;
	}

	/* A text field that lists the commits that it fits. */
	function Combo(side) {
		var combo = this;
		this.side = side;
		this.input = at(side);
		this.list = at("list-" + side);
		this.chosen = -1;
		this.input.addEventListener("focus", function () {
			combo.input.select();
		});
		this.input.addEventListener("click", function () {
			combo.open("");
		});
		this.input.addEventListener("input", function () {
			combo.open(combo.input.value);
		});
		this.input.addEventListener("blur", function () {
			combo.close(true);
		});
		this.input.addEventListener("keydown", function (event) {
			combo.key(event);
		});
		this.list.addEventListener("mousedown", function (event) {
			var item = event.target.closest("li[data-id]");
			event.preventDefault();
			if (item)
				combo.choose(item.dataset.id);
		});
	}

	Combo.prototype.open = function (text) {
		var list = this.list, side = this.side, found = text.toLowerCase().split(/\s+/), most = 60;
		var fit = commits.filter(function (commit) {
			var label = ((commit.oid || commit.id) + " " + labelOf(commit)).toLowerCase();
			return commit.oid && found.every(function (word) {
				return label.indexOf(word) >= 0;
			});
		});
		list.textContent = "";
		fit.slice(0, most).forEach(function (commit, i) {
			list.appendChild(element("li", { role: "option", id: side + "-" + i, "data-id": commit.id, "aria-selected": "false" },
				labelOf(commit)));
		});
		if (fit.length > most || fit.length === 0)
			list.appendChild(element("li", { "class": "note" }, fit.length ? fit.length - most +
				" more: type a hash, a release, a day or words of the subject" : "no measured commit fits"));
		list.hidden = false;
		this.input.setAttribute("aria-expanded", "true");
		this.mark(text && fit.length ? 0 : -1);
		var current = page.all("li[data-id]", list).findIndex(function (item) {
			return item.dataset.id === (commitOf(state[side]) || {}).id;
		});
		if (!text && current >= 0)
			this.mark(current);
	};

	Combo.prototype.mark = function (index) {
		var items = page.all("li[data-id]", this.list);
		this.chosen = items.length ? Math.max(-1, Math.min(items.length - 1, index)) : -1;
		items.forEach(function (item, i) {
			item.setAttribute("aria-selected", String(i === this.chosen));
		}, this);
		if (this.chosen < 0)
			return this.input.removeAttribute("aria-activedescendant");
		this.input.setAttribute("aria-activedescendant", items[this.chosen].id);
		items[this.chosen].scrollIntoView({ block: "nearest" });
	};

	Combo.prototype.close = function (restore) {
		var commit = commitOf(state[this.side]);
		this.list.hidden = true;
		this.input.setAttribute("aria-expanded", "false");
		this.input.removeAttribute("aria-activedescendant");
		if (restore)
			this.input.value = commit ? labelOf(commit) : state[this.side];
	};

	Combo.prototype.choose = function (id) {
		var change = {};
		change[this.side] = id;
		this.close(false);
		go(change);
		show();
	};

	Combo.prototype.key = function (event) {
		var moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }, items = page.all("li[data-id]", this.list);
		if (moves[event.key] && this.list.hidden)
			this.open("");
		else if (moves[event.key])
			this.mark(Math.max(0, this.chosen + moves[event.key]));
		else if (event.key === "Enter" && !this.list.hidden && items[this.chosen])
			this.choose(items[this.chosen].dataset.id);
		else if (event.key === "Escape" && !this.list.hidden)
			this.close(true);
		else if (event.key !== "Enter")
			return;
		event.preventDefault();
	};

	/* --- start --- */

	function makeHeaders() {
		page.all("#rows thead th[data-by]").forEach(function (head) {
			var button = element("button", { type: "button", "class": "sort" }, head.textContent), by = head.dataset.by;
			head.textContent = "";
			head.appendChild(button);
			button.addEventListener("click", function () {
				/* Numbers begin with the largest, names and verdicts with the first; the third click undoes it. */
				var first = by === "name" || by === "verdict" ? by : "-" + by, second = first[0] === "-" ? by : "-" + by;
				go({ sort: state.sort === first ? second : state.sort === second ? "" : first });
			});
		});
	}

	/* The metrics that some series have. */
	function makeMetrics() {
		var select = at("metric"), counts = data.metrics.map(function (metric, column) {
			return data.series.filter(function (series) {
				return series[7].some(function (one) {
					return one[0] === column;
				});
			}).length;
		});
		var several = counts.filter(Boolean).length > 1;
		at("metrics").hidden = !several;
		select.appendChild(element("option", { value: "" }, "time or rate of each"));
		data.metrics.forEach(function (metric, column) {
			if (counts[column])
				select.appendChild(element("option", { value: metric[0] }, metric[1] + " (" + counts[column] + ")"));
		});
		select.addEventListener("change", function () {
			go({ metric: select.value });
		});
	}

	at("latest").hidden = true;
	at("picker").hidden = false;
	makeHeaders();
	makeMetrics();
	new Combo("a");
	new Combo("b");
	at("picker").addEventListener("submit", function (event) {
		event.preventDefault();
	});
	at("filters").addEventListener("submit", function (event) {
		event.preventDefault();
	});
	at("swap").addEventListener("click", function () {
		go({ a: state.b, b: state.a });
	});
	at("find").addEventListener("input", function () {
		go({ find: at("find").value }, true);
	});
	self.addEventListener("hashchange", show);
	self.addEventListener("resize", function () {
		if (result)
			draw.strip(at("strip"), result.rows, words(result.rows));
	});
	show();
})();
