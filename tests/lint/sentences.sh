#!/bin/bash
# The model writes no sentences: what it has to say are codes with values (model/message/), which
# render/vocabulary/ words in each language. A string literal with three words in a row, or a
# format of arena_printf with a blank and a word, is a sentence. Errors in what a user wrote stay
# where they are found: statements with error_set, and the files below.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

# Why a file is left out.
excused() { # FILE
	case $1 in
	model/formula/formula.c | model/roofline/work_formulas.c) ;; # errors in a user's formulas
	model/acceptance/acceptance_parse.c) ;;                          # errors in .rooflog/accept
	model/roofline/speed_of_light.c) ;;                           # what Nsight Compute writes into profiles
	model/ntff/ntff.c) ;;                                         # what the vendor calls records and memory
	model/run/metric.def | model/run/hardware.def) ;;             # formulas and sources of numbers
	*) false ;;
	esac
}

# LINE LITERAL of each literal that looks like a sentence: in statements, without comments.
sentences_of() {
	awk '
	function flush(    rest, literal, all, words) {
		if (statement !~ /(error_set|assert) *\(/ && statement !~ /^[ \t]*#[ \t]*include/) {
			rest = statement
			all = ""
			while (match(rest, /"([^"\\]|\\.)*"/)) {
				literal = substr(rest, RSTART + 1, RLENGTH - 2)
				all = all literal
				rest = substr(rest, RSTART + RLENGTH)
				if (rest ~ /^[ \t\n]*"/)
					continue
				words = all
				gsub(/%[-+.*0-9]*(z|l|ll)?[a-z%]/, " ", words)
				if (words ~ /[A-Za-z]+,? [a-z]+,? [a-z]+/ ||
				    (statement ~ /arena_printf *\(/ && all ~ / / && words ~ /[a-z][a-z]/))
					print start, "\"" all "\""
				all = ""
			}
		}
		statement = ""
		start = 0
	}
	{
		line = $0
		text = ""
		quote = 0
		for (i = 1; i <= length(line); i++) {
			two = substr(line, i, 2)
			one = substr(two, 1, 1)
			if (comment) {
				if (two == "*/") { comment = 0; i++ }
			} else if (quote) {
				text = text one
				if (one == "\\") { i++; text = text substr(line, i, 1) }
				else if (one == "\"") quote = 0
			} else if (two == "/*") { comment = 1; i++ }
			else {
				if (one == "\"") quote = 1
				text = text one
			}
		}
		if (text ~ /[^ \t]/ && !start) start = NR
		statement = statement text "\n"
		if (text ~ /[;{}][ \t]*$/ || text ~ /^#/) flush()
	}
	END { flush() }' "$1"
}

for file in $(c_files model); do
	excused "$file" && continue
	while read -r line literal; do
		[ -z "$line" ] || fail "$file:$line" "a sentence: $literal; give a code of model/message/"
	done < <(sentences_of "$file")
done
finish
