// usage: node agreement.mjs SITE SHARE COMPARISON.json...
// Compares the numbers of the page compare.html with those of `rooflog compare A B --json`, which
// wrote the files. The page's scripts run here without a page: they are the same files of SITE.
//
// Where they must agree:
//  - the same series are compared, always;
//  - where both compare with the same commits and their own noise, change, noise and interval are equal to
//    the rounding of six digits;
//  - verdicts are of the same class but for SHARE of the series, and the commits are the same but for three
//    times that share: the page also knows the commits after A, so that some levels begin elsewhere, and
//    with them what others borrow, or what may be chance;
//  - at SHARE 0, for histories with clear levels, no series may differ in anything, the geometric mean is
//    equal, and noise that is borrowed is within a tenth: it is that of whole levels of other series.
// A must be the older commit: of a newer one, the program takes B's values for copies.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const [site, share, ...files] = process.argv.slice(2);
const strict = Number(share) === 0, context = vm.createContext({});
context.self = context;
const run = (name) => vm.runInContext(readFileSync(join(site, "data", name + ".js"), "utf8"), context, name);
for (const name of ["commits", "compare", "judge", "pair"])
	run(name);

const classes = {
	regressed: "slower", suspect: "slower", improved: "faster", unchanged: "steady", undecided: "unclear",
	unproven: "unclear", environment: "unclear",
};
const total = { compared: 0, elsewhere: 0, otherwise: 0, failures: 0 };
const rounding = 2e-5;

const anchorOf = (series) => "s" + createHash("sha256").update(series).digest("hex").slice(0, 10);
const isNear = (x, y, tolerance) => Math.abs(x - y) <= tolerance;

function fail(what) {
	total.failures++;
	console.log(`FAILED: ${what}`);
}

// The name of the first number that differs; "" if none does.
function difference(row, one) {
	const judged = one.method === "record", own = judged && !row.borrowed, scale = judged ? row.scale : 0;
	const numbers = [
		["change", row.change, one.change, rounding * Math.max(1, 1 + one.change)],
	];
	if (own)
		numbers.push(["noise", row.scale / one.noise, 1, 0.01 + rounding / scale],
			["low", row.low, one.interval.low, 0.05 * scale + rounding],
			["high", row.high, one.interval.high, 0.05 * scale + rounding]);
	else if (judged && strict && one.noise !== undefined)
		numbers.push(["noise, borrowed", row.scale / one.noise, 1, 0.1]);
	if (judged && strict && !isNaN(row.q))
		numbers.push(["log of q", Math.log(row.q), Math.log(one.q), 0.3 + 0.02 * Math.abs(Math.log(row.q))]);
	const found = numbers.find(([, page, program, tolerance]) => !isNear(page, program, tolerance));
	return found ? `${found[0]}: page ${found[1]}, program ${found[2]}` : "";
}

function compareRow(where, row, one) {
	const other = row.verdict !== classes[one.verdict];
	const elsewhere = (one.method === "record" && one.record.commits !== row.count) ||
		!isNear(row.a / one.baseline.value, 1, rounding);
	const words = elsewhere ? `A is ${row.a}, ${row.count} commits; program ${one.baseline.value}, ${one.record?.commits}` :
		difference(row, one);
	total.compared++;
	total.elsewhere += elsewhere;
	total.otherwise += other;
	if (words && (strict || !elsewhere))
		fail(`${where}: ${words}`);
	if (other && strict)
		fail(`${where}: page ${row.verdict}, p ${row.p}, q ${row.q}; program ${one.verdict}, p ${one.p}, q ${one.q}: ${one.reason}`);
}

function pairOf(document) {
	const place = (commit) => context.rooflog.compare.newest -
		context.rooflog.commits.findIndex((row) => row[0] === commit.short);
	let result;
	context.rooflog.pair(place(document.compare.baseline.commit), place(document.compare.candidate.commit), null,
		(names, then) => {
			names.forEach(run);
			then();
		}, (found) => {
			result = found;
		});
	return result;
}

function compareMean(file, rows, blocks) {
	const mean = blocks.length === 1 && blocks[0].geometric_mean;
	const logs = rows.filter((row) => row.a > 0 && row.b > 0).map((row) => Math.log(row.b / row.a));
	if (mean && strict && !isNear(Math.expm1(logs.reduce((x, y) => x + y, 0) / logs.length), mean.change, rounding))
		fail(`${file}: geometric mean, program ${mean.change}`);
}

for (const file of files) {
	const document = JSON.parse(readFileSync(file, "utf8")), result = pairOf(document);
	const rows = new Map(result.rows.map((row) => [row.entry.anchor, row]));
	const judged = document.gate.comparisons.filter((one) => classes[one.verdict]);
	for (const one of judged)
		if (rows.has(anchorOf(one.series)))
			compareRow(`${file}, ${one.series}`, rows.get(anchorOf(one.series)), one);
		else
			fail(`${file}, ${one.series}: ${one.verdict} in the program, not compared by the page`);
	if (judged.length !== rows.size)
		fail(`${file}: the page compares ${rows.size} series, the program ${judged.length}`);
	compareMean(file, result.rows, document.compare.blocks);
}
console.log(`${total.compared} comparisons; ${total.elsewhere} with other commits, ${total.otherwise} of another class`);
if (total.compared === 0 || total.otherwise > share * total.compared || total.elsewhere > 3 * share * total.compared)
	fail(`more than the share of ${share}`);
process.exitCode = total.failures ? 1 : 0;
