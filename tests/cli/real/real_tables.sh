#!/bin/bash
# Tables that benchmark programs and people wrote: the figures that were worked out from the raw
# files by other means come out, the traps are named.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data
if [ ! -d "$data/gpu" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

# Reads into $out as JSON.
read_table() { # NAME ARGS...
	local name=$1
	shift
	run ingest --dry-run --json "$@"
	equal "$name: status: $err" "$status" 0
}

# One line of a jq program over the runs. $metrics: the given values by key.
figure() { # NAME PROGRAM EXPECTED
	equal "$1" "$(jq -c "def m(k): [.metric_rows[] | select(.key == k)][0].value; .runs | $2" \
		<<<"$out")" "$3"
}

# --- cutlass_profiler: Runtime in ms, GB/s of 2^30 bytes ---

super=$data/gpu/microsoft+superbenchmark/extracted
read_table "cutlass 0" "$super/cutlass_profiler_0.csv"
figure "cutlass 0" '[length, (map(m("total_time")) | add * 1e6 | round), (map(m("algorithmic_bytes")) | add)]' \
	'[4,1923760,12884901888]'
equal "cutlass 0: rates fit" "$(grep -c 'do not follow' <<<"$err")" 0
figure "cutlass 0: GFLOPs as printed" '.[0] | m("algorithmic_rate") / 1e8 | round' 182874
# The same table at the end of what the program prints.
{ printf '=============================\n\nCSV Results:\n\n' && cat "$super/cutlass_profiler_0.csv"; } >"$scratch/printed.txt"
read_table "cutlass printed" "$scratch/printed.txt"
figure "cutlass printed" '[length, (map(m("total_time")) | add * 1e6 | round)]' '[4,1923760]'
read_table "cutlass 2" "$super/cutlass_profiler_2.csv"
figure "cutlass 2: all incorrect" '[.[] | .versions[] | select(.key == "correctness").text]' \
	'["incorrect","incorrect","incorrect","incorrect"]'
figure "cutlass 2: times" 'map(m("total_time")) | add * 1e7 | round' 1391135
figure "cutlass 2: FLOP" 'map(m("algorithmic_flops")) | add' 35186519572480
figure "cutlass 2: finding" '[.[] | .findings[] | select(.rule == "incorrect-result")] | length' 4
read_table "cutlass a100" --set device=a100-sxm-40gb "$data/gpu/unknown+cutlass-a100/functional-test.csv"
figure "cutlass a100" '[length, (map(m("total_time")) | add * 1e7 | round), .[0].dtype, .[1].dtype]' \
	'[15,6229022,"fp32",null]'
figure "cutlass a100: bytes and time give 11.974 GiB/s" \
	'.[0] | m("algorithmic_bytes") / m("total_time") / 1073741824 * 1e4 | round' 119742

# --- Liger: 2448 rows of two metrics ---

read_table liger "$data/gpu/linkedin+Liger-Kernel/benchmark/data/all_benchmark_data.csv"
figure "liger runs" length 1657
figure "liger times" 'map(m("total_time") // 0) | add * 1e9 | round' 48361124648
figure "liger memory, MB of 2^20" 'map(m("device_memory_bytes") // 0) | add / 1048576 * 1e4 | round' \
	37008785020
figure "liger devices" 'map(.device) | group_by(.) | map([.[0], length])' \
	'[["a100-sxm-80gb",408],["b200",66],["h100-pcie",48],["h100-sxm",691],["rtx-3090",324],["rtx-4090",120]]'
figure "liger dtypes" 'map(.dtype) | group_by(.) | map([.[0], length])' '[[null,303],["bf16",680],["fp32",674]]'
figure "liger speed and memory are one run" '[.[] | select(.kernel == "cross_entropy" and
	.variant == "liger" and .params_text == "B=8, T=2048, V=4096, operation_mode=full" and
	.device == "a100-sxm-80gb") | [m("total_time"), m("device_memory_bytes")]]' \
	'[[0.0008637440204620361,268780032]]'
read_table "liger cutedsl" "$data/gpu/linkedin+Liger-Kernel/benchmark/data/all_benchmark_data_cutedsl.csv"
figure "liger cutedsl runs" length 132

# --- flashinfer: twice the same names, FLOP recovered from TFLOP/s and time ---

read_table flashinfer "$data/gpu/flashinfer-ai+flashinfer/benchmarks/samples/sample_testlist_output.csv"
figure "flashinfer runs" length 111
figure "flashinfer time" 'map(m("total_time")) | add * 1e12 | round' 10820726000
figure "flashinfer FLOP" '[.[] | m("algorithmic_flops") // empty] | [length, add]' '[77,550784974773]'
figure "flashinfer bytes" '[.[] | m("algorithmic_bytes") // empty] | [length, add]' '[111,15638180576]'
figure "flashinfer rmsnorm" '[.[] | select(.kernel == "rmsnorm" and (.params_text | contains("case_tag=rmsnorm_3d_mha"))) |
	[.params_text, .dtype, m("algorithmic_flops"), m("algorithmic_bytes")]] | .[0]' \
	'["batch_size=16, case_tag=rmsnorm_3d_mha, enable_pdl=False, eps=1e-06, hidden_size=128, is_sf_swizzled_layout=False, num_heads=64, out_dtype=fp8_e4m3","fp16",655360,524544]'
