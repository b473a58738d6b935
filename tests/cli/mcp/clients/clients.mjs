// usage: node clients.mjs FOLDER ROOFLOG [ARGS...]
// Lists and calls the tools of rooflog mcp with the protocol's own clients, which are in FOLDER/node_modules: of the era with a
// handshake, and of the one without. Prints what each saw as one JSON line.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [folder, command, ...args] = process.argv.slice(2)
const require = createRequire(pathToFileURL(`${folder}/`))
const load = name => import(pathToFileURL(require.resolve(name)))

async function look(era, client, transport) {
	const seen = { era }
	await client.connect(transport)
	seen.server = client.getServerVersion()?.name
	const listed = await client.listTools()
	seen.tools = listed.tools.map(tool => tool.name)
	seen.results = {}
	for (const [name, given] of [['history', {}], ['show', { series: 'mlp' }], ['gate', {}], ['explain', {}], ['findings', { series: 'mlp' }],
		['compare', { before: 'HEAD~1' }], ['show', { series: 'nonesuch' }]]) {
		const result = await client.callTool({ name, arguments: given })
		seen.results[`${name} ${Object.values(given)}`.trim()] = result.isError ? 'error' : result.structuredContent.schema
	}
	seen.unknown = await client.callTool({ name: 'rm', arguments: {} }).then(() => 'called', error => error.code)
	await client.close()
	console.log(JSON.stringify(seen))
}

const about = { name: 'clients.mjs', version: '1' }
{
	const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
	const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js')
	await look('handshake', new Client(about), new StdioClientTransport({ command, args, env: process.env }))
}
for (const mode of ['auto', { pin: '2026-07-28' }, 'legacy']) {
	const { Client } = await load('@modelcontextprotocol/client')
	const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
	await look(`client 2, ${mode.pin ?? mode}`, new Client(about, { versionNegotiation: { mode } }),
		new StdioClientTransport({ command, args, env: process.env }))
}
