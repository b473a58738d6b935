#!/bin/bash
# Series that are not what a gate expects: other machines and tools, no values, always the same
# value, zeros, one run and very many.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# --- two machines ---
repository machines
nights 19
INSTANCE=p5.48xlarge series gemm '1 * e' 1 19
INSTANCE=p5e.48xlarge series gemm '0.5 * e' 20
measured
verdict "another machine is not twice as fast" 5 'instance type: p5.48xlarge, here p5e.48xlarge'
of_kernel "another machine" gemm incomparable --
INSTANCE=p5.48xlarge series gemm '1 * e' 20
measured 1
verdict "the old machine, too: the other is new" 0 '1 of 2 series judged: 1 new, 1 unchanged'
repository cores
nights 19
series gemm '1 * e' 1 19
measured
series gemm '1 * e' 20
run ingest --set cores=2 --columns commit,kernel=op,device=gpu,time=value:ms "$scratch/measurements.csv"
rm "$scratch/measurements.csv"
verdict "cores that are not known are not 0" 5 'another cores: unknown, here 2'
repository two-machines
nights 19
INSTANCE=p5.48xlarge series gemm '1 * e'
INSTANCE=p5e.48xlarge series gemm '(i > 19 ? 0.6 : 0.5) * e'
measured
verdict "two machines, two series" 3 '1 slower (unconfirmed), 1 unchanged'
check "which got slower: $out" grep -qE '^. slower \(unconfirmed\) .* p5e\.48xlarge .*\+(19|2[01])\.' <<<"$out"

# --- another version of the profiler, the same tool ---
repository versions
nights 19
tooled() { # VALUE VERSION FROM TO
	series gemm "$1" "$3" "$4"
	{
		echo "$(head -n 1 "$scratch/measurements.csv"),version"
		sed "1d; s/\$/,$2/" "$scratch/measurements.csv"
	} >"$scratch/versions.csv"
	mv "$scratch/versions.csv" "$scratch/measurements.csv"
	METRIC=time=value:ms,attr:profiler_version=version measured "${5:-0}"
}
tooled '1 * e' 2.28 1 19
tooled '1.2 * e' 2.30 20 20
verdict "slower since the profiler changed" 3 '1 of 1 series judged: 1 unclear (environment)'
check "what changed: $out" grep -qF 'environment: profiler_version 2.28 -> 2.30 (1 series)' <<<"$out"
check "and what to do: $out" grep -qF 're-measure the baseline under the new conditions' <<<"$out"
commit equal 2026-03-21T09:00:00Z
tooled '1.2 * e' 2.30 21 21
commit slower 2026-03-22T09:00:00Z
tooled '1.5 * e' 2.30 22 22
verdict "the same version as the commit before" 3 '1 slower (unconfirmed)'
check "nothing is blamed on it: $out" [ -z "$(grep '^environment: ' <<<"$out")" ]
git checkout -q -b fast HEAD~2
commit fast 2026-03-21T10:00:00Z
tooled '1 * e' 2.32 21 21 1
verdict "as fast as ever with another profiler" 0 'environment: profiler_version 2.30 -> 2.32'

repository driver
nights 4
series gemm '1'
sed -i '1s/$/,driver/; 2,$s/$/,570/; $s/1,570$/1.2,580/' "$scratch/measurements.csv"
METRIC=time=value:ms,attr:driver=driver measured
verdict "another driver" 3 'environment: driver 570 -> 580 (1 series)'

