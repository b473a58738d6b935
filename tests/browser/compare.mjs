// usage: node compare.mjs SITE MODULES
// Opens the page compare.html of a site in a real Chromium, from the disk, and tries what people do
// with it: commits chosen by keyboard and pointer, filters, addresses, "back", screens, and what is empty.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open as openPage } from "./browsers.mjs";
import { contrasts, hiddenSideways } from "./checks.mjs";

const [site, modules] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch(modules);
const base = pathToFileURL(site).href + "/";
const usual = "3 slower, 1 faster, 2 unclear"; // from night 27 to 36
const { check, finish } = checks("browser");
const open = (hash = "", options = {}, from = base) => openPage(browser, `${from}compare.html${hash}`, options, from);

async function close(page, name) {
	await check(`${name}: no error, nothing asked for elsewhere`, () => assert.deepEqual(page.faults, []));
	await page.context().close();
}

const rows = (page) => page.locator("#rows tbody tr[data-verdict-name]");
const names = (page) => page.locator("#rows tbody th a").allTextContents();
const hashOf = (page) => page.evaluate(() => location.hash);
const until = (page, hash) => page.waitForFunction((wanted) => location.hash === wanted, hash);
const answer = (page, text) => page.waitForFunction((wanted) => document.getElementById("answer").textContent === wanted, text);

// --- which commits ---

const first = await open();
const commits = await first.evaluate(() => rooflog.commits.filter((row) => row[3]).map((row) => row[0]).reverse());
const at = (from, to) => `#${commits[from]}..${commits[to]}`;

await check("without an address, the newest is compared with the one before", async () => {
	await first.waitForSelector("#rows tbody tr");
	assert.match(await first.textContent("#told"), /series compared.*B is 1 commit after A/);
	assert.ok((await first.inputValue("#a")).startsWith(commits[commits.length - 2]));
	assert.ok((await first.inputValue("#b")).startsWith(commits[commits.length - 1]));
});
await check("no commit is asked for twice, and only the files of both", async () => {
	assert.equal(await first.locator("script[src*='/v-'], script[src^='data/v-']").count(), 1);
});
await close(first, "first visit");

