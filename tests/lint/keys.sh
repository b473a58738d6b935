#!/bin/bash
# Members of documents are read by KEY() (render/document/key.h), which docs/schema is checked against
# when the program is built: no literal names a member in render/ and cli/. Each member in docs/schema has a description, unless
# it refers to another or is a constant. cli/query/mcp/protocol.c reads messages of the Model Context Protocol, which are no documents
# of ours.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

while IFS=: read -r file line text; do
	[ -z "$file" ] || fail "$file:$line" "write KEY(name): $text"
done < <(git ls-files -co --exclude-standard 'render/*.c' 'cli/*.c' | grep -vxF cli/query/mcp/protocol.c | xargs grep -nHoE \
	'\bjson_(get|text|number|truth)\(([^;"(),]|\([^()]*\))*, "[A-Za-z_0-9]+"' || true)
while IFS= read -r file; do
	while IFS= read -r member; do
		fail "$file" "$member has no description"
	done < <(jq -r 'path(.. | objects | .properties? | objects | .[] | objects
		| select((has("description") or has("$ref") or has("const")) | not)) | map(tostring) | join(".")' "$file")
done < <(git ls-files -co --exclude-standard 'docs/schema/*.json')
finish
