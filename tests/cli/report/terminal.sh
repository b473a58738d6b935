#!/bin/bash
# What people read on a terminal: 80 columns, UTF-8 and the C locale, wide and hostile names.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
export LC_ALL=C.UTF-8

# No line is wider than the terminal, and nothing reaches it that it would obey.
fits() { # NAME COLUMNS TEXT
	check "$1: within $2 columns: $3" [ "$(wc -L <<<"$3")" -le "$2" ]
	check "$1: no control characters" [ -z "$(tr -d '\n' <<<"$3" | tr -dc '\000-\037\177')" ]
}

# What turns text around it, or breaks its line.
turns_nothing() { # NAME TEXT
	check "$1: nothing turns or breaks text: $2" [ -z "$(grep -oP \
		'[\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]' <<<"$2")" ]
}

repository terminal
nights 24
series slower 'i > 15 ? 1.2*e : e'
series faster '1000 * (i > 10 && i < 16 ? e : 0.8*e)'
series quiet '20*e'
series young 'i > 22 ? 1.3*e : e'
series gaps '3*(i > 15 ? 1.4*e : e)' 1 12
series gaps '3*1.4*e' 19
measured 0

run log --view series
equal "a line each: $err" "$status" 0
equal "what changed last comes first" "$(awk 'NR > 3 { print $1 }' <<<"$out" | paste -sd' ')" \
	"young gaps faster slower quiet"
check "a suspect is marked: $out" grep -qE '^young .* △ \+[0-9.]+ % ' <<<"$out"
check "a change for the worse: $out" grep -qE '^slower .* ▲ \+(19|20)\.[0-9]+ %  2026-03-16 ' <<<"$out"
check "nothing is said of the quiet one: $out" grep -qE '^quiet +[^ ]+  [0-9.]+ ms$' <<<"$out"
fits "lines" 80 "$out"
COLUMNS=200 run log --view series
check "more cells where there is room" grep -qE '^quiet +[^ ]{24} ' <<<"$out"

# The dotted rule is between the two commits.
run log slower
line=$(grep -n '·····' <<<"$out" | cut -d: -f1)
after=$(git rev-list HEAD | sed -n 10p)
equal "the commit above the rule" "$(sed -n $((line - 1))p <<<"$out" | awk '{ print $1 }')" "${after:0:10}"
equal "the one below" "$(sed -n $((line + 2))p <<<"$out" | awk '{ print $1 }')" \
	"$(git rev-parse --short=10 "$after~1")"
check "its size with interval: $out" grep -qE '· ▲ \+[0-9.]+ % \(\+[0-9.]+ to \+[0-9.]+ %\) ·' <<<"$out"
check "its commit's subject" grep -qF "${after:0:10}: night 16" <<<"$out"
equal "a line for each commit" "$(grep -c '●' <<<"$out")" 25
equal "what detect says" "$("$rooflog" log slower --json |
	jq -r '.series[0] | (.points | reverse | to_entries[] | "\(.key),\(.value.value)")' |
	{ echo index,value && cat; } | "$rooflog" stats detect)" "15,+"
fits "history" 80 "$out"
run log slower --max-count 3
check "older changes are told all the same: $out" grep -qE '2026-03-16  ▲ \+' <<<"$out"
check "how many are left out" grep -q '22 older commits (-n 25 shows all)' <<<"$out"
run log gaps
check "which commits it may have been: $out" grep -qF 'one of 7 commits after' <<<"$out"
run log --kernel 'f*' --max-count 2
equal "runs are still there" "$(grep -c ' faster ' <<<"$out")" 2
equal "what a program reads does not change" "$("$rooflog" log --kernel slower --json | jq '.runs | length')" 25

# An accepted change is no alarm.
mkdir -p .rooflog
printf 'slower | * | 2 ms | never | ada | a safer softmax\n' >.rooflog/accept
git add -f .rooflog/accept
commit "accept it"
run log slower
check "accepted: $out" grep -qE '· ✓ \+[0-9.]+ % .*, accepted by ada ·' <<<"$out"

