#!/bin/bash
# Real traces of Nsight Systems and AMD's profilers: what rooflog says is what Python counts from the
# same files by another way.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/gpu
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
resnet=$data/amacharla15+gpu-profiling-cuda-kernels/profiling/results
power=$data/brycelelbach+nsightful/tests
clima=$data/petebachant+clima-gpu-profiling/.calkit/scheduler/logs
hip=$data/shashankparsi+HIP_Programming
compute=$data/ROCm+rocprofiler-compute/tests/workloads
# The program runs outside of this repository.
cd "$scratch" || exit 2

# What was read, as "launches median-in-ns grid block registers" by time, from metric rows.
told() {
	jq -r '.runs[] | (.metric_rows | map({(.key): .value}) | add) as $m |
		[$m.launch_count, $m.total_time * 1e9, $m.grid_size, $m.block_size,
		$m.registers_per_thread] | @tsv' <<<"$out" |
		awk -F '\t' '{ printf "%d %.1f %d %d %d\n", $1, $2, $3, $4, $5 }' | sort
}

counted() { # DATABASE
	python3 - "$1" <<'END' | sort
import collections, sqlite3, statistics, sys
connection = sqlite3.connect("file:%s?mode=ro&immutable=1" % sys.argv[1], uri=True)
works = collections.defaultdict(list)
for row in connection.execute(
        "select demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
        "end - start from CUPTI_ACTIVITY_KIND_KERNEL"):
    works[row[:-1]].append(row[-1])
for work, times in works.items():
    print("%d %.1f %d %d %d" % (len(times), statistics.median(times), work[1] * work[2] * work[3],
                                work[4] * work[5] * work[6], work[7]))
END
}

for database in "$resnet/resnet50_nsys.sqlite" "$power/power_iteration__baseline.sqlite"; do
	run ingest --dry-run --json "$database"
	equal "$database: $err" "$status" 0
	equal "$database: launches" "$(told)" "$(counted "$database")"
done
cp "$resnet/resnet50_nsys.sqlite" "a copy?#.sqlite" && chmod u+w "a copy?#.sqlite"
run ingest --dry-run --json "a copy?#.sqlite"
check "resnet: untouched" cmp "$resnet/resnet50_nsys.sqlite" "a copy?#.sqlite"
equal "resnet: nothing beside it" "$(find . -name "a copy*")" "./a copy?#.sqlite"
equal "resnet: runs" "$(jq '.runs | length' <<<"$out")" 60
equal "resnet: device" "$(jq -r '[.runs[].device] | unique[]' <<<"$out")" a100-pcie-80gb
equal "resnet: peak" "$(jq '[.runs[].metric_rows[] | select(.key == "peak_bandwidth").value] |
	unique[]' <<<"$out")" 1935360000000
equal "resnet: all launches" "$(jq '[.runs[].metric_rows[] | select(.key == "launch_count").value] |
	add' <<<"$out")" 1785
equal "resnet: different series" "$(jq '[.runs[] | [.kernel, .params_text]] | unique | length' \
	<<<"$out")" 60
equal "resnet: version" "$(jq -r '.runs[0].versions[] | select(.key == "nsys_version").text' \
	<<<"$out")" 2025.3.2.474

# The same bytes from a pipe and packed.
expected=$(jq -c '[.runs[] | [.kernel, .params_text, .metric_rows]]' <<<"$out")
gzip -c "$resnet/resnet50_nsys.sqlite" >packed.gz
run ingest --dry-run --json packed.gz
equal "resnet, packed" "$(jq -c '[.runs[] | [.kernel, .params_text, .metric_rows]]' <<<"$out")" "$expected"

