#!/bin/bash
# gate --explain: the numbers behind a verdict are all there, and whoever computes them again from the
# record comes to the same; gate --json tells them too.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,variant=impl,dtype=type,device=gpu,param:m=m,time=ms:ms

history() { # COUNT: commits on the branch that is entered
	for i in $(seq "$1"); do
		printf 'commit refs/heads/many\ncommitter a <a@example.org> %d +0000\ndata 2\nc\n\n' \
			$((1772874000 + i * 86400))
	done | git fast-import --quiet
	git checkout -q many
}

measure() { # WHEN FROM TO KERNEL=...: a measurement of its own of the commits after FROM up to TO
	local when=$1 range=${2:+$2..}$3
	shift 3
	git rev-list --reverse "$range" | python3 "$root/tests/cli/gate/gate_record.py" "$@" >table.csv
	SOURCE_DATE_EPOCH=$when run ingest --quiet --history --columns "$map" table.csv
	equal "ingest: $err" "$status" 0
}

repository record
history 40
measure 1779000000 "" HEAD~1 gemm=1:0.004:1.1@15 softmax=2:0.02 attention=3:0.005 layer=0.5:0.003
measure 1779000001 HEAD~4 HEAD~1 young=1:0.01
measure 1779000002 HEAD~1 HEAD gemm=1.2:0.004 softmax=2.05:0.02 attention=2.7:0.005 layer=0.5:0.003 \
	young=1.01:0.01 new=1:0.01
measure 1779000003 HEAD~1 HEAD gemm=1.21:0.004 softmax=2.05:0.02

run gate
line=$(head -n 1 <<<"$out")
run gate --explain '*'
equal "the gate's first line" "$(head -n 1 <<<"$out")" "$line"
run gate --explain '*' --json
equal "status is the gate's: $err" "$status" 1
cp "$scratch/.out" all.json
check "computed again: $(python3 "$root/tests/cli/gate/gate_explain.py" <all.json)" \
	python3 "$root/tests/cli/gate/gate_explain.py" <all.json >/dev/null
equal "all six" "$(jq -c '[.explained[] | .name] | sort' all.json)" \
	'["attention","gemm","layer","new","softmax","young"]'
equal "the noise of sisters is borrowed by the young one only" \
	"$(jq -c '[.explained[] | select(.judge.borrowed) | .name]' all.json)" '["young"]'
equal "four were judged together, and one young one" "$(jq .judged_together.count all.json)" 5
equal "the change of level, and what it leaves" \
	"$(jq -c '.explained[] | select(.name == "gemm") | [.record.changes[0].index, .record.commits, .record.commits_of_level]' all.json)" \
	'[15,39,24]'
equal "both measurements say so" \
	"$(jq -c '.explained[] | select(.name == "gemm") | [.verdict, .judge.runs, .candidate.measurements[].verdict]' all.json)" \
	'["regressed","repeat measurements","regressed","regressed"]'
equal "each says its own exit status" \
	"$(jq -c '[.explained[] | select(.name | IN("attention", "gemm", "new")) | [.name, .exit_status]] | sort' all.json)" \
	'[["attention",0],["gemm",1],["new",0]]'
schema() { # the explanation on standard input is as docs/schema describes it
	/usr/bin/python3 "$root/tests/cli/help/documents.py" explanation
}
check "as docs/schema describes it: $(schema <all.json)" schema <all.json
jq ".explained[0].judge.p_slower = \"small\"" all.json >spoiled.json
check "a p that is a text is noticed" bash -c "! /usr/bin/python3 $root/tests/cli/help/documents.py explanation <spoiled.json"
tampered() { # NAME JQ-ASSIGNMENT
	check "$1 is noticed" test "$(jq "$2" all.json | python3 "$root/tests/cli/gate/gate_explain.py" | grep -c ^FAILED)" -gt 0
}
tampered "a value of the record" '.explained[0].record.points[-1].value.value *= 1.01'
tampered "a p" '.explained[0].judge.p_slower *= 1.00001'
tampered "a q" '.explained[0].q_slower *= 1.00001'
tampered "the noise" '.explained[0].judge.scale *= 1.00001'

