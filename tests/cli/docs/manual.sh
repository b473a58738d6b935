#!/bin/bash
# Every command and every option that the program's own help names is in the manual page, and no
# line of help is wider than a terminal.
set -eu
manual=docs/user/rooflog.1.md
failures=0 commands=0

mentions() { # WHO OPTION-OR-COMMAND
	if ! grep -qF -- "**$2" "$manual"; then
		echo "$manual: $1 has $2, the manual has not"
		failures=$((failures + 1))
	fi
}

for command in $("${ROOFLOG:?the program to test}" --help | sed -nE 's/^  ([a-z]+)(, ([a-z]+))? .*/\1 \3/p'); do
	commands=$((commands + 1))
	mentions rooflog "$command"
	if "$ROOFLOG" help "$command" | grep -nE '^.{81}'; then
		echo "$command --help: lines of more than 80 columns"
		failures=$((failures + 1))
	fi
	for option in $("$ROOFLOG" "$command" --help | sed -nE 's/^ {2,6}(-.,? )?(--[a-z-]+)?.*/\1 \2/p' | tr -d ,); do
		mentions "$command" "$option"
	done
done
if "$ROOFLOG" help | grep -nE '^.{81}'; then
	echo "help: lines of more than 80 columns"
	failures=$((failures + 1))
fi
printf 'manual: %d commands, %d failures\n' "$commands" "$failures"
[ "$failures" = 0 ]
