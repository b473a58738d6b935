#!/bin/bash
# Runs that prove nothing or little: wrong results, rates without times, uncommitted changes.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

table() { # COMMIT MAP: a table from standard input
	cat >"$scratch/table.csv"
	run ingest "$scratch/table.csv" --commit "$1" --columns "$2"
	equal "ingest: $err" "$status" 0
}
times=kernel=op,variant=impl,dtype=type,device=gpu,param:m=m,correct=ok,time=ms:ms
header=op,impl,type,gpu,m,ok,ms

# The noise between commits of these short records, and no second measurement.
settle() {
	configure '[gate]\nnoise = 0.1 %%\nconfirm = false\n'
}

# --- a wrong result is no baseline, and is not let through ---
repository wrong
settle
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,128,true,1.0
END
commit second
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,128,false,0.5
END
run gate --exit-code
equal "a wrong candidate is not judged: $out" "$status" 5
check "it says why: $out" grep -q "the result failed its correctness check" <<<"$out"
commit third
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,128,true,1.0
END
run gate --json
equal "a wrong result is no baseline: $out" "$status" 0
equal "the one before it is" "$(jq -r '.gate.comparisons[0].baseline | "\(.value) \(.age_commits)"' \
	<<<"$out")" "0.001 2"
run show --json
equal "nor is it that of a report" "$(jq -r '.runs[0].baseline | "\(.age_commits) \(.changes.total_time.change)"' \
	<<<"$out")" "2 0"
run gate --against HEAD~1
equal "nor when it is asked for: $out" "$status" 0

# Nobody misses a series that was wrong.
commit fourth
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,128,true,1.0
gemm,b,bf16,h100-sxm,128,false,0.1
END
commit fifth
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,128,true,1.0
END
run gate
equal "a wrong series is not missing: $out" "$status" 0

repository choice
table HEAD $times <<END
$header
gemm,fast,bf16,h100-sxm,128,false,1.0
gemm,safe,bf16,h100-sxm,128,true,2.0
gemm,safe,bf16,h100-sxm,256,true,1.5
gemm,safe,bf16,h100-sxm,512,false,0.1
END
run compare --by variant
check "no speed-up of a wrong result: $out" grep -qE 'fast +1.000 ms +incorrect$' <<<"$out"
run compare --by variant --json
equal "nor in JSON" "$(jq -c '[.kernels[0].configurations[0].rows[].speedup]' <<<"$out")" "[1,null]"
run analyze buckets --variant safe --json
equal "no bucket of a wrong result: $out" "$(jq '.shapes[0].measured_sizes' <<<"$out")" 2
check "which is told: $err" grep -q 'skipped 1 run with incorrect results' <<<"$err"

# --- rates without times ---
repository rates
settle
for rate in 400 300; do
	table HEAD kernel=op,dtype=type,device=gpu,param:m=m,variant=impl,algorithmic_rate=rate:TFLOPS <<END
op,type,gpu,m,impl,rate
gemm,bf16,h100-sxm,128,a,$rate
gemm,bf16,h100-sxm,128,b,200
END
	[ $rate = 300 ] || commit slower
done
run log
check "log shows the rate: $out" grep -q ' 300.0 TFLOP/s' <<<"$out"
run show
check "show, too: $out" grep -q ' 300.0 TFLOP/s' <<<"$out"
run gate
equal "a rate that falls is a regression: $out" "$status" 1
check "of the rate: $out" grep -q 'algorithmic_rate' <<<"$out"
run compare --by variant
check "compare says what is missing: $err" grep -q '2 of these runs have no time' <<<"$err"
refused "no time, no buckets" 'no run has both a time' analyze buckets --over m

# --- sizes that no step of an axis tells apart ---
repository axis
table HEAD $times <<END
$header
gemm,a,bf16,h100-sxm,999999999999999.75,true,1.0
gemm,a,bf16,h100-sxm,999999999999999.875,true,2.0
END
run chart latency --over m --output axis.svg
equal "the axis ends: $err" "$status" 0

# --- uncommitted changes are other work ---
repository dirty
echo 1 >file && git add file && git commit -q -m file
run ingest "$root"/samples/attention
echo 2 >file
run ingest "$root"/samples/attention
check "the same profiles once more: $err" grep -q '4 runs stored' <<<"$err"
run analyze buckets --variant fused --json
equal "two lines: $out" "$(jq -c '[.shapes[] | [.name, .measured_sizes]]' <<<"$out")" \
	'[["attention",2],["attention (uncommitted)",2]]'
run show
check "told apart in show: $out" grep -qE '^attention fused s=512 \(uncommitted\) ' <<<"$out"

# --- what is skipped is told once, by its name ---
run ingest "$scratch/table.csv" --commit HEAD --columns kernel=op,param:m,time=ms:ms \
	--set device=unheard-of --keep-going
check "runs, not files: $err" grep -q '^skipped 2 runs: ' <<<"$err"
equal "the path once" "$(grep -c 'table.csv.*table.csv' <<<"$err")" 0
finish
