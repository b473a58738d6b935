// usage: node docs.mjs MODULES SITE
// Opens the documentation site in a real Chromium: no page asks for anything elsewhere or has an error, each fits 400 pixels,
// and its pages are found from each other, without a script.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open } from "./browsers.mjs";
import { contrasts, cutOnPaper } from "./checks.mjs";

const [modules, site] = process.argv.slice(2).map((path) => resolve(path));
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html")).sort();
const address = (page) => pathToFileURL(join(site, page)).href;
const browser = await launch(modules);
const { check, finish } = checks("docs");
const within = pathToFileURL(site).href;
const options = { javaScriptEnabled: true };

const page = await open(browser, address("index.html"), options, within);
for (const width of [400, 1300]) {
	await page.setViewportSize({ width, height: 900 });
	for (const name of pages)
		await check(`${name}: fits ${width} pixels`, async () => {
			await page.goto(address(name));
			const found = await page.evaluate(() => ({
				width: document.documentElement.scrollWidth,
				wide: [...document.querySelectorAll("main *")].filter((at) => at.checkVisibility() && !at.closest("pre, .wide, picture") &&
					at.getBoundingClientRect().right > innerWidth + 1).map((at) => at.outerHTML.slice(0, 80)).slice(0, 3),
				text: document.querySelector("main").textContent.trim().length,
			}));
			assert.deepEqual([found.width <= width, found.wide], [true, []], `${found.width} pixels`);
			assert.ok(found.text > 100, `${found.text} characters`);
		});
}
for (const colorScheme of ["light", "dark"])
	for (const name of ["index.html", "docs/user/verdicts.html", "commands/rooflog-gate.html", "contents.html"])
		await check(`${name}, ${colorScheme}: contrast`, async () => {
			await page.emulateMedia({ media: "screen", colorScheme });
			await page.goto(address(name));
			await page.locator("details").evaluateAll((all) => all.forEach((at) => (at.open = true)));
			const { texts, bad } = await page.evaluate(contrasts);
			assert.ok(texts > 10);
			assert.deepEqual(bad, []);
		});
await check("paper: nothing is cut, and the list of pages is not printed", async () => {
	await page.setViewportSize({ width: 794, height: 1123 });
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	await page.goto(address("docs/user/verdicts.html"));
	assert.deepEqual(await page.evaluate(cutOnPaper), []);
	assert.equal(await page.locator("nav").isVisible(), false);
	await page.emulateMedia({ media: "screen", colorScheme: "light" });
});
await check("no error, nothing asked for elsewhere", () => assert.deepEqual(page.faults, []));
await page.context().close();

for (const width of [400, 1300]) {
	const walker = await open(browser, address("index.html"), { viewport: { width, height: 900 }, javaScriptEnabled: false }, within);
	const at = () => walker.url().slice(within.length + 1);
	await check(`${width} pixels: from the start to a page of another group, on, back, and home`, async () => {
		if (width === 400)
			await walker.click("header .to-pages");
		await walker.click("nav summary:has-text('CI')");
		await walker.click("nav a:has-text('Verdicts')");
		assert.equal(at(), "docs/user/verdicts.html");
		assert.equal(await walker.locator("nav [aria-current]").textContent(), "Verdicts");
		await walker.click(".turn [rel=next]");
		assert.equal(at(), "docs/user/acceptances.html");
		await walker.click(".turn [rel=prev]");
		assert.equal(at(), "docs/user/verdicts.html");
		await walker.click("header .start");
		assert.equal(at(), "index.html");
	});
	await check(`${width} pixels: the list of sections leads to one`, async () => {
		await walker.goto(address("docs/user/verdicts.html"));
		await walker.click(".sections summary");
		await walker.click(".sections a:has-text('Every night')");
		assert.equal(at(), "docs/user/verdicts.html#every-night");
		assert.ok((await walker.locator("#every-night").boundingBox()).y < 450);
	});
	await check(`${width} pixels: a link of the text to a section of another page`, async () => {
		await walker.goto(address("docs/user/verdicts.html"));
		await walker.click("main a[href$='statistics.html#change-points'] >> nth=0");
		assert.equal(at(), "docs/statistics.html#change-points");
	});
	await check(`${width} pixels: all headings of all pages`, async () => {
		await walker.click("header .all");
		await walker.click("main a:has-text('Which of many tries is best?')");
		assert.equal(at(), "docs/measuring.html#which-of-many-tries-is-best");
	});
	await check(`${width} pixels: no error, nothing asked for elsewhere`, () => assert.deepEqual(walker.faults, []));
	await walker.context().close();
}
await browser.close();
finish();
