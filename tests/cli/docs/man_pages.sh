#!/bin/bash
# Manual pages are made from the help: one for each command and topic, which man shows as the help has it.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sh cmake/manual.sh "$rooflog" "$scratch/man"
equal "pages are made" $? 0
for command in $("$rooflog" list commands | awk 'NR > 1 { print $1 }' | sort -u) filters exit-status; do
	page=$scratch/man/rooflog-$command.1
	check "rooflog-$command: a page" test -s "$page"
	check "rooflog-$command: its name" grep -q "^rooflog-$command .- [a-z]" "$page"
	equal "rooflog-$command: sections" "$(grep -c '^\.SH \(NAME\|SYNOPSIS\|DESCRIPTION\)$' "$page")" 3
	# Every line of the help is on it.
	"$rooflog" help "$command" | sed 's/^usage: //; /^$/d; /^Examples$/d' >"$scratch/help"
	sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' "$page" >"$scratch/plain"
	check "rooflog-$command: the whole help" test "$(grep -cvxFf "$scratch/plain" "$scratch/help")" = 0
	if command -v mandoc >/dev/null; then
		equal "rooflog-$command: lint" "$(mandoc -T lint -W warning "$page")" ""
	elif command -v groff >/dev/null; then
		equal "rooflog-$command: groff" "$(groff -ww -man -Tutf8 -z "$page" 2>&1)" ""
	fi
done
check "rooflog(1)" grep -q '^rooflog .- track' "$scratch/man/rooflog.1"
finish
