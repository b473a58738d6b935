#!/bin/bash
# Names do not choose who judges: neither a branch or a tag that merely is called like another one, nor the
# dates of merged commits, nor a tag that is called like the commit at which an acceptance ends.
# shellcheck disable=SC2119 # all of it is measured
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
job 1.3 --commit HEAD --against merge-base:master
for against in $each; do
	refused "origin/main and origin/master, $against" 'origin/main and origin/master|git remote set-head origin --auto|merge-base:BRANCH' \
		gate --against "$against"
done
refused "also to ingest" 'origin/main and origin/master|merge-base:BRANCH' ingest --commit HEAD --columns $columns "$scratch/measured.csv"
run report --as comment
check "a comment says that nothing was judged: $out" grep -qF 'Nothing could be compared' <<<"$out"
verdict "until it is named" 1 "1 slower" --against merge-base:origin/master
verdict "also as a branch of the origin" 1 "1 slower" --against merge-base:master
git remote set-head origin --auto >/dev/null
for against in $each; do verdict "or the origin says it, $against" 1 "1 slower" --against "$against"; done
# Two names of one commit are one branch.
change flat-master renamed
git push -q origin origin/master:refs/heads/main
git fetch -q
commit slow 2026-04-10T09:00:00Z
job 1.3
for against in $each; do verdict "two names of one commit, $against" 1 "1 slower" --against "$against"; done
# The same without any remote.
change flat local-names
lax_commit origin/main
git branch -q -M theirs master
git branch -q -f main origin/main
git remote remove origin
commit slow 2026-04-10T09:00:00Z
job 1.3 --commit HEAD --against merge-base:main
refused "main and master" 'main and master|git symbolic-ref refs/remotes/origin/HEAD|merge-base:BRANCH' gate
git symbolic-ref refs/remotes/origin/HEAD refs/heads/main
verdict "which the advice settles" 1 slower

# --- a branch that is named is a branch ---
change flat named
git branch -q -D main
lax_commit origin/main
git tag main theirs
git branch -q -D theirs
commit slow 2026-04-10T09:00:00Z
job 1.3
verdict "the origin's branch, not a tag of that name" 1 "1 slower" --against merge-base:main
git update-ref refs/remotes/origin/origin/main main
verdict "nor a branch called origin/main of the origin" 1 "1 slower" --against merge-base:origin/main
for name in refs/remotes/origin/main "$(git rev-parse origin/main)"; do
	verdict "by its whole name or id" 1 "1 slower" --against "merge-base:$name"
done
git update-ref -d refs/remotes/origin/main
for name in main origin/main HEAD~1 "$(git rev-parse --short HEAD~1)" refs/tags/main; do
	refused "no branch is called $name" "$name|full commit id" gate --against "merge-base:$name"
done

# --- a candidate that contains the main branch by several ways ---
# The side branch began where gemm was slow. Its merge is young, whatever date its commits have.
base slow-once main 'i < 5 ? 1.35 * e : e'
for day in 2026-03-15 2099-01-01; do
	change slow-once "crossing-$day"
	git checkout -q -b side main~17
	commit side "${day}T10:00:00Z"
	git checkout -q main
	GIT_COMMITTER_DATE=2026-03-25T09:00:00Z git merge -q --no-ff -s ours --no-edit side
	git update-ref refs/remotes/origin/main HEAD
	git checkout -q change
	git reset -q --hard "$(echo merge | GIT_COMMITTER_DATE=2026-04-02T09:00:00Z git commit-tree 'main^{tree}' -p main~3 -p side)"
	equal "two merge bases" "$(git merge-base --all HEAD main | wc -l)" 2
	job 1.3
	for against in $each; do
		verdict "the side branch of $day, $against" 1 "1 slower" --against "$against"
		check "judged where the candidate has the main branch, $against: $out" grep -qF "$(git rev-parse --short=10 main~3)" <<<"$out"
	done
done
# The same where the side branch itself has merged the main branch since.
change slow-once through-side
git checkout -q -b side main~17
git reset -q --hard "$(echo side | git commit-tree 'main^{tree}' -p main~17 -p main~5)"
git checkout -q main
git merge -q --no-ff -s ours --no-edit side
git update-ref refs/remotes/origin/main HEAD
git checkout -q change
git reset -q --hard side
commit slow 2026-04-10T09:00:00Z
job 1.3
for against in $each; do verdict "what the side branch merged counts, $against" 1 "1 slower" --against "$against"; done