# C locale: the same facts in ASCII.
for command in "log slower" "log --view series" "compare HEAD~9 HEAD~1" "show HEAD~1"; do
	# shellcheck disable=SC2086 # words
	LC_ALL=C run $command
	equal "$command: $err" "$status" 0
	equal "$command: ASCII" "$(tr -d '\n -~' <<<"$out")" ""
	fits "$command" 80 "$out"
done

# Names as people write them, and as nobody should. None of them moves a column.
repository names
nights 23
names=('注意力融合核心' '🚀rocket🔥' "$(printf 're\xcc\x81sume\xcc\x81')" 'שלום' '<script>alert(1)</script>' "pipe|tick\`star*"
	"$(printf 'evil\xe2\x80\xaedesrever')" "$(printf 'long_%.0s' {1..40})"
	"$(printf 'turn\xe2\x80\x8fround\xe2\x80\xa8broken\xd8\x9c')")
for name in "${names[@]}"; do
	series "$name" '2 * e * (i > 14 ? 1.2 : 1)'
done
measured 0
for command in "log --max-count 9" gate "log --view series" "compare HEAD~1 HEAD" show; do
	# shellcheck disable=SC2086 # words
	LC_ALL=C run $command
	equal "$command of names in the C locale: ASCII" "$(tr -d '\n -~' <<<"$out")" ""
	[ "$command" = show ] || equal "$command: the numbers align" "$(grep -oE '^.* 2\.[0-9]+ (ms|\+-)' <<<"$out" |
		awk '{ print length }' | sort -u | wc -l)" 1
done
for columns in 40 80 200; do
	for command in "log --view series" "compare HEAD~1 HEAD" "show"; do
		# shellcheck disable=SC2086 # words
		COLUMNS=$columns run $command
		equal "$command of names: $err" "$status" 0
		if [ "$columns" != 40 ] || [ "$command" = show ]; then
			fits "$command of names" "$columns" "$out"
		fi
		turns_nothing "$command of names" "$out"
		[ "$command" = show ] || equal "$command: the numbers align" "$(grep -oE '^.* 2\.[0-9]+[ 0-9.]* (ms|± )' <<<"$out" |
			while IFS= read -r line; do wc -L <<<"$line"; done | sort -u | wc -l)" 1
	done
done
for command in "log --view history" show; do
	# shellcheck disable=SC2086 # words
	run $command --kernel 'turn*'
	check "$command: a name with its marks written out: $out" \
		grep -qF 'turn<U+200F>round<U+2028>broken<U+061C>' <<<"$out"
	turns_nothing "$command" "$out"
done

refused "no such view" 'runs, series, history, candidates or edits' log --view tree
refused "no such metric" ': unknown metric' log --metric speed
refused "no number" '--max-count 0: expected a whole number from 1 to' log --max-count 0
refused "nothing matches" "is of series 'nothing'; series:" log --series nothing
refused "nothing is called so" "nothing is called 'nothing': no series" log nothing
# An empty COLUMNS is none: rows of a pipe stay whole.
piped=$(env -u COLUMNS "$rooflog" gate --trust-work-tree 2>&1)
equal "COLUMNS is empty" "$(COLUMNS='' "$rooflog" gate --trust-work-tree 2>&1)" "$piped"
equal "COLUMNS is no width" "$(COLUMNS=wide "$rooflog" gate --trust-work-tree 2>&1)" "$piped"
# Two rules of two metrics: the widest table of the gate leaves columns out before it overflows.
mkdir -p .rooflog
printf '[rule "time"]\n\tmetric = total_time\n[rule "utilization"]\n\tmetric = mfu\n\tat-least = 30 %%\n' >.rooflog/config
out=$(COLUMNS=80 "$rooflog" gate --trust-work-tree 2>&1)
check "rules and metrics: $out" grep -q 'rule: metric' <<<"$out"
fits "rules and metrics" 80 "$out"
finish
