#!/bin/bash
# Times far below all that was measured before: one measurement does not prove them.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

store() { # US...: a measurement each of the current commit, of each of $kernels
	local us kernel
	for us; do
		echo kernel,us >"$scratch/in.csv"
		for kernel in $kernels; do echo "$kernel,$us" >>"$scratch/in.csv"; done
		clock=$((clock + 60))
		SOURCE_DATE_EPOCH=$clock run ingest --commit HEAD --columns kernel=kernel,total_time=us:us --set device=h100-sxm,dtype=bf16 "$scratch/in.csv"
	done
}
measure() { # US...: one commit each
	local us
	for us; do
		commit "$us us"
		store "$us"
	done
}
judge() { # NAME VERDICT
	run gate --json
	equal "$1" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" "$2"
}
clock=1800000000 kernels=k

repository leap
run init
measure 3 3.01 2.99 3 3.02 3.01 2.98 3
measure 1.6
judge "by less than half" "improved"
measure 1.6 1.6

# 0.68 / 1.6 is 42.5 %.
measure 0.68
for against in nearest window best; do
	run gate --against $against --json
	equal "$against: by more than half" "$(jq -c '.gate.comparisons[0] | [.verdict, .reason]' <<<"$out")" \
		'["unproven","680.0 ns is 42.5 % of the best time in the history, 1.600 us: re-measure to prove it"]'
	run gate --against $against --exit-code
	equal "$against: status of its own" "$status" "$([ $against = window ] && echo 0 || echo 3)"
done
run gate
equal "fails as a suspect does" "$status" 1
check "mark: $out" grep -qE '^▽ unclear \(unproven\) ' <<<"$out"
run gate --against window
equal "a nightly gate waits" "$status" 0
run gate --fail-on regression,suspect
equal "not in the list" "$status" 0
run gate --against window --fail-on unproven
equal "in the list" "$status" 1
run gate --fail-on regression,missing,suspect
equal "let pass" "$status" 0
run gate -o rerun=-
check "to be measured again: $out" [ "$(jq -r '.measurements' <<<"$out")" = 1 ]

# A tenth is asked of what lies far back.
run gate --against HEAD~3
check "against a commit by name: $out" grep -qE '^▼ faster ' <<<"$out"

# The next commit denies it, and is judged by the commits before it.
measure 1.6
for against in nearest window best; do
	run gate --against $against --json
	equal "$against: not by a leap" "$(jq -c '.gate.comparisons[0] | [.verdict == "regressed" or .verdict == "suspect", .baseline.value > 1.5e-6]' <<<"$out")" '[false,true]'
done

# A second measurement of a commit proves it: the next leap is one from there, 0.45 / 1.01 = 44.6 %.
repository again
run init
measure 3 3.01 2.99 3 3.02 3.01 2.98 3 1.00
judge "the first measurement" "unproven"
store 1.02
judge "the second one" "improved"
measure 0.45
judge "from a proven level" "unproven"
run gate --json
check "by how much: $out" grep -qF '450.0 ns is 44.6 % of the best time in the history, 1.010 us' <<<"$out"

# So does another commit: neither 0.24 nor 0.238 is more than twice the other.
repository next
run init
measure 3 3.01 2.99 3 3.02 3.01 2.98 3 0.24
judge "a leap" "unproven"
measure 0.238
judge "another commit confirms" "improved"
measure 0.24 0.239 0.24
judge "part of the record" "unchanged"

# The second measurement denies it: judged by that one alone. 0.01 / 0.238 is 4.2 %.
measure 0.01
judge "a leap" "unproven"
store 0.24
judge "denied" "unchanged"
run gate --json
check "says so: $out" grep -qF 'one measurement is ignored: no other one confirms 10.00 ns, 4.2 % of the best time in the history, 238.0 ns' <<<"$out"

# A leap that the second measurement of its commit denies is no part of the record, and does not set its best.
repository denied
run init
measure 3 3.01 2.99 3 3.02 3.01 2.98 3 0.5
store 3.02
measure 3.01
run gate --explain '*' --json
equal "the commit is what its other measurement says" \
	"$(jq -r '[.. | .record? // empty | .points? // empty | .[-1].value.value * 1e8 | round] | first' <<<"$out")" 302
measure 1.45
run gate --json
equal "from the best that is proven" "$(jq -c '.gate.comparisons[0] | [.verdict, .reason]' <<<"$out")" \
	'["unproven","1.450 us is 48.7 % of the best time in the history, 2.980 us: re-measure to prove it"]'

# The sizes of the changes: of two series, because one is a row already.
repository sizes
run init
kernels='k l'
measure 3 3.01 2.99 3 3.02 3.01 2.98 3 0.68
run gate --as summary
check "all changes: $out" grep -qE '^\| Total time, all series \| 2 ' <<<"$out"
check "are not among what is slower: $out" [ -z "$(grep '^| Total time, slower' <<<"$out")" ]

finish