# --- no values ---
repository nothing
nights 19
export METRIC=time=value:ms,mfu=mfu:fraction
without() { # FROM TO: a time that nobody knows
	series gemm '"nan"' "$1" "$2"
	sed -i '1s/$/,mfu/; 2,$s/$/,0.5/' "$scratch/measurements.csv"
}
without 1 20
measured
configure '[rule "t"]\nmetric = total_time\n'
verdict "never any value" 5 'gemm, total_time: no value for this metric at this commit'
verdict "where it does not fail, it is still not green" 4 'no baseline: 1 of 1 series missing: gemm' --fail-on no-baseline
repository nothing-yet
nights 19
without 1 19
measured
unset METRIC
series gemm '1 * e' 20
measured 1
configure '[rule "t"]\nmetric = total_time\n'
verdict "the first value after none" 4 'no baseline'
repository nothing-now
nights 19
series gemm '1 * e' 1 19
measured
METRIC=time=value:ms,mfu=mfu:fraction
without 20 20
measured 1
unset METRIC
configure '[rule "t"]\nmetric = total_time\n'
verdict "none after values" 5 'no value for this metric at this commit'
repository sentinels
nights 19
series gemm 'i % 4 ? 1 * e : -1'
refused "a time of -1" 'line 5|negative' ingest --columns commit,kernel=op,device=gpu,time=value:ms \
	"$scratch/measurements.csv"
sed -i 's/,-1$/,/' "$scratch/measurements.csv"
measured
verdict "a fifth was not measured, nor the last" 2 'has no measurements' HEAD
of_kernel "the commit before it" gemm unchanged 14 HEAD~1

# --- always the same value: a simulator ---
repository constant
nights 4
series gemm '1'
series conv 'i > 4 ? 1.03 : 1'
measured
verdict "four equal commits need no noise" 1 '2 of 2 series judged: 1 slower, 1 unchanged'
of_kernel "the same again" gemm unchanged 4
of_kernel "3 % more" conv regressed 4
equal "two of them are enough: $(git checkout -q HEAD~2 && "$rooflog" gate | head -n 1)" \
	"$("$rooflog" gate | head -n 1)" 'pass: 2 of 2 series unchanged'

# --- zero, and counters ---
repository zero
nights 9
METRIC=spill_save_bytes=value:B
export METRIC
time_beside() {
	sed -i '1s/$/,ms/; 2,$s/$/,1/' "$scratch/measurements.csv"
	METRIC=spill_save_bytes=value:B,time=ms:ms measured
}
printf '[rule "spills"]\nmetric = spill_save_bytes\n' >"$scratch/spills"
series gemm 'i > 9 ? 4096 : 0'
series conv 'i > 9 ? 0 : 4096'
series none 0
time_beside
verdict "the first spill" 1 '3 of 3 series judged: 1 worse, 1 better, 1 unchanged' --config "$scratch/spills"
check "by how much: $out" grep -qF 'deterministic counter, larger by 4.096 kB: the compiled program changed' <<<"$out"
check "of 0 there is no percentage: $out" grep -qE '^. worse +gemm +0 B +4\.096 kB +-- ' <<<"$out"
equal "nor in JSON" "$("$rooflog" gate --config "$scratch/spills" --json | jq -c '.gate.comparisons[] |
	select(.kernel == "gemm") | [.baseline.value, .candidate.value, .change]')" '[0,4096,null]'
printf '[rule "spills"]\nmetric = spill_save_bytes\nat-most = 0 B\n' >"$scratch/spills"
verdict "no spills, as a limit" 1 '1 worse (limit), 2 unchanged (within limit)' --config "$scratch/spills"
printf '[rule "spills"]\nmetric = spill_save_bytes\nabsolute = 8 kB\n' >"$scratch/spills"
verdict "a few are let through" 0 'differs by 4.096 kB, within the limit' --config "$scratch/spills" --json
unset METRIC

# --- below 0: a gap between the work and the time, which is less than the work here ---
repository negative
nights 19
series gemm 'i > 19 ? -0.05 : -0.1 * e'
awk -F, -v OFS=, 'NR == 1 { print $1, $2, $3, $4, "active,ms" }
	NR > 1 { print $1, $2, $3, $4, 100 - $5, 100 }' "$scratch/measurements.csv" >"$scratch/below.csv"
mv "$scratch/below.csv" "$scratch/measurements.csv"
METRIC=tensor_engine_active_time=active:ms,time=ms:ms measured
configure '[rule "gap"]\nmetric = serialization_gap\n[rule "over"]\nmetric = serialization_gap\ndirection = higher\n'
verdict "nearer to 0 from below" 3 '2 of 2 comparisons judged: 1 slower (unconfirmed), 1 faster'
check "is more: $out" grep -qE '^. slower \(unconfirmed\) +gemm +gap +-100\.[0-9] us +-50\.00 us +\+50\.' <<<"$out"
check "and more may be better: $out" grep -qE '^. faster +gemm +over .* \+50\.' <<<"$out"

