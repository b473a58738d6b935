#!/bin/bash
# Every header has "#pragma once" and an opening comment; every source includes its own
# header before any other, so that a header which lacks an include does not compile. The headers of
# the C library that base/base.h brings are named by no other source.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

gathered=$(sed -n 's/^#include <\(.*\)\.h>$/\1/p' base/base.h | paste -sd '|')
gathered="^#include <($gathered|stdint)\.h>"

# shellcheck disable=SC2086 # a list of folders
for file in $(c_files $layers); do
	case $(head -c 2 "$file") in
	/\*) ;;
	*) fail "$file:1" "a file opens with a comment that says what it is for" ;;
	esac
	case $file in
	base/*/* | [!b]* | b[!a]*)
		! grep -Eq "$gathered" "$file" || fail "$file:1" "include \"base/base.h\" instead"
		;;
	esac
	case $file in
	*.h)
		[ "$file" = base/banned.h ] || grep -q '^#pragma once$' "$file" ||
			fail "$file:1" "a header says #pragma once"
		;;
	*.c)
		own=${file%.c}.h
		first=$(sed -n 's/^#include "\(.*\)"/\1/p; s/^#include <\(.*\)>/\1/p' "$file" | head -n 1)
		if [ -f "$own" ] && [ "$first" != "$own" ]; then
			fail "$file:1" "include \"$own\" first"
		fi
		;;
	esac
done
finish
