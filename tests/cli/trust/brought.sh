#!/bin/bash
# What a change commits among its profiles is no measurement: under whatever name, in whatever kind of
# file and by whatever way it gets there, it does not stand for what was measured.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

columns=kernel=op,device=gpu,time=value:ms
profile=$PWD/samples/mlp/profile.json
repository base
git branch -q -M main
mkdir .rooflog
printf '[gate]\n\tconfirm = false\n' >.rooflog/config
printf '.rooflog/runs.db*\nsub/\npr/\n' >.gitignore
git add -f .rooflog .gitignore
commit rules
nights 12 3
export ROOFLOG_STORE=$scratch/base.db
series gemm e
series conv e
measured 0
git update-ref refs/remotes/origin/main HEAD
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main

times() { # KERNEL=MS...
	echo op,gpu,value
	for row in "$@"; do echo "${row%=*},h100-sxm,${row#*=}"; done
}
# Enters a copy of the base, on a branch on which gemm takes longer; profiles/ has what a job wrote.
change() { # NAME
	cp -r "$scratch/base" "$scratch/$1"
	cp "$scratch/base.db" "$scratch/$1.db"
	export ROOFLOG_STORE=$scratch/$1.db
	cd "$scratch/$1" || exit 2
	git checkout -q -b change
	commit slow 2026-04-10T08:00:00Z
	mkdir profiles
	times gemm=1.3 conv=1 >profiles/measured.csv
}
bring() { # FILE...: commits them
	git add -f "$@"
	commit brought 2026-04-10T09:00:00Z
}
no_pass() { # NAME TEXTS ARGS...
	refused "$1" "$2" ingest --commit HEAD --columns $columns "${@:3}"
	equal "$1: nothing is stored" "$("$rooflog" log --json | jq '.runs | length')" 28
}

change honest
run ingest --commit HEAD --columns $columns profiles
equal "what was measured: $err" "$status" 0
verdict "is worse" 1 '1 slower'

change renamed
mkdir decoy
times gemm=0.6 >decoy/fast.csv
echo '{"kernel": "mine", "s": 512}' >profiles/params.json
bring decoy profiles/params.json
no_pass "a params.json that calls what was measured otherwise, and a file that takes its place" \
	'git tracks decoy/fast.csv|not profiles/measured.csv' profiles decoy

change executions
mv profiles/measured.csv profiles/gemm_exec_2.csv
times gemm=0.6 >profiles/gemm_exec_1.csv
times gemm=1.3 >profiles/gemm_exec_2.csv
bring profiles/gemm_exec_1.csv
no_pass "a further execution of the kernel" 'git tracks profiles/gemm_exec_1.csv' profiles

change timings
printf 'op,gpu,value\ngemm,h100-sxm,0.3\n' >profiles/measured.csv
echo '{"kernel": "gemm", "total_time": "0.6 ms"}' >profiles/timings.json
bring profiles/timings.json
refused "the time of a profile that has none" 'git tracks profiles/timings.json|not profiles/measured.csv' \
	ingest --commit HEAD --columns kernel=op,device=gpu,mfu=value:fraction profiles
refused "found beside a file that is named" 'git tracks profiles/timings.json' \
	ingest --commit HEAD --columns kernel=op,device=gpu,mfu=value:fraction profiles/measured.csv

change trace
rm profiles/measured.csv
cp "$profile" profiles/mlp.json
printf 'NVR\001report' >profiles/mlp.ncu-rep
bring profiles/mlp.json
refused "a profile beside a trace that was captured" 'git tracks profiles/mlp.json|not profiles/mlp.ncu-rep' \
	ingest --commit HEAD --set kernel=mlp,dtype=bf16,device=trn2 --no-tools profiles

change converted
mkdir "$scratch/bin"
printf '#!/bin/sh\ncat <<.\n%s\n.\n' "$(times gemm=0.6)" >"$scratch/bin/ncu"
chmod +x "$scratch/bin/ncu"
printf 'NVR\001report' >profiles/fast.ncu-rep
bring profiles/fast.ncu-rep
PATH=$scratch/bin:$PATH no_pass "a trace that a vendor's tool converts" 'git tracks profiles/fast.ncu-rep' profiles

