#!/bin/bash
# Functions stop at 60 lines (CODE_STYLE.md, "Shape"). The longest functions, those with more than 5
# parameters and the files above 500 lines are listed, as something to think about.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

# FILE:LINE LENGTH PARAMETERS NAME of each function: its brace is alone in the first column.
# shellcheck disable=SC2046,SC2086 # lists of words
all=$(code_of $(c_files $layers) | awk '
	{
		match($0, /^[^:]*:[0-9]*:/)
		where = substr($0, 1, RLENGTH - 1)
		$0 = substr($0, RLENGTH + 1)
	}
	/^[A-Za-z_].*\(/ && !/;[ \t]*$/ && !/=/ { head = $0; start = where; heading = 1; next }
	heading && /^\{/ { heading = 0; inside = 1; brace = NR; next }
	heading { head = head " " $0; if (/;[ \t]*$/) heading = 0; next }
	inside && /^}/ {
		inside = 0
		name = head
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		list = head
		sub(/^[^(]*\(/, "", list)
		gsub(/\([^()]*\)/, "", list)
		print start, NR - brace - 1, gsub(/,/, ",", list) + 1, name
	}')
while read -r where lines parameters name; do
	[ -n "$where" ] || continue
	[ "$lines" -le 60 ] || fail "$where" "$name() has $lines lines; 60 is the limit"
	[ "$parameters" -le 5 ] || echo "$where: $name() has $parameters parameters"
done <<<"$all"

echo "longest functions:"
echo "$all" | sort -k2,2nr | head -n 5
# shellcheck disable=SC2046,SC2086 # lists of words
wc -l $(c_files $layers) | awk '$1 > 500 && $2 != "total" { print "long file: " $2 ", " $1 " lines" }'
echo "$all" | awk 'NF { n++; sum += $2 } END { printf "%d functions, %.1f lines on average\n", n, n ? sum / n : 0 }'
finish