# --- until when something is accepted ---
# Accepted on the main branch until the commit that is called so, which the branch has reached.
ended() { # NAME EXPIRES
	rm -rf "$scratch/${1:?}" "$scratch/$1.git"
	cp -r "$scratch/flat" "$scratch/$1"
	cp "$scratch/flat.db" "$scratch/$1.db"
	cd "$scratch/$1" || exit 2
	git tag v2.0
	echo "gemm | total_time | 5 ms | $2 | Ada <a@example.org> | until then" >>.rooflog/accept
	git commit -q -a -m accepted
	git clone -q --bare . "$scratch/$1.git"
}
end=$(git -C "$scratch/flat" rev-parse HEAD)
for expires in "${end:0:7}" "${end:0:12}" v2.0; do
	ended "until-$expires" "$expires"
	change "until-$expires" "tag-of-$expires"
	commit slow 2026-04-10T09:00:00Z
	job 1.3
	verdict "what ended at $expires is over" 1 '1 slower'
	[ "$expires" = v2.0 ] || git tag "$expires" "$(echo x | git commit-tree 'HEAD^{tree}' -p HEAD)"
	for against in $each; do verdict "also with a tag of that name, $against" 1 "1 slower" --against "$against"; done
	GIT_DIR=$PWD/.git run gate
	equal "and where git itself answers: $out$err" "$status" 1
	git checkout -q --orphan alone
	commit alone 2026-04-11T09:00:00Z
	job 1.3
	verdict "nor is it alive without a common commit" 1 slower
	for against in window best; do
		verdict "where nothing else passes, $against" 4 'no baseline' --against "$against"
	done
done
# A release that is called by its day is no commit's id.
ended by-day 20260401
change by-day day
git tag 20260401 main
commit slow 2026-04-10T09:00:00Z
job 1.3
verdict "a tag of digits that no commit begins with ends it" 1 slower
git tag -d 20260401 >/dev/null
verdict "and where it is not there yet, it goes on" 0 'slower (accepted)'
run accept gemm --limit '2 ms' --reason why --expires "$(git rev-parse --short main)" --dry-run
check "a line has whole ids: $err$out" grep -qF "$(git rev-parse main)" <<<"$out$err"
run accept gemm --reason why --expires v2.1 --dry-run
check "and names as they are: $err$out" grep -qF '| v2.1 |' <<<"$out"

# --- runs of uncommitted changes ---
# Without --commit, ingest asks whether the work tree has changes. Google Benchmark's files have a date.
benchmark() { # GEMM
	printf '{"context": {"date": "2026-04-01T00:00:00", "host_name": "h", "num_cpus": 1}, "benchmarks": [
		{"name": "gemm", "run_type": "iteration", "iterations": 1, "real_time": %s, "cpu_time": 1, "time_unit": "ms"}]}\n' \
		"$1" >"$scratch/benchmark.json"
	minute=$((minute + 10))
	SOURCE_DATE_EPOCH=$((1772874000 + minute * 60)) run ingest --quiet "$scratch/benchmark.json"
	equal "ingest: $err" "$status" 0
}
repository dated
git branch -q -M main
export ROOFLOG_STORE=$scratch/dated.db
mkdir .rooflog
printf '[gate]\n\tconfirm = false\n' >.rooflog/config
echo 1 >source
git add -f .rooflog source
for night in 10 11 12 13 14 15 16 17 18 19 20 21; do
	commit "night $night" "2026-03-${night}T09:00:00Z"
	benchmark "1.00$(((night * 37) % 9))"
done
git clone -q --bare . "$scratch/dated.git"
change dated changed
commit slow 2026-04-10T09:00:00Z
echo 2 >source
benchmark 1.001
verdict "what is measured first, with changes" 0 'with uncommitted changes'
check "and that is all there is: $err" [ -z "$err" ]
git checkout -q source
for value in 1.31 1.32 1.33; do
	benchmark $value
	for against in $each; do
		verdict "the commit itself, $value, $against" 1 "1 slower" --against "$against"
		check "the others are named: $err" grep -qF 'with uncommitted changes are not judged, because it has clean runs, too' <<<"$err"
	done
done
echo 2 >source
for against in merge-base window; do
	verdict "what is merged is the commit, $against" 1 "1 slower" --against $against
done
verdict "who works on it judges his changes" 0 'with uncommitted changes'
check "and hears it: $err" grep -qF 'the work tree has uncommitted changes, so runs with uncommitted changes are judged' <<<"$err"
git commit -q -a -m fast
benchmark 1.001
verdict "once committed, they are a commit's" 0 '1 unchanged'
check "without more words: $err" [ -z "$err" ]

# --- a night that was cut short ---
change flat cut-short
git checkout -q main
for night in 25 26; do
	commit "night $night" "2026-03-${night}T09:00:00Z"
	job none
done
git update-ref refs/remotes/origin/main HEAD
verdict "to the next night, what the last ones lack has stopped" 6 '1 missing (stopped)' --against window
git checkout -q change
git reset -q --hard main
commit without 2026-04-10T09:00:00Z
job none
for against in nearest merge-base best main; do verdict "a change that lacks it, too, $against" 5 '1 missing' --against $against; done
commit with 2026-04-11T09:00:00Z
job 1.001
for against in nearest merge-base; do verdict "one that has it, $against" 0 '4 unchanged' --against $against; done
job none
git checkout -q main
echo 'gemm | * | retired | never | Ada <a@example.org> | gone' >>.rooflog/accept
git commit -q -a -m retired
git update-ref refs/remotes/origin/main HEAD
git checkout -q -B change main
commit without 2026-04-12T09:00:00Z
job none
verdict "what was retired is not missed" 0 'slower (accepted)'

finish
