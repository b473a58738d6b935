// usage: node paint.mjs SITE MODULES
// How long Chromium takes until the first contentful paint of pages of a site, opened from the disk:
// index, commits, the largest kernel's page and the largest commit's. A line each: name, kB, the
// median and the longest of five, in ms. MODULES holds node_modules with playwright-core.
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, modules] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(modules, "x.js"))("playwright-core");
const size = (name) => statSync(join(site, name)).size;
const largest = (folder) =>
	readdirSync(join(site, folder))
		.map((name) => `${folder}/${name}`)
		.sort((a, b) => size(b) - size(a))[0];

function firstPaint() {
	return new Promise((done) => {
		new PerformanceObserver((list) => {
			const [paint] = list.getEntriesByName("first-contentful-paint");
			if (paint)
				done(paint.startTime);
		}).observe({ type: "paint", buffered: true });
	});
}

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox"],
});
for (const name of ["index.html", "commits.html", largest("k"), largest("c")]) {
	const times = [];
	for (let round = 0; round < 5; round++) {
		const context = await browser.newContext();
		const page = await context.newPage();
		await page.goto(pathToFileURL(join(site, name)).href);
		times.push(await page.evaluate(firstPaint));
		await context.close();
	}
	times.sort((a, b) => a - b);
	console.log(name, (size(name) / 1000).toFixed(0), times[2].toFixed(0), times[4].toFixed(0));
}
await browser.close();
