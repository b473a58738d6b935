// usage: node pages.mjs MODULES PAGE...
// Opens reports, each a page of its own, in a real Chromium: no script, nothing asked for elsewhere, readable in light
// and dark, on paper and at 400 pixels, where names, changes and verdicts come first.
import assert from "node:assert/strict";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open } from "./browsers.mjs";
import { contrasts, hiddenSideways } from "./checks.mjs";

const [modules, ...pages] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch(modules);
const { check, finish } = checks("pages");

for (const path of pages) {
	const name = basename(path), address = pathToFileURL(path).href;
	const page = await open(browser, address);
	await page.locator("details").evaluateAll((all) => all.forEach((at) => (at.open = true)));
	for (const colorScheme of ["light", "dark"])
		await check(`${name}, ${colorScheme}: contrast`, async () => {
			await page.emulateMedia({ media: "screen", colorScheme });
			const found = await page.evaluate(contrasts);
			assert.ok(found.texts > 10, `${found.texts} texts`);
			assert.deepEqual(found.bad, []);
		});
	await check(`${name}: 400 pixels are enough`, async () => {
		await page.setViewportSize({ width: 400, height: 800 });
		assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
		assert.deepEqual(await page.evaluate(hiddenSideways), []);
	});
	await check(`${name}: a change stands beside the name of its series`, async () => {
		const rows = await page.locator("tr:has(td.change)").evaluateAll((all) => all.map((row) =>
			[...row.cells].slice(0, 2).map((cell) => cell.getBoundingClientRect().toJSON())));
		assert.ok(rows.length > 0);
		for (const [series, change] of rows)
			assert.ok(series.top === change.top && change.left >= series.right && change.right <= 400);
	});
	await check(`${name}: an icon, and no blocks in the place of a sparkline`, async () => {
		assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /^data:image\/svg/);
		assert.doesNotMatch(await page.textContent("body"), /[\u2581-\u2588]/);
	});
	await check(`${name}: printed on white, whole tables`, async () => {
		await page.setViewportSize({ width: 794, height: 1123 });
		await page.emulateMedia({ media: "print", colorScheme: "dark" });
		const red = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)[0]);
		assert.ok(red > 200, red);
		assert.equal(await page.locator("table.stack thead").first().evaluate((at) => getComputedStyle(at).display),
			"table-header-group");
	});
	await check(`${name}: no error, nothing asked for elsewhere`, () => assert.deepEqual(page.faults, []));
	await page.context().close();
}

await browser.close();
finish();