check "no repro command is a parameter" [ "$(grep -c '"params_text": ".*python3' <<<"$out")" = 0 ]

# --- no units, no reading; with a map, reading ---

layer_norm=$data/gpu/xlite-dev+LeetCUDA/kernels/openai-triton/layer-norm/layer-norm-forward.csv
refused "perf_report without units" '"N", "Triton", "Torch"|--columns' ingest --dry-run "$layer_norm"
read_table "layer norm" --set kernel=layer_norm,variant=triton \
	--columns param:N,algorithmic_bandwidth=Triton:GB/s "$layer_norm"
figure "layer norm" '[length, (.[-1] | .params_text, m("algorithmic_bandwidth"))]' \
	'[30,"N=15872.000000",651158973000]'

accelopt=$data/neuron/zhang677+AccelOpt/experiments/full_complete_local/profile_results.csv
read_table accelopt --set device=trn1,dtype=fp32,cores=1 \
	--columns 'kernel=problem,time=profile.latency:ms,hardware_flops=profile.hardware_flops:FLOP,transpose_flops=profile.transpose_flops:FLOP,hbm_read_bytes=profile.hbm_read_bytes:B,hbm_write_bytes=profile.hbm_write_bytes:B,param:K=values.K' \
	"$accelopt"
figure "accelopt times" 'map(m("total_time")) | add * 1e9 | round' 130418191
figure "accelopt swiglu" '.[0] | [.params_text, m("useful_flops"), m("hbm_bytes"), (m("mfu") * 1e9 | round)]' \
	'["K=1024",154618822656,225509376,399171114]'
refused "accelopt without a member" 'no row has a "profile.mfu"' ingest --dry-run --set device=trn1 \
	--columns kernel=problem,time=profile.latency:ms,mfu=profile.mfu:fraction "$accelopt"

bmm=$data/neuron/Jerry2423+kda-for-trainium/workspaces/bmm/benchmark.csv
read_table bmm --columns kernel=op,variant=candidate,time=latency_ms:ms,correct=passed "$bmm"
figure "bmm v2: three repeats" '[.[] | select(.variant == "runs/bmm_v2.py") | (m("total_time") * 1e7 | round),
	.spreads[0].count]' '[20363,3]'
# shellcheck disable=SC2016 # a jq program
figure "bmm: one is not correct" '[.[] | .variant as $v | .versions[] |
	select(.key == "correctness") | $v]' '["runs/bmm_probe_bf16_calib.py"]'
check "bmm: N/A is left out: $err" grep -q '2 rows, first at line 6: skipped' <<<"$err"

timing=$data/gpu/Olajide-Badejo+GPU-Roofline-Profiler/results/sample_run/timing.csv
read_table timing --columns kernel,variant,param:m,param:n,param:k,param:size=problem_size,param:block_size,param:tile_dim,time=median_ms:ms,algorithmic_flops=flops:FLOP,algorithmic_bytes=theoretical_bytes:B \
	"$timing"
figure timing '[length, (map(m("total_time")) | add * 1e9 | round), (map(m("algorithmic_flops") // 0) | add)]' \
	'[62,262776907,786484331654]'

read_table kn --set kernel=matmul --columns param:M,param:K,param:N,host_time=latency_ms:ms \
	"$data/neuron/AnchovyPark+npu_profiling_code/results/kn고정.csv"
figure "kn" '[length, (map(m("host_time")) | add * 1e12 | round)]' '[61,19947311300]'

gemm=$data/gpu/Resplendid123+gemm/results/ncu_metrics.csv
read_table gemm --columns kernel,time=gpu_time_ms:ms,sm_throughput=sm_throughput_pct:percent "$gemm"
figure "gemm, comments above and short rows left out" 'map([.kernel, (m("total_time") * 1e5 | round)])' \
	'[["register_128x128_BK8",278],["bank_128x128_BK8",316],["doublebuf_128x128_BK16",286]]'
check "gemm: short rows are named: $err" grep -q '2 rows, first at line 4: skipped' <<<"$err"

kmer=$data/gpu/BobbyAl+cuda-kmer-counting/results/ncu_metrics.csv
read_table kmer --columns 'kernel=implementation,param:dataset,param:k,achieved_occupancy=Occupancy (%):percent' "$kmer"
figure kmer '[length, (map(m("achieved_occupancy")) | add * 1e4 | round)]' '[12,97325]'
read_table "kmer as a fraction" --columns 'kernel=implementation,param:dataset,param:k,achieved_occupancy=Occupancy (%):fraction' "$kmer"
check "a fraction above 1 is doubted: $err" grep -q 'Occupancy (%) exceeds 1 (100 %) in 12 of 12 rows' <<<"$err"

# --- histories ---

ledger=$data/neuron/wutongabc+auto_research_for_AWS_Neuron_optimization/results.tsv
read_table ledger --set kernel=qwen --columns commit,param:phase,throughput=tok_per_s,mfu=mfu:percent "$ledger"
figure ledger '[length, (map(m("throughput")) | max), .[0].source_commit, .[0].params_text, (.[0] | m("mfu"))]' \
	'[133,10393.1,"a616588","phase=1",0.002]'
check "rows with fewer cells: $err" grep -q '34 rows, first at line 120: skipped' <<<"$err"

nightly=$data/trackers/google-deepmind+mujoco_warp/nightly/humanoid.jsonl
map=commit,host_time=run_time:s,throughput=steps_per_second,compile_time=jit_duration:s,device_memory_bytes=total_memory:B
read_table nightly --set kernel=humanoid --columns "$map,param:worlds=converged_worlds" "$nightly"
figure nightly '[length, (map(m("host_time")) | add * 1e9 | round), .[-1].source_commit[:10], (.[0] | m("device_memory_bytes"))]' \
	'[259,433655665482,"f76464fae7",385941504]'
read_table "nightly, a name with dots" --set kernel=humanoid --columns "commit,time=step.forward:us" "$nightly"
figure "nightly, a name with dots" '.[0] | m("total_time") * 1e9 | round' 236533

finish
