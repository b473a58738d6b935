#!/bin/bash
# Manual pages are made from the rows of the commands, docs/man and docs: their sections stand in one order, all
# of the help is on them, what they refer to is there, and mandoc finds nothing to complain about.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

man=$scratch/man
"$(dirname "$rooflog")/manual" . "$man"
equal "pages are made" $? 0

plain() { # PAGE: its text as it was before it became roff
	sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' "$1"
}
commands=$("$rooflog" list commands | awk 'NR > 1 { print $1 }' | sort -u)
check "there are commands: $commands" test "$(wc -w <<<"$commands")" -ge 20
for command in $commands version; do
	page=$man/man1/rooflog-$command.1
	check "rooflog-$command: a page" test -s "$page"
	check "rooflog-$command: its name" grep -q "^rooflog-$command .- [a-z]" "$page"
	# In this order, and all that every command has.
	sections=$(sed -n 's/^\.SH //p' "$page" | paste -sd,)
	check "rooflog-$command: sections $sections" grep -qE '^NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,OUTPUT,EXIT STATUS(,CONFIGURATION)?(,FILES)?,SEE ALSO$' <<<"$sections"
	"$rooflog" help "$command" | sed 's/^usage: //; /^$/d; /^Examples$/d' >"$scratch/help"
	plain "$page" >"$scratch/plain"
	check "rooflog-$command: the whole help" test "$(grep -cvxFf "$scratch/plain" "$scratch/help")" = 0
done
for topic in arguments filters output options config exit-status; do
	"$rooflog" help "$topic" | sed '/^$/d' >"$scratch/help"
	plain "$man/man1/rooflog.1" >"$scratch/plain"
	check "rooflog(1): $topic" test "$(grep -cvxFf "$scratch/plain" "$scratch/help")" = 0
done
for page in man5/rooflog-config.5 man7/rooflog-verdicts.7 man7/rooflog-formats.7 man7/rooflog-metrics.7; do
	check "$page" test "$(wc -l <"$man/$page")" -gt 50
done
# Whatever a file in docs/man explains is a command.
for details in docs/man/*.md; do
	command=$(basename "$details" .md)
	check "$details: of a command" grep -qx "$command" <<<"$commands"
	check "$details: is on the page" grep -q '^\.PP$' "$man/man1/rooflog-$command.1"
done
while read -r name section; do
	check "$name($section), which a page refers to" test -s "$man/man$section/$name.$section"
done < <(cat "$man"/*/* | sed -n 's/^\.BR \(rooflog[^ ]*\) (\([0-9]\)).*/\1 \2/p' | sed 's/\\-/-/g' | sort -u)
# Each document is named on the page of a command that prints it, each kind of output on those that write it.
output_of() { # COMMAND: its section OUTPUT
	plain "$man/man1/rooflog-$1.1" | sed -n '/^\.SH OUTPUT/,/^\.SH EXIT/p'
}
for command in $commands version; do
	output_of "$command"
done >"$scratch/outputs"
while read -r schema; do
	check "the document $schema is on a page" grep -qw "$schema" "$scratch/outputs"
done < <("$rooflog" list schemas --json | jq -r '.schemas[].schema | select(. != "data" and . != "comparison")')
while IFS=$'\t' read -r kind writers; do
	for command in $(tr ',' '\n' <<<"$writers" | awk '{ print $1 }'); do
		check "rooflog-$command: the kind $kind" grep -qx "\.B $kind" <(output_of "$command")
	done
done < <("$rooflog" list kinds --json | jq -r '.kinds[] | [.kind, .written_by] | @tsv')
# The keys of the configuration are those that the program knows.
keys_of() { # COMMAND SECTION
	plain "$man/man1/rooflog-$1.1" | sed -n '/^\.SH CONFIGURATION/,/^\.SH FILES/p' | grep -A1 "\[$2[] ]" | tail -n 1
}
for section in gate rule.a project device.a work.a tool.a alias.a bisect fusion chart; do
	keys=$("$rooflog" list devices -c "$section.unheard=1" 2>&1 | sed 's/.*available: //')
	name=${section%.*} found=0
	for command in $commands; do
		grep -q "^.fB\[${name}[] ]" "$man/man1/rooflog-$command.1" || continue
		found=$((found + 1))
		equal "rooflog-$command: keys of [$name]" "$(keys_of "$command" "$name")" "$keys"
	done
	check "[$name] is read by a command" test "$found" -ge 1
done
# What "rooflog list" prints is in the section of pages about files and metrics. One row stands for the five engines.
for page in rooflog-formats rooflog-metrics; do
	plain "$man/man7/$page.7" | sed 's/\\f[BR]//g; s/,.*//' >"$scratch/$page"
done
while read -r name page; do
	check "$page: $name" grep -qx "$name" "$scratch/$page"
done < <("$rooflog" list formats --json | jq -r '.formats[] | "\(.format) rooflog-formats"'
	"$rooflog" list kinds --json | jq -r '.kinds[] | "\(.kind) rooflog-formats"'
	"$rooflog" list metrics --json | jq -r '.metrics[].metric' |
		sed -E 's/^(tensor|vector|scalar|gpsimd|sync)_engine_/ENGINE_/; s/$/ rooflog-metrics/' | sort -u
	"$rooflog" list devices --json | jq -r '.devices[] | "\(.name) rooflog-metrics"')
for page in "$man"/*/*; do
	equal "$(basename "$page"): no link leads to a file" "$(plain "$page" | grep -nE '\((\.\./|#|[a-z-]+\.md)')" ""
done
for page in "$man"/man1/*; do
	equal "$(basename "$page"): no Markdown is left" "$(grep -nF '**' "$page")" ""
done
# Details stay short: a person reads them.
check "docs/man: $(cat docs/man/*.md | wc -w) words" test "$(cat docs/man/*.md | wc -w)" -le 3000
# Words that rooflog's pages replace by those of the field.
banned='on record|baseline record|change of level|creep|ceiling|put up with|told|tells?|speaks? for|seldom|cr(y|ies) wolf|a second time|the place of|a line each|ancestor with data|row of the gate|limits of the gate|anew'
for page in "$man"/man1/*; do
	equal "$(basename "$page"): words" "$(plain "$page" | grep -nEiw "$banned")" ""
done
if command -v mandoc >/dev/null; then
	for page in "$man"/*/*; do
		equal "$(basename "$page"): mandoc" "$(mandoc -T lint -W warning "$page")" ""
	done
fi
finish
