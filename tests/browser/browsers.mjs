// What the scripts of this folder share: the browsers of this machine, a page that notes every fault, and checks that count.
import { createRequire } from "node:module";
import { join } from "node:path";

const engines = {
	chromium: { path: process.env.CHROMIUM, options: { args: ["--no-sandbox", "--disable-gpu"] } },
	firefox: { path: process.env.FIREFOX, options: { channel: "moz-firefox" } },
};

// The names of the browsers that CHROMIUM and FIREFOX lead to.
export const installed = Object.keys(engines).filter((name) => engines[name].path);

// MODULES holds node_modules with playwright-core.
export function launch(modules, name = "chromium") {
	const { path, options } = engines[name];
	return createRequire(join(modules, "x.js"))("playwright-core")[name].launch({ ...options, executablePath: path });
}

// A page whose list `faults` gets every error, warning and dialog, and every request for what does not begin with `within`.
export async function open(browser, address, options = {}, within = address) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(5000);
	page.faults = [];
	page.on("console", (message) => {
		if (message.type() === "error" || message.type() === "warning")
			page.faults.push(message.text());
	});
	page.on("pageerror", (error) => page.faults.push(error.message));
	page.on("dialog", (dialog) => {
		page.faults.push(`dialog ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on("request", (request) => {
		if (!request.url().startsWith(within) && !request.url().startsWith("data:"))
			page.faults.push(`request for ${request.url()}`);
	});
	await page.goto(address);
	return page;
}

// Runs tests by name, says which failed, and ends the process with their count.
export function checks(title) {
	let passed = 0, failed = 0;
	return {
		async check(name, test) {
			try {
				await test();
				passed++;
			} catch (error) {
				failed++;
				console.log(`FAILED: ${name}: ${error.message.slice(0, 1200)}`);
			}
		},
		finish() {
			console.log(`${title}: ${passed} passed, ${failed} failed`);
			process.exit(failed || !passed ? 1 : 0);
		},
	};
}
