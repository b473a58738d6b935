// usage: node viewer.mjs PAGE MANY HOSTILE FOLDED PAIR MODULES [PICTURES]
// Opens timelines of single runs in a real Chromium, from the disk, and tries what people do with them:
// zoom, selection by mouse and by keyboard, the table, source lines. MANY has 120,000 events, the names
// of HOSTILE are code, FOLDED idles in its middle, PAIR shows it below a run that does not. MODULES holds node_modules with playwright-core. PICTURES: a folder that gets a
// picture of each page, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open as openPage } from "./browsers.mjs";

const [normal, many, hostile, folded, pair, modules, pictures] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch(modules);
const { check, finish } = checks("viewer");
const MOST = 3; // times a plain page

async function open(file, options = {}, fragment = "") {
	const address = pathToFileURL(file).href, page = await openPage(browser, address + fragment, options, address);
	await settled(page);
	return page;
}
async function close(page, name) {
	await check(`${name}: no error, nothing asked for elsewhere`, () =>
		// Chromium says so of what the checks read back of the canvas.
		assert.deepEqual(page.faults.filter((fault) => !fault.includes("willReadFrequently")), []));
	await page.context().close();
}
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const part = (page, name) => page.evaluate((wanted) => {
	const found = new RegExp(wanted + "=([0-9.e-]+?)-([0-9.]+(?:e-[0-9]+)?)(?:&|$)").exec(location.hash);
	return found && [Number(found[1]), Number(found[2])];
}, name);
const rows = (page) => page.locator("#instructions tbody tr").count();
const told = (page, name) => page.locator(name).textContent();
const ink = (page) => page.evaluate(() => {
	const canvas = document.querySelector("#tracks canvas"), pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
	const colors = new Set();
	for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) colors.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
	return colors.size;
});

