#!/bin/bash
# show --launches: streams, what runs at once, gaps and the order of launches of an nsys capture.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

contains() { # NAME ACTUAL TEXT
	check "$1: $2" grep -qF -- "$3" <<<"$2"
}

sample=$root/samples/formats/nvidia/nsys-sqlite/sample-streams.sqlite

repository launches

# --- worked out by hand from samples/tools/make_traces.py ---

# Kernels run 1-7 and 20-26 us, at once 3-5 us; copies 4-9 and 22-23 us and a set 0.5-0.6 us, of which
# 4-7 and 22-23 us beside kernels; nothing runs 0.6-1 and 9-20 us.
run show "$sample" --launches --json
equal "figures: $err" "$(jq -c '.devices[0] | [.kernel_count, .copy_count, (.span, .kernel_time,
	.concurrent_time, .copy_time, .hidden_copy_time, .busy_time | .value * 1e7 | round)]' <<<"$out")" \
	'[4,3,255,120,20,61,40,141]'
equal "gaps" "$(jq -c '[.devices[0].gaps[] | [(.at.value * 1e7 | round), (.idle.value * 1e7 | round),
	.after, .before]]' <<<"$out")" \
	'[[85,110,"copy HtoD","scale_add"],[1,4,"memory set","scale_add"]]'
equal "order" "$(jq -r '[.launches[] | .name] | join(", ")' <<<"$out")" \
	"memory set, scale_add, row_sum, copy HtoD, scale_add, copy DtoH, row_sum"
equal "launched by its own process, at its last call" \
	"$(jq -r '.launches[1].details' <<<"$out")" \
	"grid 64x1x1, block 256x1x1, launched 900.0 ns before"

# --- the metrics of runs are medians over launches ---

# scale_add: 1-5 us (900 ns after its call, 400 ns idle before, half beside row_sum, 1 of 4 us beside
# the copy) and 20-24 us (17.9 us, 11 us, nothing, 1 of 4 us).
run show "$sample" --json
figures=$(jq -c '[.runs[] | select(.kernel | test("scale_add")) | .metric_rows[]
	| select(.key | test("launch_latency|idle_before|_overlap")) | .value * 1e9 | round]' <<<"$out")
equal "metrics of scale_add" "$figures" '[9400,5700,250000000,250000000]'
run show "$sample"
contains "a finding" "$(tr -s " \n" " " <<<"$out")" "The GPU is idle for 5.700 us before a launch, 1.425 times"

# --- processes and their GPUs ---

capture() { # FILE SQL: a capture with one kernel of process 100 and one of process 200, 1-5 and 3-7 us
	rm -f "$1"
	python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "$1" "
		CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value);
		INSERT INTO StringIds VALUES (1, 'first'), (2, 'second');
		CREATE TABLE TARGET_INFO_GPU (id, name);
		INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA L4'), (1, 'NVIDIA L4');
		CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);
		CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", deviceId, globalPid);
		CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, globalPid, streamId,
			shortName);
		INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 5000, 0, 100 << 24, 7, 1),
			(3000, 7000, 0, 200 << 24, 7, 2);
		$2"
}

devices() { # FILE: names of GPUs, their times with two kernels at once in us, and streams
	run show "$1" --launches --json
	jq -c '[[.devices[].name], [.devices[].concurrent_time.value * 1e6 | round],
		[.streams[].name]]' <<<"$out"
}

# Each process sees one GPU and calls it 0.
capture two.sqlite "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100), (1, 0, 200);"
equal "a GPU for each process" "$(devices two.sqlite)" \
	'[["GPU 0","GPU 1"],[0,0],["GPU 0 stream 7","GPU 1 stream 7"]]'
capture one.sqlite "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 100), (1, 0, 200);"
equal "a GPU of two processes" "$(devices one.sqlite)" \
	'[["GPU 1"],[2],["GPU 1 process 100 stream 7","GPU 1 process 200 stream 7"]]'
capture unknown.sqlite "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET streamId = NULL, globalPid = 100 << 24;"
equal "no stream" "$(devices unknown.sqlite)" '[["GPU 0"],[2],["GPU 0 unknown stream"]]'

# A copy whose time is not known may have filled any gap.
capture copy.sqlite "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (4000, 3000, 0, 100 << 24);"
run show copy.sqlite --json
equal "no overlap beside an unknown copy" "$(jq -c '[.runs[].metric_rows[].key
	| select(test("idle_before|_overlap"))]' <<<"$out")" '[]'
contains "the reason" "$out" "without a valid time or beyond a limit: 1;"

# --- words ---

run show "$sample" --launches --from 22us
check "--from: $out" test "$(grep -c "memory set   256 B" <<<"$out")" = 0
contains "--from" "$out" "copy DtoH"
run show "$sample" --launches --details
equal "not with --details" "$status" 2
run show "$root/samples/formats/nvidia/ncu-text/sample.txt" --launches
equal "another tool" "$status" 2
contains "another tool" "$err" "--launches is for captures of Nsight Systems"
run show "$sample" -o page.html
equal "the page: $err" "$status" 0
check "the page has the streams" grep -q "stream 13 copies" page.html

finish
