// usage: node metrics.mjs SITE MODULES
// The page of a kernel with two metrics, in a real Chromium: another metric in the same plot. MODULES
// holds node_modules with playwright-core.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks, launch, open as openPage } from "./browsers.mjs";

const [site, modules] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch(modules), base = pathToFileURL(site).href + "/";
const { check, finish } = checks("metrics");
const open = (name) => openPage(browser, base + name, {}, base);
const kernel = "k/" + readdirSync(join(site, "k"))[0];
const ready = (page) => page.waitForFunction(() => document.body.dataset.ready === "true");
const titled = (page, start) => page.waitForFunction((text) =>
	document.querySelector(".plot text.title").textContent.startsWith(text), start);

const chooser = (page) => page.locator("section.series:visible label", { hasText: "Metric" }).locator("select");

async function close(page, name) {
	await check(`${name}: no error, nothing asked for elsewhere`, () => assert.deepEqual(page.faults, []));
	await page.context().close();
}

const page = await open(kernel);
const section = page.locator("section.series:visible"), plot = page.locator(".plot");
await check("another metric: its values, its changes, its unit; it is in the address", async () => {
	await ready(page);
	const metric = chooser(page), title = () => plot.locator("text.title").textContent();
	assert.match(await title(), /^Total time, .s$/);
	assert.equal(await plot.locator(".pill").count(), 0);
	await metric.selectOption("hbm_bytes");
	await titled(page, "HBM traffic");
	assert.match(await title(), /^HBM traffic, MB$/);
	assert.match(await plot.locator(".pill").textContent(), /▲ \+28\.\d+ %/);
	assert.match(page.url(), /&metric=hbm_bytes/);
	assert.match(await page.locator(".picker select option").first().textContent(), / · 90\d\.\d MB · /);
	const sides = await page.locator(".picker select").evaluateAll((both) => both.map((one) => one.selectedOptions[0].text));
	assert.match(sides.join(), / 70\d\.\d MB .* 90\d\.\d MB /, "A and B are around its change point");
	assert.match((await page.locator(".picker select option").allTextContents()).join(), /[0-9a-f]{10} \(v1\.0\) · /);
	await section.locator("button", { hasText: "30 commits" }).click();
	const other = await open(kernel + page.url().split("html")[1]);
	await ready(other);
	await titled(other, "HBM traffic");
	assert.equal(Number(await other.locator("section.series:visible").getAttribute("data-shown")), 30);
	assert.equal(await chooser(other).inputValue(), "hbm_bytes");
	await close(other, "a link to a metric");
	await metric.selectOption("");
	await titled(page, "Total time");
	assert.doesNotMatch(page.url(), /metric=/);
});
await check("a metric that the series lacks changes nothing", async () => {
	await page.goto(base + kernel + "#x&metric=constructor");
	await page.reload();
	await ready(page);
	assert.match(await plot.locator("text.title").textContent(), /^Total time/);
});
await close(page, "the kernel");
await browser.close();
finish();
