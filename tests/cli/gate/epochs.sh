#!/bin/bash
# Epochs: the measurement changes, which splits series without a regression, a missing series or a
# way for a change to leave its slow series out.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# Six series of one machine, all shifted from night 40 on.
shifted() { # FACTOR [FROM [TO]]
	local kernel
	for kernel in gemm conv attention softmax rmsnorm rope; do
		series "$kernel" "(i >= 40 ? $1 : 1) * e" "${2:-1}" "${3:-1000}"
	done
}
# Whether the lines of what the gate says, joined, have the text.
says() { # NAME TEXT
	check "$1: \"$2\" in: $out" grep -qF -- "$2" <<<"$(tr -s ' \n' ' ' <<<"$out")"
}

# --- all series shift ---
repository all
nights 39
shifted 1.04
measured
run gate --exit-code --against window
says 'all series' 'environment: all 6 series shifted alike, by +'
says 'and how' 'begin an epoch in .rooflog/config: [epoch "NAME"] series = *'
run report --as nightly --output "$scratch/n.md"
check 'the night says it' grep -qF 'begin an epoch in' "$scratch/n.md"
run report --as nightly --json --output "$scratch/n.json"
as_schema 'the document' report-1.schema.json <"$scratch/n.json"
equal 'it is data' "$(jq '.gate.environment.epoch | test("all 6 series")' "$scratch/n.json")" true
run gate HEAD~1 --against window
check "not the night before: $out" bash -c '! grep -q "begin an epoch"' <<<"$out"

# --- those of one machine ---
repository machine
nights 39
for kernel in k0 k1 k2 k3 k4 k5 k6 k7 k8 k9 l0 l1 l2 l3 l4 l5 l6 l7 l8 l9 m0 m1 m2 m3 m4 m5 m6 m7 m8 m9; do
	series "$kernel" '1 * e'
done
INSTANCE=linux shifted 0.95
measured
run gate --against window
says 'one machine' 'all 6 series on linux shifted alike, by -5'
says 'its pattern' 'series = * linux'
git checkout -q -b change
commit change
run gate --against nearest
check "no change of code is an epoch: $out" bash -c '! grep -q "begin an epoch"' <<<"$out"

# --- an epoch begins ---
repository begins
nights 39
shifted 1
measured
nights 1 41
main=$(git symbolic-ref --short HEAD)
configure '[epoch "driver-570"]\n\tseries = *\n'
shifted 1.04 41
measured 1
run list series
check "its name is part of the series: $out" grep -q 'gemm.*epoch=driver-570' <<<"$out"
first() { # NAME ARGS...
	local name=$1
	shift
	run gate "$@"
	equal "$name: $out$err" "$status" 0
	says "$name" 'baseline recorded for 6 series at'
}
first 'the first night' --against window
says 'each series says why' 'epoch driver-570 begins; values from before it (epoch: none) are not compared'
first 'the first commit'
check "no series is missing: $out" bash -c '! grep -qE "missing|stopped"' <<<"$out"

# A change that is measured otherwise than main was: nothing to compare with, so it fails.
git checkout -q -b change HEAD~1
commit change '2026-04-12T09:00:00Z'
shifted 1.3 41
measured 2
verdict 'a change cannot begin one' 5 'missing (other setup)' --against "merge-base:$main"
says 'what differs' 'the baseline was measured with another epoch: none, here driver-570'
git checkout -q "$main"

# It goes on, and what was before is neither missing nor compared with.
nights 12 42
shifted 1.04 42
measured 3
verdict 'nights after' 0 '6 of 6 series judged: 6 unchanged' --against window
verdict 'without a shift' 0 '6 of 6 series judged: 6 unchanged'
check "what was before is gone: $out" bash -c '! grep -qE "missing|stopped"' <<<"$out"
of_kernel 'only its own record' gemm unchanged 12
run gate
says 'the verdict names it' 'epoch=driver-570'
git checkout -q -b slower
commit slower '2026-04-24T09:00:00Z'
series gemm '1.2 * e' 54
for kernel in conv attention softmax rmsnorm rope; do series "$kernel" '1.04 * e' 54; done
measured 4
verdict 'a regression is one' 3 '1 slower (unconfirmed), 5 unchanged'
git checkout -q "$main"

