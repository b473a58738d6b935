#!/bin/bash
# The seven filters select runs, in every command that takes runs, and change nothing else.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

table() { # COMMIT TIME-OF-MLP
	{
		echo op,type,gpu,impl,b,s,time
		echo "attention,bf16,trn2,fused,1,512,1.0"
		echo "attention,bf16,trn2,fused,2,512,1.1"
		echo "attention,bf16,trn2,plain,1,256,0.6"
		echo "mlp,fp8,trn2,,1,128,$2"
		echo "op[0],fp32,h100-sxm,,1,,3.0"
		[ "$1" != HEAD~1 ] || echo "gone,fp32,h100-sxm,,1,,4.0"
	} >"$scratch/table.csv"
	run ingest --commit "$1" --set tool=bench \
		--columns "kernel=op,dtype=type,device=gpu,variant=impl,param:b=b,param:s=s,time=time:ms" "$scratch/table.csv"
	equal "ingest: $err" "$status" 0
}

repository filters
commit second 2026-03-02T09:00:00Z
table HEAD~1 2.0
table HEAD 3.0

names() { jq -r '[.runs[] | "\(.kernel)\(.params | map(" \(.name)=\(.value)") | join(""))"] | sort | join(",")' <<<"$out"; }
selects() { # NAMES FILTER...
	local wanted=$1
	shift
	run show --json "$@"
	equal "$*: $err" "$(names)" "$wanted"
}
selects "mlp b=1 s=128" -k mlp
selects "mlp b=1 s=128,op[0] b=1" --kernel mlp --kernel 'op*'
selects "op[0] b=1" --kernel 'op[0]'
selects "attention b=1 s=256" --variant plain
selects "mlp b=1 s=128,op[0] b=1" --dtype fp8 --dtype 'fp3?'
selects "op[0] b=1" --device 'h100*'
selects "attention b=1 s=256,attention b=1 s=512,mlp b=1 s=128" --params 'b=1,s=*'
selects "attention b=2 s=512,mlp b=1 s=128" --params b=2 --params s=128
selects "attention b=1 s=512" --params b=1,s=512 --kernel attention
selects "attention b=1 s=512,attention b=2 s=512" --series 'attention s=512'
selects "attention b=1 s=512,mlp b=1 s=128" --series 'attention fused b=1' --series mlp
selects "attention b=2 s=512" --series 'attention s=512' attention b=2

# --- in every command ---

run log -k attention --json
equal "log lists runs: $err" "$(jq '.runs | length' <<<"$out")" 6
run log --params s=512 -n 3 --json
equal "the newest of those that match" "$(jq -c '[.runs[] | .params | map(select(.name == "s").value) | .[]]' <<<"$out")" '["512","512","512"]'
run report --json --params s=512
equal "report: $err" "$(jq '.runs | length' <<<"$out")" 2
run compare --json --params s=512 HEAD~1 HEAD
equal "compare: $err" "$(jq '.gate.comparisons | length' <<<"$out")" 2
run chart trend --variant plain -o plain.svg
equal "chart: $err" "$status" 0
run devlog /dev/null --tool nothing
equal "devlog knows it" "$status" 2
run bisect --kernel nothing
equal "bisect: $err" "$status" 2
run rm --all-commits --dtype fp8 --dry-run --json
equal "rm of all commits: $err" "$(jq '.edits[0].runs | length' <<<"$out")" 2
refused "all of them" '--all-commits needs a filter' rm --all-commits

# --- the gate judges only what is selected ---

run gate --exit-code
equal "one is gone: $out" "$status" 5
run gate --exit-code -k attention
equal "of others nothing is said: $out" "$status $(grep -cE 'mlp|gone' <<<"$out")" "0 0"
check "how many are judged: $out" grep -q '^3 of 5 series selected; 3 of 3 series judged' <<<"$out"
run gate --series mlp --json
equal "in the document" "$(jq -r '.gate.reason' <<<"$out" | cut -d';' -f1)" "1 of 5 series selected"
run gate --series mlp --as comment
check "in a comment: $out" grep -q ' · 1 of 5 series selected$' <<<"$out"
run gate --fail-on suspect mlp s=128
equal "as an argument: $out" "$status" 1

# --- no match ---

head=$(git rev-parse --short=10 HEAD)
none() { # MESSAGE ARGS...
	local message=$1
	shift
	run "$@"
	equal "$*" "$status $err" "2 rooflog $1: $message"
}
none "no run at $head has kernel 'atention'; kernels there: attention, mlp, op[0]" show --kernel atention
none "no run at $head has variant 'a' or 'b'; variants there: fused, plain" report --variant a --variant b
none "no run at $head has device 'tpu'; devices there: h100-sxm, trn2" chart roofline -o x.svg --device tpu
none "no run at $head has tool 'ncu'; tools there: bench" show --tool ncu
none "no run has dtype 'fp16'; dtypes: bf16, fp32, fp8" log --dtype fp16
none "no run at $head has parameters 's=9'; parameters there: b=1, b=2, s=128, s=256, s=512" compare --by variant --params s=9
none "no run at $head is of series 'mlp s=9'; series there: attention fused bf16 b=1 s=512, attention fused bf16 b=2 s=512, attention plain bf16 b=1 s=256, mlp fp8 b=1 s=128, op[0] fp32 b=1" show mlp s=9
none "no run at $head matches all of the filters" show --kernel mlp --dtype fp32
none "--params: expected NAME=VALUE[,NAME=VALUE]..., not \"s\"" show --params s
finish