// Milliseconds until a page is read, the better of two; so far its scripts have run.
async function opened(file) {
	const times = [];
	for (let i = 0; i < 2; i++) {
		const page = await openPage(browser, pathToFileURL(file).href);
		times.push(await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd));
		await page.context().close();
	}
	return Math.min(...times);
}
// What this machine takes at this moment for a page that parses as many events as JSON, sorts them and lays out some.
async function plainPage() {
	const folder = mkdtempSync(join(tmpdir(), "plain-")), file = join(folder, "plain.html");
	const events = Array.from({ length: 120000 }, (_, i) => ({ from: (i * 7919) % 120000, time: i % 97, name: `matmul ${i % 400}` }));
	writeFileSync(file, `<!DOCTYPE html><pre></pre><script type="application/json">${JSON.stringify(events)}</script><script>
		const events = JSON.parse(document.querySelector("script").textContent).sort((a, b) => a.from - b.from);
		document.querySelector("pre").textContent = events.slice(0, 5000).map((one) => one.from + " " + one.name).join("\\n");
		document.body.getBoundingClientRect();
	</script>`);
	try {
		return await opened(file);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

// --- zoom ---
{
	const page = await open(normal), tracks = page.locator("#tracks");
	await check("the tracks are drawn", async () => assert.ok(await ink(page) > 6));
	await check("nothing is chosen at first", async () => {
		assert.equal(await page.evaluate(() => location.hash), "");
		assert.match(await told(page, "#shares"), /^Whole run/);
	});
	await check("W zooms in, S out", async () => {
		await tracks.focus();
		await page.keyboard.press("w");
		await settled(page);
		const [a, b] = await part(page, "view");
		await page.keyboard.press("w");
		await settled(page);
		const [c, d] = await part(page, "view");
		assert.ok(d - c < (b - a) * .75 && c > a && d < b);
		await page.keyboard.press("s");
		await page.keyboard.press("s");
		await page.keyboard.press("s");
		await settled(page);
		assert.equal(await part(page, "view"), null);
	});
	await check("the buttons zoom, too", async () => {
		await page.click("[data-zoom=in]");
		await settled(page);
		assert.ok(await part(page, "view"));
		await page.click("[data-zoom=all]");
		await settled(page);
		assert.equal(await part(page, "view"), null);
	});
	await check("D moves to the right, A to the left", async () => {
		await tracks.focus();
		await page.keyboard.press("w");
		await settled(page);
		const [a] = await part(page, "view");
		await page.keyboard.press("d");
		await settled(page);
		const [b] = await part(page, "view");
		assert.ok(b > a);
		await page.keyboard.press("a");
		await settled(page);
		assert.ok(Math.abs((await part(page, "view"))[0] - a) < 1e-9);
		await page.keyboard.press("Home");
	});
	await check("the wheel zooms with Ctrl", async () => {
		const box = await tracks.boundingBox();
		await page.mouse.move(box.x + box.width / 2, box.y + 60);
		await page.keyboard.down("Control");
		await page.mouse.wheel(0, -200);
		await page.keyboard.up("Control");
		await settled(page);
		assert.ok(await part(page, "view"));
		await page.click("[data-zoom=all]");
	});
	await check("the small picture moves what is shown", async () => {
		await page.click("[data-zoom=in]");
		await page.click("[data-zoom=in]");
		const box = await page.locator("#whole").boundingBox();
		await page.mouse.click(box.x + box.width - 5, box.y + 10);
		await settled(page);
		const [, b] = await part(page, "view");
		await page.mouse.click(box.x + 200, box.y + 10);
		await settled(page);
		assert.ok((await part(page, "view"))[1] < b);
		await page.click("[data-zoom=all]");
	});
	await close(page, "zoom");
}

// --- selection ---
{
	const page = await open(normal, {}, "#list=time"), tracks = page.locator("#tracks"), box = await tracks.boundingBox();
	const all = Number((await told(page, "#shown")).replace(/.* of |,| shown/g, ""));
	await check("all instructions are there", async () => assert.ok(all > 400 && all < 600, String(all)));
	await check("a drag selects", async () => {
		await page.mouse.move(box.x + 400, box.y + 60);
		await page.mouse.down();
		await page.mouse.move(box.x + 520, box.y + 80, { steps: 4 });
		await page.mouse.up();
		await settled(page);
		const [a, b] = await part(page, "sel");
		assert.ok(b > a);
		assert.match(await told(page, "#shares"), /^Selected.* to .*Tensor \d+\.\d %/);
		assert.match(await told(page, "#which"), /in the selection/);
	});
	await check("and the table has what runs there", async () => {
		const number = Number((await told(page, "#shown")).replace(/.* of |,| shown/g, ""));
		assert.ok(number > 0 && number < all / 2, `${number} of ${all}`);
		const [a, b] = await part(page, "sel");
		await page.selectOption("#order", "start");
		const starts = await page.locator("#instructions tbody tr td:nth-child(3)").allTextContents();
		const seconds = starts.map((text) => parseFloat(text) * { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 }[text.split(" ")[1]]);
		assert.ok(seconds.every((one) => one < b * 1.01));
		assert.deepEqual(seconds, [...seconds].sort((p, q) => p - q));
		assert.ok(seconds.at(-1) > a);
		await page.selectOption("#order", "time");
	});
	await check("shares are of the selection", async () => {
		const [a, b] = await part(page, "sel");
		const share = await page.evaluate(([from, to]) => {
			const data = JSON.parse(document.querySelector("#trace").textContent), digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
			const read = (text) => {
				const out = [];
				let number = 0, place = 1;
				for (const c of text) {
					const one = digits.indexOf(c);
					number += (one & 31) * place;
					place *= 32;
					if (one < 32) { out.push(number); number = 0; place = 1; }
				}
				return out;
			};
			const track = data.tracks[0], lengths = read(track.lengths);
			let at = 0, sum = 0;
			read(track.begins).forEach((delta, i) => {
				at += delta;
				if (lengths[i] % 2 === 0) sum += Math.max(0, Math.min(to / data.tick, at + lengths[i] / 2) - Math.max(from / data.tick, at));
			});
			return sum / ((to - from) / data.tick) * 100;
		}, [a, b]);
		const shown = Number(/Tensor ([0-9.]+) %/.exec(await told(page, "#shares"))[1]);
		assert.ok(Math.abs(share - shown) < .11, `${share} ${shown}`);
	});
	await check("the selection can be zoomed to", async () => {
		await page.click("[data-zoom=selection]");
		await settled(page);
		const [a, b] = await part(page, "sel"), [c, d] = await part(page, "view");
		assert.ok(Math.abs(a - c) < 1e-9 && Math.abs(b - d) < 1e-9);
		await page.click("[data-zoom=all]");
	});
	await check("Escape clears it", async () => {
		await tracks.focus();
		await page.keyboard.press("Escape");
		await settled(page);
		assert.equal(await part(page, "sel"), null);
		assert.match(await told(page, "#shares"), /^Whole run/);
	});
	await check("Shift with arrows selects", async () => {
		for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+ArrowRight");
		await settled(page);
		const [a, b] = await part(page, "sel");
		await page.keyboard.press("Shift+ArrowLeft");
		await settled(page);
		const [c, d] = await part(page, "sel");
		assert.ok(b > a && c === a && d < b && d > c);
	});
	await check("Enter selects what is shown", async () => {
		await page.keyboard.press("w");
		await settled(page);
		const view = await part(page, "view");
		await page.keyboard.press("Enter");
		await settled(page);
		assert.deepEqual(await part(page, "sel"), view);
		await page.keyboard.press("Escape");
		await page.keyboard.press("Home");
	});
	await check("N and P go from one instruction to the next", async () => {
		await page.keyboard.press("n");
		const one = await told(page, "#pointed");
		await page.keyboard.press("n");
		const two = await told(page, "#pointed");
		await page.keyboard.press("p");
		assert.match(one, /sg00 Tensor: (MATMUL|EVENT_SEMAPHORE), .* at .*/);
		assert.notEqual(one, two);
		assert.equal(await told(page, "#pointed"), one);
	});
	await check("the address keeps the view", async () => {
		await page.keyboard.press("w");
		await page.keyboard.press("Enter");
		await settled(page);
		const hash = await page.evaluate(() => location.hash), again = await open(normal, {}, hash);
		assert.equal(await again.evaluate(() => location.hash), hash);
		assert.equal(await told(again, "#shares"), await told(page, "#shares"));
		await close(again, "an address");
	});
	await close(page, "selection");
}

// --- the table, source lines, queues ---
{
	const page = await open(normal, {}, "#list=time");
	await check("the first rows are the longest", async () => {
		const times = (await page.locator("#instructions tbody tr td:nth-child(4)").allTextContents()).map(parseFloat);
		assert.deepEqual(times, [...times].sort((p, q) => q - p));
	});
	await check("more rows come on demand", async () => {
		const before = await rows(page);
		await page.click("#more");
		assert.ok(await rows(page) > before);
	});
	await check("waits are shown on demand", async () => {
		assert.doesNotMatch(await told(page, "#instructions tbody"), /waits/);
		await page.check("#waits");
		assert.match(await told(page, "#instructions tbody"), /EVENT_SEMAPHORE.*waits/);
		await page.uncheck("#waits");
	});
	await check("operands are there, and can be searched", async () => {
		const operands = await page.locator("#instructions tbody tr .operands").first().textContent();
		assert.match(operands, /^src=bf16@0x[0-9a-f]+\[1,0,0\]\[512,1,1\] dst=fp32@.* 128\*128$/);
		await page.fill("#find", operands.split(" ")[0]);
		assert.ok(await rows(page) >= 1 && await rows(page) < 20);
		await page.fill("#find", "nothing has this");
		assert.equal(await rows(page), 0);
		assert.match(await told(page, "#shown"), /None/);
		await page.fill("#find", "");
	});
	await check("one engine alone", async () => {
		await page.selectOption("#only", { label: "sg01 Sync" });
		assert.deepEqual([...new Set(await page.locator("#instructions .where").allTextContents())], ["sg01 Sync"]);
		await page.selectOption("#only", "queue");
		assert.match(await told(page, "#instructions tbody"), /hardware_dynamic.*Q\d-E\d+/);
		await page.selectOption("#only", "semaphore");
		assert.match(await told(page, "#instructions tbody"), /= \d.*semaphore \d/);
		await page.selectOption("#only", "engine");
	});
	await check("source lines have their time", async () => {
		assert.equal(await page.locator("#source .row").count(), 40);
		const line = page.locator("#source .row.timed").first();
		assert.match(await line.textContent(), /^\d+\.\d %\d+x\d+ = load\(a\)/);
		await line.click();
		const number = await line.locator(".n").textContent();
		assert.equal(await page.inputValue("#find"), "k.py:" + number);
		const lines = await page.locator("#instructions td.line").allTextContents();
		assert.ok(lines.length && lines.every((text) => text.endsWith("k.py:" + number)), lines.slice(0, 3).join());
		await page.locator("#source .row.hot").click();
	});
	await check("an instruction leads to its line", async () => {
		const row = page.locator("#instructions tbody tr").filter({ has: page.locator("td.line button") }).first();
		const number = (await row.locator("td.line").textContent()).split(":").at(-1);
		await row.locator("button").first().click();
		await settled(page);
		assert.match(await told(page, "#source .row.hot"), new RegExp(`x${number} = load`));
		assert.match(await told(page, "#pointed"), /src=bf16/);
	});
	await check("so do the slowest of an engine", async () => {
		await page.locator("#slowest summary").nth(1).click();
		const button = page.locator("#slowest details").nth(1).locator("button").first();
		await button.click();
		assert.match(await told(page, "#pointed"), /Vector: TENSOR_REDUCE/);
	});
	await check("queues and semaphores have tracks of their own", async () => {
		const height = () => page.locator("#tracks canvas").evaluate((canvas) => canvas.clientHeight);
		const before = await height();
		await page.check("#queues input");
		await settled(page);
		const between = await height();
		await page.check("#semaphores input");
		await settled(page);
		assert.ok(between > before && await height() > between);
	});
	await close(page, "table");
}

// --- groups, search, folds ---
{
	const page = await open(normal);
	const seconds = (text) => parseFloat(text.replace("−", "-")) * { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9, ps: 1e-12 }[text.split(" ")[1]];
	await check("at first, instructions of one kind and line are one row", async () => {
		assert.deepEqual(await page.locator("#instructions th").allTextContents(), ["Instruction", "Engine", "Count", "Time", "Share", "Source"]);
		const times = (await page.locator("#instructions tbody td:nth-child(4)").allTextContents()).map(seconds);
		assert.deepEqual(times, [...times].sort((p, q) => q - p));
		const counts = await page.locator("#instructions tbody td:nth-child(3)").allTextContents();
		assert.ok(counts.some((text) => Number(text) > 2), counts.join());
	});
	await check("a row leads to its instructions", async () => {
		const row = page.locator("#instructions tbody tr").first(), wanted = await row.locator("td:nth-child(3)").textContent();
		const line = await row.locator("td.line").textContent(), name = await row.locator("td").first().textContent();
		await row.locator("button").first().click();
		assert.equal(await page.inputValue("#order"), "time");
		assert.equal(await page.inputValue("#find"), (name + " " + line).trim());
		if (line) assert.match(await told(page, "#shown"), new RegExp(`(of |^)${wanted} shown`));
		await page.click("#clear");
		await page.selectOption("#order", "time");
		await page.selectOption("#only", "engine");
	});
	const number = async () => Number((await told(page, "#shown")).replace(/.* of |,| shown/g, ""));
	await check("/./ finds what has a source line", async () => {
		const all = await number();
		await page.fill("#find", "/./");
		const lined = await number();
		assert.ok(lined > all / 2 && lined < all, `${lined} of ${all}`);
		await page.fill("#find", "k.py:*");
		assert.equal(await number(), lined);
		await page.fill("#find", "p.py:*");
		assert.match(await told(page, "#shown"), /None/);
	});
	await check("a source line is not the beginning of another", async () => {
		await page.fill("#find", "k.py:1");
		const lines = await page.locator("#instructions td.line").allTextContents();
		assert.ok(lines.length);
		assert.deepEqual([...new Set(lines)], ["k.py:1"]);
	});
	await check("words may be apart, and * is any text", async () => {
		await page.fill("#find", "k.py:6 matmul src*dst");
		assert.ok(await number() > 0);
		assert.deepEqual([...new Set(await page.locator("#instructions .pick").allTextContents())].sort(), ["MATMUL", "k.py:6"]);
	});
	await check("what is not found pales", async () => {
		await settled(page);
		const pale = await ink(page);
		await page.fill("#find", "");
		await settled(page);
		assert.notEqual(await ink(page), pale);
	});
	await check("the query is in the address", async () => {
		await page.fill("#find", "k.py:3 & more");
		await settled(page);
		const again = await open(normal, {}, await page.evaluate(() => location.hash));
		assert.equal(await again.inputValue("#find"), "k.py:3 & more");
		assert.equal(await again.inputValue("#order"), "time");
		await close(again, "a query");
	});
	await check("details appear beside the pointer", async () => {
		await page.fill("#find", "");
		await page.evaluate(() => scrollTo(0, 0));
		const box = await page.locator("#tracks").boundingBox();
		for (let px = 300; px < 600 && !await page.locator("#hover").isVisible(); px += 7) await page.mouse.move(box.x + px, box.y + 20);
		assert.match(await told(page, "#hover"), /Time.*(ns|µs).*Start.*Engine/);
		await page.mouse.move(box.x + 400, box.y - 30);
		assert.equal(await page.locator("#hover").isVisible(), false);
	});
	await close(page, "search");
}
{
	const page = await open(folded);
	const columns = () => page.evaluate(() => {
		const canvas = document.querySelector("#tracks canvas"), pen = canvas.getContext("2d"), seen = [];
		for (let px = 0; px < canvas.width; px += 4) seen.push([...pen.getImageData(px, 20, 1, 1).data].join());
		return seen.join(" ");
	});
	await check("an idle stretch is folded until it is wanted", async () => {
		assert.equal(await page.locator("#fold").isChecked(), true);
		const before = await columns();
		await page.uncheck("#fold");
		await settled(page);
		assert.notEqual(await columns(), before);
		assert.match(await page.evaluate(() => location.hash), /fold=0/);
		await page.check("#fold");
		await settled(page);
		assert.equal(await columns(), before);
	});
	await check("a drag over a fold selects all of it", async () => {
		const box = await page.locator("#tracks").boundingBox();
		await page.mouse.move(box.x + 250, box.y + 20);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width - 100, box.y + 20, { steps: 3 });
		await page.mouse.up();
		await settled(page);
		const [a, b] = await part(page, "sel"), data = await page.evaluate(() => JSON.parse(document.querySelector("#trace").textContent));
		const [[from, to]] = data.idle;
		assert.ok(a < from * data.tick && b > to * data.tick, `${a} ${b}`);
	});
	await close(page, "folds");
}
{
	const page = await open(pair);
	await check("two runs: shares of both, and what differs", async () => {
		assert.deepEqual(await page.locator("#instructions th").allTextContents(), ["Instruction", "Engine", "Count", "A", "B", "Change", "Source"]);
		assert.match(await told(page, "h1"), /^Timelines of mlp/);
		assert.match(await told(page, "#shares"), /Tensor \d/);
	});
	await check("a selection is matched in the other run", async () => {
		const data = await page.evaluate(() => JSON.parse(document.querySelector("#trace").textContent)), [[, to]] = data.idle, end = data.to;
		const hash = `#sel=${((to + 3000) * data.tick).toPrecision(9)}-${(end * data.tick).toPrecision(9)}`, again = await open(pair, {}, hash);
		const text = await told(again, "#shares"), found = /Selected([\d.]+) µs to ([\d.]+) µs, .*in A ([\d.]+) µs to ([\d.]+) µs/.exec(text);
		assert.ok(found, text);
		assert.ok(Math.abs(found[1] - found[3] - 20) < 2 && Math.abs(found[2] - found[4] - 20) < 2, text);
		const changes = await again.locator("#instructions tbody td:nth-child(6)").allTextContents();
		assert.ok(changes.length > 5);
		await close(again, "a matched selection");
	});
	await check("each instruction says of which run it is", async () => {
		await page.selectOption("#order", "start");
		const labels = await page.locator("#instructions .where").allTextContents();
		assert.ok(labels.every((text) => /^[AB] sg0/.test(text)), labels.slice(0, 3).join());
	});
	await close(page, "pair");
}

// --- many events, hostile names, no script ---
{
	const page = await open(many);
	await check("120,000 events open in few times what a plain page of them takes", async () => {
		const events = await opened(many), plain = await plainPage();
		console.log(`  ${Math.round(events)} ms until 120,000 events are there, ${(events / plain).toFixed(2)} times a plain page`);
		assert.ok(events < MOST * plain, `${events} ms, a plain page ${plain} ms`);
	});
	await check("what is left out is said", async () => {
		assert.match(await told(page, ".left"), /20,000 of 140,000 events are not on this page/);
	});
	await check("no line breaks within an option", async () => {
		const options = await page.locator(".left code").all();
		assert.deepEqual(await Promise.all(options.map((one) => one.textContent())), ["--from", "--to", "--source-root"]);
		for (const one of options) assert.equal(await one.evaluate((code) => getComputedStyle(code).whiteSpace), "nowrap");
	});
	await close(page, "many");
}
{
	const page = await open(hostile);
	await check("names are never code", async () => {
		assert.equal(await page.evaluate(() => window.hacked), undefined);
		assert.match(await told(page, "#instructions tbody"), /<\/script><script>window\.hacked=1<\/script>/);
		await page.check("#queues input");
		await page.check("#semaphores input");
		await page.fill("#find", "<img");
		await page.locator("#tracks").focus();
		await page.keyboard.press("n");
		await settled(page);
		assert.equal(await page.evaluate(() => window.hacked), undefined);
		assert.equal(await page.locator("img, iframe").count(), 0);
	});
	await close(page, "hostile");
}
{
	const context = await browser.newContext({ javaScriptEnabled: false }), page = await context.newPage();
	page.faults = [];
	await page.goto(pathToFileURL(normal).href);
	await check("without script the slowest instructions stay", async () => {
		assert.match(await page.locator("#slowest").innerText(), /MATMUL/);
		assert.match(await page.locator("noscript").innerText(), /JavaScript/);
		assert.equal(await page.locator("#timeline").isVisible(), false);
	});
	await close(page, "without script");
}
for (const [name, width, file] of [["wide", 1300, normal], ["narrow", 400, normal], ["pair-wide", 1300, pair], ["pair-narrow", 400, pair]])
	for (const colorScheme of ["light", "dark"]) {
		const page = await open(file, { viewport: { width, height: 900 }, colorScheme });
		await check(`${name} ${colorScheme}: nothing is scrolled sideways`, async () =>
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)));
		if (pictures) await page.screenshot({ path: join(pictures, `viewer-${name}-${colorScheme}.png`), fullPage: true });
		await close(page, `${name} ${colorScheme}`);
	}
await browser.close();
finish();