{
	const page = await open(at(26, 35));
	await answer(page, usual);
	await check("the answer is the heading and the title", async () => {
		assert.match(await page.title(), new RegExp(`^${usual}: ${commits[26]}\\.\\.${commits[35]} `));
	});
	await check("what is beyond the noise has rows, the rest is folded", async () => {
		assert.deepEqual([...new Set(await rows(page).evaluateAll((all) => all.map((row) => row.dataset.verdictName)))],
			["slower", "faster", "unclear"]);
		assert.match(await page.textContent("#count"), /^6 of \d+ series$/);
	});
	await check("a row has change, interval, noise, significance, verdict and the commit", async () => {
		const row = rows(page).filter({ has: page.locator("a", { hasText: /^slower$/ }) });
		const text = await row.innerText();
		assert.match(text, /▲ \+(19|20)\.\d %/);
		assert.match(text, /\+1\d\.\d % to \+2\d\.\d %/);
		assert.match(text, /mean of 27 commits/);
		assert.match(text, /\d\.\d×\s*p \de-\d+/);
		assert.match(text, new RegExp(`mean changed at ${commits[29]}`));
		assert.match(await row.locator(".over svg").getAttribute("aria-label"), /^\+\d+\.\d %, 95 % .* noise 0\.\d+ %$/);
		assert.match(await row.locator("th a").first().getAttribute("href"), /^k\/slower-[0-9a-f]{10}\.html#s[0-9a-f]{10}$/);
	});
	await check("the strip has every series", async () => {
		const marks = await page.locator("#strip svg[role=img] :is(.cmp-dot, .cmp-mark)").count();
		assert.equal(`${marks} series`, (await page.textContent("#told")).match(/^\d+ series/)[0]);
		assert.ok(await page.locator("#strip .cmp-name", { hasText: "slower" }).count());
	});
	await check("what is not compared is named, with the reason", async () => {
		const listed = () => page.locator("#left-out li a").allTextContents();
		assert.match(await page.textContent("#left-out"), /1 series not measured at B/);
		assert.deepEqual(await listed(), ["stopped"]);
		await page.goto(`${base}compare.html${at(26, 55)}`);
		await page.waitForFunction(() => /not measured at A or before/.test(document.getElementById("left-out").textContent));
		assert.ok((await listed()).includes("fresh"));
	});
	await check("hostile names are text", async () => {
		assert.ok((await names(page)).some((name) => name.includes("<script>window.hacked=1</script>")));
		assert.equal(await page.evaluate(() => window.hacked), undefined);
	});
	await close(page, "a pair");
}

// --- chips, search, sort, address, back ---

{
	const page = await open(at(26, 35)), start = at(26, 35);
	await answer(page, usual);
	await check("chips filter, by keyboard, and keep the focus", async () => {
		await page.locator("#chips button[data-show=slower]").focus();
		await page.keyboard.press("Enter");
		await until(page, `${start}&show=faster%2Cunclear`);
		await page.waitForFunction(() => document.activeElement.dataset.show === "slower");
		assert.equal(await page.getAttribute("#chips button[data-show=slower]", "aria-pressed"), "false");
		assert.equal(await rows(page).count(), 3);
	});
	await check("back undoes it", async () => {
		await page.goBack();
		await until(page, start);
		await page.waitForFunction(() => document.querySelectorAll("#rows tbody tr[data-verdict-name]").length === 6);
	});
	await check("all rows", async () => {
		await page.click("#chips button[data-show=steady]");
		await page.waitForFunction(() => document.querySelectorAll("#rows tbody tr[data-verdict-name]").length > 8);
	});
	await check("search, in the address without a step of its own", async () => {
		const before = await page.evaluate(() => history.length);
		await page.fill("#find", "STEADY h100");
		await page.waitForFunction(() => /find=STEADY%20h100/.test(location.hash));
		assert.deepEqual(await names(page), ["steady"]);
		assert.equal(await page.evaluate(() => history.length), before);
		await page.fill("#find", "no such kernel");
		await page.waitForFunction(() => /No series matches/.test(document.querySelector("#rows tbody").textContent));
		await page.fill("#find", "");
	});
	await check("sort, both ways and back", async () => {
		const head = page.locator("#rows th[data-by=change]");
		const values = async () => (await page.locator("#rows td.change").evaluateAll((cells) =>
			cells.map((cell) => parseFloat(cell.firstChild.data.replace(/[^\d.−]/g, "").replace("−", "-")))));
		for (const [state, order] of [["descending", (x, y) => y - x], ["ascending", (x, y) => x - y]]) {
			await head.locator("button").click();
			await page.waitForFunction((wanted) => document.querySelector("#rows th[aria-sort]")?.getAttribute("aria-sort") === wanted, state);
			const found = await values();
			assert.ok(found.length > 8);
			assert.deepEqual(found, [...found].sort(order));
		}
		await head.locator("button").click();
		await page.waitForFunction(() => !document.querySelector("#rows th[aria-sort]"));
	});
	await check("an address shows the same to another", async () => {
		await page.locator("#rows th[data-by=name] button").click();
		await page.waitForFunction(() => /sort=name/.test(location.hash));
		const other = await open(await hashOf(page));
		await other.waitForSelector("#rows tbody tr");
		assert.deepEqual(await names(other), await names(page));
		await other.context().close();
	});
	await close(page, "filters");
}

// --- choosing commits ---

{
	const page = await open(at(26, 35));
	await answer(page, usual);
	await check("type to search, arrows, Enter", async () => {
		await page.focus("#b");
		await page.keyboard.type("2026-04-2");
		assert.equal(await page.getAttribute("#b", "aria-expanded"), "true");
		const options = await page.locator("#list-b li[role=option]").allTextContents();
		assert.ok(options.length === 10 && options.every((text) => text.includes("2026-04-2")), options.join());
		await page.keyboard.press("ArrowDown");
		const chosen = await page.locator("#list-b li[aria-selected=true]").getAttribute("data-id");
		assert.equal(await page.getAttribute("#b", "aria-activedescendant"),
			await page.locator("#list-b li[aria-selected=true]").getAttribute("id"));
		await page.keyboard.press("Enter");
		await until(page, `#${commits[26]}..${chosen}`);
		assert.equal(await page.locator("#list-b").isVisible(), false);
	});
	await check("Escape leaves the list and the commit as they were", async () => {
		const before = await page.inputValue("#a");
		await page.focus("#a");
		await page.keyboard.type("zzzz");
		assert.match(await page.textContent("#list-a"), /no measured commit fits/);
		await page.keyboard.press("Escape");
		assert.equal(await page.inputValue("#a"), before);
	});
	await check("the pointer chooses, too", async () => {
		await page.click("#a");
		await page.locator(`#list-a li[data-id="${commits[20]}"]`).click();
		await page.waitForFunction((id) => location.hash.startsWith(`#${id}..`), commits[20]);
	});
	await check("swap", async () => {
		const [a, b] = (await hashOf(page)).slice(1).split("..");
		await page.click("#swap");
		await until(page, `#${b}..${a}`);
		assert.match(await page.textContent("#told"), /before A.*swap them/);
	});
	await close(page, "choosing");
}

// --- what is empty, and what is wrong ---

for (const [name, hash, text] of [
	["an unknown commit", `#${commits[3]}..ffffffffff`, /No such commit.*B is ffffffffff.*rooflog compare/s],
	["a hostile address", "#<img src=x onerror=alert(1)>..x", /No such comparison/],
	["the same commit twice", `#${commits[3]}..${commits[3]}`, /A and B are the same commit/],
	["an unknown metric", `${at(26, 35)}&metric=nonsense`, /No such metric/],
	["a broken escape", `${at(26, 35)}&find=%E0%A4%A&show=slower`, /slower/],
])
	await check(name, async () => {
		const page = await open(hash);
		await page.waitForFunction(() => document.getElementById("answer").textContent !== "Compare two commits");
		assert.match(await page.locator("body").innerText(), text);
		assert.deepEqual(page.faults, []);
		await page.context().close();
	});
await check("a full id is as good as a short one", async () => {
	const page = await open();
	const full = await page.evaluate(() => rooflog.commits.find((row) => row[3])[3]);
	await page.evaluate((hash) => {
		location.hash = hash;
	}, `#${commits[26]}..${full}`);
	await page.waitForFunction(() => /33 commits after/.test(document.getElementById("told").textContent));
	await page.context().close();
});
await check("a missing file is said", async () => {
	const copy = mkdtempSync(join(tmpdir(), "compare-"));
	cpSync(site, copy, { recursive: true });
	rmSync(join(copy, "data/v-0.js"));
	const page = await open(at(26, 35), {}, pathToFileURL(copy).href + "/");
	await answer(page, "A file of this site is missing");
	await page.context().close();
	rmSync(copy, { recursive: true });
});
await check("without scripts the page says what to type, and leads to the latest commits", async () => {
	const page = await open("", { javaScriptEnabled: false });
	assert.match(await page.locator("#told").innerText(), /rooflog compare A B/);
	assert.equal(await page.locator("#latest a").count(), 10);
	assert.equal(await page.locator("#picker").isVisible(), false);
	await page.context().close();
});

// --- every screen ---

for (const scheme of ["light", "dark"])
	for (const width of [1280, 900, 400])
		await check(`${scheme}, ${width} pixels: contrast, nothing sideways`, async () => {
			const page = await open(`${at(26, 35)}&show=slower,faster,unclear,steady`, { colorScheme: scheme, viewport: { width, height: 900 } });
			await answer(page, usual);
			const { texts, bad } = await page.evaluate(contrasts);
			assert.ok(texts > 60, `${texts} texts`);
			assert.deepEqual(bad, []);
			assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
			assert.deepEqual(await page.evaluate(hiddenSideways), []);
			await page.context().close();
		});
await check("a phone begins with the name and the change", async () => {
	const page = await open(at(26, 35), { viewport: { width: 400, height: 900 } });
	await answer(page, usual);
	const row = rows(page).first(), name = await row.locator("th").boundingBox(), change = await row.locator(".change").boundingBox();
	assert.equal(Math.round(name.y), Math.round(change.y));
	assert.match(await row.locator("th .narrow").innerText(), /→/);
	await page.context().close();
});
await check("paper has the table and no controls", async () => {
	const page = await open(at(26, 35));
	await answer(page, usual);
	await page.emulateMedia({ media: "print" });
	assert.equal(await page.locator("#filters").isVisible(), false);
	assert.equal(await page.locator("#swap").isVisible(), false);
	assert.ok(await rows(page).first().isVisible());
	await page.setViewportSize({ width: 700, height: 1000 });
	const [wide, across] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
	assert.ok(wide <= across, `${wide} px on paper of ${across} px`);
	await page.context().close();
});
await check("every control is reached by keyboard, and shows its focus", async () => {
	const page = await open(at(26, 35));
	await answer(page, usual);
	const reached = new Set();
	for (let i = 0; i < 40; i++) {
		await page.keyboard.press("Tab");
		const [id, outline] = await page.evaluate(() => {
			const one = document.activeElement;
			return [one.id || one.dataset.show || one.parentElement.dataset.by || one.localName, getComputedStyle(one).outlineStyle];
		});
		if (id === "body")
			continue;
		reached.add(id);
		assert.notEqual(outline, "none", id);
	}
	for (const id of ["a", "swap", "b", "find", "slower", "steady", "name", "change", "verdict"])
		assert.ok(reached.has(id), `${id} of ${[...reached]}`);
	await page.context().close();
});

await browser.close();
finish();
