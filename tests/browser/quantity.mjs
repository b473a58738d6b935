// What the site's script makes of the newest values in its data, a line each: the series' name and
// the text. Usage: quantity.mjs SITE
import { readdirSync, readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const site = process.argv[2];
const script = readFileSync(`${site}/data/site.js`, "utf8");
const part = script.slice(script.indexOf("/* --- quantities"), script.indexOf("/* --- tables"));
const world = { self: { rooflog: {} } };
runInNewContext(part, world);
for (const name of readdirSync(`${site}/data`).filter((name) => name.startsWith("k-"))) {
	runInNewContext(readFileSync(`${site}/data/${name}`, "utf8"), world);
	for (const series of Object.values(world.rooflog.kernel))
		console.log(`${series.name}: ${world.quantity(series.v.at(-1), series.unit)}`);
}
