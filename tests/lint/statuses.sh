#!/bin/bash
# Exit statuses exist once: their numbers are in model/gate/exit_status.h. The code elsewhere uses the names, and the row of
# the gate and the topic of the help list every number.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

header=model/gate/exit_status.h

# Lines that compare, assign, pass or return a bare 1 to 6 as a status. vendor_tools.c reports how a vendor's program ended,
# which is not one of ours.
# shellcheck disable=SC2046 # a list of words
while IFS=: read -r file line text; do
	[ -z "$line" ] || fail "$file:$line" "a name of enum exit_status belongs here: ${text##*$'\t'}"
done < <(code_of $(c_files model render cli | grep -vxF -e "$header" -e cli/ingest/vendor_tools.c) | awk '
	{
		all = $0
		sub(/^[^:]*:[0-9]*:/, "")
	}
	/switch \(.*status/ { inside = 1 }
	/^\t?}/ { inside = 0 }
	/status[A-Za-z_]*(\([^()]*\))? *(==|!=|=|<|>|<=|>=) *[1-6]([^0-9.]|$)/ ||
	/status[A-Za-z_]*\([^()]*, *[1-6]\)/ ||
	/status[A-Za-z_]* = .*[?:] *[1-6]([^0-9.]|$)/ ||
	(inside && /case [1-6]:/) { print all }')

said=$(sed -nE 's|^\tEXIT_[A-Z_]+ = ([0-9]+),? */\* (.*) \*/$|\1 \2|p' "$header")
[ -n "$said" ] || fail "$header" "has no statuses"

# The manual page of the gate has those that only --exit-code gives.
row=$(sed -n '/\.statuses =/,/",$/p' cli/gate/cmd_gate.c)
while read -r number _; do
	[ "$number" -lt 3 ] || grep -q "\"$number " <<<"$row" || fail cli/gate/cmd_gate.c "its row does not list the exit status $number"
done <<<"$said"

file=cli/program/topics.c
help=$(sed -nE '/Exit status/,/;$/p' "$file")
while read -r number _; do
	grep -qE "(^|[^0-9])$number( +[a-z]|.n\"|,)" <<<"$help" || fail "$file" "the topic does not list the exit status $number"
done <<<"$said"
finish
