// usage: node site.mjs SITE MODULES [PICTURES]
// Opens the pages of a site in a real Chromium, from the disk and from a server, and tries what
// people do with them. MODULES holds node_modules with playwright-core. PICTURES: a folder that gets
// a picture of each page, light and dark, wide, narrow and printed.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open as openPage } from "./browsers.mjs";
import { contrasts, hiddenSideways } from "./checks.mjs";

const [site, modules, pictures] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch(modules);
const base = pathToFileURL(site).href + "/";
const { check, finish } = checks("browser");
const open = (name, options, from = base) => openPage(browser, from + name, options, from);

async function close(page, name) {
	await check(`${name}: no error, nothing asked for elsewhere`, () => assert.deepEqual(page.faults, []));
	await page.context().close();
}

// Folded ones do not count as shown; a search opens the folds.
const shown = (page) => page.locator(".group li:visible").count();
const names = (page) => page.locator(".group li:visible a").evaluateAll((links) =>
	links.map((link) => link.querySelector("b, span").textContent.trim()));
const total = (page) => page.locator(".group li").count();

const kernels = readdirSync(join(site, "k"));
const kernelPage = (start) => "k/" + kernels.find((name) => name.startsWith(start));
const stepPage = kernelPage("step-"), profiledPage = kernelPage("attention-");
const head = JSON.parse(readFileSync(join(site, "rooflog-site.json"))).commit;
const every = ["index.html", "commits.html", stepPage, profiledPage, kernelPage("script-"), `c/${head}.html`];

// --- search, chips, filter, order ---

