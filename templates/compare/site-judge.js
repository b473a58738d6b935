/*
 * Judges a change as `rooflog compare A B` does: the value at B by the commits that lead to A, at
 * A's level. The program's own source has the reasons (model/verdict/judge.c, model/gate); tests
 * compare the numbers. Values are logs, or multiples of their usual size if some are not positive.
 */
"use strict";
(function () {
	var least = 8, most = 60, lentTo = 20, leastScale = 1e-4, winsor = 3.5, usual = 0.6744897501960817;

	/* --- distributions --- */

	/* log Gamma(x), x > 0, by Stirling's series from 15 on. */
	function logGamma(x) {
		var shift = 0;
		for (; x < 15; x++)
			shift += Math.log(x);
		var square = 1 / (x * x);
		return (x - 0.5) * Math.log(x) - x + 0.9189385332046727 - shift +
			(1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x;
	}

	function betaFraction(x, a, b) {
		var tiny = 1e-300, c = 1, d = 1 - (a + b) * x / (a + 1);
		d = 1 / (Math.abs(d) < tiny ? tiny : d);
		var value = d;
		for (var m = 1; m < 10000; m++) {
			var terms = [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
				-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))], factor = 1;
			for (var half = 0; half < 2; half++) {
				d = 1 + terms[half] * d;
				c = 1 + terms[half] / c;
				d = 1 / (Math.abs(d) < tiny ? tiny : d);
				c = Math.abs(c) < tiny ? tiny : c;
				factor *= c * d;
			}
			value *= factor;
			if (Math.abs(factor - 1) < 1e-15)
				break;
		}
		return value;
	}

	/* The upper tail of Student's t. */
	function studentUpper(t, df) {
		var square = t * t, x = df / (df + square), rest = square / (df + square), a = df / 2, b = 0.5;
		var front = Math.exp(a * (x < 0.5 ? Math.log(x) : Math.log1p(-rest)) +
			b * (x < 0.5 ? Math.log1p(-x) : Math.log(rest)) - logGamma(a) - logGamma(b) + logGamma(a + b));
		var lower = rest <= 0 ? 1 : x <= 0 ? 0 : x < (a + 1) / (a + b + 2) ? front * betaFraction(x, a, b) / a :
			1 - front * betaFraction(rest, b, a) / b;
		return t >= 0 ? lower / 2 : 1 - lower / 2;
	}

	var quantiles = {};

	function studentQuantile(p, df) {
		var key = p + " " + df, low = 0, high = 1;
		if (quantiles[key])
			return quantiles[key];
		while (studentUpper(high, df) > p)
			high *= 2;
		for (var i = 0; i < 100 && high - low > 1e-13 * high; i++) {
			var middle = (low + high) / 2;
			if (studentUpper(middle, df) > p)
				low = middle;
			else
				high = middle;
		}
		return (quantiles[key] = (low + high) / 2);
	}

	/* --- spreads --- */

	function byNumber(a, b) {
		return a - b;
	}

	function median(values) {
		var sorted = values.slice().sort(byNumber), half = sorted.length >> 1;
		return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
	}

	function clip(value, limit) {
		return Math.max(-limit, Math.min(limit, value));
	}

	/* The noise between neighbouring commits, by the bulk of their differences. */
	function noiseOf(x) {
		if (x.length < 2)
			return leastScale;
		var steps = x.slice(1).map(function (value, i) {
			return Math.abs(value - x[i]);
		});
		var middle = median(steps), mad = middle / (usual * Math.SQRT2);
		if (middle === 0) {
			var kept = Math.floor(steps.length * 9 / 10);
			mad = kept ? steps.slice().sort(byNumber).slice(0, kept).reduce(function (sum, step) {
				return sum + step;
			}, 0) * 0.886 / kept : 0;
		}
		var cap = winsor * Math.SQRT2 * mad, squares = 0;
		steps.forEach(function (step) {
			squares += Math.pow(Math.min(step, cap), 2);
		});
		return Math.max(mad, Math.sqrt(squares / steps.length / 2), leastScale);
	}

	/* Where a change came and was fixed within the history: [first, count]. */
	function excursion(x, now) {
		var found = null, limit = 6 * noiseOf(x);
		function at(i) {
			return i < x.length ? x[i] : now;
		}
		function next(from) {
			var i = from > 0 ? from : 1;
			while (i <= x.length && Math.abs(at(i) - at(i - 1)) <= limit)
				i++;
			return i;
		}
		for (var first = next(0); first < x.length;) {
			var end = next(first + 1), before = at(first - 1);
			var away = end <= x.length &&
				Math.abs(at(end) - before) < Math.abs(at(first) - before) / 2;
			if (away && end - first >= 2 && end - first <= 9 && first >= 3) {
				if (found)
					return null;
				found = [first, end - first];
			}
			first = away ? next(end + 1) : end;
		}
		return found && found[1] <= x.length / 3 ? found : null;
	}

	/* --- one judgement --- */

	function effectOf(j, difference) {
		return j.relative ? Math.expm1(difference) : j.level === 0 ? NaN : difference / Math.abs(j.level);
	}

	function differenceOf(j, effect) {
		return j.relative ? Math.log1p(effect) : effect * Math.abs(j.level);
	}

	function measureHistory(j) {
		var x = j.kept, n = x.length, sum = 0, squares = 0, around = 0, products = 0, sigma = noiseOf(x);
		var middle = median(x);
		j.exact = 2 * x.filter(function (value) {
			return value === middle;
		}).length > n;
		j.bulk = Math.max(median(x.map(function (value) {
			return Math.abs(value - middle);
		})) / usual, leastScale);
		var e = x.map(function (value) {
			return clip(value - middle, winsor * sigma);
		});
		e.forEach(function (value) {
			sum += value;
			squares += value * value;
		});
		var mean = sum / n;
		e.forEach(function (value, i) {
			around += (value - mean) * (value - mean);
			products += i ? (value - mean) * (e[i - 1] - mean) : 0;
		});
		j.rho = clip((around > 0 ? products / around : 0) + 1 / n, 0.9);
		var ratio = j.rho > 0 && n >= 3 ? (1 + j.rho) / (1 - j.rho) : 1;
		j.level = middle + mean;
		j.scale = Math.max(n > 1 ? Math.sqrt(squares / (n - 1)) : 0, 0.8 * sigma);
		j.widening = 1 + ratio / n;
		j.df = Math.max(4, n / ratio);
	}

	/* A short history borrows noise, with less weight for each commit of its own. */
	function lentNoise(j) {
		if (j.lent === null)
			return j.relative ? 0.01 : NaN;
		var noise = j.lent * (j.relative ? 1 : Math.abs(j.level));
		return noise > 0 ? noise : NaN;
	}

	function isBorrowing(j) {
		return j.kept.length < lentTo && !isNaN(lentNoise(j)) && !(j.exact && j.kept.length >= 3);
	}

	function borrow(j) {
		var n = j.kept.length, own = n - 1, lent = lentNoise(j), weight = j.lent === null ? 4 : 8;
		if (n >= least)
			weight *= (lentTo - n) / (lentTo + 1 - least);
		if (n > 1) {
			var spread = 2 / (9 * own);
			var away = (Math.cbrt(j.scale * j.scale / (lent * lent)) - (1 - spread)) / Math.sqrt(spread);
			var beyond = Math.max(0, Math.abs(away) - 1.5), share = Math.min(1, own / (least - 1));
			weight *= Math.pow(Math.exp(-beyond * beyond), share * share);
		}
		var ratio = (j.widening - 1) * n;
		j.scale = Math.sqrt((weight * lent * lent + own * j.scale * j.scale) / (weight + own));
		j.df = Math.max(4, weight + own / (1 + (ratio - 1) * Math.min(1, own / (lentTo - 1))));
	}

	/* The tail of two modes, where the history has two; NaN where it has not. */
	function modesTail(j, sign) {
		var n = j.kept.length, few = Math.max(3, Math.floor(n / 10) + 1), total = 0, sum = 0, best = -1;
		var split = 0, means = [0, 0], squares = 0;
		if (n < lentTo)
			return NaN;
		var x = j.kept.map(function (value) {
			return value - j.level;
		}).sort(byNumber);
		x.forEach(function (value) {
			total += value;
		});
		for (var i = 1; i + few <= n; i++) {
			sum += x[i - 1];
			var between = sum * sum / i + (total - sum) * (total - sum) / (n - i);
			if (i >= few && between > best) {
				best = between;
				split = i;
				means = [sum / i, (total - sum) / (n - i)];
			}
		}
		x.forEach(function (value, at) {
			squares += Math.pow(value - means[at >= split ? 1 : 0], 2);
		});
		var scale = Math.max(Math.sqrt(squares / (n - 2)), leastScale);
		if (!(means[1] - means[0] > 4 * scale))
			return NaN;
		return means.reduce(function (p, mean, at) {
			var weight = at ? 1 - split / n : split / n;
			var reach = scale * Math.sqrt(1 + 1 / (n * weight));
			return p + weight * studentUpper(sign * (j.now - j.level - mean) / reach, n - 2);
		}, 0);
	}

	function countBeyond(x, limit, slower) {
		return x.filter(function (value) {
			return slower ? value >= limit : value <= limit;
		}).length;
	}

	/* Stretches of the history where B is now, away from the other commits: a known mode. */
	function countKnown(j, slower) {
		var was = false;
		return j.x.filter(function (value) {
			var away = slower ? value - j.level : j.level - value, before = was;
			was = away > 3.5 * j.bulk && Math.abs(value - j.now) < 2 * j.bulk;
			return was && !before;
		}).length;
	}

	function passGates(j, r, options, repeats) {
		var half = (j.now + j.level) / 2, n = j.kept.length, difference = Math.abs(j.now - j.level);
		var worth = r.slower ? differenceOf(j, options.leastEffect) : -differenceOf(j, -options.leastEffect);
		var small = difference < differenceOf(j, 0.6 * options.tolerance);
		r.needed = isBorrowing(j) ? 1 : j.exact && n > 1 ? 3 : least;
		r.seen = countBeyond(j.kept, j.now, r.slower);
		r.alpha = options.alpha * (small ? 0.1 : 1);
		var p = r.slower ? r.p : r.pFaster;
		r.gates = {
			record: n >= r.needed,
			p: p < r.alpha,
			effect: difference >= worth && difference > 0,
			seen: r.seen <= (n < lentTo ? 0 : Math.floor(0.1 * n)),
			known: countKnown(j, r.slower) <= 1,
			repeats: repeats.runs < 3 || (r.slower ? repeats.above >= half : repeats.below <= half)
		};
	}

	function decide(r, smallEnough) {
		if (!r.gates.record)
			return "unclear";
		var believed = smallEnough && ["effect", "seen", "known", "repeats"].every(function (name) {
			return r.gates[name];
		});
		return believed ? (r.slower ? "slower" : "faster") : r.equivalent ? "steady" : "unclear";
	}

	function allPositive(values) {
		return values.every(function (value) {
			return value > 0;
		});
	}

	function sizeOf(values, otherwise) {
		var sizes = values.map(Math.abs), middle = median(sizes);
		var mean = sizes.reduce(function (sum, size) {
			return sum + size;
		}, 0) / sizes.length;
		return middle > 0 ? middle : mean > 0 ? mean : otherwise > 0 ? otherwise : 1;
	}

	function compareNoise(j, r, options) {
		var difference = j.now - j.level, reach = j.scale * Math.sqrt(j.widening);
		var tail = studentUpper(Math.abs(difference) / reach, j.df), sure = studentQuantile(0.01, j.df);
		var wide = studentQuantile(0.025, j.df) * reach, tolerated = differenceOf(j, options.tolerance);
		r.p = r.slower ? tail : 1 - tail;
		r.pFaster = r.slower ? 1 - tail : tail;
		var modes = modesTail(j, 1);
		if (!isNaN(modes)) {
			r.p = Math.min(r.p, modes);
			r.pFaster = Math.min(r.pFaster, modesTail(j, -1));
		}
		r.scale = j.relative ? j.scale : effectOf(j, j.scale);
		r.significance = Math.abs(difference) / j.scale;
		r.low = effectOf(j, difference - wide);
		r.high = effectOf(j, difference + wide);
		r.detectable = effectOf(j, (sure + 0.84) * reach);
		r.equivalent = j.exact && difference === 0 ||
			(options.bothWays ? Math.abs(difference) : difference) + sure * reach < tolerated;
	}

	/* history: values, oldest first; now: {value, runs, above, below}; smaller is better. */
	function judge(history, now, options) {
		var values = history.slice(-most), n = values.length;
		var j = { lent: options.lent, relative: allPositive(values) && now.value > 0 }, size;
		var r = { verdict: "unclear", p: NaN, pFaster: NaN, scale: NaN, low: NaN, high: NaN, significance: NaN };
		size = j.relative ? 1 : sizeOf(values, Math.abs(now.value));
		function judged(value) {
			return j.relative ? Math.log(value) : value / size;
		}
		j.x = values.map(judged);
		j.now = judged(now.value);
		var away = excursion(j.x, j.now);
		j.kept = away ? j.x.slice(0, away[0]).concat(j.x.slice(away[0] + away[1])) : j.x;
		measureHistory(j);
		r.borrowed = isBorrowing(j);
		r.assumed = r.borrowed && j.lent === null;
		if (r.borrowed)
			borrow(j);
		r.count = j.kept.length;
		r.looked = n;
		r.relative = j.relative;
		r.level = j.relative ? Math.exp(j.level) : j.level * size;
		r.effect = effectOf(j, j.now - j.level);
		r.slower = j.now > j.level;
		if (n >= 3 || r.borrowed)
			compareNoise(j, r, options);
		passGates(j, r, options, { runs: now.runs, above: judged(now.above), below: judged(now.below) });
		r.verdict = decide(r, r.gates.p);
		return r;
	}

	/* Benjamini and Hochberg's q; NaN stays NaN. */
	function adjust(ps) {
		var q = ps.map(function () {
			return NaN;
		}), smallest = 1;
		var known = ps.map(function (p, at) {
			return { p: p, at: at };
		}).filter(function (one) {
			return !isNaN(one.p);
		}).sort(function (a, b) {
			return a.p - b.p || a.at - b.at;
		});
		for (var rank = known.length; rank > 0; rank--) {
			smallest = Math.min(smallest, known[rank - 1].p * known.length / rank);
			q[known[rank - 1].at] = smallest;
		}
		return q;
	}

	self.rooflog = self.rooflog || {};
	self.rooflog.judge = { judge: judge, decide: decide, adjust: adjust, median: median };
})();
