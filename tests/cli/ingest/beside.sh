#!/bin/bash
# What lies beside profiles: NEFFs join by hash, timings by directory; executions become samples of
# one run; native traces are converted by their vendor's tool where it is there.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository beside

runs() { jq -c "$1" <<<"$out"; } # FILTER

# --- NEFF: the hash of the sample profile is put into a NEFF ---
hash=$(grep -o '"hash": *"[0-9a-f]*"' "$root/samples/mlp/profile.json" | head -n 1 | grep -o '[0-9a-f]\{32\}')
mkdir -p neff/deep
cp "$root/samples/mlp/"* neff/
own_neff() { # FILE
	head -c $((0xac)) "$root/samples/formats/neuron/neff/sample.neff"
	# shellcheck disable=SC2001 # two digits at a time
	printf '%b' "$(sed 's/../\\x&/g' <<<"$hash")"
	tail -c +$((0xac + 17)) "$root/samples/formats/neuron/neff/sample.neff"
} >"$1"
own_neff neff/deep/kernel.neff
run ingest --dry-run --json neff
equal "NEFF joined by hash: $err" "$(runs '[.runs[].versions[] | select(.key | startswith("neff_")) |
	"\(.key)=\(.text)"]')" \
	'["neff_name=mlp.neff","neff_uuid=0102030405060708090a0b0c0d0e0f10","neff_tool_version=2.23.6484.0+samples"]'
mkdir again
cp "$root/samples/mlp/"* again/
run ingest again
cp neff/deep/kernel.neff again/
run ingest again
check "a NEFF that came later makes no new run: $out" grep -q '^known' <<<"$out"
cp neff/deep/kernel.neff neff/copy.neff
run ingest --dry-run --json neff
equal "a copy says nothing new: $err" \
	"$(runs '[.runs[].versions[] | select(.key == "neff_name")] | length')" 1
cp "$root/samples/formats/neuron/neff/sample.neff" neff/other.neff
rm neff/copy.neff neff/deep/kernel.neff
run ingest --dry-run --json neff
equal "another hash stays away: $err" \
	"$(runs '[.runs[].versions[] | select(.key == "neff_name")] | length')" 0
refused "a NEFF alone" "no profiles found in the given paths|other.neff|NEFF" ingest neff/other.neff

# --- timings ---
mkdir -p timings/a timings/b
cp "$root/samples/mlp/"* timings/a/
echo '{"host_time":["4.0 s","4.1 s","4.2 s"],"compile_time":"4312 ms"}' >timings/a/timings.json
echo '{"kernel":"mlp","variant":"alone","dtype":"bf16","device":"trn2","host_time":"1.41 ms"}' \
	>timings/b/timings.json
run ingest --dry-run --json timings
equal "joined, and alone: $err" "$(runs '[.runs[] | [.variant, .tool, .metrics.host_time.value,
	.metrics.compile_time.value, (.spreads | length)]]')" \
	'[["nkilib","neuron-profile",4.1,4.312,1],["alone","timings",0.00141,null,0]]'
mkdir timings/c
cp "$root/samples/mlp/profile.json" timings/c/
echo '{"kernel":"mlp","variant":"other","dtype":"bf16","host_time":"2 ms"}' >timings/c/timings.json
run ingest --dry-run --json --set kernel=mlp,dtype=bf16 timings/c
equal "of another variant: its own run: $err" "$(runs '[.runs[] | [.variant, .tool,
	.metrics.host_time.value]]')" '[[null,"neuron-profile",null],["other","timings",0.002]]'
mkdir mixed
cp "$root/samples/formats/npu/nxdi-benchmark/sample.json" mixed/report.json
echo '{"compile_time":"2 s"}' >mixed/timings.json
refused "whose timings?" "mixed/timings.json|several kernels|\"kernel\"" \
	ingest --set dtype=bf16,device=trn2 mixed
mkdir later
cp "$root/samples/mlp/"* later/
sed -i 's/4.5256596e-05/4.5e-05/' later/profile.json
run ingest later
echo '{"host_time":"1.41 ms"}' >later/timings.json
run ingest later
check "timings that came later make no second run: $out" grep -q '^known' <<<"$out"
check "and are not lost without a word: $err" \
	grep -q 'warning: later/profile.json is already stored, with a different host_time' <<<"$err"
mkdir first
cp "$root/samples/mlp/"* later/timings.json first/
sed -i 's/4.5256596e-05/4.4e-05/' first/profile.json
run ingest first
run ingest first
check "the same again: $out" grep -q '^known' <<<"$out"
equal "needs no word: $err" "$(grep -c 'stored before' <<<"$err")" 0
mkdir basis
echo '{"e2e_model":{"latency_ms_p50":2.5}}' >basis/report.json
echo '{"total_time":"1 ms"}' >basis/timings.json
run ingest --dry-run --json --set dtype=bf16,device=trn2 basis
equal "host time stays the basis: $err" "$(runs '[.runs[].metrics | [.host_time.value,
	.total_time.value]]')" '[[0.0025,null]]'