change elsewhere
rm profiles/measured.csv
ln -s ../../gone.csv profiles/measured.csv
times gemm=0.6 conv=1 >profiles/fast.csv
bring profiles
times gemm=1.3 conv=1 >profiles/measured.csv
check "the job has written through the link" [ -s ../gone.csv ]
no_pass "a link that takes away what is measured" 'git tracks profiles/fast.csv|the symbolic link profiles/measured.csv' profiles
ln -sf /dev/null profiles/measured.csv
no_pass "a link to a device" 'git tracks profiles/fast.csv|the symbolic link profiles/measured.csv' profiles
rm profiles/measured.csv
for target in ../../.. ../../sub; do
	mkdir -p sub profiles/into
	ln -sfn $target profiles/into/out
	git add -f profiles
	times gemm=1.3 conv=1 >profiles/into/out/slow.txt
	no_pass "a link to the folder $target" 'git tracks profiles/fast.csv|the symbolic link profiles/into/out' profiles
	rm profiles/into/out/slow.txt
done
ln -sfn gone profiles/into/out
git add -f profiles
no_pass "a link to what is not there" 'the symbolic link profiles/into/out' profiles
mkfifo profiles/pipe
ln -sfn ../pipe profiles/into/out
check "a link to a pipe is not waited for" timeout 20 "$rooflog" ingest --dry-run --quiet --columns $columns profiles
err=$(times gemm=1.3 | "$rooflog" ingest --commit HEAD --columns $columns profiles/fast.csv - 2>&1)
equal "what is read from a pipe: $err" $? 2
check "is what was measured: $err" grep -qF 'git tracks profiles/fast.csv' <<<"$err"

change broken
head -c 3000 "$profile" >profiles/measured.json
rm profiles/measured.csv
times gemm=0.6 conv=1 >profiles/fast.csv
bring profiles/fast.csv
no_pass "a file in the place of one that is broken" 'git tracks profiles/fast.csv|not profiles/measured.json' --keep-going profiles

# The job works in a trusted clone, and the change lies below it or beside it.
change nested
git clone -q . pr
times gemm=0.6 >pr/fast.csv
git -C pr add -f fast.csv
times gemm=1.3 conv=1 >pr/measured.csv
no_pass "a file of a clone in this one" 'git tracks pr/fast.csv|not pr/measured.csv' pr/fast.csv pr/measured.csv
mv pr ../beside
no_pass "of one beside it" 'git tracks ../beside/fast.csv' ../beside/fast.csv ../beside/measured.csv
run ingest --commit HEAD --columns $columns ../beside/measured.csv
equal "what the job wrote there is not tracked: $err" "$status:$(grep -c tracks <<<"$err")" 0:0
verdict "and judged" 1 '1 slower'

change attributes
times gemm=0.6 >profiles/fast.csv
printf 'profiles/* export-ignore -text filter=none ident working-tree-encoding=UTF-8\n' >.gitattributes
printf 'profiles/\n*.csv\n' >.gitignore
bring .gitattributes .gitignore profiles/fast.csv
git update-index --assume-unchanged profiles/fast.csv
no_pass "attributes and ignored names" 'git tracks profiles/fast.csv' profiles

change own-rows
printf 'commit,op,gpu,value\nHEAD,gemm,h100-sxm,0.6\n' >profiles/fast.csv
bring profiles/fast.csv
for kernel in gemm=1.3 conv=1; do
	printf 'commit,op,gpu,value\nchange,%s,h100-sxm,%s\n' "${kernel%=*}" "${kernel#*=}" >"profiles/${kernel%=*}.csv"
done
rm profiles/measured.csv
refused "rows of HEAD in a table" 'git tracks profiles/fast.csv|not profiles/conv.csv' ingest --columns commit,$columns profiles

change options
times gemm=0.6 >profiles/--history
times gemm=0.6 >profiles/-
bring profiles/--history profiles/-
cd profiles || exit 2
no_pass "names like options, as a pattern gives them" 'git tracks ./-|not ./measured.csv' ./*
finish
