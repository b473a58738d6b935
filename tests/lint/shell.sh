#!/bin/bash
# Every script parses, and is free of shellcheck's findings where shellcheck is installed.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

scripts="dev .ci/run $(project_files -name '*.sh')"
for script in $scripts; do
	shell=$(head -n 1 "$script" | grep -qE '^#!/bin/sh' && echo sh || echo bash)
	"$shell" -n "$script" || fail "$script:1" "does not parse"
done
if command -v shellcheck >/dev/null; then
	for script in $scripts; do
		shellcheck -x -s "$(head -n 1 "$script" | grep -qE '^#!/bin/sh' && echo sh || echo bash)" \
			"$script" || fail "$script:1" "shellcheck"
	done
else
	echo "shellcheck is not installed: syntax only"
fi
finish
