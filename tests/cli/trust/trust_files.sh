#!/bin/bash
# What a change brings into the files and places of a job is not taken for what the job made: neither
# outputs, nor rows of other commits, nor names of series, nor the numbers of an older measurement.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

columns=kernel=op,device=gpu,time=value:ms
kernels="gemm conv soft norm relu silu"
repository base
git branch -q -M main
mkdir .rooflog
printf '[gate]\n\tconfirm = false\n' >.rooflog/config
printf 'profiles/\n' >.gitignore
git add -f .rooflog .gitignore
commit rules
nights 20
export ROOFLOG_STORE=$scratch/base.db
for kernel in $kernels; do series "$kernel" e; done
measured 0
git update-ref refs/remotes/origin/main HEAD
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main

# Enters a copy of the base, on a branch of its own.
change() { # NAME
	cp -r "$scratch/base" "$scratch/$1"
	cp "$scratch/base.db" "$scratch/$1.db"
	export ROOFLOG_STORE=$scratch/$1.db
	cd "$scratch/$1" || exit 2
	git checkout -q -b change
	mkdir profiles
}

# One measurement of HEAD: gemm as given, the others as ever.
job() { # GEMM ARGS...
	local kernel digit=1
	printf 'op,gpu,value\ngemm,h100-sxm,%s\n' "$1" >profiles/measured.csv
	for kernel in ${kernels#gemm}; do
		echo "$kernel,h100-sxm,1.001$((digit += 7))"
	done >>profiles/measured.csv
	run ingest --commit HEAD --columns $columns "${@:2}" profiles
	equal "ingest: $err" "$status" 0
}

# --- outputs that a failed command did not write ---

outputs=(again.jsonl comment.md annotations.txt out.md)
change outputs
for file in "${outputs[@]}"; do echo "### rooflog: pass" >"$file"; done
echo 'all is well' >linked.md
ln -s linked.md summary.md
git add "${outputs[@]}" linked.md summary.md
echo "kept" >mine.md
commit brought
mkdir -p "$scratch/elsewhere"
echo "kept" >"$scratch/elsewhere/out.md"
writes=(-o rerun=again.jsonl --output out.md -o comment=comment.md
	-o github=annotations.txt -o summary=summary.md)
refused "nothing is measured, so no verdict" 'has no measurements: ingest its profiles first' gate "${writes[@]}"
for file in "${outputs[@]}" summary.md; do
	check "$file is not that of the change" test ! -e "$file"
done
git checkout -q -- .
ROOFLOG_STORE=$scratch/none.db refused "no store" 'no run store' gate "${writes[@]}"
equal "all are gone" "$(ls "${outputs[@]}" summary.md 2>/dev/null)" ""
git checkout -q -- .
ln -s linked.md other.md
refused "one output cannot be written" 'symbolic link' gate "${writes[@]}" -o html=other.md
equal "the others are gone" "$(ls "${outputs[@]}" summary.md 2>/dev/null)" ""
refused "what git does not track" 'has no measurements: ingest its profiles first' gate --output mine.md -o md="$scratch/elsewhere/out.md"
equal "stays" "$(cat mine.md "$scratch/elsewhere/out.md")" "kept
kept"
for command in "report --as comment" "compare HEAD~1 HEAD --as md"; do
	git checkout -q -- .
	# shellcheck disable=SC2086 # words are meant
	refused "$command" "" $command --output comment.md
	check "$command: its output" test ! -e comment.md
done
git checkout -q -- .
job 1.3
verdict "what is judged" 1 '' "${writes[@]}"
for file in "${outputs[@]}" summary.md; do
	check "$file is written: $(ls)" test -f "$file" -a ! -L "$file"
	check "and not that of the change" test -z "$(grep 'rooflog: pass\|all is well' "$file")"
done
git checkout -q -- .
run report --as comment --output comment.md
check "what is removed is named: $err" grep -qF 'git tracks comment.md: it is removed' <<<"$err"
for edit in 'git add comment.md' 'git rm -q --cached out.md' :; do
	git checkout -q -f HEAD -- .
	echo mine >comment.md
	$edit
	for command in "report --as comment" "compare HEAD~1 HEAD --as md" gate; do
		# shellcheck disable=SC2086 # words are meant
		refused "edits that are not committed, $edit, $command" 'git tracks comment.md|it differs from HEAD|commit or remove it' \
			$command --output comment.md
		equal "$command: they stay" "$(cat comment.md)" mine
	done
done
git reset -q --hard
echo mine >comment.md
refused "one of several outputs has edits" 'git tracks comment.md' gate "${writes[@]}"
equal "the others are gone" "$(ls "${outputs[@]}" summary.md 2>/dev/null)" comment.md
git checkout -q -- .
equal "what the link led to is as it was" "$(cat linked.md)" 'all is well'

# --- rows of commits that were not measured yet ---

rows() { # COMMIT KERNEL=VALUE...
	local pair
	for pair in "${@:2}"; do echo "$(git rev-parse "$1"),${pair%=*},h100-sxm,${pair#*=}"; done
}
change rows
git checkout -q -B main
commit "merged just now" 2026-03-28T09:00:00Z
git update-ref refs/remotes/origin/main HEAD
git checkout -q -B colleague
commit "of a colleague" 2026-03-28T10:00:00Z
git checkout -q -B change main
commit mine 2026-03-28T11:00:00Z
for of in main colleague; do
	{
		echo commit,op,gpu,value
		rows $of gemm=1.31 conv=1.0012
		rows HEAD gemm=1.3 conv=1.0015
	} >profiles/measured.csv
	refused "rows of $of, which has no runs" \
		"adds runs to commit $(git rev-parse --short=10 $of)|not HEAD|--history" ingest --columns commit,$columns profiles
done
sed -i 2,3d profiles/measured.csv
run ingest --columns commit,$columns profiles
equal "rows of HEAD alone: $err" "$status" 0
verdict "are judged by what the main branch has" 1 '1 slower'
# The first import of a history needs no option, whether HEAD was measured before it or not.
for first in nothing HEAD; do
	export ROOFLOG_STORE=$scratch/import-$first.db
	[ $first = nothing ] || run ingest --columns commit,$columns profiles
	{
		echo commit,op,gpu,value
		for commit in main~3 main~2 main~1 main; do rows $commit gemm=1 conv=1; done
	} >"$scratch/history.csv"
	run ingest --columns commit,$columns "$scratch/history.csv"
	equal "the first import, after $first: $err" "$status" 0
	rows main~4 gemm=1 >>"$scratch/history.csv"
	refused "a second one, after $first" ', not HEAD, and the store already has a history, so a change could rewrite its own baseline' ingest --columns commit,$columns "$scratch/history.csv"
	run ingest --history --columns commit,$columns "$scratch/history.csv"
	equal "with the option: $err" "$status" 0
done

# --- names of series ---

change names
printf '[gate]\n\tconfirm = false\n[alias "warm"]\n\tas = gemm\n[alias "warm2"]\n\tas = gemm\n[tool "table"]\n\tas = other\n' \
	>.rooflog/config
git add -f .rooflog
commit slow
job 1.3
printf '%s,h100-sxm,1.00%d\n' warm 1 warm2 2 >>profiles/measured.csv
run ingest --commit HEAD --columns $columns profiles
equal "kernels that the change calls like another one: $err" "$status" 0
check "are told: $err" grep -qE "configuration: .*$(git rev-parse --short=10 main)" <<<"$err"
verdict "and are kernels of their own" 1 '1 slower, 2 new, 5 unchanged'
ROOFLOG_STORE=$scratch/none.db run ingest --commit HEAD --columns $columns profiles
equal "without a store: $err" "$status" 0
cp "$scratch/base.db" "$ROOFLOG_STORE"
run ingest --trust-work-tree --commit HEAD --columns $columns profiles
check "with the option they are: $err" grep -qF '2 runs of series renamed by [alias]' <<<"$err"
git checkout -q main
git merge -q --ff-only change
git update-ref refs/remotes/origin/main HEAD
cp "$scratch/base.db" "$ROOFLOG_STORE"
run ingest --commit HEAD --columns $columns profiles
check "and once it is merged: $err" grep -qF '2 runs of series renamed by [alias]' <<<"$err"

# In a clone that does not know which branch is the main one: it is called BRANCH, without origin/HEAD.
clone_of() { # NAME BRANCH
	change "$1"
	git symbolic-ref -d refs/remotes/origin/HEAD
	git update-ref refs/remotes/origin/"$2" main
	git update-ref -d refs/remotes/origin/main
	git branch -q -D main
}
aliases() { # COUNT: kernels that the change calls gemm
	printf '[gate]\n\tconfirm = false\n'
	for ((n = 1; n <= $1; n++)); do printf '[alias "w%d"]\n\tas = gemm\n' $n; done
}
warm() { # ARGS...: measures four trivial kernels, too
	printf 'op,gpu,value\ngemm,h100-sxm,1.3\n' >profiles/measured.csv
	for kernel in w1 w2 w3 w4 ${kernels#gemm}; do echo "$kernel,h100-sxm,1.00${#kernel}"; done >>profiles/measured.csv
	cp "$scratch/base.db" "$ROOFLOG_STORE"
	run ingest --commit HEAD --columns $columns "$@" profiles
}
for branch in develop master; do
	clone_of "names-$branch" $branch
	aliases 4 >.rooflog/config
	git commit -q -a -m aliases
	[ $branch = develop ] || git update-ref refs/remotes/origin/main HEAD
	commit slow
	for against in merge-base:$branch merge-base:origin/$branch; do
		warm --against "$against"
		equal "the branch is named, $against: $err" "$status" 0
		check "its configuration counts: $err" grep -qE "configuration: .*$(git rev-parse --short=10 origin/$branch)" <<<"$err"
		verdict "and gemm is slower" 1 '1 slower, 4 new, 5 unchanged' --against "$against"
	done
	refused "a branch that is not there" 'no local or remote branch "trunk"' \
		ingest --commit HEAD --columns $columns --against merge-base:trunk profiles
done
cp "$scratch/base.db" "$ROOFLOG_STORE"
refused "two branches of usual names" 'origin/main and origin/master|--against merge-base:BRANCH' \
	ingest --commit HEAD --columns $columns profiles
refused "another word" 'ingest takes merge-base or merge-base:BRANCH' ingest --against nearest --columns $columns profiles
clone_of names-trunk trunk
aliases 4 >.rooflog/config
git commit -q -a -m aliases
refused "no main branch is known" 'no branch origin/HEAD, origin/main, origin/master, main or master found: name the target branch with --against merge-base:BRANCH|--against merge-base:BRANCH' \
	ingest --commit HEAD --columns $columns --against merge-base profiles
warm
check "the parent's configuration counts where none is named: $err" \
	grep -qE "configuration: .*$(git rev-parse --short=10 HEAD~1)" <<<"$err"
verdict "and gemm is slower" 1 '1 slower, 4 new, 5 unchanged' --against merge-base:trunk
commit slow
warm
check "which may be the change's own: $err" \
	grep -qF "no main branch found, so [alias] and [tool] are read from $(git rev-parse --short=10 HEAD~1)" <<<"$err"

# A store that an older program wrote is not read before it is written.
change names-upgrade
aliases 4 >.rooflog/config
git commit -q -a -m aliases
warm --dry-run
rm "$ROOFLOG_STORE"
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' \
	"$ROOFLOG_STORE" "$root/tests/golden/stores/v3.sql"
run ingest --commit HEAD --columns $columns profiles
equal "into an older store: $err" "$status" 0
check "the base's configuration counts: $err" grep -qE "configuration: .*$(git rev-parse --short=10 main)" <<<"$err"
: >"$scratch/empty.config"
equal "kernels are called as they are" "$("$rooflog" show --config "$scratch/empty.config" --json HEAD | jq '[.. | .kernel? | select(. == "w1")] | length > 0')" true

# Devices that files describe are known on every branch.
change devices
printf '{"devices": [{"name": "npu-1", "peak_tflops": {"bf16": 100}, "peak_gbps": 900, "source": "mine"}]}\n' >profiles/devices.json
printf 'op,dtype,gpu,flops,value\ngemm,bf16,npu-1,50000000000,1\n' >profiles/measured.csv
described() {
	run ingest --commit HEAD --json --columns kernel=op,dtype=dtype,device=gpu,hardware_flops=flops:FLOP,time=value:ms profiles
	jq -c '.runs[0].metrics.hfu.value' <<<"$out"
}
git checkout -q main
main=$(described)
cp "$scratch/base.db" "$ROOFLOG_STORE"
git checkout -q change
commit slow
equal "MFU on a branch: $err" "$(described)" "$main"
check "is known: $main" grep -q '0\.' <<<"$main"

# --- commits of the year 10000 ---

# HEAD becomes a commit of that time.
dated() { # SECONDS
	git reset -q --hard "$(printf 'tree %s\nparent %s\nauthor a <a> %s +0000\ncommitter a <a> %s +0000\n\nlate\n' \
		"$(git rev-parse 'HEAD^{tree}')" "$(git rev-parse HEAD)" "$1" "$1" | git hash-object --literally -t commit -w --stdin)"
}
for backend in libgit2 git; do
	for seconds in 253402300799 253402300800 99999999999999 9223372036854775808; do
		change "dated-$backend-$seconds"
		[ $backend = git ] && export GIT_DIR=.git
		# libgit2 1.5 forgets what it holds when it cannot parse a time.
		[ "$seconds" = 9223372036854775808 ] && export ASAN_OPTIONS=detect_leaks=0
		dated "$seconds"
		job 1.3
		verdict "a commit of second $seconds, $backend" 1 '1 slower'
		git commit -q --allow-empty -m "on top"
		job 1.3
		verdict "the commit on top" 1 '1 slower'
		for command in log "log --view history" "report --as weekly" doctor; do
			# shellcheck disable=SC2086 # words are meant
			run $command
			equal "$command is for all: $err" "$status" 0
		done
		git update-ref refs/remotes/origin/main HEAD
		git commit -q --allow-empty -m "after it was merged"
		job 1.001
		verdict "and after it was merged" 0 '6 unchanged'
		unset GIT_DIR ASAN_OPTIONS
	done
done

finish
