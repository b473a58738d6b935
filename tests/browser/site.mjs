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

const shown = (page) => page.locator("#series tbody tr:visible").count();
const names = (page) => page.locator("#series tbody tr:visible th a").allTextContents();

const kernels = readdirSync(join(site, "k"));
const kernelPage = (start) => "k/" + kernels.find((name) => name.startsWith(start));
const stepPage = kernelPage("step-"), profiledPage = kernelPage("attention-");
const head = JSON.parse(readFileSync(join(site, "rooflog-site.json"))).commit;
const every = ["index.html", "commits.html", stepPage, profiledPage, kernelPage("script-"), `c/${head}.html`];

// --- search, filter, sort ---

{
	const page = await open("index.html");
	const total = await shown(page);
	await check("search", async () => {
		await page.fill("#search", "STEP");
		assert.deepEqual(await names(page), ["step"]);
		assert.equal(await page.textContent("#count"), `1 of ${total} series`);
	});
	await check("a search without a result", async () => {
		await page.fill("#search", "no such kernel");
		assert.equal(await shown(page), 0);
		assert.equal(await page.textContent("#count"), `0 of ${total} series`);
	});
	await check("clear", async () => {
		await page.click("button[type=reset]");
		await page.waitForFunction((n) => document.getElementById("count").textContent.startsWith(`${n} of`), total);
		assert.equal(await shown(page), total);
	});
	await check("filter", async () => {
		const select = page.locator("select[data-filter=device]");
		const option = await select.locator("option").nth(1).getAttribute("value");
		await select.selectOption(option);
		const some = await shown(page);
		assert.ok(some > 0 && some < total, `${some} of ${total}`);
		for (const device of await page.locator("#series tbody tr:visible").evaluateAll((rows) =>
			rows.map((row) => row.dataset.device)))
			assert.equal(device, option);
		await select.selectOption("");
		assert.equal(await shown(page), total);
	});
	await check("sort by a number, both ways, what is unknown last", async () => {
		const header = page.locator("#series th", { hasText: "Change" });
		const values = () => page.locator("#series tbody tr").evaluateAll((rows) =>
			rows.map((row) => row.cells[1].dataset.s).map((text) => (text ? Number(text) : null)));
		await header.locator("button").click();
		assert.equal(await header.getAttribute("aria-sort"), "ascending");
		const up = await values(), known = up.filter((value) => value !== null);
		assert.ok(known.length > 2 && known.length < up.length, `${known.length} of ${up.length} are known`);
		assert.deepEqual(up.slice(0, known.length), [...known].sort((a, b) => a - b));
		await header.locator("button").click();
		assert.equal(await header.getAttribute("aria-sort"), "descending");
		assert.deepEqual((await values()).slice(0, known.length), [...known].sort((a, b) => b - a));
	});
	await check("sort by name, numbers in their order", async () => {
		const header = page.locator("#series th", { hasText: "Series" });
		await header.locator("button").click();
		const sorted = (await names(page)).filter((name) => /^many/.test(name));
		assert.deepEqual(sorted.slice(0, 3), ["many1", "many2", "many3"]);
		assert.equal(await page.locator("#series th[aria-sort]").count(), 1);
	});
	await check("a narrow screen begins with names, changes and verdicts", async () => {
		await page.setViewportSize({ width: 400, height: 800 });
		for (const row of (await page.locator("#series tbody tr").all()).slice(0, 3)) {
			const [name, change, verdict] = await row.evaluate((at) =>
				[...at.cells].slice(0, 3).map((cell) => cell.getBoundingClientRect().toJSON()));
			assert.equal(Math.round(name.top), Math.round(change.top));
			assert.ok(change.left >= name.right && change.right <= 400, JSON.stringify(change));
			assert.ok(verdict.top >= name.bottom && verdict.right <= 400, JSON.stringify(verdict));
		}
		await page.setViewportSize({ width: 1280, height: 900 });
	});
	await check("tooltips", async () => {
		assert.ok(await page.locator("#series .verdict").first().getAttribute("title"));
		assert.match(await page.locator("#series .spark").first().getAttribute("aria-label"), /commits/);
	});
	await check("to a series and on", async () => {
		await page.fill("#search", "step");
		await page.click("#series tbody tr:visible a");
		assert.match(page.url(), /k\/step-[0-9a-f]{10}\.html#s[0-9a-f]{10}$/);
		assert.equal(await page.textContent("h1"), "step");
		await page.locator("td a", { has: page.locator("code") }).first().click();
		assert.match(await page.textContent("h1"), /^Commit [0-9a-f]{10}$/);
	});
	await close(page, "index");
}

// --- a kernel: zoom, tooltips ---

{
	const page = await open(stepPage);
	const zoom = page.locator(".zoom").first();
	const seen = async () => Number(await zoom.getAttribute("data-shown"));
	await check("a trend has commits below it, and its points lead to them", async () => {
		const trend = page.locator("figure.wide-only svg").first();
		assert.match(await trend.textContent(), /[0-9a-f]{10}[^]*\d{4}-\d\d-\d\d/);
		const point = trend.locator("a:has(circle)").nth(3);
		const [, id] = (await point.locator("title").textContent()).match(/ [mu]s, 1 run · ([0-9a-f]{10}) \d{4}-\d\d-\d\d night \d+$/);
		await point.locator("circle").click();
		assert.equal(await page.textContent("h1"), `Commit ${id}`);
		await page.goBack();
	});
	await check("a narrow screen has a drawing of its own", async () => {
		await page.setViewportSize({ width: 400, height: 800 });
		assert.equal(await page.locator("figure.narrow-only svg:visible").count(), 1);
		assert.equal(await page.locator("figure.wide-only svg:visible").count(), 0);
		await page.setViewportSize({ width: 1280, height: 900 });
	});
	await check("zoom takes the panel's place", async () => {
		assert.equal(await page.locator("figure.trend svg:visible").count(), 1);
		await zoom.locator("button.open").click();
		await zoom.locator("svg").waitFor();
		assert.equal(await seen(), 40);
		assert.equal(await page.locator("figure.trend:visible").count(), 0);
		assert.equal(await zoom.locator("svg circle.dot").count(), 40);
		assert.equal(await zoom.locator("svg line.step").count(), 1);
		assert.equal(await zoom.locator("svg line.level").count(), 2);
	});
	await check("tooltips of points and steps", async () => {
		assert.match(await zoom.locator("circle.dot title").first().textContent(),
			/^\d+\.\d+ ms at [0-9a-f]{10}, \d{4}-\d\d-\d\d /);
		assert.match(await zoom.locator("line.step title").textContent(), /^mean [\d.]+ [um]s to 1\.[23]\d+ ms, first seen at [0-9a-f]{10}$/);
	});
	await check("zoom in, move, whole history", async () => {
		await zoom.locator("button", { hasText: "Zoom in" }).click();
		const half = await seen();
		assert.ok(half > 10 && half < 30, String(half));
		const first = await zoom.locator("circle.dot title").first().textContent();
		await zoom.locator("button", { hasText: "Older" }).click();
		assert.notEqual(await zoom.locator("circle.dot title").first().textContent(), first);
		await zoom.locator("button", { hasText: "Whole" }).click();
		assert.equal(await seen(), 40);
	});
	await check("a part is chosen with the pointer", async () => {
		const box = await zoom.locator("svg").boundingBox();
		await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 4 });
		await page.mouse.up();
		assert.ok((await seen()) < 15 && (await seen()) > 3, String(await seen()));
	});
	await check("keys read the values and zoom", async () => {
		await zoom.locator("svg").focus();
		await page.keyboard.press("0");
		assert.equal(await seen(), 40);
		await page.keyboard.press("ArrowLeft");
		assert.match(await zoom.locator("output").textContent(), /ms at [0-9a-f]{10}/);
		const before = await zoom.locator("output").textContent();
		await page.keyboard.press("ArrowLeft");
		assert.notEqual(await zoom.locator("output").textContent(), before);
		await page.keyboard.press("+");
		assert.ok((await seen()) < 40);
	});
	await page.goto(base + kernelPage("gap-"));
	await check("a gap stays a gap", async () => {
		await page.click(".zoom button.open");
		const path = await page.locator(".zoom path.line").getAttribute("d");
		assert.equal(path.split("M").length - 1, 2);
	});
	await page.goto(base + profiledPage);
	await check("charts with tooltips, on the ground of the page", async () => {
		assert.ok((await page.locator("figure svg title").count()) > 2);
		const red = () => page.locator("figure svg > rect").first().evaluate((rect) =>
			Number(getComputedStyle(rect).fill.match(/\d+/)[0]));
		assert.ok((await red()) > 200);
		await page.emulateMedia({ colorScheme: "dark" });
		assert.ok((await red()) < 60);
		await page.emulateMedia({ colorScheme: "light" });
	});
	await check("every series has its comparisons and its run; one measurement makes no panel", async () => {
		for (const section of await page.locator("main > section.run").all()) {
			assert.equal(await section.locator("caption", { hasText: "Gate comparisons" }).count(), 1);
			assert.equal(await section.locator("summary", { hasText: "Latest run" }).count(), 1);
		}
		assert.equal(await page.locator("main > section.run").count(), 2);
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
	await check("keyboard: every stop can be seen; search and sort are reached", async () => {
		const stops = [];
		for (let i = 0; i < 25; i++) {
			await page.keyboard.press("Tab");
			const stop = await focused();
			assert.ok(stop.outline, `no outline: ${JSON.stringify(stop)}`);
			stops.push(stop);
			if (stop.id === "search")
				await page.keyboard.type("step");
			if (stop.name === "button" && stop.text === "Series") {
				await page.keyboard.press("Enter");
				break;
			}
		}
		assert.ok(stops.some((stop) => stop.id === "search"));
		assert.equal(await page.locator("#series th").first().getAttribute("aria-sort"), "ascending");
		assert.deepEqual(await names(page), ["step"]);
	});
	await close(page, "keyboard");
}
{
	const page = await open("index.html", { javaScriptEnabled: false });
	await check("without scripts: the whole table and no controls", async () => {
		const rows = await page.locator("#series tbody tr").count();
		assert.ok(rows > 60);
		assert.equal(await shown(page), rows);
		assert.equal(await page.locator("#tools").isVisible(), false);
		assert.equal(await page.locator("button:visible").count(), 0);
	});
	await page.goto(base + stepPage);
	await check("without scripts: changes and measurements", async () => {
		assert.match(await page.textContent("main"), /Changes, newest first/);
		await page.locator("summary", { hasText: "Latest measurements" }).first().click();
		assert.ok(await page.locator("details table td.n").first().isVisible());
		assert.equal(await page.locator("button:visible").count(), 0);
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
		if (name === stepPage)
			await check(`${name}: zoom opens`, async () => {
				await page.click(".zoom button.open");
				await page.locator(".zoom svg").waitFor();
			});
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
		await page.click(".zoom button.open");
		await page.locator(".zoom svg").waitFor();
		await page.click("nav a");
		await page.fill("#search", "step");
		assert.equal(await shown(page), 1);
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
		const zoom = page.locator(".zoom button.open").first();
		if (kind !== "print" && (await zoom.count()))
			await zoom.click();
		const file = join(pictures, `${name.replace(/\W+/g, "-").slice(0, 20)}-${kind}`);
		await page.screenshot({ path: `${file}.png`, fullPage: name !== "index.html" });
		await page.context().close();
	}

await browser.close();
finish();
