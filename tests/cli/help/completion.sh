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

# Names of kernels are of anyone who wrote a profile: completing them runs nothing, and what is
# completed is a word as it stands.
# shellcheck disable=SC2016 # a shell must not expand them
printf 'op,ms\n$(touch$IFS%s/ran),1\n`touch$IFS%s/ran`,1\nplain;touch,1\nmlp,1\n' "$scratch" \
	"$scratch" >names.csv
run ingest --commit HEAD --columns kernel=op,time=ms:ms --set dtype=bf16,device=h100-sxm names.csv
equal "ingest: $err" "$status" 0
completes 'rooflog show ' mlp
check "no name is run" test ! -e "$scratch/ran"
equal "no name that a shell would run" "$(printf '%s\n' "${COMPREPLY[@]}" | grep touch)" ""

refused "another shell" 'expected bash, zsh or fish' completion tcsh
check "zsh" grep -q '^#compdef rooflog' <("$rooflog" completion zsh)
if command -v zsh >/dev/null; then
	"$rooflog" completion zsh >"$scratch/script"
	equal "zsh has no command that is bash's" "$(zsh -fc 'compdef() { :; }
		source "$1" && emulate sh && COMP_WORDS=(rooflog show ml) COMP_CWORD=2
		_rooflog && echo "$COMPREPLY"' zsh "$scratch/script" 2>&1)" mlp
fi
check "fish" grep -q 'complete -c rooflog .* -l against' <("$rooflog" completion fish)
finish
