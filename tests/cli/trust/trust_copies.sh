#!/bin/bash
# Numbers that were measured for an older commit say nothing of a change, whoever brings them: a job that
# measured nothing, or the change's author. A simulator's numbers are the old ones where nothing changed.
# shellcheck disable=SC2154 # out and err are of run
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

columns=kernel=op,device=gpu,time=value:ms
minute=300
# A main branch of 24 nights, each kernel as VALUE says.
base() { # NAME VALUE
	repository "$1"
	git branch -q -M main
	mkdir .rooflog
	: >.rooflog/config
	git add -f .rooflog
	commit rules
	nights 23 3
	export ROOFLOG_STORE=$scratch/$1.db
	for kernel in gemm conv soft norm relu silu; do series $kernel "$2"; done
	cp "$scratch/measurements.csv" "$scratch/$1.csv"
	measured 0
	git update-ref refs/remotes/origin/main HEAD
	git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
}

# Enters a copy of a base, on a branch of its own with one commit.
change() { # BASE NAME
	cp -r "$scratch/$1" "$scratch/$2"
	cp "$scratch/$1.db" "$scratch/$2.db"
	export ROOFLOG_STORE=$scratch/$2.db
	cd "$scratch/$2" || exit 2
	git checkout -q -b change
	commit change 2026-04-10T09:00:00Z
	nights_csv=$scratch/$1.csv
}

# The rows that were measured for main~BACK.
rows_of() { # BACK
	echo op,gpu,value
	grep "^$(git rev-parse "main~$1")," "$nights_csv" | cut -d, -f2,3,5
}

# The rows in another order.
turned() {
	local header
	IFS= read -r header
	echo "$header"
	sort -r
}

# Ingests what stdin has as one measurement of HEAD.
job() {
	mkdir -p "$scratch/profiles"
	cat >"$scratch/profiles/m.csv"
	minute=$((minute + 60))
	SOURCE_DATE_EPOCH=$((1772874000 + minute * 60)) run ingest --commit HEAD --columns $columns "$scratch/profiles"
	equal "ingest: $err" "$status" 0
}

# The gate's status, and the verdicts of gemm and silu.
judged() { # NAME STATUS GEMM SILU
	run gate --against merge-base --json
	equal "$1: $(jq -r .gate.verdict <<<"$out")" "$status $(jq -r '[.gate.comparisons[] |
		select(.kernel == "gemm" or .kernel == "silu")] | sort_by(.kernel) | map(.verdict) | join(" ")' <<<"$out")" "$2 $3 $4"
}

base noisy 'e'

change noisy bytes
rows_of 0 | job
judged 'the numbers of the commit before' 1 unproven unproven
run gate --against merge-base
tip=$(git rev-parse main | cut -c1-10)
check 'the reason names the commit' grep -q "same numbers as $tip (6 of 6 values): old results stored under another commit?" <<<"$out"
run gate --against window
equal 'a night waits' "$status" 0
equal 'the list of what to measure again' "$("$rooflog" gate --against merge-base -o rerun=- 2>/dev/null | grep -c '^{')" 6
# What is measured then decides: gemm has become slow.
rows_of 3 | sed 's/\(h100-sxm,[0-9.]*\)/\17/; s/^gemm,.*/gemm,h100-sxm,1.31/' | job
judged 'and then measured' 1 suspect unchanged
rows_of 3 | sed 's/\(h100-sxm,[0-9.]*\)/\18/; s/^gemm,.*/gemm,h100-sxm,1.32/' | job
judged 'and once more' 1 regressed unchanged

change noisy older
rows_of 11 | job
judged 'the numbers of an older commit' 1 unproven unproven

# Other bytes: other digits of the same numbers, other order, and one number that was measured.
change noisy mixed
rows_of 4 | sed 's/^silu,.*/silu,h100-sxm,1.00234/; /^op/! s/$/00/' | turned | job
judged 'one number is new' 1 unproven unchanged

# A suspect is not cleared by them.
change noisy cleared
rows_of 5 | sed 's/\(h100-sxm,[0-9.]*\)/\17/; s/^gemm,.*/gemm,h100-sxm,1.31/' | job
judged 'slow' 1 suspect unchanged
rows_of 5 | job
judged 'slow, and then copied' 1 suspect unchanged

change noisy honest
rows_of 5 | sed 's/\(h100-sxm,[0-9.]*\)/\17/' | job
judged 'measured' 0 unchanged unchanged
# The same commit again is another matter.
rows_of 5 | sed 's/\(h100-sxm,[0-9.]*\)/\17/' | turned | job
judged 'the same commit measured again' 0 unchanged unchanged

# A simulator: the documentation changes, and no number does.
base simulator '1.25'
change simulator docs
rows_of 0 | job
judged 'a simulator' 0 unchanged unchanged
base tuned 'int(1000000 * exp(-0.01 * int(i * 0.8))) / 1000000'
change tuned docs-again
rows_of 0 | job
judged 'a simulator of kernels that are worked on' 0 undecided undecided

finish