# Tables in logs: count, median, mean, smallest, largest and deviation of each row, by awk. Names that
# the table cuts off to the same text are one run, and left out of this comparison.
rows() { # LOG
	awk '/Instances/ && /Name *$/ { on = 1; getline; next }
		on && /^[ \r]*$/ { exit }
		on { gsub(/,/, "", $2); for (i = 3; i <= 8; i++) gsub(/,/, "", $i)
			name = $0; for (i = 1; i <= 8; i++) sub(/^ *[^ ]+ +/, "", name); sub(/ +$/, "", name)
			seen[name]++; line[name] = sprintf("%d %.1f %.1f %.1f %.1f %.1f", $3, $5, $4, $6, $7, $8) }
		END { for (name in line) if (seen[name] == 1) print line[name] }' "$1" | sort
}
spreads() {
	jq -r '.runs[] | select([.warnings[]?.message | select(contains("one run"))] == []) |
		(.metric_rows | map({(.key): .value}) | add) as $m | .spreads[0] as $s |
		if $s then [$m.launch_count, $s.median.value, $s.mean.value, $s.minimum.value,
			$s.maximum.value, $s.deviation.value]
		else [1, $m.total_time, $m.total_time, $m.total_time, $m.total_time, 0] end |
		[.[0]] + (.[1:] | map(. * 1e9)) | @tsv' <<<"$out" |
		awk -F '\t' '{ printf "%d %.1f %.1f %.1f %.1f %.1f\n", $1, $2, $3, $4, $5, $6 }' | sort
}
names() { # LOG
	awk '/Instances/ && /Name *$/ { on = 1; getline; next }
		on && /^[ \r]*$/ { exit }
		on { for (i = 1; i <= 8; i++) sub(/^ *[^ ]+ +/, ""); sub(/ +$/, ""); print }' "$1" |
		sort -u | wc -l
}
while read -r log device runs; do
	equal "$log: different names" "$(names "$log")" "$runs"
	run ingest --dry-run --json --set "device=$device" "$log"
	equal "$log: $err" "$status" 0
	equal "$log: runs" "$(jq '.runs | length' <<<"$out")" "$runs"
	equal "$log: rows" "$(spreads)" "$(rows "$log")"
done <<END
$resnet/nsys_output.txt a100-pcie-80gb 13
$clima/baseline-nsys.out a100-sxm-80gb 259
$clima/mod-nsys.out a100-sxm-80gb 253
END
run ingest --dry-run "$resnet/nsys_output.txt"
equal "a log has no device" "$status" 2
check "the option is named: $err" grep -qF -- "--set device=" <<<"$err"

# rocprof: one launch of 3431611 ns in statistics, trace and database; API tables are passed over.
for file in results.stats.csv results.json results.db; do
	run ingest --dry-run --json --set device=mi300x "$hip/$file"
	equal "$file: $err" "$status" 0
	equal "$file" "$(jq -r '.runs[] | [.kernel, (.metric_rows[] |
		select(.key == "total_time" or .key == "launch_count").value)] | @tsv' <<<"$out")" \
		"vector_add	0.003431611	1"
done
run ingest --dry-run --json --set device=mi300x "$hip/output_vec_add_gpu.csv"
equal "counters: $(jq -c '[.runs[0].versions[] | select(.key != "kernel_symbol") | [.key, .text]]' \
	<<<"$out")" "$(jq -r '.runs[0].metric_rows[] | select(.key == "grid_size").value' <<<"$out")" \
	"$((1000000000 / 256))"
run ingest --dry-run --json --set device=mi300x "$hip/results.hip_stats.csv"
equal "API statistics alone" "$status" 2
check "says what they are: $err" grep -qF "statistics of API functions or copies" <<<"$err"
mkdir stats && cp "$hip"/results*.csv stats
run ingest --dry-run --json --set device=mi300x stats
equal "statistics of kernels among others: $err" "$status:$(jq '.runs | length' <<<"$out")" 0:1

