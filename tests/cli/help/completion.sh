#!/bin/bash
# The completion of bash, asked as bash does: commands, verbs, options, and what the store has.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository completion
run ingest --set kernel=attention,dtype=bf16 "$root/samples/history/03"
equal "ingest: $err" "$status" 0
mkdir "$scratch/bin" && ln -s "$rooflog" "$scratch/bin/rooflog"
PATH=$scratch/bin:$PATH
"$rooflog" completion bash >"$scratch/script"
equal "a script" $? 0
# shellcheck source=/dev/null
. "$scratch/script"

completes() { # LINE WORD: the last word of the line is being typed
	local IFS=' '
	read -ra COMP_WORDS <<<"$1"
	[[ $1 == *' ' ]] && COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_rooflog
	check "$1: $2, not ${COMPREPLY[*]}" grep -qxF -- "$2" <(printf '%s\n' "${COMPREPLY[@]}")
}

for command in $("$rooflog" list commands | awk 'NR > 1 { print $1 }' | sort -u); do
	completes "rooflog ${command:0:2}" "$command"
	completes "rooflog $command --qu" --quiet
done
completes 'rooflog stats ' detect
completes 'rooflog list me' metrics
completes 'rooflog analyze fusion --cov' --coverage
completes 'rooflog baseline p' pin
completes 'rooflog gate --ag' --against
completes 'rooflog gate att' attention
completes 'rooflog log --kernel ' attention
completes 'rooflog report --as week' weekly
completes 'rooflog log --metric mf' mfu
completes 'rooflog chart ro' roofline
refused "another shell" 'expected bash, zsh or fish' completion tcsh
check "zsh" grep -q '^#compdef rooflog' <("$rooflog" completion zsh)
check "fish" grep -q 'complete -c rooflog .* -l against' <("$rooflog" completion fish)
finish
