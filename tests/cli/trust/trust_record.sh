#!/bin/bash
# A change cannot choose what it is compared with: neither by what it measured of itself before, nor by
# where its branch begins or what it merged, nor by further profiles among those that were measured.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

columns=kernel=op,device=gpu,time=value:ms
minute=300
# A main branch of 31 nights: gemm as GEMM says, and four series that stand still.
base() { # NAME GEMM
	repository "$1"
	git branch -q -M main
	mkdir .rooflog
	printf '[gate]\n\tconfirm = false\n' >.rooflog/config
	git add -f .rooflog
	commit rules
	nights 29 3
	export ROOFLOG_STORE=$scratch/$1.db
	series gemm "$2"
	for kernel in conv soft norm relu; do series $kernel 'e'; done
	measured 0
	git update-ref refs/remotes/origin/main HEAD
	git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
}

# Enters a copy of a base, on a branch of its own.
change() { # BASE NAME
	cp -r "$scratch/$1" "$scratch/$2"
	cp "$scratch/$1.db" "$scratch/$2.db"
	export ROOFLOG_STORE=$scratch/$2.db
	cd "$scratch/$2" || exit 2
	git checkout -q -b change
	mkdir profiles
}

# Measures HEAD: gemm as given, the others as ever.
job() { # GEMM
	printf 'op,gpu,value\ngemm,h100-sxm,%s\n' "$1" >profiles/measured.csv
	for kernel in conv soft norm relu; do echo "$kernel,h100-sxm,1.000$minute"; done >>profiles/measured.csv
	minute=$((minute + 10))
	SOURCE_DATE_EPOCH=$((1772874000 + minute * 60)) run ingest --commit HEAD --columns $columns profiles
	equal "ingest: $err" "$status" 0
}

# All that judge the commit say the same of gemm: the gate, reports, the comment, charts' document.
agree() { # NAME VERDICT
	local name=$1 wanted=$2 kind
	of_kernel "$name, gate" gemm "$wanted" "$3"
	for kind in report comment summary; do
		equal "$name, report --as $kind" "$("$rooflog" report --as $kind --json 2>/dev/null |
			jq -r '.gate.comparisons[] | select(.kernel == "gemm") | "\(.verdict) \(.record.commits // "--")"')" "$wanted $3"
	done
}

base flat 'e'
base slow-once 'i < 16 ? 2 * e : e'

# --- what the change measured of itself ---
change flat pushed
for ((push = 1; push <= 6; push++)); do
	commit "push $push" "2026-04-1${push}T09:00:00Z"
	job "1.30$push"
	verdict "push $push" 1 '1 slower'
	check "which commit is compared with: $out" grep -qF "vs. the main branch at $(git rev-parse --short=10 main)" <<<"$out"
	check "and that it is the main branch's: $out" grep -qE "^baseline $(git rev-parse --short=10 main), $push commits? back" <<<"$out"
done
agree "the sixth push" regressed 31
git checkout -q --detach
verdict "a detached HEAD" 1 '1 slower'
git checkout -q -b upper && commit upper 2026-04-20T09:00:00Z && job 1.303
verdict "a branch on top of that branch is judged as what would be merged" 1 '1 slower'
verdict "unless it is told what it goes to" 0 '5 unchanged' --against merge-base:change
verdict "or which commit to compare with" 0 '5 unchanged' --against HEAD~1
git checkout -q --orphan alone && commit alone 2026-04-21T09:00:00Z && job 1.3
verdict "without a common commit it is the tip of the main branch" 1 '1 slower'
check "which is said: $out" grep -qF "vs. the main branch at $(git rev-parse --short=10 main)" <<<"$out"
commit alone-again 2026-04-22T09:00:00Z && job 1.3
verdict "also at the second push" 1 '1 slower'
# A merge queue: the candidate's first parents are the queue's entries before it.
git checkout -q -b queue main
for entry in 1 2 3; do
	git reset -q --hard "$(echo "entry $entry" | git commit-tree 'main^{tree}' -p HEAD -p change)"
	job 1.305
	verdict "entry $entry of a merge queue" 1 '1 slower'
done
# A clone that is cut does not know where the branch begins.
git init -q "$scratch/cut" && cd "$scratch/cut" || exit 2
git fetch -q --depth 3 "file://$scratch/pushed" '+refs/heads/change:refs/heads/change' '+refs/heads/main:refs/remotes/origin/main'
git checkout -q change
verdict "a cut clone" 1 '1 slower'
# What is merged is judged by the main branch itself, as before.
cd "$scratch/pushed" || exit 2
git checkout -q main && git merge -q --ff-only change
git update-ref refs/remotes/origin/main HEAD
verdict "the main branch, where the change is merged" 0 '5 unchanged'
check "against its ancestor: $out" grep -qF 'vs. nearest measured ancestor' <<<"$out"

