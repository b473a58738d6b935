#!/bin/bash
# rooflog run: every profiler is played by a program that honours its real flags and writes a file of
# its format; what goes wrong keeps the store as it was and says why.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository run
samples=$root/samples/formats
fake=$scratch/fake
mkdir -p "$fake"
export PATH=$fake:/usr/bin:/bin SAMPLES=$samples

fake() { # NAME: its script is standard input
	{
		echo '#!/bin/bash'
		echo 'set -u'
		echo "echo \"\${0##*/} \$*\" >>$scratch/calls"
		cat
	} >"$fake/$1"
	chmod +x "$fake/$1"
}

calls() { # what was called since the last time, with the time of the folder as TIME
	sed 's/[0-9-]*T[0-9]*Z\(-[0-9]*\)\?/TIME/g' "$scratch/calls" 2>/dev/null
	: >"$scratch/calls"
}

gone() { # NAME FILE: the process whose number is in it has ended, whether anyone waited for it or not
	equal "$1" "$(grep '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat "$2")/status" 2>/dev/null)" ""
}

# Takes the value of an option from "$@".
cat >"$scratch/option.sh" <<'END'
option() { # NAME ARGS...
	local name=$1
	shift
	while [ $# -gt 1 ]; do
		if [ "$1" = "$name" ]; then
			echo "$2"
			return
		fi
		shift
	done
	echo "$0: no $name" >&2
	exit 9
}
END

fake bench <<'END'
echo done
END
fake ncu <<END
. $scratch/option.sh
cp "\$SAMPLES/nvidia/ncu-report/sample.ncu-rep" "\$(option --export "\$@").ncu-rep"
END
fake nsys <<END
. $scratch/option.sh
[ "\$1" = profile ] && [ "\$(option --export "\$@")" = sqlite ] || exit 8
touch "\$(option --output "\$@").nsys-rep"
cp "\$SAMPLES/nvidia/nsys-sqlite/sample.sqlite" "\$(option --output "\$@").sqlite"
END
fake rocprofv3 <<END
. $scratch/option.sh
[ "\$(option --output-format "\$@")" = rocpd ] || exit 8
cp "\$SAMPLES/rocm/rocprof-sqlite/sample-rocpd.db" \
	"\$(option --output-directory "\$@")/\$(option --output-file "\$@")_results.db"
END
fake neuron-explorer <<END
. $scratch/option.sh
trace=\$(option -s "\$@")
cp $scratch/traces/v6.ntff "\${trace%.ntff}_rank_0_exec_1.ntff"
END

mkdir "$scratch/traces"
python3 "$root/tests/cli/ntff/make_ntff.py" "$scratch/traces" || exit 2

# --- each tool ---

run run --tool ncu --repeat 2 --set dtype=bf16 -- bench 512
equal "ncu: $err" "$status" 0
equal "ncu: its command lines" "$(calls)" "bench 512
ncu --set full --clock-control none --target-processes all --force-overwrite --export out/profiles/bench/TIME/run-1 bench 512
ncu --set full --clock-control none --target-processes all --force-overwrite --export out/profiles/bench/TIME/run-2 bench 512"
check "ncu: shown" grep -q "time " <<<"$out"
check "ncu: stored: $err" grep -qE "[1-9][0-9]* runs? stored" <<<"$err"
check "what was stated stays with the files" grep -q '"dtype": "bf16"' out/profiles/bench/*/params.json

run run --tool nsys --repeat 1 --warmup 0 --set dtype=bf16 -- bench
equal "nsys: $err" "$status" 0
equal "nsys: its command line" "$(calls)" \
	"nsys profile --trace cuda,nvtx --export sqlite --force-overwrite true --output out/profiles/bench/TIME/run-1 bench"

run run --tool rocprofv3 --repeat 1 --warmup 0 --set dtype=bf16 -- bench
equal "rocprofv3: $err" "$status" 0
equal "rocprofv3: its command line" "$(calls)" \
	"rocprofv3 --kernel-trace --output-format rocpd --output-directory out/profiles/bench/TIME --output-file run-1 -- bench"

cp "$samples/neuron/neff/sample.neff" k.neff
run run --repeat 1 --set kernel=attention,dtype=bf16,device=trn2 -- k.neff
equal "neuron: $err" "$status" 0
equal "a NEFF is captured, and not run" "$(calls)" \
	"neuron-explorer capture -n k.neff -s out/profiles/k.neff/TIME/run-1/profile.ntff"

fake nvbench_program <<END
. $scratch/option.sh
cp "\$SAMPLES/benchmarks/nvbench/sample.json" "\$(option --json "\$@")"
END
run run --tool nvbench --repeat 1 --warmup 0 --set dtype=bf16 -- nvbench_program -d 0
equal "nvbench: $err" "$status" 0
equal "nvbench: its command line" "$(calls)" \
	"nvbench_program -d 0 --json out/profiles/nvbench_program/TIME/run-1.json"

# --- without a profiler ---

fake google <<'END'
cat "$SAMPLES/benchmarks/google-benchmark/sample.json"
END
run run --tool none --repeat 2 --warmup 0 --set dtype=bf16,device=h100-sxm -- google
equal "a program that prints results: $err" "$status" 0
check "is measured by them" grep -q "saxpy<float>" <<<"$out"
equal "and the times of its processes are not" "$(find out/profiles/google -name times.json)" ""

fake sleeper <<'END'
sleep "0.$1"
END
: >"$scratch/calls"
run --json run --repeat 3 --set device=h100-sxm -- sleeper 2
equal "a process: $err" "$status" 0
equal "warmed up, then three times" "$(calls)" "$(printf 'sleeper 2\n%.0s' 1 2 3 4)"
check "its time" jq -e '.runs[0] | .kernel == "sleeper 2" and
	(.metrics.host_time.value // .metrics.host_time) >= 0.2' <<<"$out"
equal "its samples" "$(jq '.results[0].times | length' out/profiles/sleeper/*/times.json)" 3
check "each of them is as long as the program sleeps" jq -e \
	'.results[0].times | all(. >= 0.2 and . < 5)' out/profiles/sleeper/*/times.json

# --- which tool ---

run run --dry-run -- bench
check "without a device: none: $out" grep -qx "measure   5 x bench" <<<"$out"
fake nvidia-smi <<<''
run run --dry-run -- bench
check "with one of NVIDIA: nsys: $out" grep -qE "^measure   5 x $fake/nsys profile " <<<"$out"
rm "$fake/nsys"
run run --dry-run -- 'a b'
check "else ncu: $out" grep -qE "^measure   5 x $fake/ncu .* 'a b'$" <<<"$out"
rm "$fake/nvidia-smi"
fake neuron-ls <<<''
run run --dry-run -- bench
check "with a Neuron device its runtime writes: $out" grep -q "^with      NEURON_RT_INSPECT_OUTPUT_DIR=out/" <<<"$out"
rm "$fake/neuron-ls"
equal "a dry run calls nothing" "$(calls)" ""

# --- checks ---

run run --check true --tool none --set s=1,device=h100-sxm -- bench
equal "a right result: $err" "$status" 0
run --json run --check 'exit 3' --tool none --set s=2,device=h100-sxm -- bench
equal "a wrong one: $err" "$status" 0
check "is stored as such" jq -e '[.runs[0].findings[] | tostring | contains("incorrect")] | any' <<<"$out"
check "and said" grep -q "the check ended with status 3" <<<"$err"

fake evaluation <<'END'
cat "$SAMPLES/benchmarks/kernelbench-evaluation/sample.json"
END
run --json run --check false --tool none --repeat 1 --warmup 0 --set dtype=bf16 -- evaluation
equal "results that a program prints, and a check that says no: $err" "$status" 0
check "all of them are incorrect" jq -e '.runs | length > 0 and all(.findings | tostring | contains("incorrect"))' <<<"$out"

# --- what goes wrong ---

fake crash <<'END'
echo "one line" >&2
echo "CUDA error: out of memory" >&2
exit 134
END
refused "a crash" "crash ended with status 134: CUDA error: out of memory" run --tool none -- crash
fake later <<END
[ "\$(grep -c later $scratch/calls)" -lt 3 ] || exit 5
cat "\$SAMPLES/benchmarks/google-benchmark/sample.json"
END
refused "a later crash keeps what is whole" "repeat 2 of 5|status 5|what was measured is in out/profiles/later/" \
	run --tool none -- later
equal "the whole one" "$(find out/profiles/later -name '*.out' | wc -l)" 1
fake hang <<'END'
sleep 300 &
echo $! >"$0.child"
wait
END
refused "a hang" "hang did not end within 1 s" run --tool none --timeout 1s -- hang
gone "it ends with its children" "$fake/hang.child"
fake ncu <<'END'
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
exit 1
END
refused "a missing permission" "ERR_NVGPUCTRPERM|hint: counters need root" run --tool ncu --warmup 0 -- bench
fake ncu <<<'exit 0'
refused "a profiler that writes nothing" "ncu wrote no out/profiles/bench/" run --tool ncu --warmup 0 -- bench
rm "$fake/ncu"
refused "a profiler that is not there" "ncu is not installed|--tool none" run --tool ncu -- bench
refused "a program that is not there" "nonesuch is not installed" run --tool none -- nonesuch
refused "a time without a unit" "--timeout takes a time" run --timeout 5 -- bench
refused "no program" "PROGRAM is missing" run
rm "$fake/hang.child"
before=$(store_sum)
"$rooflog" run --tool none --warmup 0 -- hang >"$scratch/.out" 2>"$scratch/.err" &
child=$!
for _ in {1..100}; do
	[ ! -s "$fake/hang.child" ] || break
	sleep 0.05
done
kill -TERM "$child" # a shell's background jobs ignore SIGINT
wait "$child"
equal "a signal ends it" "$?" 143
gone "with the program and its children" "$fake/hang.child"
equal "and nothing is stored" "$(store_sum)" "$before"

# --- the build ---

run run --tool none --repeat 1 --build 'echo built >>built' -- test -e built
equal "it is built first: $err" "$status $(cat built) $(grep -c '^building: echo built' <<<"$err")" "0 built 1"
refused "a build that fails" 'status 7' run --tool none --build 'exit 7' -- true
run run --tool none --dry-run --build 'make -j8' -- true
check "a dry run names it: $out" grep -qx 'build     make -j8' <<<"$out"
rm built

refused "a check that is not there" '--check|status 127' run --tool none --check ./nonexist -- true

# --- the machine ---

fake nvidia-smi <<'END'
row="1395, 2619, 350.5, 61, 0x0000000000000024, 570.86.15"
case "$*" in
*compute-apps*) [ -z "${APPS:-}" ] || echo "$APPS" ;;
*default_applications*) echo "${CLOCK:-1410}" ;;
*mig.mode*) echo Enabled ;;
*clocks_event_reasons*) [ -z "${OLD:-}" ] || exit 6 ;;&
*loop-ms*) while echo "$row"; do sleep 1; done ;;
*--lock-gpu-clocks*) [ -z "${DENIED:-}" ] || { echo "The current user does not have permission" && exit 4; } ;;
*--reset-gpu-clocks*) ;;
*) echo "$row" ;;
esac
END
asked() { # what nvidia-smi was asked to change
	calls | sed -n 's/^nvidia-smi .*\(--\(lock\|reset\)-gpu-clocks\)/\1/p' | paste -sd ' '
}
calls >/dev/null
APPS='777, python' run run --tool none --repeat 1 --set kernel=watched -- bench
equal "a GPU is watched: $err" "$status" 0
check "another process on it is warned of" grep -q 'another process uses GPU 0 (777, python)' <<<"$err"
check "so are lower clocks" grep -q 'slowed down meanwhile: power cap, temperature$' <<<"$err"
equal "no clock is changed" "$(asked)" ""
run show watched
check "what was seen is shown: $out" grep -qzE 'machine .*GPU 1395[[:space:]]MHz.*61 C.*power[[:space:]]+cap' <<<"$out"
check "with the driver" grep -q 'driver 570.86.15' <<<"$out"
OLD=1 run run --tool none --repeat 1 --set kernel=older -- bench
check "a driver with the older names: $err" grep -q 'slowed down meanwhile: power cap' <<<"$err"
calls >/dev/null
run run --lock-clocks --tool none --repeat 1 -- bench
equal "locked clocks: $err" "$status $(asked)" "0 --lock-gpu-clocks=1410,1410 --reset-gpu-clocks"
run run --lock-clocks --tool none --repeat 1 -- false
equal "are restored after an error: $err" "$status $(asked)" "2 --lock-gpu-clocks=1410,1410 --reset-gpu-clocks"
CLOCK=1800 run run --lock-clocks --tool none --repeat 1 -- bench
check "what was asked for is not believed: $err" grep -q 'ran at 1395 MHz, not at the 1800 MHz' <<<"$err"
calls >/dev/null
timeout -s TERM 2 "$rooflog" run --lock-clocks --tool none --repeat 1 -- sleep 30 2>/dev/null
equal "a signal" "$? $(asked)" "124 --lock-gpu-clocks=1410,1410 --reset-gpu-clocks"
before=$(store_sum)
DENIED=1 run run --lock-clocks --tool none -- bench
equal "who may not lock: $err" "$status $(grep -c 'status 4: The current user' <<<"$err")" "2 1"
CLOCK='[N/A]' run run --lock-clocks --tool none -- bench
equal "a GPU without such a clock: $err" "$status $(grep -c 'states no default clock' <<<"$err")" "2 1"
# One that hangs is not waited for.
sed -i 's/^\*loop-ms\*).*/*loop-ms*) sleep 300 ;;/' "$fake/nvidia-smi"
began=$SECONDS
run run --lock-clocks --tool none --repeat 1 -- bench
equal "a GPU that hangs: $err" "$status" 0
check "ends soon: $((SECONDS - began)) s" [ $((SECONDS - began)) -lt 60 ]
rm "$fake/nvidia-smi"
before=$(store_sum)
refused "no nvidia-smi" 'nvidia-smi is not installed' run --lock-clocks --tool none -- bench
equal "nothing is stored" "$(store_sum)" "$before"
fake neuron-ls <<'END'
echo '[{"neuron_device": 0, "neuron_processes": [{"pid": 7, "command": "train.py"}]}]'
END
run run --tool none --repeat 1 -- bench
check "a Neuron device in use: $err" grep -q 'uses a Neuron device (train.py)' <<<"$err"
rm "$fake/neuron-ls"

# --- without a repository ---

mkdir "$scratch/nowhere"
cd "$scratch/nowhere" || exit 2
run run --tool none --repeat 2 -- bench
equal "without a repository: $err" "$status" 0
check "it is shown" grep -q "^bench, unknown dtype" <<<"$out"
check "and not stored: $err" grep -q "shown and not stored" <<<"$err"
equal "anywhere" "$(find . -name '*.db')" ""
run --json run --check false --tool none --repeat 2 -- bench
check "a wrong result is said there, too" jq -e '.runs[0].findings | tostring | contains("incorrect")' <<<"$out"
finish
