#!/bin/bash
# Real files of Nsight Compute. First the table of an independent parser (golden_ncu.tsv): each of
# its values must come out; launches that are repeats of one run are compared by their least, median
# and most. Then figures worked out by hand, and files that hold no launch.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/gpu
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

# FILE: its runs as JSON on stdout. The device of the file wins over ours.
runs_of() {
	"$rooflog" ingest --dry-run --json "$1" 2>/dev/null ||
		"$rooflog" ingest --dry-run --json --set device=a100-sxm-80gb "$1" 2>/dev/null
}

# --- the table ---

golden=$data/golden_ncu.tsv
columns='{"duration_s": "total_time", "sm_pct": "sm_throughput", "mem_pct": "memory_throughput",
	"dram_pct": "dram_throughput", "dram_Bps": "achieved_bandwidth", "dram_bytes": "hbm_bytes",
	"l2_hit": "l2_hit_rate", "occ": "achieved_occupancy", "waves": "waves_per_sm",
	"spill_req": "local_spilling_requests"}'

# One line for each file, kernel and column of the table: matched, disagree or missing.
# shellcheck disable=SC2016 # a jq program
compare='
def near(a; b): a == b or (((a - b) | fabs) <= 1e-5 * ([(a | fabs), (b | fabs)] | max));
def median: sort | if length % 2 == 1 then .[length / 2 | floor]
	else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def figures: sort | [.[0], median, .[-1]];
($golden | split("\n") | map(split("\t") | select(length > 1))) as $rows
| ($rows[0]) as $names
| [$rows[1:][] | select(.[0] == $file)] | group_by(.[2])[] as $group
| ($group[0][2]) as $kernel
| [$runs.runs[] | select(([.versions[] | select(.key == "kernel_symbol") | .text][0] // .kernel)
	| startswith($kernel))] as $mine
| range(3; $names | length) as $at
| [$group[][$at] | select(. != "") | tonumber] as $expected
| select($expected | length > 0)
| ($columns[$names[$at]]) as $metric
| (if ($names[$at] | test("_pct$|^l2_hit$|^occ$")) then 100 else 1 end) as $scale
| [$mine[] | . as $run
	| ([.metric_rows[] | select(.key == $metric) | .value][0]) as $value
	| select($value != null)
	| ([.spreads[] | select(.metric == $metric)][0]) as $spread
	| if $spread then [$spread.minimum.value, $spread.median.value, $spread.maximum.value]
	  else [$value, $value, $value] end | map(. * $scale)] as $found
| (if ($mine | length) == 1 then [$expected | figures] else [$expected | sort[] | [., ., .]] end)
	as $wanted
| (if ($found | length) == 0 then "missing"
   elif ($found | length) == ($wanted | length) and
	([range($wanted | length) as $i | range(3) as $k
		| near(($found | sort)[$i][$k]; $wanted[$i][$k])] | all) then "matched"
   else "disagree" end) as $verdict
| [$verdict, ($expected | length), $names[$at], $kernel, ($found | tostring), ($wanted | tostring)]
| @tsv'

absent=0
: >"$scratch/verdicts"
while read -r file; do
	rows=$(awk -F'\t' -v file="$file" '$1 == file' "$golden" | wc -l)
	if [ ! -f "$data/$file" ]; then
		absent=$((absent + rows))
		continue
	fi
	runs_of "$data/$file" >"$scratch/runs.json"
	launches=$(jq '[.runs[].metric_rows[] | select(.key == "launch_count") | .value] | add' \
		"$scratch/runs.json")
	equal "$file: launches" "$launches" "$rows"
	jq -r -n --arg file "$file" --rawfile golden "$golden" --slurpfile document \
		"$scratch/runs.json" --argjson columns "$columns" \
		"\$document[0] as \$runs | $compare" >>"$scratch/verdicts"
done < <(tail -n +2 "$golden" | cut -f1 | uniq)
grep -v '^matched' "$scratch/verdicts"
echo "values of the table: $(awk -F'\t' '{ n[$1] += $2 } END {
	printf "%d matched, %d disagree, %d missing", n["matched"], n["disagree"], n["missing"] }' \
	"$scratch/verdicts"); $absent rows name files that are not here"
equal "values that disagree or are missing" "$(grep -vc '^matched' "$scratch/verdicts")" 0
check "the table was compared" [ "$(wc -l <"$scratch/verdicts")" -ge 30 ]

# The fragment with decimal commas stands in the table under another name.
runs_of "$data/unknown+comma-decimal/comma_decimal_snippet.csv" >"$scratch/runs.json"
equal "decimal commas" "$(jq -c '[.runs[0].spreads[] | [.minimum, .median, .maximum | .value * 1e4 |
	round]]' "$scratch/runs.json")" '[[540,560,900],[1000,1572,1574],[100,138,138]]'
run ingest --dry-run --json --set device=a100-sxm-80gb --decimal . "$data/unknown+comma-decimal/comma_decimal_snippet.csv"
equal "--decimal wins" "$(jq '.runs[0].metric_rows[] | select(.key == "dram_throughput") | .value' \
	<<<"$out")" 5.6

# --- figures worked out by hand ---

value() { # FILE KERNEL METRIC
	runs_of "$data/$1" | jq -r --arg kernel "$2" --arg metric "$3" '[.runs[] |
		select(.kernel | startswith($kernel)) | .metric_rows[] | select(.key == $metric) |
		.value][0] | if . == null then "unknown" else . end'
}
while read -r name file kernel metric expected; do
	[ -n "$name" ] || continue
	actual=$(value "$file" "$kernel" "$metric")
	check "$name: $metric of $kernel is $actual, not $expected" awk -v a="$actual" -v b="$expected" \
		'BEGIN { if (a == b) exit 0; d = a - b; exit !(d * d <= 1e-12 * b * b && a != "unknown") }'