# What is asked for: a glob over the name as it is printed, the whole name, the key.
run gate --explain 'ge*' --json
equal "by a glob" "$(jq -c '[.explained[].name]' <<<"$out")" '["gemm"]'
key=$(jq -r '.explained[] | select(.name == "layer") | .series' all.json)
run gate --explain "$key" --json
equal "by the key" "$(jq -c '[.explained[].name]' <<<"$out")" '["layer"]'
run gate --explain 'layer v1 bf16 m=64' --json
equal "by the whole name: $err" "$(jq -c '[.explained[].name]' <<<"$out")" '["layer"]'
refused "what is not there" "nothing is called 'nothing*': no commit or series" gate --explain 'nothing*'
refused "no such format" '--explain writes text or json' gate --explain '*' --as html

# For people: 80 columns, the same numbers.
run gate --explain '*'
equal "status: $err" "$status" 1
check "lines of at most 80 columns: $(grep -E '^.{81}' <<<"$out")" bash -c "! grep -qE '^.{81}' '$scratch/.out'"
run gate --explain gemm
check "folded, and says so: $out" grep -qF 'the latest 20 of 39; --json lists all' <<<"$out"
check "the change" grep -qF '15 commits' <<<"$out"
check "the gates" grep -qE '^  p  +passed: [0-9.e-]+, below 0.01$' <<<"$out"
equal "of each what it must be" \
	"$(jq -c '[.explained[] | select(.judge) | .judge.gates[] | select(.must_be == null)] | length' all.json)" 0
check "false discovery rate" grep -qF 'among' <<<"$out"
p=$(jq '.explained[] | select(.name == "gemm") | .judge.p_slower' all.json)
check "p $p" grep -qF "$(printf %.6g "$p") for slower" <<<"$out"
run gate --explain new
check "nothing on record is said" grep -qF 'no earlier measurements' <<<"$out"

# More is better: 1 / value is judged; and differences where there are zeros.
repository rates
history 30
rates=commit,kernel=op,variant=impl,dtype=type,device=gpu,throughput=rate,dma_occupancy=busy:percent
row() { # COMMIT RATE BUSY
	echo "$1,dense,v1,bf16,h100-sxm,$2,$3"
}
{
	echo commit,op,impl,type,gpu,rate,busy
	n=0
	for commit in $(git rev-list --reverse HEAD~1); do
		n=$((n + 1))
		row "$commit" "$((100000 + n * 7919 % 1000))" "$((n * 31 % 5))"
	done
	row "$(git rev-parse HEAD)" 80000 9
	row "$(git rev-parse HEAD)" 80100 9
} >rates.csv
run ingest --quiet --columns "$rates" rates.csv
equal "ingest: $err" "$status" 0
printf '[rule "rate"]\nmetric = throughput\n[rule "spill"]\nmetric = dma_occupancy\n' >"$scratch/config"
run gate --config "$scratch/config" --explain '*' --json
cp "$scratch/.out" rates.json
equal "what was judged: $err" "$(jq -c '[.explained[] | [.metric, .judge.values]] | sort' rates.json)" \
	'[["dma_occupancy","value"],["throughput","ln(1 / value)"]]'
check "computed again: $(python3 "$root/tests/cli/gate/gate_explain.py" <rates.json)" \
	python3 "$root/tests/cli/gate/gate_explain.py" <rates.json >/dev/null
equal "the level is a rate" \
	"$(jq '.explained[] | select(.metric == "throughput") | .judge.level.value > 99000 and .judge.candidate.value < 81000' rates.json)" true

# A limit has no record, and says so.
printf '[rule "limit"]\nmetric = throughput\nat-least = 90000\n' >"$scratch/config"
run gate --config "$scratch/config" --explain '*' --json
equal "a limit" "$(jq -c '.explained[] | [.verdict, .method, .baseline.is, .baseline.value, .judge, .row.at_least]' <<<"$out")" \
	'["failed","limit","limit",90000,null,90000]'
check "no line ends in blanks" test -z "$("$rooflog" gate --explain '*' 2>&1 | grep ' $')"
finish