# Somebody's own repository: no main branch, or one that nobody ever measured.
change flat alone-here
git update-ref -d refs/remotes/origin/main
git symbolic-ref --delete refs/remotes/origin/HEAD
git branch -q -M main trunk
for ((push = 1; push <= 3; push++)); do commit "push $push" "2026-04-1${push}T09:00:00Z" && job "1.30$push"; done
check "without a main branch the ancestors count: $("$rooflog" gate)" grep -qF 'baseline '"$(git rev-parse --short=10 HEAD~1)" < <("$rooflog" gate)
repository unmeasured
git branch -q -M main
export ROOFLOG_STORE=$scratch/unmeasured.db
git checkout -q -b mine
mkdir profiles
for ((push = 1; push <= 3; push++)); do commit "push $push" "2026-04-1${push}T09:00:00Z" && job "1.30$push"; done
check "so they do where nothing of it was measured" grep -qF 'baseline '"$(git rev-parse --short=10 HEAD~1)" < <("$rooflog" gate)

# --- a merge whose first parent is an old commit ---
change slow-once merging
git reset -q --hard "$(echo merge | GIT_COMMITTER_DATE=2026-04-10T09:00:00Z git commit-tree 'main^{tree}' -p main~18 -p main)"
job 1.9
for against in nearest window best merge-base; do
	verdict "what the second parent brings counts, $against" 1 '1 slower' --against $against
done
run site "$scratch/merging-pages"
equal "and a site can be made of it: $err" "$status" 0
check "with that verdict" grep -q '<h1>1 of [0-9]* series slower' "$scratch/merging-pages/index.html"

# --- a branch that begins in a slower time ---
change slow-once old
git checkout -q -B change main~18
commit old 2026-04-10T09:00:00Z
job 1.9
newer='the base branch has 18 newer measured commits; at its tip gemm would be slower'
for against in nearest merge-base; do
	verdict "an old base" 0 "$newer" --against $against
done
for kind in report comment summary; do
	check "report --as $kind says so" grep -qF "18 newer measured commits" < <("$rooflog" report --as $kind)
done
change flat old-and-slow
git checkout -q -B change main~18
commit old 2026-04-10T09:00:00Z
job 1.3
verdict "what is slower anyway" 1 '1 slower'
check "needs no such sentence: $out" [ -z "$(grep newer <<<"$out")" ]
change flat old-and-well
git checkout -q -B change main~18
commit old 2026-04-10T09:00:00Z
job 1.001
verdict "nor does what would be well at the tip" 0 'unchanged'
check "need it: $out" [ -z "$(grep newer <<<"$out")" ]

# --- further profiles among those that were measured ---
decoy() { # NAME GEMM...
	change flat "decoy-$1"
	for value in "${@:2}"; do
		printf 'op,gpu,value\ngemm,h100-sxm,%s\n' "$value" >"profiles/decoy-$value.csv"
	done
}
decoy committed 0.6
git add -f profiles
commit decoy 2026-04-10T09:00:00Z
mv profiles/decoy-0.6.csv ./decoy
job 1.3
mv decoy profiles/decoy-0.6.csv
refused "a profile that git tracks among others" \
	'git tracks profiles/decoy-0.6.csv, which came with a commit|profiles/measured.csv' \
	ingest --commit HEAD --columns $columns profiles
verdict "what was measured stands" 1 slower
rm profiles/measured.csv
run ingest --commit HEAD --columns $columns profiles
check "where git tracks all of a series, it is only said: $status $err" grep -qF \
	'git tracks profiles/decoy-0.6.csv: it came with a commit' <<<"$err"
# Files that lie in the way otherwise: of an earlier job, of what the change ran.
lying() { # NAME GEMM...
	decoy "$@"
	commit decoy 2026-04-10T09:00:00Z
	job 1.3
	for against in nearest merge-base window best; do
		# A night passes over what is not sure; here as anywhere.
		verdict "$1, $against" "$([ $against = window ] && echo 0 || echo 3)" '1 unclear (unconfirmed)' --against $against
		check "$1, $against: both files in $out" grep -qE 'profiles/decoy.*profiles/measured.csv|profiles/measured.csv.*profiles/decoy' <<<"$out"
	done
}
lying one-fast 0.6
lying some-usual 1.001 1.002 1.003
# Files that agree within the noise are repeats.
change flat repeated
printf 'op,gpu,value\ngemm,h100-sxm,1.004\n' >profiles/another.csv
commit repeated 2026-04-10T09:00:00Z
job 0.998
check "nothing is said of files that git does not track: $err" [ -z "$(grep tracks <<<"$err")" ]
verdict "two files that agree" 0 '5 unchanged'
# Repeats of one file: where two are slow, and a third of them, the median is a matter of luck.
repeated() { # NAME STATUS WORDS GEMM...
	change flat "repeats-$1"
	printf 'gemm,h100-sxm,%s\n' "${@:4}" | sed '1i op,gpu,value' >profiles/repeats.csv
	for kernel in conv soft norm relu; do echo "$kernel,h100-sxm,1.0003"; done >>profiles/repeats.csv
	commit repeats 2026-04-10T09:00:00Z
	run ingest --commit HEAD --columns $columns profiles
	verdict "repeats: $1" "$2" "$3" --against merge-base
}
repeated two-slow 3 '2 of the 5 repeats in profiles/repeats.csv take about 1.605 ms' 1.0 1.001 1.6 1.002 1.61
repeated one-slow 0 '5 unchanged' 1.0 1.001 1.6 1.002 1.003
repeated few-slow 0 '5 unchanged' 1.0 1.001 1.6 1.002 1.61 1.003 0.999
repeated near 0 '5 unchanged' 1.0 1.001 1.04 1.002 1.041
# --- what looks like the environment ---
change flat environment
for kernel in gemm conv soft norm relu; do echo "$kernel,h100-sxm,1.3"; done | sed '1i op,gpu,value' >profiles/all.csv
commit "all together" 2026-04-10T09:00:00Z
run ingest --commit HEAD --columns $columns profiles
equal "all together: $err" "$status" 0
verdict "as finely as there is" 3 '5 unclear (environment)' --against merge-base
run gate --against merge-base
equal "fails the change" "$status" 1
run gate --against window
equal "is on the night's page" "$status" 0
# --- rows for older commits in a table that names its commits ---
change flat rewritten
commit rewriting 2026-04-10T09:00:00Z
head=$(git rev-parse HEAD)
for file in 1 2 3 4; do
	{
		echo commit,op,gpu,value
		for oid in $(git log --format=%H main); do
			for row in 1 2 3; do echo "$oid,gemm,h100-sxm,1.3$file$row"; done
		done
	} >profiles/rows$file.csv