# The next one, of some series. A name that is not configured is another series, as ever.
configure '[epoch "driver-570"]\n\tseries = *\n[epoch "driver-580"]\n\tseries = gemm\n\tseries = conv\n'
nights 1 54
for kernel in gemm conv; do series "$kernel" '1.1 * e' 54; done
for kernel in attention softmax rmsnorm rope; do series "$kernel" '1.04 * e' 54; done
measured 5
verdict 'two of six' 0 '4 of 6 series judged: 2 new, 4 unchanged' --against window
says 'from one to the next' 'epoch driver-580 begins; values from before it (epoch: driver-570) are not compared'
configured=()
verdict 'not by a name alone' 5 '2 missing' --against window

# --- what is ingested again, and names ---
repository again
nights 39
shifted 1
cp "$scratch/measurements.csv" "$scratch/whole.csv"
measured
nights 1 41
configure '[epoch "d"]\n\tseries = *\n'
shifted 1.3 41
tail -n +2 "$scratch/measurements.csv" >>"$scratch/whole.csv"
cp "$scratch/whole.csv" "$scratch/measurements.csv"
measured 1
run list series
check "a whole table begins it with the new night only: $out" grep -qE 'gemm .*epoch=d +1 ' <<<"$out"
first 'which is recorded' --against window
cp "$scratch/whole.csv" "$scratch/measurements.csv"
measured 2
configure '[epoch "d"]\n\tseries = *\n[epoch "e"]\n\tseries = *\n'
cp "$scratch/whole.csv" "$scratch/measurements.csv"
measured 3
run list series
check "nor the next one: $out" bash -c '! grep -q epoch=e' <<<"$out"
for order in 1 2; do
	text='[alias "flash_fwd"]\n\tas = attention\n' epoch='[epoch "x"]\n\tseries = attention\n'
	configure "$([ $order = 1 ] && echo "$text$epoch" || echo "$epoch$text")"
	printf 'commit,op,gpu,instance,value\n%s,flash_fwd,h100-sxm,,%s\n' "$(git rev-parse HEAD)" "2.$order" >"$scratch/measurements.csv"
	measured $((10 + order))
	run list series
	check "a renamed kernel is in it: $out" grep -qE '(attention|flash_fwd) .*epoch=x' <<<"$out"
done

# --- a new kernel the same night; another baseline; more rules than series ---
repository new
nights 39
shifted 1
measured
git tag v1
nights 1 41
configure '[epoch "d"]\n\tseries = *\n'
shifted 1.04 41
series brandnew '1 * e' 41
measured 1
run gate --against window
equal "a new kernel changes nothing: $out" "$status" 0
says 'all are recorded' 'baseline recorded for 7 series'
run gate --against v1
says 'a baseline of another epoch' 'no baseline: nothing to compare'
repository few
nights 39
for kernel in gemm conv attention; do
	series "$kernel" '(i >= 40 ? 1.04 : 1) * e'
done
measured
configure '[rule "a"]\n\tmetric = total_time\n[rule "b"]\n\tkernel = *\n'
run gate --against window
check "three series with two rules prove nothing: $out" bash -c '! grep -q "begin an epoch"' <<<"$out"
configured=()
repository odd
nights 39
for kernel in k0 k1 k2 k3 k4 k5 k6 k7 k8 k9; do series "$kernel" '1 * e'; done
INSTANCE='my # box' shifted 1.04
measured
run gate --against window
says 'a pattern that can be written' 'series = * my???box'

# --- what may be written ---
repository written
run ingest --set epoch=3 --set kernel=a "$root/samples/attention/fused-s256/profile.json"
equal "a store: $err" "$status" 0
configure '[epoch "a b"]\n\tseries = *\n'
refused 'a blank' 'config:2: |expected a name of at most 64 letters, digits' gate
configure '[epoch "a(b)"]\n\tseries = *\n'
refused 'parentheses' 'expected a name of at most 64 letters, digits' gate
configure '[epoch "a"]\n\tfrom = HEAD\n'
refused 'another key' 'unknown key; available: series' gate
configure '[epoch "a"]\n\tseries =\n'
refused 'no series' 'expected a series' gate
configure '[epoch "new"]\n\tseries = *\n'
run ingest --set epoch=3 --set kernel=b "$root/samples/attention/fused-s256/profile.json"
equal "a parameter of that name: $err" "$status" 0
check "it stays, and the message says so: $err" grep -qF 'epoch=new is ignored: the file says epoch=3' <<<"$err"
run doctor
check "doctor lists it: $out" grep -qE 'epoch +new: \*' <<<"$out"
finish
