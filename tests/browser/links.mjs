// usage: node links.mjs SITE
// Every link, script and style sheet of every page leads to a file of the site, and every anchor to
// an element; nothing leads out of it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const site = resolve(process.argv[2]);
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const anchors = new Map();
let failures = 0, links = 0;

function anchorsOf(path) {
	if (!anchors.has(path))
		anchors.set(path, new Set([...readFileSync(path, "utf8").matchAll(/ id="([^"]*)"/g)].map((m) => m[1])));
	return anchors.get(path);
}

// compare.html#A..B: both are commits of the site.
const commits = readFileSync(join(site, "data/commits.js"), "utf8");

function isPair(file, anchor) {
	const ids = /(^|\/)compare\.html$/.test(file) && /^([0-9a-f]{10})\.\.([0-9a-f]{10})$/.exec(anchor);
	return ids && [ids[1], ids[2]].every((id) => commits.includes(`["${id}",`));
}

function fail(page, text) {
	console.log(`FAILED: ${page}: ${text}`);
	failures++;
}

for (const page of pages) {
	const html = readFileSync(join(site, page), "utf8");
	for (const [, target] of html.matchAll(/(?<![\w-])(?:href|src)="([^"]*)"/g)) {
		links++;
		if (target.startsWith("data:image/svg+xml,"))
			continue;
		const [file, anchor] = target.split("#");
		const path = file ? resolve(site, dirname(page), file) : join(site, page);
		if (/^[a-z]+:|^\/\//i.test(target) || relative(site, path).startsWith(".."))
			fail(page, `leads out of the site: ${target}`);
		else if (!existsSync(path))
			fail(page, `leads nowhere: ${target}`);
		else if (anchor && !anchorsOf(path).has(anchor) && !isPair(file, anchor))
			fail(page, `there is no ${target}`);
	}
}
console.log(`links: ${pages.length} pages, ${links} links, ${failures} failures`);
process.exit(failures ? 1 : 0);