check "and it is said: $err" grep -q 'total_time in basis/timings.json is ignored' <<<"$err"
run ingest timings/b
equal "stored: $err" "$status" 0
run ingest timings/b
check "known: $out" grep -q '^known' <<<"$out"

# --- latencies: of the core, or of the host ---
mkdir bench
for name in nc_latency_data latency_data; do
	echo '{"latency_data":{"0":[611,640,615]}}' >"bench/$name.json"
done
run ingest --dry-run --json --set kernel=k,dtype=bf16,device=trn2 bench
equal "the name tells them apart: $err" "$(runs '[.runs[] | [.tool, .metrics.total_time.value,
	.metrics.host_time.value]]')" \
	'[["neuron-bench-host",null,0.000615],["neuron-bench",0.000615,null]]'

mkdir tables
cp "$root/samples/formats/neuron/neuron-bench/sample-table.txt" tables/one.txt
sed 's/^  1 /  8 /' tables/one.txt >tables/eight.txt
run ingest --dry-run --json --set kernel=k,dtype=bf16,device=trn2 tables
equal "a larger batch is another series: $err" "$(runs '[.runs[].params[] | select(.name == "batch")
	.value] | sort')" '["1","8"]'
equal "without work no cores are asked for" "$(grep -c 'physical cores' <<<"$err")" 0
cat tables/one.txt tables/eight.txt >tables/README.md
run ingest --dry-run --json --set kernel=k,dtype=bf16,device=trn2 tables
equal "two tables in a directory: $err" "$status" 0
check "are passed over with their reason: $err" \
	grep -q 'skipped tables/README.md: .*several neuron-bench results' <<<"$err"
refused "and refused when they are named" "README.md|several neuron-bench results|its own file" \
	ingest --dry-run tables/README.md

# --- executions ---
mkdir executions
cp "$root/samples/mlp/params.json" executions/
for n in 2 3 10; do
	sed 's/"total_time": *4.5256596e-05/"total_time":4.5'"$n"'e-05/' "$root/samples/mlp/profile.json" \
		>"executions/profile_exec_$n.json"
done
cp "$root/samples/mlp/profile.json" executions/another.json
run ingest --dry-run --json executions
equal "one run of three executions, and another: $err" "$(runs '[.runs[] | [.metrics.total_time.value + 0,
	(.spreads | length)]] | sort')" '[[4.52e-05,1],[4.5256596e-05,0]]'
equal "their times" "$(runs '.runs[].spreads[] | [.metric, .count, .minimum.value + 0, .median.value + 0,
	.maximum.value + 0]')" '["total_time",3,4.51e-05,4.52e-05,4.53e-05]'
run ingest --dry-run --json executions/profile_exec_*.json
equal "named one by one: $err" "$(runs '.runs | length')" 1
run ingest --dry-run --json executions ./executions/profile_exec_2.json executions/../executions/another.json
equal "under another spelling they are the same files: $err" "$(runs '.runs | length')" 2
mkdir executions/below
mv executions/profile_exec_2.json executions/below/
run ingest --dry-run --json executions
equal "of two directories: two runs and another: $err" "$(runs '.runs | length')" 3

# --- conversion ---
mkdir -p bin trace
cp "$root/samples/formats/neuron/neff/sample.neff" trace/mlp.neff
{
	printf '\x07\x58\x0c\0\0\0\0\0\0' # a version that no reader knows
	head -c 119 /dev/zero
	printf '\x0a\0\0\0'
} >trace/mlp_exec_2.ntff
tool() { # SCRIPT
	printf '#!/bin/sh\n%s\n' "$1" >bin/neuron-profile
	chmod +x bin/neuron-profile
}
who=(--set "kernel=mlp,dtype=bf16")
refused "no tool" "trace/mlp_exec_2.ntff: an NTFF trace of an unsupported version|is not on PATH|neuron-explorer view -n trace/mlp.neff" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
PATH=$PWD/bin:$PATH
export TMPDIR=$PWD/temporary
mkdir "$TMPDIR"
tool "echo \"\$@\" >'$PWD/arguments'; echo 'WARN[0000] odd' >&2; cat '$root/samples/formats/neuron/neuron-summary-json/sample.json'"
run ingest "${who[@]}" --json trace
equal "converted: $err" "$(runs '[.runs[] | [.format, .metrics.total_time.value + 0]]')" \
	'[["neuron-summary-json",4.5e-05]]'
equal "joined to the NEFF it was given" "$(runs '.runs[0] | [.kernel_hash,
	(.versions[] | select(.key == "neff_name").text)]')" \
	'["5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a","mlp.neff"]'
run ingest "${who[@]}" --dry-run --json trace/mlp_exec_2.ntff
equal "also when only the trace is named: $err" "$(runs '.runs[0].kernel_hash')" \
	'"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"'
equal "its arguments" "$(cat arguments)" \
	"view -n $PWD/trace/mlp.neff -s $PWD/trace/mlp_exec_2.ntff --output-format summary-json"
