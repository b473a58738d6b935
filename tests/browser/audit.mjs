// usage: node audit.mjs MODULES PAGE...
// What is asked of every page that rooflog writes, in each browser of this machine, wide and narrow, in Chromium also dark: the
// rules of axe-core, no error, nothing asked for elsewhere, nothing cut, small or hidden sideways, printed light and whole,
// and a walk through the page by keyboard alone. MODULES holds node_modules with playwright-core and axe-core.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, installed, launch, open } from "./browsers.mjs";
import { contrasts, cutOnPaper, lightOfDrawings, hiddenSideways, smallTexts } from "./checks.mjs";

const [modules, ...pages] = process.argv.slice(2).map((path) => resolve(path));
const axe = readFileSync(join(modules, "node_modules/axe-core/axe.min.js"), "utf8");
const { check, finish } = checks("audit");
const SMALLEST = 11; // px
const STOPS = 60; // of a long page, as many stops of the Tab key are looked at

// RULES: undefined for all.
async function violations(page, rules) {
	await page.evaluate(axe);
	return page.evaluate(async (runOnly) => {
		const found = await axe.run(document, { preload: false, resultTypes: ["violations"], ...(runOnly && { runOnly }) });
		return found.violations.map((rule) =>
			`${rule.id} x${rule.nodes.length}: ${rule.nodes[0].html.slice(0, 120)} ${rule.nodes[0].any[0]?.message ?? ""}`);
	}, rules);
}

// Where the focus is: whether it can be seen, what it is called, and how far it is from the start of the page.
function stop() {
	const at = document.activeElement;
	if (at === document.body || at === document.documentElement)
		return null;
	const box = at.getBoundingClientRect(), style = getComputedStyle(at);
	const ring = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1;
	return {
		what: at.outerHTML.slice(0, 80),
		seen: box.width > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight,
		marked: ring(style) || (at.parentElement && ring(getComputedStyle(at.parentElement))),
		order: [...document.querySelectorAll("*")].indexOf(at),
	};
}

async function walk(page) {
	const bad = [];
	let last = -1, stops = 0;
	await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
	for (; stops < STOPS; stops++) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate(stop);
		if (!at || at.order < last) // the page is left, or begun again
			break;
		if (at.order === last)
			bad.push(`the focus stays on ${at.what}`);
		if (!at.seen)
			bad.push(`out of sight: ${at.what}`);
		if (!at.marked)
			bad.push(`no mark of the focus: ${at.what}`);
		last = at.order;
	}
	return { stops, bad: bad.slice(0, 5) };
}

// What keys do where the focus is: the first link leads past the navigation, Shift with Tab leads back; in
// Chromium Enter opens a fold and closes it again.
async function keys(page, engine) {
	const focus = () => page.evaluate(() => [...document.querySelectorAll("*")].indexOf(document.activeElement));
	await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
	if (await page.locator("a.skip").count()) {
		await page.locator("a.skip").focus();
		await page.keyboard.press("Enter");
		assert.equal(await page.evaluate(() => document.activeElement.id), "main");
	}
	const stops = page.locator("a[href]:visible, button:visible, summary:visible");
	if (await stops.count() > 2) {
		await stops.first().focus();
		const first = await focus();
		await page.keyboard.press("Tab");
		assert.notEqual(await focus(), first);
		await page.keyboard.press("Shift+Tab");
		assert.equal(await focus(), first, "Shift with Tab");
	}
	const fold = page.locator("summary:visible").first();
	if (engine === "chromium" && await fold.count()) {
		const before = await fold.evaluate((at) => at.parentElement.open);
		for (const wanted of [!before, before]) {
			await fold.focus();
			await page.keyboard.press("Enter");
			await page.waitForFunction(([at, open]) => at.parentElement.open === open, [await fold.elementHandle(), wanted]);
		}
	}
}

// On paper, whatever the scheme: light, each drawing as light as in the light scheme, and nothing cut.
async function paper(page, colorScheme) {
	await page.emulateMedia({ media: "screen", colorScheme: "light" });
	await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
	const wanted = await page.evaluate(lightOfDrawings);
	await page.emulateMedia({ media: "print", colorScheme });
	const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
	assert.ok(red > 200, `the ground: red ${red}`);
	const light = await page.evaluate(lightOfDrawings);
	assert.equal(light === null, wanted === null);
	assert.ok(Math.abs(light - wanted) < 0.1, `a drawing is light in ${light} of its points, on a light screen in ${wanted}`);
	assert.deepEqual(await page.evaluate(cutOnPaper), []);
	assert.deepEqual(await page.evaluate(hiddenSideways), []);
	assert.deepEqual((await page.evaluate(contrasts)).bad, []);
}

// How many controls and links a walk has to reach at least.
function reachable() {
	return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
		.filter((at) => at.tabIndex >= 0 && !at.disabled && at.checkVisibility({ visibilityProperty: true })).length;
}

for (const engine of installed)
	for (const colorScheme of engine === "firefox" ? ["light"] : ["light", "dark"]) {
		const browser = await launch(modules, engine);
		for (const path of pages) {
			const address = pathToFileURL(path).href, name = `${engine}, ${colorScheme}, ${basename(path)}`;
			const page = await open(browser, address, engine === "chromium" ? { colorScheme } : {},
				pathToFileURL(dirname(path).replace(/\/[ckt]$/, "")).href);
			await check(`${name}: the scheme is drawn`, async () => {
				const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
				assert.ok(colorScheme === "dark" ? red < 60 : red > 200, `red ${red}`);
			});
			const light = colorScheme === "light";
			if (light)
				await check(`${name}: a walk by the Tab key`, async () => {
					const { stops, bad } = await walk(page);
					assert.deepEqual(bad, []);
					assert.ok(stops >= Math.min(STOPS, await page.evaluate(reachable)), `${stops} stops`);
				});
			if (light)
				await check(`${name}: keys`, () => keys(page, engine));
			await page.locator("details").evaluateAll((all) => all.forEach((at) => (at.open = true)));
			if (engine === "chromium" && !path.endsWith("/compare.html")) { // whose table is wider than paper
				await page.setViewportSize({ width: 680, height: 980 }); // A4 within its margins
				await check(`${name}: printed light and whole`, () => paper(page, colorScheme));
				await page.emulateMedia({ media: "screen", colorScheme });
				await page.setViewportSize({ width: 1280, height: 900 });
			}
			if (!light)
				await check(`${name}: contrast`, async () => assert.deepEqual(await violations(page, ["color-contrast"]), []));
			for (const width of light ? [1300, 400] : []) {
				await page.setViewportSize({ width, height: 900 });
				await check(`${name}, ${width} px: axe`, async () => assert.deepEqual(await violations(page), []));
				await check(`${name}, ${width} px: no text is small`, async () =>
					assert.deepEqual(await page.evaluate(smallTexts, SMALLEST), []));
				await check(`${name}, ${width} px: nothing is hidden sideways`, async () => {
					assert.deepEqual(await page.evaluate(hiddenSideways), []);
					assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
				});
			}
			await check(`${name}: no error, nothing asked for elsewhere`, () => assert.deepEqual(page.faults, []));
			await page.context().close();
		}
		await browser.close();
	}
finish();
