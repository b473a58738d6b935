#!/bin/bash
# A verdict whose commits are stored asks git for nothing: with all objects gone and no git to be run
# it is the same, acceptances and the merge-base of a branch too.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository r
nights 29
series gemm '(i > 27 ? 1.4 : 1) * e'
series conv 'e'
measured
mkdir -p .rooflog
"$rooflog" accept 'gemm*' --reason known --limit '1000 s' >"$scratch/accepted" ||
	check "a line" false
git add .rooflog/accept
commit accepting 2026-04-20T09:00:00Z
branch=$(git symbolic-ref --short HEAD)
git update-ref "refs/remotes/origin/$branch" HEAD
git symbolic-ref refs/remotes/origin/HEAD "refs/remotes/origin/$branch"
git tag -a -m tag noted HEAD~2
nights 1 31
series gemm '1.4 * e' 31
series conv 'e' 31
measured 1
git update-ref "refs/remotes/origin/$branch" HEAD
git checkout -q -b change
nights 2 41
series gemm '1.4 * e' 32
series conv '1.2 * e' 32
measured 2

verdicts() { # FILE
	local against
	for against in nearest window best merge-base "merge-base:$branch" "$branch" origin noted; do
		echo "$against"
		"$rooflog" gate --against "$against" --json
		echo "status $?"
	done >"$1" 2>&1
	for words in 'gate' 'log' 'log --kernel conv' 'log --view series' \
		"compare $branch change" 'report --as summary'; do
		echo "$words"
		# shellcheck disable=SC2086 # a list of words
		"$rooflog" $words
		echo "status $?"
	done >>"$1" 2>&1
}

verdicts "$scratch/before"
check "something is accepted" grep -q '"accepted"' "$scratch/before"
check "something is judged" grep -q '"regressed"\|"suspect"' "$scratch/before"
git pack-refs --all
mv .git/objects "$scratch/objects"
mkdir .git/objects
path=$PATH
mkdir "$scratch/bin"
for program in bash cat grep mktemp rm chmod diff; do
	ln -s "$(command -v $program)" "$scratch/bin/$program"
done
PATH=$scratch/bin verdicts "$scratch/after"
PATH=$path
check "the same without objects and git" diff "$scratch/before" "$scratch/after"

run gate --against nowhere
equal "what is not there is known not to be there: $err" "$status" 2
check "and said: $err" grep -qF 'unknown revision "nowhere"' <<<"$err"
finish
