#!/bin/bash
# Real benchmark results, traces and histories in JSON: figures worked out from the files by jq come
# out of ingest.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
repository real

# All runs of a file as lines "kernel|params|device|key=number ...", sorted.
ingest() { # FILE KEYS...
	local file=$1
	shift
	run ingest --dry-run --json "$file"
	equal "ingest ${file##*/}: $err" "$status" 0
	runs=$(jq -r '.runs[] | [.kernel, .params_text // "", .device // "",
		(.metric_rows as $rows | $ARGS.positional[] as $key |
			($rows[] | select(.key == $key) | "\($key)=\(.value)"))] | join("|")' \
		--args "$@" <<<"$out" | number | sort)
}

# key=number with nine digits, so that one rounding more or less does not count.
number() {
	awk 'BEGIN { FS = OFS = "|" }
		{ for (i = 1; i <= NF; i++)
			if (match($i, /^[a-z_]+=[-+0-9.eE]+$/)) {
				split($i, part, "="); $i = part[1] "=" sprintf("%.9g", part[2]) }
		  print }'
}

same() { # NAME EXPECTED: the runs of the last ingest
	check "$1: some" [ -n "$2" ]
	check "$1" diff <(sort <<<"$2") <(printf '%s\n' "$runs")
}

skipped() { # FILE TEXT
	run ingest --dry-run "$1"
	equal "${1##*/} is refused" "$status" 2
	check "${1##*/}: $2: $err" grep -qF -- "$2" <<<"$err"
}

