#!/bin/bash
# Every header has "#pragma once" and an opening comment; every source includes its own
# header before any other, so that a header which lacks an include does not compile. The headers of
# the C library that base/base.h brings are named by no other source.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

gathered=$(sed -n 's/^#include <\(.*\)\.h>$/\1/p' base/base.h | paste -sd '|')
gathered="^#include <($gathered|stdint)\.h>"

# shellcheck disable=SC2046,SC2086 # lists of words
while IFS=: read -r where text; do
	[ -z "$where" ] || fail "$where:1" "$text"
done < <(awk -v gathered="$gathered" '
	function ends() {
		if (file ~ /\.h$/ && file != "base/banned.h" && !pragma) print file ":a header says #pragma once"
		own = file
		if (sub(/\.c$/, ".h", own) && own in exists && first != own) print file ":include \"" own "\" first"
		if (names_gathered && (file !~ /^base\// || file ~ /^base\/.*\//)) print file ":include \"base/base.h\" instead"
	}
	BEGIN { for (i = 1; i < ARGC; i++) exists[ARGV[i]] }
	FNR == 1 {
		if (file != "") ends()
		file = FILENAME
		pragma = names_gathered = 0
		first = ""
		if ($0 !~ /^\/\*/) print file ":a file opens with a comment that says what it is for"
	}
	/^#pragma once$/ { pragma = 1 }
	$0 ~ gathered { names_gathered = 1 }
	first == "" && /^#include ["<]/ {
		first = $2
		gsub(/["<>]/, "", first)
	}
	END { ends() }' $(c_files $layers))
finish
