#!/bin/bash
# Scenarios: groups of runs in show, report and compare, and comparisons of parameters in series.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository scenarios
columns=kernel=op,time=us:us,param:b=b,param:s=s,mfu=mfu:fraction
store() { # FILE
	run ingest --commit HEAD --set device=h200,dtype=bf16 --columns "$columns" "$1"
	equal "$1: $err" "$status" 0
}
printf 'op,b,s,us,mfu\nattention,1,512,100,.5\nattention,8,1,20,.1\nmlp,1,512,300,.3\nmlp,8,1,80,\nnorm,1,128,10,.2\n' >a.csv
store a.csv

run show
equal "no groups without scenarios" "$(grep -c runs <<<"$out")" 0
equal "no groups in the document" "$(run show --json; jq 'has("scenarios") or any(.runs[]; has("scenarios"))' <<<"$out")" false

configure '[scenario "prefill"]\n\tseries = * s>128\n[scenario "decode"]\n\tseries = * s=1\n[scenario "FFN"]\n\tseries = mlp\n\tseries = ffn*\n[scenario "none"]\n\tseries = conv\n'
run show
equal "show: $err" "$status" 0
equal "groups with times, as shown" "$(sed -n 's/^\([a-zA-Z]*, [0-9]* runs\{0,1\}\)  *\([0-9.]* us\).*/\1 \2/p' <<<"$out")" \
	"prefill, 2 runs 400.0 us
decode, 2 runs 100.0 us
FFN, 2 runs 380.0 us
other, 1 run 10.00 us"
equal "each below its group" "$(sed -n '/^decode/,/^FFN/s/^  \([a-z]*\) .*/\1/p' <<<"$out" | sort | paste -sd' ')" "attention mlp"
run show --json
equal "means by time" "$(jq -c '[.scenarios[] | .metrics.mfu.value]' <<<"$out")" "[0.35,null,null,0.2]"
equal "names" "$(jq -c '[.scenarios[].name]' <<<"$out")" '["prefill","decode","FFN",null]'
equal "those of a run" "$(jq -c '.runs[] | select(.title | test("mlp.*s=512")) | .scenarios' <<<"$out")" '["prefill","FFN"]'

run report --as report
equal "report" "$(grep -A7 '^| Scenario' <<<"$out" | sed -n '3,6p')" \
	"| prefill | 2 runs | 400.0 us | 35.00 % |
| decode | 2 runs | 100.0 us | unknown |
| FFN | 2 runs | 380.0 us | unknown |
| other | 1 run | 10.00 us | 20.00 % |"
run report -o report.html
check "page" grep -q '<td>prefill</td><td class="n">400.0 µs</td><td class="full">2 runs</td>' report.html

# Times that do not add up: two measurements of one series.
sed 's/,100,/,110,/' a.csv >b.csv
run show --set device=h200,dtype=bf16 --columns "$columns" a.csv b.csv
check "two files have no sum" grep -qE '^prefill, 4 runs +unknown' <<<"$out"

commit second
sed 's/,300,/,360,/;s/,20,/,10,/' a.csv >c.csv
store c.csv
run compare
for line in 'geomean prefill +173\.21 +189\.74 +\+9\.54 % +of 2' 'geomean decode +40\.00 +28\.28 +-29\.29 % +of 2' \
	'geomean FFN +154\.92 +169\.71 +\+9\.54 % +of 2'; do
	check "compare: $line" grep -qE "^$line" <<<"$out"
done
equal "no group without rows" "$(grep -c 'geomean none' <<<"$out")" 0
run compare --as md
check "compare as Markdown" grep -qF '| geometric mean, prefill | 173.21 | 189.74 | +9.54 % | | | of 2 | |' <<<"$out"
run gate
before=$out
configured=()
run gate
equal "verdicts do not depend on scenarios" "$before" "$out"

# Series that compare parameters.
run log --view series '* s>128' b=1
equal "log" "$(sed -n 's/^\([a-z]*\)  .* us$/\1/p' <<<"$out" | paste -sd' ')" "attention mlp"
run show 'attention s<=1'
check "show: $out" grep -q '^attention.*s=1' <<<"$out"
run show --series 'attention s>512'
check "none matches: $err" grep -q "is of series 'attention s>512'" <<<"$err"

for bad in scenario.x.serie=mlp:'unknown key; available: series' scenario.series=mlp:'expected a name' \
	scenario.x.series=:'expected a series'; do
	run show -c "${bad%%:*}"
	equal "${bad%%:*}: status" "$status" 2
	check "${bad%%:*}: $err" grep -qF "${bad#*:}" <<<"$err"
done
run doctor -c 'scenario.p.series=* s>1'
check "doctor: $out" grep -qE 'scenario +p: \* s>1' <<<"$out"
finish
