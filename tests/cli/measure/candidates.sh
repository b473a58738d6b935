#!/bin/bash
# rooflog run --candidate and log --view candidates: an optimizer's loop with ten candidates, of which two cheat,
# one is wrong, and one is truly faster.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository candidates

cp "$root/tests/cli/measure/programs/sum.sh" kernel.sh
cat >check.sh <<'PROGRAM'
#!/bin/bash
./kernel.sh >/dev/null && [ "$(cat result)" = $((${ROOFLOG_SEED:-1} * 7 % 1000003)) ]
PROGRAM
chmod +x check.sh
echo v1000 >built
printf 'out\nresult\nmemo.*\ncalls\nseeds\n.rooflog/*.db*\n' >.gitignore
git add -A && git commit -qm base
run log --view candidates
run run --check ./check.sh --warmup 0 -- ./kernel.sh
equal "the base: $err" "$status" 0
run log --view candidates
check "no candidates yet: $err" grep -q 'no candidates' <<<"$err"
parent=$("$rooflog" log --json -n 1 | jq -r '.runs[0].id[:8]')
git add -A && git commit -qm configuration >/dev/null

try() { # NAME OPTIONS...
	local name=$1
	shift
	run run --candidate "$name" --parent "$parent" "$@" -- ./kernel.sh
	equal "$name: $err" "$status" 0
}
for name in v1001 v999 v998 v1002 v990 v1003 v800 skip memo wrong; do
	echo $name >built
	for _ in 1 2; do
		try $name --fresh-inputs --check ./check.sh
	done
done
run log --view candidates --json
board() { # JQ: of the board
	jq -c ".boards[0] | $1" <<<"$out"
}
equal "the best is the one that is truly faster" "$(board .best)" '"v800"'
equal "it is first, alone" "$(board '[.candidates[] | select(.rank == 1).name]')" '["v800"]'
equal "its speed-up is 1.25" "$(board '.candidates[0].speedup * 100 | round')" 125
equal "equal ones share a rank" "$(board '[.candidates[] | select(.rank == 2).name] | sort')" \
	'["v1001","v1002","v1003","v990","v998","v999"]'
equal "who leaves work out is incorrect" "$(board '.candidates[] | select(.name == "skip") | [.rank, .state]')" '[null,"incorrect"]'
equal "who is wrong, too" "$(board '.candidates[] | select(.name == "wrong") | [.rank, .state]')" '[null,"incorrect"]'
equal "who remembers is slower on fresh inputs" "$(board '.candidates[] | select(.name == "memo") | [.rank, .speedup < 1]')" '[8,true]'
equal "all are kept" "$(board .tried)" 10
equal "two sessions of five" "$(board '.candidates[0] | [.sessions, .numbers, .state]')" '[2,10,"confirmed"]'
check "each with its parent" test "$(board '[.candidates[].parent[:8]] | unique')" = "[\"$parent\"]"
printf '%s' "$out" >document.json
check "as its schema has it" /usr/bin/python3 -m jsonschema -i document.json "$root/docs/schema/measure/candidates-1.schema.json"
rm document.json

# The check and each process have seeds of their own.
rm seeds
echo v1000 >built
try seeds --fresh-inputs --check ./check.sh --warmup 1
equal "seven processes, seven seeds" "$(sort -u seeds | wc -l) $(wc -l <seeds)" "7 7"
rm seeds
run run --against HEAD --fresh-inputs --warmup 0 -- ./kernel.sh
equal "in turns: $err" "$status" 0
equal "both of a pair have the same" "$(cat seeds out/profiles/kernel.sh/*/tree/seeds 2>/dev/null | sort | uniq -c | awk '$1 > 2' | wc -l)" 0

# What was not checked, or not on fresh inputs, has no rank.
echo memo >built
try cached --check ./check.sh
echo v700 >built
try unchecked
run log --view candidates
check "who remembers is faster on the same inputs: $out" grep -qE '^ *-- +cached +(9|1[01])(\.[0-9]+)?x .* checked ' <<<"$out"
check "who was not checked" grep -qE '^ *-- +unchecked +1\.4[0-9]*x .* unverified ' <<<"$out"
check "and the best is the same" grep -q '^sum: v800 is 1.2[0-9]*x as fast (.*), confirmed$' <<<"$out"
run show sum
check "uncommitted candidates are no runs of the commit: $out" grep -qE 'time +1\.0[0-9]+ ms' <<<"$out"

git commit -q --allow-empty -m next
echo v600 >built
try next --fresh-inputs --check ./check.sh
run show sum
check "a commit with tries only has no runs to show: $err" grep -q 'time  *1\.0[0-9]* ms' <<<"$out"

refused "a parent that is not there" 'no run has this id' run --candidate x --parent 0123456789ab -- ./kernel.sh
refused "a parent of nothing" '--parent needs --candidate' run --parent "$parent" -- ./kernel.sh
refused "a name of two lines" 'a name of one line' run --candidate $'a\nb' -- ./kernel.sh
refused "a number of candidates" 'neither -n nor --metric' log --view candidates -n 3
finish
