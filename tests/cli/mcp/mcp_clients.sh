#!/bin/bash
# rooflog mcp as the protocol's own clients see it, those of JavaScript.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
if [ -n "${SANITIZED:-}" ]; then
	echo "skipped: clients, which see what the program writes without sanitizers"
	finish
fi
modules=${BUILD_DIR:?the build folder}/mcp-clients
missing='' status=0
for program in node npm; do
	command -v "$program" >/dev/null || missing+=" $program"
done
if [ -z "$missing" ]; then
	"$root/tests/browser/install.sh" "$modules" "$root/tests/cli/mcp/clients" || status=$?
	[ "$status" != 3 ] || missing=" the registry of npm"
fi
if [ -n "$missing" ]; then
	echo "skipped: no$missing"
	finish
fi
check "the clients are installed" test "$status" = 0
[ "$status" = 0 ] || finish

repository kernels
git branch -q -M main
run ingest "$root/samples/mlp"
commit second
run ingest --commit HEAD "$root/samples/mlp"
equal "ingest: $err" "$status" 0
node "$root/tests/cli/mcp/clients/clients.mjs" "$modules" "$rooflog" mcp >seen.jsonl
equal "all clients end" "$?" 0
for era in handshake 'client 2, auto' 'client 2, 2026-07-28' 'client 2, legacy'; do
	equal "$era" "$(jq -c --arg era "$era" 'select(.era == $era) | [.server, .tools, .results, .unknown]' seen.jsonl)" \
		"$(jq -nc '["rooflog", ["show", "compare", "gate", "explain", "history", "findings", "candidates"], {
			"history": "rooflog-history/1", "show mlp": "rooflog-report/1", "gate": "rooflog-report/1",
			"explain": "rooflog-explanation/1", "findings mlp": "rooflog-report/1",
			"compare HEAD~1": "rooflog-report/1", "show nonesuch": "error"}, -32602]')"
done
finish