# nvbench: values are texts, axes are parameters, the device is that of the state.
for file in "$data"/gpu/NVIDIA+nvbench/python/scripts/test_{ref,cmp}.json; do
	ingest "$file" total_time host_time throughput peak_bandwidth algorithmic_bytes
	same "${file##*/}" "$(jq -r '.devices as $devices | .benchmarks[] | .name as $name |
		.states[] | select(.is_skipped | not) | . as $state |
		(.summaries | map({(.tag): (.data[0].value | tonumber)}) | add) as $tag |
		($devices[] | select(.id == $state.device)) as $device |
		[$name, ([.axis_values[]? | "\(.name)=\(.value)"] | sort | join(", ")), $device.name,
		"total_time=\($tag["nv/cold/time/gpu/mean"])",
		"host_time=\($tag["nv/cold/time/cpu/mean"])",
		($tag["nv/cold/bw/item_rate"] // empty | "throughput=\(.)"),
		"peak_bandwidth=\($device.global_memory_bus_bandwidth)",
		($tag["nv/cold/bw/global/bytes_per_second"] // empty |
			"algorithmic_bytes=\(. * $tag["nv/cold/time/gpu/mean"] | round)")] |
		join("|")' "$file" | number)"
	check "the skipped states are counted" grep -qF 'states skipped by the benchmark: 38 (first: Not a conversion' <<<"$err"
done

# KernelBench: milliseconds.
for file in "$data"/gpu/ScalingIntelligence+KernelBench/results/timing/*/baseline_time_torch.json; do
	ingest "$file" total_time
	device=h100-sxm
	[ "${file/PCIe/}" = "$file" ] || device=h100-pcie
	same "$file" "$(jq -r --arg device $device 'to_entries[] | (.key | ltrimstr("level")) as $level |
		.value | to_entries[] | [(.key | rtrimstr(".py")), "level=\($level)", $device,
		"total_time=\(.value.mean / 1000)"] | join("|")' "$file" | number)"
	equal "250 problems" "$(wc -l <<<"$runs")" 250
done

# Kernel Tuner: the configuration with the least mean, its median, all configurations.
for file in "$data"/gpu/KernelTuner+kernel_tuner/test/*.json; do
	ingest "$file" total_time compile_time
	same "$file" "$(jq -r '(.cache | to_entries | min_by(.value.time) | .value) as $best |
		($best.times | sort | if length % 2 == 1 then .[length / 2 | floor]
			else (.[length / 2] + .[length / 2 - 1]) / 2 end) as $median |
		[.kernel_name, "problem_size=\([.problem_size] | flatten | map(tostring) | join("x"))",
		.device_name, "total_time=\($median / 1000)",
		"compile_time=\($best.compile_time / 1000)"] | join("|")' "$file" | number)"
	equal "$file: configurations" "$(jq '.runs[0].tuning | length' <<<"$out")" \
		"$(jq '.cache | length' "$file")"
	equal "$file: the best comes first" "$(jq '.runs[0].tuning[0].time.value * 1e9 | round' <<<"$out")" \
		"$(jq '[.cache[].time] | min * 1e6 | round' "$file")"
done

# Proton: sums over launches, FLOP of one launch; bandwidth of CUDA devices only.
proton=$data/gpu/intel+intel-xpu-backend-for-triton/third_party/proton/test/examples
ingest "$proton/cuda.json" total_time launch_count algorithmic_flops algorithmic_bytes peak_bandwidth
same "proton cuda" "foo0|node=CUDA 1|cuda-sm90-132sm|total_time=2.048e-05|launch_count=10|algorithmic_flops=1e+10|algorithmic_bytes=10000000|peak_bandwidth=4.022784e+12
foo1|node=CUDA 0|cuda-sm89-128sm|total_time=0.0002048|launch_count=1|algorithmic_flops=1e+10|algorithmic_bytes=10000000|peak_bandwidth=1.008096e+12
foo2|node=CUDA 2|cuda-sm100-148sm|total_time=0.0002048|launch_count=1|algorithmic_flops=1e+11|algorithmic_bytes=10000000|peak_bandwidth=4.022784e+12"
ingest "$proton/hip.json" algorithmic_flops peak_bandwidth
same "proton hip" "foo0|node=HIP 1|hip-gfx942-304cu|algorithmic_flops=1e+11
foo1|node=HIP 0|hip-gfx90a-104cu|algorithmic_flops=1e+10
foo2|node=HIP 2|hip-gfx950-256cu|algorithmic_flops=1e+12"
ingest "$proton/leaf_nodes.json" launch_count total_time algorithmic_flops
# The FLOP of a scope belong to the kernel below it: 1534939103232 / 502, 4999610368 / 149, 67834478592 / 599.
same "proton leaves" "$(printf '%s\n' \
	'kernel_1_2_2||hip-gfx90a-104cu|launch_count=402|total_time=0.000194503517' \
	'kernel_1_3_1||hip-gfx90a-104cu|launch_count=502|total_time=4.80580438e-05|algorithmic_flops=3.05764762e+09' \
	'kernel_2_2_2||hip-gfx90a-104cu|launch_count=120|total_time=0.000193124067' \
	'kernel_2_3_1||hip-gfx90a-104cu|launch_count=149|total_time=6.98202685e-06|algorithmic_flops=33554432' \
	'kernel_3_2_2||hip-gfx90a-104cu|launch_count=480|total_time=0.000193826058' \
	'kernel_3_2_1||hip-gfx90a-104cu|launch_count=599|total_time=1.0528217e-05|algorithmic_flops=113246208')"
ingest "$proton/frame.json" total_time
same "proton frames" "foo||hip-gfx90a-104cu|total_time=0.0002048
test1||hip-gfx90a-104cu|total_time=0.0002048"
equal "proton: where it is launched" "$(jq -r '.runs[0].sources[0].name' <<<"$out")" \
	"/home/user/projects/example.py/test.py:1@foo"

# Google Benchmark.
google=$data/gpu/google+benchmark/tools/gbench/Inputs
ingest "$google/test2_run.json" host_time
same "google test2" "$(jq -r '.benchmarks[] |
	(.name | capture("^(?<name>.*?)(/(?<arg>[0-9]+))?$")) as $name |
	[$name.name, ($name.arg // empty | "arg0=\(.)") // "", "",
	"host_time=\(.real_time / {ns: 1e9, us: 1e6, ms: 1e3, s: 1}[.time_unit])"] | join("|")' \
	"$google/test2_run.json" | number)"
ingest "$google/test3_run0.json" host_time
same "google: repetitions" "BM_Two|||host_time=8.5e-09
medium|||host_time=8.5e-09"
skipped "$google/test4_run.json" "no benchmark has a time"

# Kineto, where traces are at hand (KINETO_TRACES names another folder): kernels by name, grid, block
# and device; their launches, and the sum of their medians.
traces=${KINETO_TRACES:-$data/gpu/facebookresearch+HolisticTraceAnalysis}
while IFS= read -r file; do
	expected=$(gzip -dcf "$file" | jq -r 'def median: sort | if length % 2 == 1
			then .[length / 2 | floor] else (.[length / 2] + .[length / 2 - 1]) / 2 end;
		[.traceEvents[] | select((.cat == "kernel" or .cat == "Kernel") and .dur)] |
		group_by([.name, .args.grid, .args.block, .args.device]) |
		"\(length) \(map(length) | add) \(map(map(.dur) | median) | add)"' |
		awk '{ printf "%d %d %.6g", $1, $2, $3 / 1e6 }')
	if [ "${expected%% *}" = 0 ]; then
		skipped "$file" "is a kernel with a duration"
		continue
	fi
	run ingest --dry-run --json "$file"
	equal "${file##*/}: $err" "$status" 0
	equal "${file##*/}" "$(jq -r '[.runs[].metric_rows[]] |
		"\(map(select(.key == "total_time")) | length) \(map(select(.key == "launch_count").value) |
		add) \(map(select(.key == "total_time").value) | add)"' <<<"$out" |
		awk '{ printf "%d %d %.6g", $1, $2, $3 }')" "$expected"