{
	const page = await open("index.html");
	const all = await total(page);
	await check("the heading is the answer, the chips count what is below", async () => {
		assert.match(await page.textContent("h1"), /^(\d+ of \d+ series (slower|missing|unclear)|None of \d+ series slower)$/);
		let sum = 0;
		for (const chip of await page.locator(".chip").all()) {
			const state = await chip.getAttribute("data-chip");
			const count = Number(await chip.locator("b").textContent());
			assert.equal(await page.locator(`.group li[data-state=${state}]`).count(), count, state);
			sum += count;
		}
		assert.equal(sum, all);
		assert.equal(await page.textContent("#count"), `${all} series`);
	});
	await check("what needs a look comes first, as tiles of full size; what stopped takes a line", async () => {
		assert.equal(await page.locator(".group").first().getAttribute("id"), "look");
		const spark = await page.locator("#look .tile svg").first().boundingBox();
		assert.ok(spark.width > 220 && spark.height > 36, JSON.stringify(spark));
		assert.equal(await page.locator("#stopped .tile").count(), 0);
		assert.ok((await page.locator("#stopped li").first().boundingBox()).height < 60);
	});
	await check("search", async () => {
		await page.fill("#search", "STEP");
		assert.deepEqual(await names(page), ["step"]);
		assert.equal(await page.textContent("#count"), `1 of ${all} series`);
	});
	await check("a search without a result", async () => {
		await page.fill("#search", "no such kernel");
		assert.equal(await shown(page), 0);
		assert.equal(await page.textContent("#count"), `0 of ${all} series`);
		assert.ok(await page.locator("#none").isVisible());
		assert.equal(await page.locator(".group:visible").count(), 0);
	});
	await check("clear", async () => {
		await page.click("button[type=reset]");
		await page.waitForFunction((n) => document.getElementById("count").textContent === `${n} series`, all);
		assert.equal(await page.locator("#none").isVisible(), false);
	});
	await check("chips choose states, by pointer and by keyboard", async () => {
		const chip = page.locator(".chip[data-chip=stopped]");
		await chip.click();
		assert.equal(await chip.getAttribute("aria-pressed"), "true");
		assert.equal(await shown(page), Number(await chip.locator("b").textContent()));
		assert.equal(await page.locator(".group:visible").count(), 1);
		await chip.focus();
		await page.keyboard.press("Space");
		assert.equal(await chip.getAttribute("aria-pressed"), "false");
		assert.ok((await page.locator(".group:visible").count()) > 1);
	});
	await check("filter", async () => {
		const select = page.locator("select[data-filter=device]");
		const option = await select.locator("option").nth(1).getAttribute("value");
		await select.selectOption(option);
		const some = await shown(page);
		assert.ok(some > 0 && some < all, `${some} of ${all}`);
		for (const device of await page.locator(".group li:visible").evaluateAll((items) =>
			items.map((item) => item.dataset.device)))
			assert.equal(device, option);
		await select.selectOption("");
	});
	await check("order by the size of the change, what is unknown last; back to worst first", async () => {
		const values = () => page.locator("#steady li").evaluateAll((items) =>
			items.map((item) => (item.dataset.change === "" ? -1 : Math.abs(Number(item.dataset.change)))));
		const before = await names(page), unsorted = await values();
		await page.selectOption("#sort", "change");
		const sorted = await values();
		assert.deepEqual(sorted, [...unsorted].sort((a, b) => b - a));
		assert.notDeepEqual(sorted, unsorted);
		await page.selectOption("#sort", "");
		assert.deepEqual((await names(page)).slice(0, 20), before.slice(0, 20));
	});
	await check("order by name, numbers in their order", async () => {
		await page.selectOption("#sort", "name");
		const sorted = (await names(page)).filter((name) => /^many/.test(name));
		assert.deepEqual(sorted, [...sorted].sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))));
		assert.ok(sorted.length > 10, String(sorted.length));
		await page.selectOption("#sort", "");
	});
	await check("a narrow screen begins with names and changes", async () => {
		await page.setViewportSize({ width: 400, height: 800 });
		for (const tile of (await page.locator(".tile").all()).slice(0, 3)) {
			const [name, change] = await tile.evaluate((at) =>
				[at.querySelector("b"), at.querySelector(".m")].map((one) => one.getBoundingClientRect().toJSON()));
			assert.ok(Math.abs(name.top - change.top) < 6, JSON.stringify([name, change]));
			assert.ok(change.left >= name.left && change.right <= 400, JSON.stringify(change));
		}
		await page.setViewportSize({ width: 1280, height: 900 });
	});
	await check("sparklines have names", async () =>
		assert.match(await page.locator(".tile .spark").first().getAttribute("aria-label"), /commits/));
	await check("light, dark or as the system, kept in the browser", async () => {
		const button = page.locator("#theme");
		const red = () => page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
		assert.ok((await red()) > 200);
		await button.click();
		assert.equal(await button.getAttribute("aria-label"), "Colors: light");
		await page.emulateMedia({ colorScheme: "dark" });
		assert.ok((await red()) > 200);
		await page.emulateMedia({ colorScheme: "light" });
		await button.click();
		assert.ok((await red()) < 60);
		await page.reload();
		assert.ok((await red()) < 60);
		await page.emulateMedia({ media: "print" });
		assert.ok((await red()) > 200);
		await page.emulateMedia({ media: "screen" });
		await button.click();
		assert.equal(await button.getAttribute("aria-label"), "Colors: auto");
		assert.ok((await red()) > 200);
	});
	await check("to a series and on", async () => {
		await page.fill("#search", "step");
		await page.click(".group li:visible a");
		assert.match(page.url(), /k\/step-[0-9a-f]{10}\.html#s[0-9a-f]{10}$/);
		assert.match(await page.textContent("h1"), /^step/);
		await page.locator("th a", { has: page.locator("code") }).first().click();
		assert.match(await page.textContent("h1"), /^Commit [0-9a-f]{10} v1\.0$/);
	});
	await close(page, "index");
}

// --- a kernel: the trend, its controls, the hover card, two commits, two series ---

