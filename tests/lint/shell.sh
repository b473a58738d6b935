#!/bin/bash
# Every script parses, and is free of shellcheck's findings where shellcheck is installed.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

scripts=$(printf '%s\n' dev .ci/run; project_files -name '*.sh')
if command -v shellcheck >/dev/null; then
	xargs -r -d '\n' -n 16 -P "$(nproc)" shellcheck -x <<<"$scripts" || fail tests/lint/shell.sh "shellcheck"
else
	echo "shellcheck is not installed: syntax only"
	for script in $scripts; do
		shell=$(head -n 1 "$script" | grep -qE '^#!/bin/sh' && echo sh || echo bash)
		"$shell" -n "$script" || fail "$script:1" "does not parse"
	done
fi
finish