done < <(find -L "$traces" -name '*.json*' 2>/dev/null | sort)

# asv: times of every benchmark and combination; text of the parameters without Python's quotes.
total=0
for file in "$data"/trackers/newton-asv-rtx5090/178[67]*.json; do
	expected=$(jq '[.results | to_entries[] | select(.key | test("[.](time|timeraw)_[^.]*$")) |
		.value[0][]? | select(type == "number" and . > 0)] | length, (add * 1e9 | round)' "$file" |
		paste -sd' ')
	run ingest --dry-run --json "$file"
	equal "${file##*/}: $err" "$status" 0
	equal "${file##*/}: results and their sum" "$(jq '[.runs[] | .metric_rows[] |
		select(.key == "host_time") | .value] | length, (add * 1e9 | round)' <<<"$out" | paste -sd' ')" "$expected"
	total=$((total + 1))
done
check "asv files: $total" [ "$total" -gt 10 ]
file=$data/trackers/newton-asv-rtx5090/1787161082_904aef2b-virtualenv-py3.12.json
ingest "$file" host_time
check "asv: parameters" grep -qF \
	'time_initialize_model|arg0=cartpole, arg1=256, benchmark_version=' <<<"$runs"
equal "asv: commit" "$(jq -r '.runs[0].source_commit' <<<"$out")" "$(jq -r .commit_hash "$file")"
equal "asv: the machine is kept apart" "$(jq -r '.runs[0].instance_type' <<<"$out")" \
	host:newton-benchmark-machine-7581d8f4
equal "asv: the device" "$(jq -r '.runs[0].device' <<<"$out")" rtx-5090
run ingest --dry-run "$data/trackers/newton-asv-rtx5090/machine.json"
check "asv: a machine alone: $err" grep -qF 'no profiles found' <<<"$err"

# github-action-benchmark: what the file says, by unit and tool.
history() { # FILE KEY JQ: count and sum of the numbers
	local file=$1 key=$2 expression=$3 expected
	expected=$(sed '1s/^window.BENCHMARK_DATA = //' "$file" |
		jq -r "[.entries[][] | .benches[] | select(.value > 0) | $expression] |
		\"\(length) \(add)\"" | awk '{ printf "%d %.9g", $1, $2 }')
	run ingest --dry-run --json "$file"
	equal "${file#"$data/"}: $err" "$status" 0
	equal "${file#"$data/"}: $key" "$(jq -r --arg key "$key" '[.runs[].metric_rows[] |
		select(.key == $key) | .value] | "\(length) \(add)"' <<<"$out" |
		awk '{ printf "%d %.9g", $1, $2 }')" "$expected"
}
history "$data/trackers/JuliaGPU+CUDA.jl/bench/data.js" host_time '.value / 1e9'
equal "commits" "$(jq '[.runs[].source_commit] | unique | length' <<<"$out")" 332
history "$data/trackers/EnzymeAD+Reactant.jl/benchmarks_tflops/data.js" algorithmic_rate '.value * 1e12'
check "what failed is counted" grep -qF 'without a positive value, skipped: 3534' <<<"$err"
history "$data/trackers/pytorch+tensordict/dev/bench/data.js" host_time \
	'.extra | capture("mean: (?<n>[0-9.e-]+) (?<u>[a-z]+)") |
	(.n | tonumber) / {sec: 1, msec: 1e3, usec: 1e6, nsec: 1e9}[.u]'
equal "suites" "$(jq -r '[.runs[].params_text] | unique | join("|")' <<<"$out")" \
	"suite=CPU Benchmark Results|suite=GPU Benchmark Results"

# What is none of these is left to others.
skipped "$data/gpu/brycelelbach+nsightful/tests/power_iteration__baseline.json" "JSON"
for file in "$data"/gpu/amacharla15+gpu-profiling-cuda-kernels/profiling/results/*.json \
	"$data/gpu/shashankparsi+HIP_Programming/results.json"; do
	run ingest --dry-run --json "$file"
	check "${file##*/} is not taken for another's: $out" [ "$(jq -r '[.runs[]?.format] | unique |
		map(select(. == "kineto" or . == "nvbench" or . == "google-benchmark" or . == "asv")) |
		length' <<<"${out:-{\}}")" = 0 ]
done
finish
