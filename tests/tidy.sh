#!/bin/sh
# one.sh FILE COMMAND: clang-tidy on a source, unless the same text passed before with the same rules.
# COMMAND prints the text, without the paths of this checkout; "" if it is not known: then nothing is
# remembered. PASSED is the folder of what passed, RULES what else decides.
set -eu
key=
if [ -n "$2" ]; then
	text=$(mktemp)
	trap 'rm -f "$text"' EXIT
	echo "$RULES" >"$text"
	(cd build/asan && eval "$2") >>"$text"
	key=$(sha256sum "$text" | cut -d' ' -f1)
	[ ! -e "$PASSED/$key" ] || exit 0
fi
clang-tidy -p build/asan --quiet "$1"
[ -z "$key" ] || : >"$PASSED/$key"
