#!/bin/bash
# A library's kernel under another name, and less work than the formula needs: findings with numbers.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

profile() { # NAME...: a table of Nsight Systems with these kernels
	local name
	echo '"Time (%)","Total Time (ns)","Instances","Avg (ns)","Med (ns)","Min (ns)","Max (ns)","StdDev (ns)","Name"'
	for name; do
		echo "50.0,30000,10,3000.0,3000.0,2900,3100,50.0,\"$name\""
	done
}
found() { # RULE: its sentence
	run show --json
	jq -r --arg rule "$1" '[.. | objects | select(.rule? == $rule) | .text][0] // "none"' <<<"$out"
}

repository library
run init
profile ampere_sgemm_128x64_tn >"$scratch/one.csv"
run ingest --commit HEAD --set kernel=mine,dtype=fp32,device=a100-sxm-80gb "$scratch/one.csv"
equal "a library's kernel" "$(found library-kernel)" \
	"The kernel named mine is ampere_sgemm_128x64_tn of cuBLAS"
commit "admitted"
run ingest --commit HEAD --set kernel=mine,variant=cublas,dtype=fp32,device=a100-sxm-80gb "$scratch/one.csv"
equal "the variant says so" "$(found library-kernel)" none
commit "without another name"
run ingest --commit HEAD --set dtype=fp32,device=a100-sxm-80gb "$scratch/one.csv"
equal "called what it is" "$(found library-kernel)" none
commit "a program"
profile ampere_sgemm_128x64_tn relu >"$scratch/two.csv"
run ingest --commit HEAD --set kernel=mine,dtype=fp32,device=a100-sxm-80gb "$scratch/two.csv"
equal "a program of several kernels" "$(found library-kernel)" none

# 2 x 1000^3 is 2 GFLOP.
repository formula
run init
printf '[work "matmul"]\n\tflops = 2*m*n*k\n' >>.rooflog/config
git add .rooflog/config
commit "formula"
printf 'kernel,m,n,k,us,flop\nmatmul,1000,1000,1000,10,1500000000\n' >"$scratch/in.csv"
run ingest --commit HEAD --columns kernel=kernel,param:m=m,param:n=n,param:k=k,total_time=us:us,hardware_flops=flop:FLOP --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
equal "three quarters of the work" "$(found fewer-flops)" \
	"1.500 GFLOP counted, 75.00 % of the 2.000 GFLOP that the work formula needs (threshold 90.00 %)"

finish