done <<'END'
traffic Olajide-Badejo+GPU-Roofline-Profiler/results/sample_run/ncu/gemm_naive.csv (anonymous)::gemm hbm_bytes 80808960
read Olajide-Badejo+GPU-Roofline-Profiler/results/sample_run/ncu/gemm_naive.csv (anonymous)::gemm hbm_read_bytes 54207744
block Olajide-Badejo+GPU-Roofline-Profiler/results/sample_run/ncu/gemm_naive.csv (anonymous)::gemm block_size 1024
no-share Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 hardware_flops unknown
fp32 Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 fp32_flops 68719476736000
fp16 Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 fp16_flops 13421772800
l2 Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 l2_bytes 13077104026080
l1 Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 l1_bytes 171805402726400
time Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv gemm_v0 total_time 36.9844
all Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/gemm.csv randomInit hardware_flops 1677721600
peak meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_paged_decode__gqa_bf16_b64_ctx4k_p64.ncu.csv BatchDecode peak_bandwidth 7672320000000
idle meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_paged_decode__gqa_bf16_b64_ctx4k_p64.ncu.csv BatchDecode tensor_pipe_utilization 0
shared meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_paged_decode__gqa_bf16_b64_ctx4k_p64.ncu.csv BatchDecode shared_memory_dynamic_bytes 9216
clock brycelelbach+nsightful/tests/copy_blocked.csv copy_blocked sm_clock 584998877.44
memory-clock brycelelbach+nsightful/tests/copy_blocked.csv copy_blocked memory_clock 4963609951.19
peak brycelelbach+nsightful/tests/copy_blocked.csv copy_blocked peak_bandwidth 317684634313.76
no-tensor brycelelbach+nsightful/tests/copy_blocked.csv copy_blocked tensor_pipe_utilization unknown
peak petebachant+clima-gpu-profiling/results/ncu/mod-details.csv set_ peak_bandwidth 2033333333333.33
text BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_optimized_k12.txt count total_time 0.00483
text BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_optimized_k12.txt count achieved_bandwidth 191400000
text BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_optimized_k12.txt count shared_memory_dynamic_bytes 4100
text BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_optimized_k12.txt count achieved_occupancy 0.7257
text BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_optimized_k12.txt count dram_throughput 0.0006
END

# Five launches with five grids are five pieces of work.
equal "grids" "$(runs_of "$data/BobbyAl+cuda-kmer-counting/results/ncu/ecoli_gpu_kmer_k8.txt" |
	jq -r '[.runs[].params_text | sub(".*grid="; "")] | join(" ")')" \
	"1024x5x1 1024x4x1 1024x3x1 1024x2x1 1024x1x1"

# What ncu itself says of compute and memory follows from the two shares: 14 of 14 kernels.
for file in petebachant+clima-gpu-profiling/results/ncu/{baseline,mod}-details.csv \
	brycelelbach+nsightful/tests/copy_blocked.csv \
	BobbyAl+cuda-kmer-counting/results/ncu/*.txt; do
	for path in "$data"/$file; do
		equal "${path##*/}: its rule" "$(runs_of "$path" | jq -c '[.runs[] |
			([.metric_rows[] | {(.key): .value}] | add) as $m |
			(if ([$m.sm_throughput, $m.memory_throughput] | max) >= 0.8 then "greater than"
			 elif ([$m.sm_throughput, $m.memory_throughput] | max) < 0.6 then "low compute"
			 elif ($m.sm_throughput - $m.memory_throughput | fabs) < 0.1 then "well-balanced"
			 elif $m.sm_throughput > $m.memory_throughput then "Compute is more"
			 else "Memory is more" end) as $expected |
			.versions[] | select(.key == "ncu_sol_rule") |
			select(.text | contains($expected) | not)] | length')" 0
	done
done

# --- files without a launch ---

while IFS='|' read -r file message; do
	run ingest --dry-run --set device=b200 "$data/$file"
	equal "$file: status" "$status" 2
	check "$file: $err" grep -qF -- "$message" <<<"$err"
done <<'END'
amacharla15+gpu-profiling-cuda-kernels/profiling/results/ncu_output.txt|ERR_NVGPUCTRPERM
meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_paged_decode__gqa_fp16_b64_ctx4k_p64.ncu.csv|The application returned an error code (1); run the application without ncu
meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_paged_decode__gqa_fp8_b64_ctx4k_p64.ncu.csv|The application returned an error code (1)
meinie0826+Roofline-Analysis/decodebench/results/ncu/flashinfer_trtllm_decode__mha_bf16_b16_ctx4k_p64.ncu.csv|no kernels were profiled
END
run ingest --dry-run --set device=a100-sxm-80gb "$data/Gardenia-Tian+LearningNote4Dev/CUDA/gemm/output/share_tile.csv"
check "a failed kernel is told: $err" grep -qF 'incomplete file: Nsight Compute failed: Failed to profile "gemm_shared_tile"' <<<"$err"

# Tables that people made of ncu's figures are not ncu's.
for path in "$data"/{JakeFlasher*/*/*,Resplendid123*/results,BobbyAl*/results}/ncu_metrics.csv; do
	run ingest --dry-run --set device=a100-sxm-80gb "$path"
	check "$path is not taken: $err" [ "${err#*line }" = "$err" -o "$status" = 0 ]
done
finish
