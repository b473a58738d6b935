#!/bin/bash
# Color: the verdict of a line, its mark and its change, on a terminal or when asked for; never in files and
# in what programs read, and nothing that the text does not say.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sh samples/history.sh "$scratch/colors" 1 5 >"$scratch/log"
configured=()
cd "$scratch/colors" || exit 2
escape=$(printf '\033')
plain() { # the text without escapes
	sed "s/${escape}\[[0-9]*m//g"
}
same_but_for_color() { # NAME COMMAND...
	local name=$1 without
	shift
	run "$@"
	without=$out
	equal "$name: no color in a pipe" "$(grep -c "$escape" <<<"$out")" 0
	run "$@" --color always
	check "$name: color when asked for" grep -q "$escape" <<<"$out"
	equal "$name: the text is the same" "$(plain <<<"$out")" "$without"
}
same_but_for_color gate gate HEAD
check "the verdict and its mark" grep -qF "${escape}[31m△ slower (unconfirmed)${escape}[0m " <<<"$out"
check "its change" grep -qE "${escape}\[31m\+18\.[0-9]+ %${escape}\[0m" <<<"$out"
equal "nothing else of the table" "$(sed -n '/^verdict/,/^$/p' <<<"$out" | grep -c "$escape")" 1
check "the first word" grep -qF "${escape}[1m${escape}[31mfail${escape}[0m: 1 of" <<<"$(head -1 <<<"$out")"
COLUMNS=80 run gate HEAD --color always
check "a narrow table marks what is not proven: $out" grep -qF "${escape}[31m△ slower?${escape}[0m " <<<"$out"
same_but_for_color compare compare HEAD~1 HEAD
check "a verdict at the end of a line" grep -qF "${escape}[31m△ slower (unconfirmed)${escape}[0m" <<<"$out"
same_but_for_color log log attention s=512
run gate HEAD --color always -o gate.txt
equal "no color in a file" "$(grep -c "$escape" gate.txt)" 0
run gate HEAD --color always --json
equal "no color for programs" "$(grep -c "$escape" <<<"$out")" 0
out=$(LC_ALL=C "$rooflog" gate HEAD --color always)
check "without marks" grep -qF "${escape}[31mslower (unconfirmed)${escape}[0m " <<<"$out"

# A series may be called as a verdict is.
repository named
nights 14
series slower 'i > 14 ? 1.2 * e : e'
measured
series slower '1.21 * e' 15
measured 90
for locale in C.UTF-8 C; do
	out=$(LC_ALL=$locale "$rooflog" compare HEAD~1 HEAD --color always)
	check "$locale: the verdict, not the name: $out" grep -qE "^slower .*${escape}\[31m(▲ )?slower${escape}\[0m$" <<<"$out"
done
finish