const ready = (page) => page.waitForFunction(() => document.body.dataset.ready === "true");
{
	const page = await open(stepPage);
	const section = page.locator("section.series:visible"), plot = page.locator(".plot");
	const seen = async () => Number(await section.getAttribute("data-shown"));
	const at = async (share, height = 0.5) => {
		const box = await plot.boundingBox();
		return [box.x + 62 + (box.width - 158) * share, box.y + 60 + (box.height - 106) * height];
	};
	await ready(page);
	await check("the head says since when, and what; facts follow", async () => {
		assert.match(await page.textContent("header"), /step/);
		assert.match(await section.locator(".sub").first().textContent(), /since [0-9a-f]{10} night \d+ \(/);
		assert.match(await section.locator(".figures").textContent(), /Host time|Total time/);
		assert.equal((await page.locator("h1, h2, h3").allTextContents()).filter((text) => text.trim() === "step").length, 1);
	});
	await check("the trend is drawn for its width, with commits, months, levels, changes", async () => {
		assert.equal(await page.locator("figure.trend:visible").count(), 0);
		assert.equal(await seen(), 40);
		assert.equal(await plot.locator("circle.dot").count(), 40);
		assert.equal(await plot.locator("line.level").count(), 2);
		assert.match(await plot.locator(".pill").textContent(), /▲ \+(29|30)\.\d+ %/);
		assert.match(await plot.locator("svg.trend").textContent(), /[0-9a-f]{10}[^]*(Mar|Apr) 2026/);
		const [outer, inner] = [await plot.boundingBox(), await plot.locator("svg.trend").boundingBox()];
		assert.ok(Math.abs(outer.width - inner.width) < 1, JSON.stringify([outer, inner]));
	});
	await check("30 commits, and all again; the view is in the address", async () => {
		await section.locator("button", { hasText: "30 commits" }).click();
		assert.equal(await seen(), 30);
		assert.match(page.url(), /&view=[0-9a-f]{10}-[0-9a-f]{10}$/);
		const link = await section.locator("a", { hasText: "Link to this view" }).getAttribute("href");
		const other = await open(stepPage + link);
		await ready(other);
		assert.equal(Number(await other.locator("section.series:visible").getAttribute("data-shown")), 30);
		await close(other, "a link to a view");
		await section.locator("button", { hasText: "All 40" }).click();
		assert.equal(await seen(), 40);
		assert.doesNotMatch(page.url(), /view=/);
	});
	await check("scales: fit, from 0, logarithmic", async () => {
		const ticks = async () => (await plot.locator("text.tick[text-anchor=end]").allTextContents()).map(Number);
		const fit = await ticks();
		assert.ok(Math.min(...fit) > 0, String(fit));
		await section.locator("button", { hasText: "From 0" }).click();
		assert.equal(Math.min(...(await ticks())), 0);
		assert.match(page.url(), /scale=zero/);
		await section.locator("button", { hasText: "Log" }).click();
		assert.ok(Math.min(...(await ticks())) > 0);
		await section.locator("button", { hasText: "Fit" }).click();
		assert.deepEqual(await ticks(), fit);
	});
	await check("a part is chosen with the pointer; a double click shows all", async () => {
		await page.mouse.move(...(await at(0.4)));
		await page.mouse.down();
		await page.mouse.move(...(await at(0.6)), { steps: 4 });
		await page.mouse.up();
		assert.ok((await seen()) < 12 && (await seen()) > 5, String(await seen()));
		await plot.dblclick({ position: { x: 300, y: 200 } });
		assert.equal(await seen(), 40);
	});
	await check("the frame below is moved by its edge", async () => {
		const box = await page.locator(".brush").boundingBox();
		await page.mouse.move(box.x + 2, box.y + 20);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 5 });
		await page.mouse.up();
		assert.ok((await seen()) > 15 && (await seen()) < 25, String(await seen()));
		await section.locator("button", { hasText: "All 40" }).click();
	});
	await check("the hover card: commit, value, step; it does not cover the point", async () => {
		await page.mouse.move(...(await at(0.25)));
		const tip = page.locator(".tip");
		assert.match(await tip.textContent(), /[0-9a-f]{10} a, \d{4}-\d\d-\d\dnight \d+One run[\d.]+ msFrom the one before[+−±][\d.]+ %/);
		const [card, point] = [await tip.boundingBox(), await page.locator(".cursor circle").boundingBox()];
		assert.ok(card.y > point.y + point.height || card.y + card.height < point.y || card.x > point.x + point.width ||
			card.x + card.width < point.x, JSON.stringify([card, point]));
		await page.mouse.move(5, 5);
		assert.equal(await tip.isVisible(), false);
	});
	await check("the same by keyboard: arrows, Enter, Shift and Enter, Escape", async () => {
		await plot.focus();
		await page.keyboard.press("ArrowLeft");
		await page.keyboard.press("ArrowLeft");
		const id = (await page.locator(".tip code").textContent()).trim();
		assert.match(await page.locator("[aria-live]").last().textContent(), new RegExp(id));
		await page.keyboard.press("Enter");
		await page.keyboard.press("ArrowLeft");
		const before = (await page.locator(".tip code").textContent()).trim();
		assert.notEqual(before, id);
		await page.keyboard.press("Shift+Enter");
		assert.equal(await page.locator(".picker .btn").getAttribute("href"), `../compare.html#${before}..${id}`);
		await page.keyboard.press("Escape");
		assert.equal(await page.locator(".tip").isVisible(), false);
	});
	await check("A and B by pointer and by lists; both are in the address", async () => {
		await page.mouse.click(...(await at(0.7, 0.9)));
		await page.keyboard.down("Shift");
		await page.mouse.click(...(await at(0.2, 0.1)));
		await page.keyboard.up("Shift");
		const href = await page.locator(".picker .btn").getAttribute("href");
		const [, a, b] = href.match(/^\.\.\/compare\.html#([0-9a-f]{10})\.\.([0-9a-f]{10})$/);
		assert.ok(page.url().endsWith(`&a=${a}&b=${b}`), page.url());
		assert.equal(await plot.locator("rect.disc").count(), 2);
		await page.locator(".picker select").first().selectOption({ index: 3 });
		assert.notEqual(await page.locator(".picker .btn").getAttribute("href"), href);
	});
	await check("another kernel in the same plot, relative to the first levels", async () => {
		const select = section.getByLabel("Overlay");
		await select.selectOption("more");
		await page.waitForFunction(() => document.querySelector(".live optgroup"));
		const value = await select.locator("option", { hasText: /^many7$/ }).getAttribute("value");
		await select.selectOption(value);
		await page.waitForFunction(() => document.querySelectorAll(".trend path.line").length === 2);
		assert.match(await plot.locator("text.title").textContent(), /^Change from the first level shown, %$/);
		assert.match(await page.locator(".legend").textContent(), /many7; each relative/);
		assert.match(page.url(), /with=many7-[0-9a-f]{10}\.s[0-9a-f]{10}/);
		await page.reload();
		await ready(page);
		await page.waitForFunction(() => document.querySelectorAll(".trend path.line").length === 2);
		await section.getByLabel("Overlay").selectOption("");
		assert.equal(await plot.locator("path.line").count(), 1);
	});
	await check("a dot leads to its commit", async () => {
		const dot = plot.locator("a:has(circle.dot)").nth(3);
		const href = await dot.getAttribute("href");
		await dot.locator("circle").click();
		assert.ok(page.url().endsWith(href.replace("../", "")), page.url());
		await page.goBack();
	});
	await check("a broken address shows all", async () => {
		await page.goto(base + stepPage + "#nothing&view=1-2&scale=x&with=../../x.s&a=zz&b=%22%3E");
		await ready(page);
		assert.equal(await seen(), 40);
	});
	await page.goto(base + kernelPage("gap-"));
	await check("a gap stays a gap", async () => {
		await ready(page);
		const path = await page.locator(".trend path.line").getAttribute("d");
		assert.equal(path.split("M").length - 1, 2);
	});
	await page.goto(base + profiledPage);
	await check("one series at a time, chosen by its tile", async () => {
		await ready(page);
		assert.equal(await page.locator("section.series:visible").count(), 1);
		await page.locator(".switch a").nth(1).click();
		await page.waitForFunction(() => document.querySelectorAll(".switch a")[1].getAttribute("aria-current") === "true");
		assert.equal(await page.locator("section.series:visible").count(), 1);
		assert.equal(await page.locator("section.series:visible").getAttribute("id"), page.url().split("#")[1]);
		await page.locator(".switch a").first().click();
	});
	await check("charts with tooltips, on the ground of the page", async () => {
		assert.ok((await page.locator("figure svg title").count()) > 2);
		const red = () => page.locator(".pictures svg > rect").first().evaluate((rect) =>
			Number(getComputedStyle(rect).fill.match(/\d+/)[0]));
		assert.ok((await red()) > 200);
		await page.emulateMedia({ colorScheme: "dark" });
		assert.ok((await red()) < 60);
		await page.emulateMedia({ colorScheme: "light" });
	});
	await check("every series has its comparisons and its run; one measurement makes no panel", async () => {
		const sections = await page.locator("section.series").all();
		assert.equal(sections.length, 2);
		for (const one of sections) {
			assert.equal(await one.locator("h2", { hasText: "Why" }).count(), 1);
			assert.equal(await one.locator("summary", { hasText: "Latest run" }).count(), 1);
		}
		assert.equal(await page.locator("figure.trend").count(), 0);
	});
	await close(page, "kernels");
}

