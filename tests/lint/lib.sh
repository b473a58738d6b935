#!/bin/bash
# What the lint tests share: the layers, their files, and C text without comments and strings.

# shellcheck disable=SC2034 # used by those who read this file
layers='base model ingest db vcs render cli'
# shellcheck disable=SC2034 # the same
library_layers='base model ingest db vcs render'

# The C files of the given folders.
c_files() {
	local folder
	for folder; do
		[ -d "$folder" ] && find "$folder" \( -name '*.c' -o -name '*.h' -o -name '*.def' \)
	done | sort
}

# Files of the project by find(1) tests; build trees and git's own files are left out.
project_files() {
	find . \( -path ./.git -o -path './build*' -o -path ./node_modules -o -name .rooflog \) -prune \
		-o -type f \( "$@" \) -print | sed 's|^\./||' | sort
}

# FILE:LINE:TEXT of the named C files, without comments and the insides of strings.
code_of() { # FILE...
	printf '%s\n' "$@" | python3 tests/lint/code.py
}

failures=0

# fail FILE:LINE MESSAGE: notes one failure.
fail() {
	printf '%s: %s\n' "$1" "$2"
	failures=$((failures + 1))
}

# The closing line, and the exit status.
finish() {
	printf '%s: %d failures\n' "$(basename "$0" .sh)" "$failures"
	[ "$failures" = 0 ]
}
