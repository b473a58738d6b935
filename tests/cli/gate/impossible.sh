#!/bin/bash
# Times that no hardware can reach: 1 GFLOP takes 1.011 us at the peak of an H100 (bf16).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

columns=kernel=kernel,total_time=us:us,hardware_flops=flop:FLOP
arithmetic='50.00 ns is less than the 1.011 us that 1.000 GFLOP takes at 989.4 TFLOP/s (h100-sxm, bf16)'
measure() { # US...: one commit each
	local us
	for us; do
		commit "$us us"
		printf 'kernel,us,flop\nk,%s,1000000000\n' "$us" >"$scratch/in.csv"
		run ingest --commit HEAD --columns $columns --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
	done
}

repository exploit
run init
measure 3 3.01 2.99 3 3.02 3.01 2.98 3
equal "possible: no warning" "$(grep -c 'is less than' <<<"$err")" 0
measure 0.05
check "ingest warns: $err" grep -qF "$arithmetic" <<<"$err"
run show
check "show says why: $out" grep -qF '! 50.00 ns is less than the 1.011 us' <<<"$out"
for against in nearest window best; do
	run gate --against $against
	equal "$against: fails" "$status" 1
	check "$against: verdict: $out" grep -qE '^! impossible ' <<<"$out"
	check "$against: arithmetic: $out" grep -qF "$arithmetic" <<<"$out"
	run gate --against $against --exit-code
	equal "$against: status of its own" "$status" 5
done
run gate --json
equal "JSON" "$(grep -oE '"verdict": "(impossible|improved)"' <<<"$out" | sort -u)" '"verdict": "impossible"'
run gate
check "what to do: $out" grep -qF 'check the unit, dtype and device of the impossible time, then measure again' <<<"$out"
run report --as nightly
check "nightly: $out" grep -qx '# 1 impossible time tonight' <<<"$out"
check "nightly, which and when: $out" grep -q '^k, bf16, 3\.00 → 0\.0500 µs' <<<"$out"
check "nightly, why: $out" grep -q '^| ! k, bf16 .*50\.00 ns is less than the 1\.011 µs that ' <<<"$out"
check "nightly, not as missing: $out" [ -z "$(grep 'Not measured' <<<"$out")" ]
run gate --fail-on regression
equal "in the list by the word missing" "$status" 0
run gate --fail-on regression,missing,undecided
equal "its class fails" "$status" 1
run gate --fail-on regressed,incomparable
equal "let pass" "$status" 0

# Never part of a record, nor its best.
measure 3.01
for against in nearest window best; do
	run gate --against $against --json
	equal "$against: compared with what is possible" "$(jq -c '.gate.comparisons[0] |
		[.baseline.value > 2.9e-6, .change < 0.05, .verdict]' <<<"$out")" '[true,true,"unchanged"]'
done
run log --view history --json
check "not in a history: $out" [ "$(jq '[.series[].points[].value] | min > 2.9e-6' <<<"$out")" = true ]

# What to do is about the worst that fails: an impossible time, or the kernel that is missing beside it.
repository advice
run init
commit both
printf 'kernel,us,flop\nk,3,1000000000\ngone,3,1000000000\n' >"$scratch/in.csv"
run ingest --commit HEAD --columns $columns --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
measure 0.05
advises() { # NAME TEXT ARGS...
	run gate "${@:3}"
	check "$1: $out" grep -qxF "$2" <<<"$out"
	run gate --as comment "${@:3}"
	check "$1, comment: $out" grep -qF "**To merge:** $2." <<<"$out"
}
advises "an impossible time" 'check the unit, dtype and device of the impossible time, then measure again'
repository lacking
run init
commit both
printf 'kernel,us,flop\nk,3,1000000000\ngone,3,1000000000\n' >"$scratch/in.csv"
run ingest --commit HEAD --columns $columns --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
measure 3
advises "what is missing" 'measure the missing series, or retire them: rooflog accept SERIES --retired'

# An engine that is active for longer than the run: 1.2 us of 1 us are 120 %.
repository overactive
run init
for us in 3 3.01 2.99 3 3.02 3.01 2.98 3 1 3.01; do
	commit "$us us"
	printf 'kernel,us,busy\nk,%s,1.2\n' "$us" >"$scratch/in.csv"
	run ingest --commit HEAD --columns kernel=kernel,total_time=us:us,tensor_engine_active_time=busy:us --set device=trn2,cores=1,dtype=bf16 "$scratch/in.csv"
	run gate --json
	case $us in
	1) equal "overactive" "$(jq -r '.gate.comparisons[0] | .verdict, .reason' <<<"$out")" \
		"$(printf 'impossible\ntensor_engine_occupancy is 120.0 %%: an engine cannot be active longer than the run takes')" ;;
	esac
done
run gate --against best --json
equal "never a best" "$(jq -c '.gate.comparisons[0] | [.verdict, .baseline.value > 2.9e-6]' <<<"$out")" '["unchanged",true]'
run log --view history --json
check "not in a history: $out" [ "$(jq '[.series[].points[].value] | min > 2.9e-6' <<<"$out")" = true ]
cd "$scratch/exploit" || exit 2

# Near the peak, below it by less than a quarter, and without counted work.
measure 1.02
run gate
check "near the peak: $out" [ -z "$(grep impossible <<<"$out")" ]
measure 0.83
run gate
check "a boost of the clock: $out" [ -z "$(grep impossible <<<"$out")" ]

finish