done
printf 'commit,op,gpu,value\n%s,gemm,h100-sxm,1.33\n' "$head" >profiles/measured.csv
for kernel in conv soft norm relu; do echo "$head,$kernel,h100-sxm,1.0001"; done >>profiles/measured.csv
before=$("$rooflog" log --json)
refused "rows for commits that have runs" "adds runs to commit $(git rev-parse --short=10 main)|not HEAD|--history" \
	ingest --columns commit,$columns profiles
refused "the same when damaged files are passed over" '--history' ingest --keep-going --columns commit,$columns profiles
equal "nothing is stored" "$("$rooflog" log --json)" "$before"
run ingest --columns commit,$columns profiles/measured.csv
equal "rows of HEAD are: $err" "$status" 0
verdict "and judged by what is on record" 1 slower
commit later 2026-04-11T09:00:00Z
printf '%s,gemm,h100-sxm,1.34\n' "$(git rev-parse HEAD)" >>profiles/measured.csv
run ingest --columns commit,$columns profiles/measured.csv
equal "a table that grew adds its new row: $err" "$status:$(grep -oE '[0-9]+ runs? stored, [0-9]+ duplicates' <<<"$err")" '0:1 run stored, 5 duplicates'
run ingest --history --columns commit,$columns profiles
equal "a history that is trusted is added: $err" "$status" 0

# --- a table that the change brings, of commits that nobody measured ---
change flat brought
for n in 1 2 3; do commit unmeasured$n 2026-04-10T0$n:00:00Z; done
before=$("$rooflog" log --json)
for name in "$(git rev-parse HEAD~1)" HEAD~1; do
	printf 'commit,op,gpu,value\n%s,gemm,h100-sxm,1.3\n' "$name" >profiles/rows.csv
	git add -f profiles
	refused "rows of a tracked table for $name" "git tracks profiles/rows.csv|not HEAD|--history" \
		ingest --columns commit,$columns profiles
	equal "$name: nothing is stored" "$("$rooflog" log --json)" "$before"
done
for name in "$(git rev-parse HEAD)" HEAD @ change; do
	printf 'commit,op,gpu,value\n%s,gemm,h100-sxm,0.6\n' "$name" >profiles/rows.csv
	printf 'commit,op,gpu,value\n%s,gemm,h100-sxm,1.3\n' "$(git rev-parse HEAD)" >profiles/measured.csv
	refused "rows of a tracked table for $name among those that were measured" \
		'git tracks profiles/rows.csv, which came with a commit|profiles/measured.csv' \
		ingest --columns commit,$columns profiles
done
printf '[alias "fast-gemm"]\n\tas = gemm\n' >>.rooflog/config
printf 'commit,op,gpu,value\nHEAD,fast-gemm,h100-sxm,0.6\n' >profiles/rows.csv
refused "a tracked series that [alias] calls as the measured one" \
	'git tracks profiles/rows.csv, which came with a commit|profiles/measured.csv' \
	ingest --trust-work-tree --columns commit,$columns profiles
rm profiles/rows.csv
for kernel in new fast-gemm newer; do echo "HEAD,$kernel,h100-sxm,0.6"; done >rows
refused "two series are new" 'more than 1 new series' ingest --max-series 1 --columns commit,$columns \
	<(printf 'commit,op,gpu,value\n' | cat - rows)
run ingest --trust-work-tree --max-series 1 --columns commit,$columns <(printf 'commit,op,gpu,value\n' | cat - <(grep -v newer rows))
equal "one that [alias] calls as a known series is not: $err" "$status" 0
printf 'commit,op,gpu,value\nHEAD~1,gemm,h100-sxm,1.001\n' >profiles/rows.csv
run ingest --history --columns commit,$columns profiles/rows.csv
equal "a tracked history that is trusted is added: $err" "$status" 0

finish