// --- a commit ---

{
	const page = await open(`c/${head}.html`);
	await check("all series of a commit", async () => {
		const few = await page.locator("#measurements tbody tr").count();
		assert.equal(few, 30);
		const first = await page.locator("#measurements tbody tr").first().textContent();
		await page.click("#all");
		await page.waitForFunction(() => document.querySelectorAll("#measurements tbody tr").length > 30);
		const all = await page.locator("#measurements tbody tr").count();
		assert.match(await page.textContent("header"), new RegExp(`\\b${all} series measured`));
		// The script writes numbers as the program does.
		assert.equal(await page.locator("#measurements tbody tr").first().textContent(), first);
	});
	await check("to the commit before", async () => {
		await page.click("a[rel=prev]");
		assert.notEqual(page.url(), base + `c/${head}.html`);
		assert.match(await page.textContent("h1"), /^Commit/);
	});
	await close(page, "commit");
}

// --- without a mouse, without scripts ---

{
	const page = await open("index.html");
	const focused = () => page.evaluate(() => {
		const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
		return { name: at.localName, id: at.id, text: at.textContent.trim().slice(0, 30),
			inside: box.right > 0 && box.bottom > 0 && box.left < innerWidth,
			outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 };
	});
	await check("keyboard: skip link first, then main", async () => {
		await page.keyboard.press("Tab");
		const skip = await focused();
		assert.match(skip.text, /^Skip/);
		assert.ok(skip.inside && skip.outline, JSON.stringify(skip));
		await page.keyboard.press("Enter");
		assert.equal((await focused()).id, "main");
	});
	await check("keyboard: every stop can be seen; search, chips and order are reached", async () => {
		const stops = [];
		for (let i = 0; i < 25; i++) {
			await page.keyboard.press("Tab");
			const stop = await focused();
			assert.ok(stop.outline, `no outline: ${JSON.stringify(stop)}`);
			stops.push(stop);
			if (stop.id === "search")
				await page.keyboard.type("step");
			if (stop.id === "sort")
				break;
		}
		for (const id of ["search", "sort"])
			assert.ok(stops.some((stop) => stop.id === id), id);
		assert.ok(stops.some((stop) => stop.name === "a" && /slower|unclear|steady/.test(stop.text)));
		assert.deepEqual(await names(page), ["step"]);
	});
	await close(page, "keyboard");
}
{
	const page = await open("index.html", { javaScriptEnabled: false });
	await check("without scripts: all series, chips lead to their groups, no other controls", async () => {
		assert.ok((await total(page)) > 60);
		assert.equal(await page.locator("button:visible, input:visible, select:visible").count(), 0);
		await page.locator(".chip[data-chip=stopped]").click();
		assert.match(page.url(), /#stopped$/);
	});
	await page.goto(base + stepPage);
	await check("without scripts: changes and measurements", async () => {
		assert.match(await page.textContent("main"), /Change points/);
		assert.ok(await page.locator("figure.trend svg").first().isVisible());
		await page.locator("summary", { hasText: "Earlier" }).first().click();
		assert.ok(await page.locator("details table td.n").first().isVisible());
		assert.equal(await page.locator("button:visible").count(), 0);
	});
	await page.goto(base + profiledPage);
	await check("without scripts: all series of a kernel, and links to each", async () => {
		assert.equal(await page.locator("section.series:visible").count(), 2);
	});
	await close(page, "without scripts");
}

// --- every kind of page: for those who listen, for any eyes, on paper, on a telephone ---

// What a screen reader needs.
function unnamed() {
	const bad = [];
	const need = (ok, text) => ok || bad.push(text);
	need(document.documentElement.lang, "no language");
	for (const landmark of ["header", "main", "nav", "footer"])
		need(document.querySelectorAll(`body > ${landmark}`).length === 1, `not one ${landmark}`);
	need(document.querySelectorAll("h1").length === 1, "not one h1");
	for (const table of document.querySelectorAll("body > main > .scroll > table, table.sortable"))
		need(table.caption && table.caption.textContent.trim(), "a table without caption");
	for (const header of document.querySelectorAll("table.sortable th"))
		need(header.scope, `no scope: ${header.textContent}`);
	for (const control of document.querySelectorAll("input, select"))
		need(control.labels.length, `no label: ${control.outerHTML.slice(0, 60)}`);
	for (const svg of document.querySelectorAll("svg"))
		need(svg.getAttribute("aria-label"), "a picture without a name");
	const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
	need(new Set(ids).size === ids.length, "an id twice");
	return bad;
}

async function ground(page) {
	return (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g)[0];
}

{
	const page = await open("index.html");
	for (const name of every) {
		await page.setViewportSize({ width: 1280, height: 900 });
		await page.goto(base + name);
		await page.locator("details").evaluateAll((all) => all.forEach((at) => (at.open = true)));
		if (name.startsWith("k/"))
			await ready(page);
		await check(`${name}: names for those who listen`, async () =>
			assert.deepEqual(await page.evaluate(unnamed), []));
		for (const scheme of ["light", "dark"]) {
			await page.emulateMedia({ media: "screen", colorScheme: scheme });
			await check(`${name}, ${scheme}: contrast`, async () => {
				const found = await page.evaluate(contrasts);
				assert.ok(found.texts > 10, `${found.texts} texts`);
				assert.deepEqual(found.bad, []);
				const red = await ground(page);
				assert.ok(scheme === "dark" ? red < 60 : red > 200, red);
			});
		}
		await check(`${name}: printed on white, without what nobody can press`, async () => {
			await page.emulateMedia({ media: "print", colorScheme: "dark" });
			assert.ok((await ground(page)) > 200);
			assert.equal(await page.locator("nav, .tools, #all").filter({ visible: true }).count(), 0);
			for (const fill of await page.locator("figure svg > rect[width='100%']").evaluateAll((rects) =>
				rects.map((rect) => getComputedStyle(rect).fill)))
				assert.ok(Number(fill.match(/\d+/)[0]) > 200, fill);
		});
		await check(`${name}: 400 pixels are enough`, async () => {
			await page.emulateMedia({ media: "screen", colorScheme: "light" });
			await page.setViewportSize({ width: 400, height: 800 });
			assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
			assert.deepEqual(await page.evaluate(hiddenSideways), []);
			// A verdict in a table breaks before its qualifier, not after its mark.
			for (const [text, width] of await page.locator("td .verdict").filter({ visible: true }).evaluateAll((verdicts) =>
				verdicts.map((one) => [one.textContent, one.getBoundingClientRect().width])))
				assert.ok(width < 150 && /^.\u00a0\S/u.test(text), `${text}: ${width}`);
		});
	}
	await close(page, "every page");
}

// --- from a server ---

{
	const types = { html: "text/html", css: "text/css", js: "text/javascript" };
	const server = createServer((request, response) => {
		try {
			const bytes = readFileSync(join(site, new URL(request.url, "http://x").pathname));
			response.writeHead(200, { "content-type": types[request.url.split(".").pop()] ?? "text/plain" });
			response.end(bytes);
		} catch {
			response.writeHead(404).end();
		}
	}).listen(0, "127.0.0.1");
	await new Promise((done) => server.once("listening", done));
	const from = `http://127.0.0.1:${server.address().port}/`;
	const page = await open(stepPage, {}, from);
	await check("from a server", async () => {
		await ready(page);
		await page.locator(".plot svg.trend").waitFor();
		await page.click("nav a");
		await page.fill("#search", "step");
		assert.deepEqual(await names(page), ["step"]);
	});
	await close(page, "from a server");
	server.close();
}

// --- pictures ---

for (const name of pictures ? every : [])
	for (const [kind, options] of Object.entries({
		light: {}, dark: { colorScheme: "dark" }, narrow: { viewport: { width: 400, height: 800 } },
		print: { viewport: { width: 794, height: 1123 } },
	})) {
		const page = await open(name, options);
		await page.emulateMedia(kind === "print" ? { media: "print" } : {});
		const file = join(pictures, `${name.replace(/\W+/g, "-").slice(0, 20)}-${kind}`);
		await page.screenshot({ path: `${file}.png`, fullPage: name !== "index.html" });
		await page.context().close();
	}

await browser.close();
finish();
