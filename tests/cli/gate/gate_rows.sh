#!/bin/bash
# Rows of the gate: limits, context, treatments; second measurements; uncommitted changes; and every
# key with a value that it cannot have.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# --- suspects and second measurements ---
repository confirm
nights 29
series gemm '(i > 29 ? 1.1 : 1) * e'
series conv '(i > 29 ? 1.1 : 1) * e'
series fine '1 * e'
measured
verdict "first" 3 '3 of 3 series judged: 2 slower (unconfirmed), 1 unchanged'
check "what to do: $out" grep -qF 'measured once: re-measure to confirm' <<<"$out"
series gemm '1.09 * e' 30
series conv '1.001' 30
measured 1
run gate
equal "second: $out" "$status" 1
check "confirmed: $out" grep -qE '^. slower +gemm .*29 +2$' <<<"$out"
check "cleared: $out" grep -qE '^. unchanged +conv ' <<<"$out"
run gate --json
check "why: $out" grep -qF 'looked worse at first; re-measurement does not confirm it' <<<"$out"
series conv '1.002' 30
measured 2
run gate
check "cleared: $out" grep -qE '^. unchanged +conv .*29 +3$' <<<"$out"
series fine '1.1' 30
measured 3
run gate
check "the second alone is slow: $out" grep -qE '^. unclear +fine ' <<<"$out"
check "it says so: $out" \
	grep -qE '^fine, total_time: the first measurement alone does not look worse \(p = 0\.[0-9]+\), all together do' <<<"$out"
configure '[gate]\nconfirm = false\n'
git checkout -q -b other HEAD~1
nights 1 40
series gemm '1.1 * e' 30
series conv '1' 30
series fine '1' 30
measured 4
verdict "not asked to confirm" 1 '1 slower, 2 unchanged'

# --- absolute limits need no history ---
repository limits
METRIC=time=value:ms,mfu=mfu:percent
export METRIC
with_mfu() { # MFU
	sed -i "1s/\$/,mfu/; 2,\$s/\$/,$1/" "$scratch/measurements.csv"
}
series mlp 1
with_mfu 29
measured
configure '[rule "mfu"]\nmetric = mfu\nkernel = mlp\nat-least = 30 %%\n'
verdict "below the limit at the first run ever" 1 '1 of 1 series judged: 1 worse (limit)'
check "which: $out" grep -qF 'mlp, mfu: outside the limit: at least 30 %' <<<"$out"
configure '[rule "mfu"]\nmetric = mfu\nkernel = mlp\nat-least = 0.25\n'
verdict "above it" 0 '1 of 1 series judged: 1 unchanged (within limit)'
configure '[rule "mfu"]\nmetric = mfu\nat-least = 20 %%\nat-most = 25 %%\n'
verdict "between two" 1 'outside the limit: at most 25 %'
configure '[rule "mfu"]\nmetric = mfu\nat-least = 30 %%\nnoise = 3 %%\n'
verdict "within the noise" 3 'outside the limit (at least 30 %), but by less than the noise (3.0 %): re-measure'
commit second
series mlp 1 2
measured_without=$METRIC
unset METRIC
measured
METRIC=$measured_without
configure '[rule "mfu"]\nmetric = mfu\nkernel = mlp\nat-least = 25 %%\n'
verdict "no value is not above it" 5 'mlp, mfu: no value for this metric at this commit'
unset METRIC

# --- rows side by side, roles and treatments ---
repository rows
nights 19
series gemm '(i > 19 ? 1.2 : 1) * e'
series loud '(1 + (i % 5) / 10)' 1 19
series loud '1.25' 20
measured
verdict "both" 3 '1 slower (unconfirmed), 1 unclear'
configure '[rule "a"]\nkernel = gemm\nconfirm = false\nrole = context
[rule "b"]\nkernel = loud\nfail-on = regression\n'
run gate
equal "for context, and put up with: $err" "$status" 0
verdict "which --exit-code counts" 3 '1 of 1 series judged: 1 unclear; 1 informational'
check "it is shown all the same: $out" grep -qE '^.. slower\) +gemm ' <<<"$out"
verdict "the command line wins" 3 '1 unclear' --fail-on undecided
configure '[rule "a"]\nkernel = gemm\nrole = context\n'
verdict "context alone is no gate" 4 'no baseline: no series was judged'
configure '[gate]\nfail-on = regression\nconfirm = false
[rule "b"]\nkernel = loud\n[rule "c"]\nkernel = loud\nfail-on = undecided\n'
run gate
equal "one rule says fail: $out$err" "$status $(sed -n 2p <<<"$out")" "1 2 of 2 series judged: 2 unclear"
configure '[gate]\nfail-on = regression\n[rule "b"]\nkernel = loud\n[rule "typo"]\nkernel = gemmm\n'
run gate
equal "what all rules share: $out$err" "$status" 0
check "a row that fits nothing: $err" grep -qF 'gate rule "typo" (kernel gemmm) matches no series' <<<"$err"
configure '[rule "a"]\nkernel = gemm\ndirection = higher\n'
verdict "slower is better here" 0 '1 faster'
configure '[rule "a"]\nkernel = gemm\nrelative = 30 %%\n'
verdict "within the limit" 0 '1 unchanged'
check "that it promises: $out" grep -qE '^. unchanged +gemm .*\+(19|2[01])\.' <<<"$out"
configure '[rule "a"]\nkernel = gemm\nabsolute = 0.5 ms\n'
verdict "within the other limit" 0 '1 unchanged'
configure '[rule "a"]\nkernel = gemm\nabsolute = 0.1 ms\nrelative = 10 %%\n'
verdict "beyond both" 3 '1 slower (unconfirmed)'
configure '[rule "a"]\nstale-after = 0.5\nkernel = loud\n'
verdict "an old baseline" 6 'the baseline is 1 day older than this commit (limit: 0.5 days)'