check "its messages are passed on: $err" grep -q 'neuron-profile says: WARN\[0000\] odd' <<<"$err"
equal "nothing is left behind" "$(ls -A "$TMPDIR")" ""
rm arguments
refused "forbidden" "an NTFF trace of an unsupported version (supported: 4 to 6); convert it with" \
	ingest "${who[@]}" --no-tools trace/mlp_exec_2.ntff
check "and not run" [ ! -e arguments ]
cp "$root/samples/mlp/profile.json" trace/mlp_exec_2.json
run ingest "${who[@]}" --dry-run --json trace
equal "a profile of another kernel is not the trace's: $err" "$(runs '[.runs[].format]')" \
	'["neuron-profile-json","neuron-summary-json"]'
rm arguments
cp trace/mlp.neff stranger.neff
own_neff trace/mlp.neff
run ingest "${who[@]}" --dry-run --json trace
equal "the profile beside it is read: $err" "$(runs '[.runs[].format]')" '["neuron-profile-json"]'
check "and the trace passed over: $err" \
	grep -q 'skipped trace/mlp_exec_2.ntff: .*; its profile is read from trace/mlp_exec_2.json' <<<"$err"
check "without running anything" [ ! -e arguments ]
cp trace/mlp_exec_2.ntff trace/ml.ntff
printf 'NVR\001report' >trace/mlp.ncu-rep
run ingest "${who[@]}" --dry-run --no-tools trace
check "its namesake alone is passed over: $err" [ "$(grep -c 'its profile is read from' <<<"$err")" = 1 ]
check "not what another tool wrote: $err" grep -q 'skipped trace/mlp.ncu-rep: .*; convert it with: ncu' <<<"$err"
rm trace/mlp_exec_2.json trace/ml.ntff trace/mlp.ncu-rep
tool "echo \$\$ >'$PWD/child'; sleep 100; echo >'$PWD/late'"
"$ROOFLOG" ingest "${who[@]}" --dry-run trace/mlp_exec_2.ntff >/dev/null 2>&1 &
asked=$!
for _ in $(seq 100); do
	[ -s child ] && break
	sleep 0.1
done
kill -TERM "$asked"
wait "$asked" 2>/dev/null
equal "ends when it is asked to" $? 143
kill -0 "$(cat child)" 2>/dev/null
equal "with the tool" $? 1
equal "and leaves nothing behind" "$(ls -A "$TMPDIR")" ""
# A command that is killed cannot clean up: the next one does, for it alone and not for one that runs.
rm -f child
tool "mkdir -p deep/er; mkfifo deep/er/pipe; ln -s '$PWD/trace' deep/link; echo \$\$ >'$PWD/child'; sleep 100"
start() {
	rm -f child
	"$ROOFLOG" ingest "${who[@]}" --dry-run trace/mlp_exec_2.ntff >/dev/null 2>&1 &
	for _ in $(seq 100); do
		[ -s child ] && break
		sleep 0.1
	done
}
start
killed=$! first=$(cat child)
kill -KILL "$killed"
wait "$killed" 2>/dev/null
kill "$first"
check "left by a command that was killed" test "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)" = 1
mkdir -m 700 "$TMPDIR/rooflog-backup" "$TMPDIR/.rooflog-tool.anothers"
touch "$TMPDIR/.rooflog-tool.aaaaaa"
theirs=".rooflog-tool.aaaaaa .rooflog-tool.anothers rooflog-backup "
start
running=$!
equal "removed by the next; what is not ours stays" "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)" 4
tool 'echo "cannot open device" >&2; exit 4'
run ingest "${who[@]}" --dry-run trace/mlp_exec_2.ntff
equal "one that still runs keeps its own" "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)" 4
kill -TERM "$running"
wait "$running" 2>/dev/null
equal "and removes it itself" "$(find "$TMPDIR" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')" "$theirs"
check "what a link led to is there" test -f trace/mlp_exec_2.ntff
rm -r "$TMPDIR" && mkdir "$TMPDIR"
mv stranger.neff trace/mlp.neff
tool 'echo "cannot open device" >&2; exit 4'
refused "a failure" "trace/mlp_exec_2.ntff|neuron-profile failed with exit status 4: cannot open device" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
run ingest "${who[@]}" --dry-run trace "$root/samples/mlp"
check "skipped in a directory: $err" grep -q 'skipped trace/mlp_exec_2.ntff: .*status 4' <<<"$err"
equal "the rest is read" "$status" 0
tool 'echo garbage'
refused "garbage" "trace/mlp_exec_2.ntff: output of neuron-profile|garbage" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
tool 'printf "{\"summary\":[{\"total_time\":1e-6,"'
refused "cut off" "trace/mlp_exec_2.ntff: output of neuron-profile|byte" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
mv trace/mlp.neff trace/other.neff
cp trace/mlp_exec_2.ntff trace/other.ntff
refused "the NEFF of another trace" "trace/mlp_exec_2.ntff|no NEFF next to it" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
rm trace/other.*
refused "no NEFF" "trace/mlp_exec_2.ntff|no NEFF next to it" \
	ingest "${who[@]}" trace/mlp_exec_2.ntff
finish
