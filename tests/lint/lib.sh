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

# One C file with comments and the insides of strings blanked, line numbers kept.
code_of() {
	awk '
	{
		text = ""
		n = length($0)
		quote = ""
		for (i = 1; i <= n; i++) {
			two = substr($0, i, 2)
			one = substr(two, 1, 1)
			if (comment) {
				if (two == "*/") { comment = 0; i++ }
			} else if (quote != "") {
				if (one == "\\") i++
				else if (one == quote) { quote = ""; text = text one }
			} else if (two == "/*") { comment = 1; i++ }
			else if (two == "//") break
			else if (one == "\"" || one == "\047") { quote = one; text = text one }
			else text = text one
		}
		print text
	}' "$1"
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
