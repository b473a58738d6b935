#!/bin/bash
# Names do not choose who judges: neither a branch or a tag that merely is called like another one, nor the
# dates of merged commits, nor a tag that is called like the commit at which an acceptance ends.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

lax='[gate]\n\tconfirm = false\n\trelative = 1000 %%\n\ttolerance = 1000 %%\n'
columns=kernel=op,device=gpu,time=value:ms
minute=300
# A repository of 20 nights, whose branch is called so, and its origin.
base() { # NAME BRANCH GEMM
	repository "$1"
	git branch -q -M "$2"
	mkdir .rooflog
	printf '[gate]\n\tconfirm = false\n' >.rooflog/config
	printf '# nothing yet\n' >.rooflog/accept
	git add -f .rooflog
	commit rules
	nights 18 3
	git reset -q --hard
	export ROOFLOG_STORE=$scratch/$1.db
	series gemm "$3"
	for kernel in conv soft norm; do series $kernel 'e'; done
	measured
	git clone -q --bare . "$scratch/$1.git"
}

# Enters a clone on a branch of its own, without origin/HEAD: that is how actions/checkout leaves it.
change() { # BASE NAME
	cp -r "$scratch/$1.git" "$scratch/$2.git"
	git clone -q "$scratch/$2.git" "$scratch/$2"
	cp "$scratch/$1.db" "$scratch/$2.db"
	export ROOFLOG_STORE=$scratch/$2.db
	cd "$scratch/$2" || exit 2
	git remote set-head origin --delete
	git checkout -q -b change
}

# A commit with rules that pass everything, on top of BRANCH, becomes part of the change.
lax_commit() { # BRANCH
	git checkout -q -b theirs "$1"
	# shellcheck disable=SC2059 # a format is meant
	printf "$lax" >.rooflog/config
	git commit -q -a -m lax
	git checkout -q change
	git merge -q --no-edit theirs
}

# Measures HEAD: gemm as given, or not with "none"; the others as ever. ARGS: of ingest.
job() { # GEMM [ARGS...]
	{
		echo op,gpu,value
		[ "$1" = none ] || echo "gemm,h100-sxm,$1"
		for kernel in conv soft norm; do echo "$kernel,h100-sxm,1.000$minute"; done
	} >"$scratch/measured.csv"
	minute=$((minute + 10))
	shift
	[ $# -gt 0 ] || set -- --commit HEAD
	SOURCE_DATE_EPOCH=$((1772874000 + minute * 60)) run ingest "$@" --columns $columns "$scratch/measured.csv"
	equal "ingest: $err" "$status" 0
}
each='nearest window best merge-base'

base flat main 'e'
base flat-master master 'e'

# --- which branch is the main branch? ---
# Protection covers master alone, and anybody may push a branch called main.
change flat-master two-names
lax_commit origin/master
git push -q origin theirs:main
git fetch -q
commit slow 2026-04-10T09:00:00Z
job 1.3
for against in $each; do
	refused "origin/main and origin/master, $against" 'origin/main and origin/master|git remote set-head origin --auto|merge-base:BRANCH' \
		gate --against "$against"
done
run report pr-comment
check "a comment says that nothing was judged: $out" grep -qF 'nothing was gated' <<<"$out"
verdict "until it is named" 1 regressed --against merge-base:origin/master
verdict "also as a branch of the origin" 1 regressed --against merge-base:master
git remote set-head origin --auto >/dev/null
for against in $each; do verdict "or the origin says it, $against" 1 regressed --against "$against"; done
# Two names of one commit are one branch.
change flat-master renamed
git push -q origin origin/master:refs/heads/main
git fetch -q
commit slow 2026-04-10T09:00:00Z
job 1.3
for against in $each; do verdict "two names of one commit, $against" 1 regressed --against "$against"; done
# The same without any remote.
change flat local-names
lax_commit origin/main
git branch -q -M theirs master
git branch -q -f main origin/main
git remote remove origin
commit slow 2026-04-10T09:00:00Z
job 1.3
refused "main and master" 'main and master|git symbolic-ref refs/remotes/origin/HEAD|merge-base:BRANCH' gate
git symbolic-ref refs/remotes/origin/HEAD refs/heads/main
verdict "which the advice settles" 1 regressed

# --- a branch that is named is a branch ---
change flat named
git branch -q -D main
lax_commit origin/main
git tag main theirs
git branch -q -D theirs
commit slow 2026-04-10T09:00:00Z
job 1.3
verdict "the origin's branch, not a tag of that name" 1 regressed --against merge-base:main
git update-ref refs/remotes/origin/origin/main main
verdict "nor a branch called origin/main of the origin" 1 regressed --against merge-base:origin/main
for name in refs/remotes/origin/main "$(git rev-parse origin/main)"; do
	verdict "by its whole name or id" 1 regressed --against "merge-base:$name"
done
git update-ref -d refs/remotes/origin/main
for name in main origin/main HEAD~1 "$(git rev-parse --short HEAD~1)" refs/tags/main; do
	refused "no branch is called $name" "$name|full id" gate --against "merge-base:$name"
done

finish
