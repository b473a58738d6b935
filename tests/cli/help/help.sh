#!/bin/bash
# Pages of help: the same by -h and by help, no wider than a terminal and no longer than a screen or two; what
# they name is there.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

fits() { # NAME LINES
	check "$1: at most 80 columns" test "$(LC_ALL=C.UTF-8 awk 'length($0) > 80' "$scratch/page" | wc -l)" = 0
	check "$1: at most $2 lines" test "$(wc -l <"$scratch/page")" -le "$2"
	check "$1: no line ends in a blank" test "$(grep -c ' $' "$scratch/page")" = 0
	check "$1: no two empty lines" test "$(uniq -d "$scratch/page" | grep -c '^$')" = 0
}

"$rooflog" >"$scratch/none" 2>&1
equal "without a command: status" $? 2
"$rooflog" help >"$scratch/page"
fits "the first page" 40
check "the same as without a command" cmp "$scratch/page" "$scratch/none"
check "the same as --help" cmp "$scratch/page" <("$rooflog" --help)

commands=$(sed -nE 's/^  ([a-z]+)(, ([a-z]+))? +[a-z].*/\1 \3/p' "$scratch/page")
check "commands are listed: $commands" test "$(wc -w <<<"$commands")" -ge 20
for command in $commands; do
	"$rooflog" help "$command" >"$scratch/page"
	equal "help $command: status" $? 0
	fits "help $command" 45
	check "help $command is $command -h" cmp "$scratch/page" <("$rooflog" "$command" -h)
	check "help $command: usage" grep -q "^usage: rooflog $command" "$scratch/page"
	check "help $command: an example" grep -q "^  \(git bisect run \)\?rooflog $command" "$scratch/page"
	# Each option on the page is one that the command knows; verbs have those of their groups.
	case $command in analyze | stats | store) continue ;; esac
	while read -r option; do
		"$rooflog" "$command" "$option=" >/dev/null 2>"$scratch/.err" </dev/null
		equal "$command knows $option: $(cat "$scratch/.err")" "$(grep -c "unknown option" "$scratch/.err")" 0
	done < <(sed -nE 's/^  (-.,| {3}) (--[a-z-]+).*/\2/p' "$scratch/page")
done
for topic in arguments filters output options config exit-status help; do
	"$rooflog" help "$topic" >"$scratch/page"
	equal "help $topic: status" $? 0
	fits "help $topic" 45
done
for filter in kernel variant dtype device tool params series; do
	check "filters: $filter" grep -q -- " --$filter " <("$rooflog" help filters)
done

# The groups' pages are those of their verbs.
for verb in "stats detect" "analyze fusion" "baseline pin" "list metrics" "store merge"; do
	# shellcheck disable=SC2086 # words
	check "$verb -h" cmp <("$rooflog" help "${verb% *}") <("$rooflog" $verb -h)
done
refused "no verb" 'expected detect or judge' stats
refused "an unknown verb" "'frob': expected detect or judge" stats frob
refused "help of an unknown verb" "'frob': expected detect or judge" help stats frob
while read -r words; do
	# shellcheck disable=SC2086 # a list of words
	refused "help $words" "unexpected argument: extra" help $words
done <<'END'
gate extra
filters extra
stats judge extra
help extra
END
for words in '-h gate' 'gate --help' '--color never gate' 'gate -q'; do
	# shellcheck disable=SC2086 # a list of words
	check "help $words" cmp <("$rooflog" help gate) <("$rooflog" help $words 2>&1)
done
check "the hint names what explains it: $err" grep -qF "'rooflog help help' explains help" <<<"$err"
for words in help -h 'help gate' 'help output'; do
	# shellcheck disable=SC2086 # a list of words
	"$rooflog" $words >/dev/full 2>"$scratch/.err"
	equal "$words to a full disk" "$?" 2
	check "it is said: $(cat "$scratch/.err")" grep -q 'cannot write to standard output' "$scratch/.err"
done
finish