# --- uncommitted changes: a candidate that is compared with its own commit ---
repository dirty
fast=$root/samples/history/04/attention-s512 slow=$root/samples/history/05/attention-s512
echo 1 >file && git add file
for night in 1 2 3 4; do
	commit "night $night" "2026-03-1${night}T09:00:00Z"
	run ingest "$fast"
done
echo 2 >file
run ingest "$slow"
verdict "uncommitted changes" 1 'vs. the commit itself, or its nearest measured ancestor'
check "compared with four commits: $out" grep -qE '^. slower .*\+18\.[0-9]+ % .* 4 +3$' <<<"$out"
git checkout -q file
commit "night 5" 2026-03-15T09:00:00Z
run ingest "$fast"
verdict "they are on no record" 0 '1 unchanged'
check "nor are they counted: $out" grep -qE ' 4 +3$' <<<"$out"

# --- what a key cannot be: file, line, and what to write ---
repository words
series gemm '1 * e'
measured
while IFS='|' read -r section line message; do
	[ -n "$section" ] || continue
	configure "$section\n\t${line//%/%%}\n"
	refused "$section $line" "config:2: $section ${line%% *} = ${line#* = }: $message" gate
done <<'END'
[gate]|false-discovery = 10|write 5 % or 0.05, not 5
[gate]|false-discovery = often|expected a percentage such as 5 %
[gate]|together = -1 %|expected a percentage such as 5 %
[gate]|window = 0|expected a number such as 3
[gate]|window = 2.5|expected a number such as 3
[gate]|seen-within = 0|expected a number of days such as 30
[gate]|seen-within = ever|expected a number of days such as 30
[gate]|drift = yes|expected true or false
[gate]|confirm = 2|expected true or false
[gate]|noise = 0 %|expected more than 0 %
[gate]|noise = 1|write 5 % or 0.05, not 5
[gate]|false-discovery = 0 %|expected more than 0 % and at most 100 %
[gate]|together = 120 %|expected more than 0 % and at most 100 %
[gate]|kernel = gemm|allowed only in a rule: [rule "name"]
[gate]|metric = mfu|allowed only in a rule: [rule "name"]
[gate]|at-least = 30 %|allowed only in a rule: [rule "name"]
[gate]|relativ = 3 %|unknown key; available: direction, role, relative
[rule "a"]|regressed = pass|use fail-on = LIST instead
[gate]|undecided = pass|use fail-on = LIST instead
[rule "a"]|fail-on = suspects|expected a list of regression, missing
[rule "a"]|window = 3|unknown key; available: kernel, variant
[rule "a"]|window = 30|unknown key; available: kernel, variant
[rule "a"]|relative = 3|write 5 % or 0.05, not 5
[rule "a"]|relative = fast|expected a percentage such as 5 %
[rule "a"]|relative = nan|expected a percentage such as 5 %
[rule "a"]|tolerance = 0|expected more than 0 %
[rule "a"]|tolerance = -5 %|expected a percentage such as 5 %
[rule "a"]|alpha = 0|expected a probability such as 0.01
[rule "a"]|alpha = 5 %|expected a probability such as 0.01
[rule "a"]|runs = 0|expected a number such as 3
[rule "a"]|role = both|expected primary or context
[rule "a"]|direction = up|expected lower, higher or neither (which direction is better)
[rule "a"]|metric = speed|unknown metric; 'rooflog list metrics' lists them
[rule "a"]|absolute = 3 apples|expected a quantity in the metric's unit, such as 0.5 us
[rule "a"]|absolute = 3 kB|expected a quantity in the metric's unit
[rule "a"]|at-least = 30 %|absolute needs a metric in the same rule
[rule "a"]|stale-after = soon|expected a number of days such as 30
[rule "a"]|stale-after = -1|expected a number of days such as 30
END
# The configuration of init, its comments become keys.
configured=()
run init
run doctor
check "an assumed noise: $out" grep -qF '1 gate rule' <<<"$out"
check "is active" grep -qE '^.noise = 1 %$' .rooflog/config
sed -i 's/^# \[/[/; s/^#\t/\t/' .rooflog/config
run doctor
equal "its examples are true: $out$err" "$status" 0
check "two rows: $out" grep -qF '2 gate rules' <<<"$out"
configure '[rule "a"]\nmetric = mfu\nat-least = 30\n'
refused "30 is no 30 %" 'config:3: [rule "a"] at-least = 30: write 30 % or 0.30, not 30' gate
configure '[rule "a"]\nmetric = mfu\nat-least = 30 %%\nabsolute = 1 %%\n'
refused "a limit and a comparison" 'config:4: [rule "a"] has both a limit (at-least, at-most) and a comparison (absolute): split it into two rules' gate
configure '[rule "a"]\nmetric = mfu\nat-least = 30 %%\nat-most = 20 %%\n'
refused "a limit that nothing can keep" 'config:4: [rule "a"] at-least is above at-most: nothing could pass' gate
configure '[rule "a"]\nmetric = mfu\nat-least = 30 %%\n'
refused "the option that conflicts with the file" '-c rule.a.at-most=20%: [rule "a"] at-least is above at-most' \
	gate -c rule.a.at-most=20%
check "the file is not blamed: $err" [ "$(grep -c 'config:' <<<"$err")" = 0 ]
refused "the option by which a rule refines another" '-c rule.a.refines=b: [rule "a"] may not refine "b": it sets metric' \
	gate -c rule.a.refines=b -c rule.b.metric=mfu
finish
