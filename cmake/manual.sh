#!/bin/sh
# Writes manual pages from what the program says of itself: rooflog(1), and one page for each command.
#
#     cmake/manual.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
mkdir -p "$folder"

# The parts of a help page as sections. Text stands as it is printed.
page() { # NAME SUMMARY <HELP
	awk -v name="$1" -v summary="$2" -v version="$("$program" --version | head -n 1)" '
	function text(line) {
		gsub(/\\/, "\\e", line)
		gsub(/-/, "\\-", line)
		if (line ~ /^[.\x27]/)
			line = "\\&" line
		return line
	}
	function section(title) {
		if (open)
			print ".fi"
		printf ".SH %s\n.nf\n.in 0\n", title
		open = 1
		empty = 0
	}
	BEGIN {
		printf ".TH %s 1 \"\" \"%s\"\n.SH NAME\n%s \\- %s\n", toupper(name), version, name, summary
		part = "SYNOPSIS"
		section(part)
	}
	part == "SYNOPSIS" && $0 == "" { part = "DESCRIPTION"; section(part); next }
	$0 == "Examples" { part = "EXAMPLES"; section(part); next }
	part == "EXAMPLES" && $0 == "" { part = "OPTIONS"; section(part); next }
	$0 == "" { empty = 1; next }
	{
		if (empty)
			print ".sp"
		empty = 0
		sub(/^usage: /, "")
		print text($0)
	}
	END { print ".fi" }' >"$folder/$1.1"
}

"$program" help | page rooflog "track accelerator kernel performance by git commit"
"$program" help | sed -nE 's/^  ([a-z]+)(, ([a-z]+))? +[a-z].*/\1 \3/p' | tr ' ' '\n' | sed '/^$/d' | while read -r command; do
	summary=$("$program" help | sed -nE "s/^  ([a-z]+, )?$command(, [a-z]+)? +([a-z].*)/\\3/p")
	"$program" help "$command" | page "rooflog-$command" "$summary"
done
for topic in arguments filters output options config exit-status; do
	{
		printf 'rooflog help %s\n\n' "$topic"
		"$program" help "$topic"
	} | page "rooflog-$topic" "a topic of rooflog's help"
done