# rocprof-compute: bytes, FLOP and utilizations by their formulas, medians over three launches.
workload() { # DIRECTORY
	python3 - "$1/pmc_perf.csv" <<'END'
import csv, statistics, sys
rows = list(csv.DictReader(open(sys.argv[1])))
def median(function):
    return statistics.median([function(lambda name: float(row[name])) for row in rows])
ea = "TCC_EA0" if "TCC_EA0_RDREQ_sum" in rows[0] else "TCC_EA"
def read(c):
    large = c("TCC_BUBBLE_sum") if ea == "TCC_EA0" else 0
    small = c(ea + "_RDREQ_32B_sum")
    return 128 * large + 32 * small + 64 * (c(ea + "_RDREQ_sum") - large - small)
def written(c):
    wide = c(ea + "_WRREQ_64B_sum")
    return 64 * wide + 32 * (c(ea + "_WRREQ_sum") - wide)
def flops(c):
    valu = sum(weight * c("SQ_INSTS_VALU_%s_%s" % (kind, size)) for size in ("F16", "F32", "F64")
               for kind, weight in (("ADD", 1), ("MUL", 1), ("TRANS", 1), ("FMA", 2)))
    return 64 * valu + 512 * sum(c("SQ_INSTS_VALU_MFMA_MOPS_" + size)
                                 for size in ("F16", "BF16", "F32", "F64"))
system = next(csv.DictReader(open(sys.argv[1].replace("pmc_perf", "sysinfo"))))
units = float(system["cu_per_gpu"]) / float(system["num_xcd"])
slots = units * float(system["max_waves_per_cu"])
def share(counter, of):
    return median(lambda c: c(counter)) / median(lambda c: c("GRBM_GUI_ACTIVE")) / of
print("%d %.0f %.0f %.0f %.0f %.0f %.5f %.5f %.5f" % (
    len(rows), median(lambda c: c("End_Timestamp") - c("Start_Timestamp")), median(read),
    median(written), median(flops), median(lambda c: 64 * c("TCP_TOTAL_CACHE_ACCESSES_sum")),
    share("SQ_VALU_MFMA_BUSY_CYCLES", 4 * units), share("SQ_ACTIVE_INST_VALU", units),
    4 * share("SQ_WAVE_CYCLES", slots)))
END
}
while read -r directory device peak; do
	run ingest --dry-run --json "$compute/$directory"
	equal "$directory: $err" "$status" 0
	equal "$directory: device" "$(jq -r '.runs[].device' <<<"$out")" "$device"
	equal "$directory: work" "$(jq -r '.runs[] | (.metric_rows | map({(.key): .value}) | add) |
		[.launch_count, .total_time * 1e9, .hbm_read_bytes, .hbm_write_bytes, .hardware_flops,
		.l1_bytes, .tensor_pipe_utilization, .vector_pipe_utilization, .achieved_occupancy] |
		@tsv' <<<"$out" | awk '{ printf "%d %.0f %.0f %.0f %.0f %.0f %.5f %.5f %.5f\n",
		$1, $2, $3, $4, $5, $6, $7, $8, $9 }')" \
		"$(workload "$compute/$directory")"
	equal "$directory: a copy" "$(jq -r '.runs[].bottleneck | .side + " " + .title' <<<"$out")" \
		"memory Latency-bound"
	equal "$directory: peak" "$(jq -r '.runs[].metric_rows[] |
		select(.key == "peak_bandwidth").value' <<<"$out")" "$peak"
done <<'END'
kernel/MI200 mi210 1638400000000
dispatch_0_1/MI300X_A1 mi300x 5324800000000
END
run ingest --dry-run --json "$compute/kernel/MI200/pmc_perf.csv"
equal "named alone: its sysinfo.csv is read: $err" "$(jq -r '.runs[].device' <<<"$out")" mi210
equal "measured bandwidth" "$(jq -r '.runs[].versions[] |
	select(.key == "measured_hbm_bandwidth").text' <<<"$out")" \
	"1388.95 GB/s, median of 4 devices, measured by rocprof-compute"
run ingest --dry-run "$compute/kernel_inv_int/MI100/pmc_perf_0.csv"
equal "a header alone" "$status" 2
check "says so: $err" grep -qF "no kernels below the header" <<<"$err"
finish
