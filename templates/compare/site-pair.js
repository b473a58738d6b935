/*
 * Compares two commits of the site: from the values in data/v-N.js to one row per series, with the
 * rules of `rooflog compare`. Places count commits from the oldest one, 0.
 */
"use strict";
(function () {
	var data = self.rooflog.compare, judging = self.rooflog.judge, history = 60, short = 20, known = 8;

	/* --- what is measured --- */

	function fileOf(place) {
		var file = data.files.length - 1;
		while (file > 0 && data.files[file] > place)
			file--;
		return file;
	}

	/* One metric of one series: what data/compare.js says of it. */
	function entriesOf(column) {
		var entries = [];
		data.series.forEach(function (series) {
			series[7].forEach(function (one, at) {
				if (column === null ? at > 0 : one[0] !== column)
					return;
				var levels = [];
				for (var i = 2; i < one.length; i += 2)
					levels.push({ place: one[i], noise: one[i + 1] });
				entries.push({ anchor: series[0], name: series[1], common: series[2], slug: series[3],
					device: series[4], tool: series[5], dtype: series[6], column: one[0], metric: data.metrics[one[0]],
					rule: data.rules[one[1]], levels: levels });
			});
		});
		return entries;
	}

	function pointOf(stretch, at) {
		var repeats = stretch[2] ? stretch[2][at] : undefined, value = stretch[1][at];
		var several = Array.isArray(repeats);
		return { place: stretch[0] + at, value: value, runs: several ? repeats[0] : repeats === undefined ? 1 : repeats,
			above: several ? repeats[1] : value, below: several ? repeats[2] : value, equal: !several };
	}

	/* The points of an entry in one file, from one place to another. */
	function pointsIn(entry, file, from, to) {
		var stretches = (self.rooflog.values[file] || {})[entry.anchor + " " + entry.column] || [], points = [];
		stretches.forEach(function (stretch) {
			for (var at = Math.max(0, from - stretch[0]); at < stretch[1].length && stretch[0] + at <= to; at++)
				if (stretch[1][at] !== undefined)
					points.push(pointOf(stretch, at));
		});
		return points;
	}

	function levelAt(entry, place) {
		var at = entry.levels.length - 1;
		while (at >= 0 && entry.levels[at].place > place)
			at--;
		return at;
	}

	/* Gathers the proven points of A's level up to A, newest file first, until there are enough. */
	function gather(entry, a, file) {
		var start = entry.levels[entry.level].place;
		if (entry.past.length >= history || start > a || data.files[file + 1] <= start)
			return;
		entry.past = pointsIn(entry, file, start, a).filter(function (point) {
			return point.runs > 0;
		}).concat(entry.past);
	}

	/* Loads the files of B, of A, and those before A that a level needs; then calls then(entries). */
	function gatherAll(a, b, column, load, then, failed) {
		var entries = entriesOf(column), file = fileOf(a);
		entries.forEach(function (entry) {
			entry.level = levelAt(entry, a);
			entry.past = [];
		});
		function need(number, next) {
			if (self.rooflog.values && self.rooflog.values[number])
				next();
			else
				load(["v-" + number], next, failed);
		}
		function older() {
			var open = false;
			entries.forEach(function (entry) {
				if (entry.level < 0)
					return;
				gather(entry, a, file);
				open = open || entry.past.length < history && entry.levels[entry.level].place < data.files[file];
			});
			if (!open || file === 0)
				return then(entries);
			file--;
			need(file, older);
		}
		need(fileOf(b), function () {
			entries.forEach(function (entry) {
				entry.now = pointsIn(entry, fileOf(b), b, b)[0];
			});
			need(file, older);
		});
	}

	/* --- borrowed noise --- */

	function ownNoise(entry) {
		return entry.level >= 0 && entry.past.length >= known ? entry.levels[entry.level].noise : null;
	}

	function familyOf(entry) {
		return entry.column + " " + entry.device + " " + entry.tool;
	}

	/* The median noise of similar series, without the series itself; null for none. */
	function noiseOfSimilar(families, entry) {
		var own = ownNoise(entry), others = families[familyOf(entry)].slice();
		if (own !== null)
			others.splice(others.indexOf(own), 1);
		return others.length ? judging.median(others) : null;
	}

	function lentTo(families, entry) {
		if (entry.past.length < short && entry.level > 0 && entry.levels[entry.level - 1].noise !== null)
			return entry.levels[entry.level - 1].noise;
		if (entry.rule[6] !== null)
			return entry.rule[6];
		return entry.past.length < short ? noiseOfSimilar(families, entry) : null;
	}

	/* A level of which no noise is known begins after its last jump far beyond the noise. */
	function cutAtJump(entry, lent) {
		var values = entry.past.map(function (point) {
			return point.value;
		});
		if (ownNoise(entry) !== null || lent === null || values.length < 3 || values.some(function (value) {
			return !(value > 0);
		}))
			return values;
		var jumps = values.slice(1).map(function (value, i) {
			return Math.abs(Math.log(value / values[i]));
		});
		var sorted = jumps.slice().sort(function (x, y) {
			return x - y;
		});
		var limit = 6 * Math.max(lent, sorted[(sorted.length - 1) >> 1]);
		for (var i = jumps.length - 1; i >= 0; i--)
			if (jumps[i] > limit)
				return values.slice(i + 1);
		return values;
	}

	/* --- one row --- */

	function turned(turn, value) {
		return turn === "inverse" ? 1 / value : turn === "negative" ? -value : value;
	}

	/* A relative change of the turned value as one of the value itself. */
	function back(turn, effect) {
		return turn === "inverse" ? 1 / (1 + effect) - 1 : turn === "negative" ? -effect : effect;
	}

	function limitOf(rule, level, exact) {
		return Math.max((exact ? rule[4] : rule[3]) * Math.abs(level), rule[5]);
	}

	function optionsOf(rule, level, lent, turn) {
		var limit = level === 0 ? 0 : limitOf(rule, level, false) / Math.abs(level);
		function over(share) {
			return turn === "inverse" && share < 1 ? 1 / (1 - share) - 1 : share;
		}
		return { alpha: rule[1], tolerance: over(Math.max(rule[2], limit)), leastEffect: over(limit), lent: lent,
			bothWays: rule[0] === "" };
	}

	function loss(rule, before, now) {
		return rule[0] === "" ? Math.abs(now - before) : rule[0] === "higher" ? before - now : now - before;
	}

	function judgeExact(row) {
		var rule = row.entry.rule, up = row.b - row.a;
		row.method = "exact";
		row.verdict = Math.abs(up) <= limitOf(rule, row.a, true) ? "steady" :
			loss(rule, row.a, row.b) > 0 ? "slower" : "faster";
		row.p = row.pFaster = row.scale = row.low = row.high = row.significance = NaN;
	}

	/* A value that the history had now and then, and that is far from its level, is believed. */
	function believeRare(row, r, values, turn) {
		var rule = row.entry.rule, level = turned(turn, row.a), way = turned(turn, row.b) - level;
		var least = Math.max(10 * r.scale, row.tolerated);
		if (r.verdict !== "unclear" || !(r.slower || rule[0] === "") || !(loss(rule, row.a, row.b) >= limitOf(rule, row.a)) ||
			!(Math.abs(row.change) >= least) || !r.gates.record || !r.gates.p || !r.gates.effect || !r.gates.repeats)
			return;
		var seen = values.slice(-r.looked).filter(function (value) {
			return (turned(turn, value) - level) / way >= 0.5;
		}).length;
		if (seen <= (r.looked >= known ? 1 : 0) + (r.looked >= short ? 1 : 0))
			r.verdict = "slower";
	}

	function judgeByHistory(row, values, lent) {
		var rule = row.entry.rule, now = row.entry.now;
		var turn = rule[0] !== "higher" ? "" : values.concat(now.value).every(function (value) {
			return value > 0;
		}) ? "inverse" : "negative";
		var options = optionsOf(rule, judging.median(values), lent, turn);
		var r = judging.judge(values.map(turned.bind(null, turn)), { value: turned(turn, now.value), runs: now.runs,
			above: turned(turn, turn ? now.below : now.above), below: turned(turn, turn ? now.above : now.below) }, options);
		row.method = "history";
		row.a = turned(turn, r.level);
		row.change = row.a === 0 ? NaN : (row.b - row.a) / Math.abs(row.a);
		row.tolerated = options.tolerance;
		believeRare(row, r, values, turn);
		if (!r.relative && (r.verdict === "slower" || r.verdict === "faster") && Math.abs(row.b - row.a) < rule[5])
			r.verdict = "steady";
		["verdict", "p", "pFaster", "scale", "significance", "count", "borrowed", "assumed", "slower", "gates", "detectable",
			"needed", "seen", "equivalent"].forEach(function (name) {
			row[name] = r[name];
		});
		row.judged = r;
		var ends = [back(turn, r.low), back(turn, r.high)];
		row.low = Math.min(ends[0], ends[1]);
		row.high = Math.max(ends[0], ends[1]);
		if (isNaN(ends[0]))
			row.low = row.high = NaN;
	}

	/* Change points between the two commits. */
	function movesOf(entry, a, b) {
		return entry.levels.filter(function (level, at) {
			return at > 0 && level.place > Math.min(a, b) && level.place <= Math.max(a, b);
		}).map(function (level) {
			return level.place;
		});
	}

	function rowOf(entry, families, a, b) {
		var lent = lentTo(families, entry), values = cutAtJump(entry, lent), last = entry.past[entry.past.length - 1];
		var row = { entry: entry, a: last.value, b: entry.now.value, at: last.place, moves: movesOf(entry, a, b), q: NaN };
		row.change = row.a === 0 ? NaN : (row.b - row.a) / Math.abs(row.a);
		if (entry.metric[4] && last.equal && entry.now.equal)
			judgeExact(row);
		else
			judgeByHistory(row, values, lent);
		/* Without a better direction, any change is a regression. */
		if (entry.rule[0] === "" && row.verdict === "faster")
			row.verdict = "slower";
		row.unproven = entry.now.runs === 0;
		return row;
	}

	/* --- all of them --- */

	function controlDiscoveries(rows) {
		var slower = judging.adjust(rows.map(function (row) {
			return row.p;
		})), faster = judging.adjust(rows.map(function (row) {
			return row.pFaster;
		}));
		rows.forEach(function (row, at) {
			row.q = row.slower ? slower[at] : faster[at];
			if (row.method === "history" && (row.verdict === "slower" || row.verdict === "faster") && !(row.q <= data.q)) {
				row.verdict = judging.decide(row.judged, false);
				row.chance = true;
			}
		});
	}

	function stepOf(row) {
		var step = row.method === "history" && row.change > -1 ? Math.log1p(row.change) : NaN;
		return row.entry.rule[0] === "higher" ? -step : step;
	}

	/* Where many series of a metric became slower alike, the machine is as likely as the code. */
	function foldTogether(rows) {
		data.metrics.forEach(function (metric) {
			var mine = rows.filter(function (row) {
				return row.entry.metric === metric;
			});
			var moved = mine.filter(function (row) {
				return stepOf(row) > 0 && row.p < row.entry.rule[1];
			});
			var looked = mine.filter(function (row) {
				return !isNaN(stepOf(row));
			}).length;
			var usual = moved.length ? judging.median(moved.map(stepOf)) : NaN;
			var alike = moved.filter(function (row) {
				return stepOf(row) / usual >= 0.5 && stepOf(row) / usual <= 2;
			});
			if (alike.length < 5 || alike.length <= data.together * looked)
				return;
			alike.forEach(function (row) {
				row.together = [alike.length, looked, Math.expm1(usual)];
				if (row.verdict === "slower")
					row.verdict = "unclear";
			});
		});
	}

	/* {rows, gone: entries without a value at B, fresh: entries without one up to A}. */
	function compareAll(entries, a, b) {
		var families = Object.create(null), result = { rows: [], gone: [], fresh: [] };
		entries.forEach(function (entry) {
			var family = familyOf(entry), own = ownNoise(entry);
			families[family] = families[family] || [];
			if (own !== null)
				families[family].push(own);
		});
		entries.forEach(function (entry) {
			if (entry.now && entry.past.length)
				result.rows.push(rowOf(entry, families, a, b));
			else if (entry.now)
				result.fresh.push(entry);
			else if (entry.past.length)
				result.gone.push(entry);
		});
		controlDiscoveries(result.rows);
		foldTogether(result.rows);
		result.rows.forEach(function (row) {
			if (row.unproven && row.verdict === "faster")
				row.verdict = "unclear";
		});
		return result;
	}

	self.rooflog.pair = function (a, b, column, load, then, failed) {
		gatherAll(a, b, column, load, function (entries) {
			then(compareAll(entries, a, b));
		}, failed);
	};
})();