# --- one run, and a thousand ---
repository runs
nights 19
series gemm '1 * e' 1 19
measured
head=$(git rev-parse HEAD)
mkdir many
for i in $(seq 1000); do
	printf 'commit,op,gpu,instance,value\n%s,gemm,h100-sxm,,1.0%d%04d\n' "$head" $((i % 10)) "$i" >"many/$i.csv"
done
run ingest --columns commit,kernel=op,device=gpu,instance_type=instance,time=value:ms many
check "a thousand files: $err" grep -q '1000 runs stored' <<<"$err"
verdict "a thousand runs of one commit" 3 '1 slower (unconfirmed)'
check "the number of them: $out" grep -qE '\+[45]\.[0-9]+ % .* 19 +1000$' <<<"$out"
check "are no thousand commits: $out" grep -q '19 commits of history' <<<"$out"
configure '[gate]\nruns = 3\n'
git checkout -q -b three HEAD~1
nights 1 21
for minutes in 1 2 3; do
	series gemm "1.5 + $minutes / 100" 20
	measured $minutes
	[ $minutes != 2 ] || verdict "two runs where three are asked for" 3 'only 2 runs; the rule requires 3'
done
verdict "three" 1 'fail: 1 of 1 series slower, confirmed: gemm'

# --- kernels that are now and then slow ---
clock=1800000000
again() { # FILE=US,US...: one measurement of HEAD
	local file paths=()
	for file; do
		paths+=("$scratch/${file%%=*}.csv")
		tr ',' '\n' <<<"${file#*=}" | sed 's/^/k,/; 1i kernel,us' >"${paths[-1]}"
	done
	clock=$((clock + 60))
	SOURCE_DATE_EPOCH=$clock run ingest --commit HEAD --columns kernel=kernel,total_time=us:us --set device=h100-sxm,dtype=bf16 "${paths[@]}"
	equal "ingest: $err" "$status" 0
}
steady=10.00,10.01,10.02,10.00,10.03,10.01
third=10.00,10.01,10.02,10.00,12.50,12.51
most=10.00,10.01,10.02,12.52,12.50,12.51
quiet() { # NAME REPEATS: nine commits that are measured so
	local i
	repository "$1"
	run init
	for i in 1 2 3 4 5 6 7 8 9; do
		commit "c$i"
		again "in=10.0$((i % 3)),$2"
	done
	commit now
}
quiet always-a-third "$third"
again "in=$third"
verdict "a third of the repeats are slow, as before" 0 '1 unchanged'
quiet sometimes "$steady"
again "in=$third"
verdict "a third of the repeats, and none before" 3 '2 of the 6 repeats'
again "in=10.00,12.51,10.02,12.50,10.01,10.02"
verdict "so is the second measurement" 3 '2 of the 6 repeats'
again "in=$steady"
verdict "a later measurement clears it" 0 '1 unchanged'
again "in=$third,10.00"
verdict "too few of them are no doubt" 0 '1 unchanged'
again "in=$third,12.52"
verdict "the newest measurement raises one" 3 '3 of the 7 repeats'
quiet one-of-seven "$steady"
git commit -q --amend --allow-empty -m before
again "in=$steady,12.5"
commit now
again "in=10.02,$third"
verdict "two of seven are no third" 0 '1 unchanged'
again "in=10.02,$most"
verdict "three of seven are more than twice one of seven" 3 '3 of the 7 repeats'

# --- files of one measurement that are no repeats ---
quiet apart "$steady"
again x=10.011 y=10.012 z=15
verdict "a file far from the others" 3 'too far apart for repeats'
again x=10.013
verdict "a later measurement clears that, too" 0 '1 unchanged'
again x=10.014 y=10.015 z=15.01
verdict "and another brings it back" 3 'too far apart for repeats'
again x=11
verdict "one that is worse itself clears nothing" 3 'x.csv has 10.01 us'
finish
