#!/bin/bash
# rooflog rm removes runs, ingest --again and --replace, and rm --undo: what is removed is read by no
# command, what is undone is as it was.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,device=gpu,instance_type=instance,time=value:ms

# What the commands say of the store, for comparisons.
answers() {
	local words
	for words in "log --json" "log --view history --json" "gate --json" "gate HEAD~1 --json" "report --json" \
		"show HEAD --json"; do
		# shellcheck disable=SC2086 # words
		run $words
		echo "$words: $status $(sha256sum <<<"$out")"
	done
}
ids() { "$rooflog" log --json "$@" 2>/dev/null | jq -r '.runs[].id' | sort; }
newest() { "$rooflog" log --json --kernel "$1" --max-count 1 | jq -r '.runs[0].id'; }

repository taken
nights 9
series attention '1*e'
series mlp '2*e'
measured
series attention 3 10 10
cp "$scratch/measurements.csv" "$scratch/slow.csv"
measured 60
whole=$(answers)
slow=$(newest attention)

# ---- what is removed is not read ----

run rm "$slow" --dry-run
equal "a dry run: $err" "$status" 0
check "shows the run: $out" grep -q "${slow:0:8}.*attention" <<<"$out"
check "and says that nothing was done: $err" grep -q '1 run would be removed; nothing was changed' <<<"$err"
equal "nothing was changed" "$(answers)" "$whole"
run rm "${slow:0:8}" --reason 'the clock was limited'
equal "rm: $err" "$status" 0
check "says how to undo it: $err" grep -q '1 run removed; "rooflog rm --undo" brings it back' <<<"$err"
equal "the run is not listed" "$(ids | grep -c "$slow")" 0
run gate
equal "the gate judges what is left: $out" "$status" 0
for words in "show $slow" "rm $slow"; do
	# shellcheck disable=SC2086 # words
	run $words
	equal "$words" "$status" 2
done
check "rm says where it is: $err" grep -q 'log --view edits' <<<"$err"
run doctor
equal "doctor: $out" "$status" 0
check "counts it: $out" grep -q '20 runs in 2 series at 10 commits, 20 values.*removed  *1 run' <<<"$(tr '\n' ' ' <<<"$out")"
check "and reads it: $out" grep -q '21 of 21 runs intact' <<<"$out"

run log --view edits
equal "the list: $err" "$status" 0
check "when, what and why: $out" grep -qE '^2026-03-07 09:00:00Z +rm +removed +1 .* attention +the clock was limited$' <<<"$out"
run log --view edits --json
as_schema "the list" edits-1.schema.json <<<"$out"
equal "the reason" "$(jq -r '.edits[0].reason' <<<"$out")" 'the clock was limited'
equal "the run" "$(jq -r '.edits[0].runs[0] | "\(.id) \(.effect) \(.removed)"' <<<"$out")" "$slow removed true"

run rm --undo --dry-run
check "a dry undo shows the run: $out" grep -q "${slow:0:8}" <<<"$out"
equal "and changes nothing" "$(ids | grep -c "$slow")" 0
SOURCE_DATE_EPOCH=1772960400 run rm --undo --json
as_schema "the undone edit" edits-1.schema.json <<<"$out"
equal "undo: $err" "$status $(jq -r '.edits[0] | "\(.undone_at) \(.runs[0].removed)"' <<<"$out")" \
	"0 2026-03-08T09:00:00Z false"
equal "all is as before" "$(answers)" "$whole"
run log --view edits
check "the list says that it was undone: $out" grep -q '2026-03-08 09:00:00Z' <<<"$out"
COLUMNS=60 run log --view edits
check "a narrow one has the whole time: $out" grep -qE '^2026-03-07 .* 2026-03-08 ' <<<"$out"
refused "nothing left to undo" 'no removal to undo' rm --undo

# ---- the runs of a commit; several edits are undone one by one, the last first ----

run rm --commit HEAD~1 --kernel mlp
equal "a kernel of a commit: $err" "$status $(wc -l <<<"$out")" "0 2"
one=$(answers)
run rm --commit HEAD~1
equal "the rest: $err" "$status" 0
run gate HEAD~1
equal "a commit without runs: $out$err" "$status" 2
refused "none is left" 'has no stored runs' rm --commit HEAD~1
run rm "$(newest mlp)" "$(newest attention)"
equal "two runs: $err" "$status" 0
run rm --undo
run rm --undo
equal "two of three are undone" "$(answers)" "$one"
run rm --undo
equal "and the third" "$(answers)" "$whole"

# ---- a removed file that is ingested again ----

run rm "$slow" --reason 'the clock was limited'
without=$(answers)
run ingest --columns "$map" "$scratch/slow.csv"
equal "ingested again: $err" "$status" 0
check "it says so: $out" grep -q "^removed" <<<"$out"
check "and when and why: $err" grep -qF \
	"run ${slow:0:8} was removed on 2026-03-07T09:00:00Z (the clock was limited): it stays removed" <<<"$err"
equal "it stays removed" "$(answers)" "$without"
run ingest --columns "$map" --json "$scratch/slow.csv"
equal "as JSON" "$(jq -r '.runs[].state' <<<"$out")" removed
run ingest --columns "$map" --again "$scratch/slow.csv"
check "--again brings it back: $out $err" grep -q "1 removed run brought back" <<<"$err"
equal "as before" "$(answers)" "$whole"
run rm --undo
equal "which is undone, too" "$(answers)" "$without"
run rm --undo
equal "and what it was for" "$(answers)" "$whole"

# ---- --replace ----

sed -i 's/,3$/,1.5/' "$scratch/slow.csv"
run ingest --columns "$map" --replace "$scratch/slow.csv"
equal "replace: $err" "$status" 0
check "says how many: $err" grep -q '2 runs of the same commit and series replaced' <<<"$err"
equal "the old run is gone" "$(ids | grep -c "$slow")" 0
equal "one is there" "$(ids --kernel attention | wc -l)" 10
replaced=$(answers)
run ingest --columns "$map" --replace "$scratch/slow.csv"
equal "once more: $err" "$status $(answers)" "0 $replaced"
run log --view edits --json
as_schema "replaced" edits-1.schema.json <<<"$out"
equal "two effects" "$(jq -r '.edits[0] | "\(.kind) \([.runs[].effect] | sort | join(" "))"' <<<"$out")" \
	"replace added removed removed"
run rm --undo
equal "undone: the old run is back, the new one is not there: $err" "$(answers)" "$whole"
run ingest --columns "$map" "$scratch/slow.csv"
check "ingested again it is a removed one: $out" grep -q "^removed" <<<"$out"
equal "and stays so" "$(answers)" "$whole"

# ---- mv ----

run mv mlp attention --dry-run
check "a dry run shows the names: $out" grep -q 'renamed  *10  *10 commits  *mlp -> attention' <<<"$out"
equal "and changes nothing" "$(answers)" "$whole"
run rm "$slow"
for dry in --dry-run ''; do
	# shellcheck disable=SC2086 # a word or none
	run mv attention flash $dry
	check "removed runs are renamed, too $dry: $out" grep -q ' renamed  *12 ' <<<"$out"
done
run mv --undo
run rm --undo
run mv mlp matmul --reason 'the new name'
equal "mv: $err" "$status" 0
check "says what the configuration needs: $err" grep -qF '[alias "mlp"] as = matmul' <<<"$err"
equal "the runs are called so" "$(ids --kernel matmul | wc -l) $(ids --kernel mlp | wc -l)" "10 0"
run gate
check "the history continues: $out" grep -qE 'matmul .* 9 +1$' <<<"$out"
run mv 'matmul h100-sxm' variant=v2,s=512
equal "parts of a name: $err" "$status" 0
run log --view series
check "are changed: $out" grep -q 'matmul v2 s=512' <<<"$out"
run mv 'matmul v2 s=512' attention
run gate
check "two series become one: $out" grep -qE '^(. )?[a-z]+ +attention v2' <<<"$out"
run log --view edits --json
as_schema "renamed" edits-1.schema.json <<<"$out"
equal "from and to" "$(jq -r '.edits[] | select(.kind == "mv" and .undone_at == null) | .runs[0] | "\(.was | split("/")[0]) \(.series | split("/")[0])"' <<<"$out")" \
	$'matmul attention\nmatmul matmul\nmlp matmul'
run rm --commit HEAD
run mv --undo
run mv --undo
run mv --undo
equal "undone: $err" "$status" 0
run rm --undo
equal "in any order with rm" "$(answers)" "$whole"
run doctor
check "series without runs are not counted: $out" grep -q '21 runs in 2 series at 10 commits, 21 values' <<<"$out"
refused "nothing left to undo" 'no renaming to undo' mv --undo
refused "a pattern" 'no series named "m*"' mv 'm*' x
refused "the beginning of a name" 'kernels that begin so: attention' mv att x
refused "a misspelled name" 'did you mean attention' mv atention x
refused "the same name" 'already has this name' mv mlp mlp
refused "an empty name" 'one line of text' mv mlp ''
refused "a name of two lines" 'one line of text' mv mlp $'a\nb'
refused "a device" 'the device was measured' mv mlp device=trn2
refused "a part without a value" 'expected a kernel, or the parts' mv mlp variant=
refused "one name" 'the series and its new name' mv mlp
refused "undo and a name" 'the series and its new name' mv --undo mlp
equal "all refused" "$(answers)" "$whole"

# ---- [alias] ----

renamed() { # what the gate says of the kernel matmul
	run gate --json
	jq -c '[.gate.comparisons[] | select(.kernel == "matmul") | .verdict, .record.commits]' <<<"$out"
}
configure '[alias "mlp"] as = matmul\n'
equal "the history continues" "$(renamed)" '["unchanged",9]'
run show HEAD
check "runs are called so: $out" grep -q matmul <<<"$out"
run log --kernel matmul
equal "and found" "$(grep -c matmul <<<"$out")" 10
run doctor
equal "the checksums are those of the stored names: $out" "$status" 0
check "doctor says so: $out" grep -qE 'alias +mlp is called matmul' <<<"$out"
refused "rm knows series by the names that log shows" "has kernel 'mlp'; kernels there: attention, matmul" rm --commit HEAD --kernel mlp
for dry in --dry-run ''; do
	# shellcheck disable=SC2086 # a word or none
	run rm --commit HEAD --kernel matmul $dry
	equal "rm by the new name $dry: $err" "$status $(grep -c ' matmul ' <<<"$out")" "0 1"
done
run rm --undo
check "undone: $out" grep -q ' matmul ' <<<"$out"
refused "the name that it has" 'already has this name' mv mlp mlp
for dry in --dry-run ''; do
	# shellcheck disable=SC2086 # a word or none
	run mv matmul gemm $dry
	check "mv by the new name $dry: $err" grep -q ' renamed  *10  *10 commits  *mlp -> gemm$' <<<"$out"
done
run log --view edits
check "which the list gives as it was stored: $out" grep -q ' renamed  *10  *10 commits  *mlp -> gemm$' <<<"$out"
run mv --undo
run mv mlp matmul
check "mv makes the name permanent: $err" grep -q ' renamed  *10  *10 commits  *mlp -> matmul$' <<<"$out"
run mv --undo
equal "undone: $err" "$status" 0
configure '[alias "mlp"] as = matmul\n[work "matmul"] flops = 2e9\n[work "mlp"] flops = 1e9\n'
for list in "log --json" "log --json --kernel matmul" "show HEAD --json"; do
	run $list
	equal "$list: its work is that of its name" \
		"$(jq -c '[.. | objects | select(.kernel? == "matmul") | .metrics.algorithmic_flops.value?] | unique' <<<"$out")" '[2000000000]'
done
configure '[alias "mlp"] as = matmul\n[work "matmul"] flops = 2e9\n[rule "rate"] metric = algorithmic_rate\n'
equal "and verdicts, too" "$(renamed)" '["unchanged",9]'
series mlp 2 10 10
run ingest --columns "$map" --json "$scratch/measurements.csv"
equal "what is ingested is called so: $err" "$(jq -r '.runs[].kernel' <<<"$out")" matmul
equal "and its work is that of its name" "$(jq '.runs[].metrics.algorithmic_flops.value' <<<"$out")" 2000000000
configured=()
equal "and stored so" "$(ids --kernel matmul | wc -l) $(ids --kernel mlp | wc -l)" "1 10"
run ingest --columns "$map" "$scratch/measurements.csv"
check "its file is known by the old name, too: $out" grep -q "^known" <<<"$out"
run rm "$(newest matmul)"
equal "without [alias] all is as before" "$(answers)" "$whole"
for bad in '[alias] as = x' '[alias "x"] to = y' '[alias "x"] as = device=y' '[alias "x"] as ='; do
	configure "$bad\n"
	refused "$bad" 'config:1: [alias' log
done
configured=()
rm "$scratch/measurements.csv"

# ---- what is refused ----

refused "nothing" 'nothing to remove: give RUN..., --commit COMMIT, --all-commits or --undo' rm
refused "both" 'nothing to remove: give RUN..., --commit COMMIT, --all-commits or --undo' rm "$slow" --commit HEAD
refused "undo and a run" 'nothing to remove: give RUN..., --commit COMMIT, --all-commits or --undo' rm "$slow" --undo
refused "a filter alone" 'give --commit' rm "$slow" --kernel mlp
refused "a reason for an undo" '--reason and --undo cannot be combined' rm --undo --reason x
refused "an empty reason" 'one line of text' rm "$slow" --reason ' '
refused "a reason of two lines" 'one line of text' rm "$slow" --reason $'a\nb'
refused "a short id" 'is too short: 4 digits at least' rm "${slow:0:3}"
refused "a long id" 'no run' rm "${slow}0"
refused "a pattern" 'is a series; rm removes stored runs' rm 'att*'
refused "an id of another store" "nothing is called '0123456789abcdef': no run|--view edits" rm 0123456789abcdef
refused "an unknown id among others" "nothing is called '0123456789abcdef': no run" rm "$slow" 0123456789abcdef
refused "an unknown commit" 'nowhere' rm --commit nowhere
refused "no match" "has kernel 'none'; kernels there: attention, mlp" rm --commit HEAD --kernel 'none'
run rm --undo --store "$scratch/none.db"
equal "no store: $err" "$status $(ls "$scratch"/none.db* 2>/dev/null)" "2 "
equal "all refused" "$(answers)" "$whole"

# ---- several at once ----

for i in 1 2 3; do
	"$rooflog" rm --commit "HEAD~$i" >/dev/null 2>&1 &
	"$rooflog" mv attention "attention$i" >/dev/null 2>&1 &
	"$rooflog" ingest --history --columns "$map" "$scratch/slow.csv" >/dev/null 2>&1 &
done
wait
run doctor
equal "doctor after edits at once: $out" "$status" 0
run log --view edits --json
equal "each is recorded" "$(jq -r '.edits[] | select(.undone_at == null) | .kind' <<<"$out" | sort | uniq -c | xargs)" \
	"1 mv 4 rm"
for i in 1 2 3; do run rm --undo; done
run mv --undo
equal "all are undone" "$(answers)" "$whole"

# ---- damage ----

sql() { # STATEMENTS
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(".rooflog/runs.db")
db.executescript(sys.argv[1])
db.close()' "$1"
}
run rm "$slow"
sql "UPDATE run SET dirty = dirty - 4 WHERE hash = x'$slow'"
run log
equal "a removed run does not come back by a changed bit: $err" "$status" 2
run doctor
check "doctor names it: $out" grep -q "damage .*${slow:0:10}" <<<"$out"
sql "UPDATE run SET dirty = dirty + 4 WHERE hash = x'$slow'"
run doctor
equal "restored: $out" "$status" 0
sql "UPDATE edit SET reason = 'another'"
refused "a changed edit is not undone" 'damaged' rm --undo
run doctor
check "doctor names the edit: $out" grep -q 'damage .*edit' <<<"$out"
sql "UPDATE edit SET reason = NULL WHERE undone_at = 0"
sql "UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'00' || substr(packed, 7) AS BLOB)
	WHERE run_id = (SELECT id FROM run WHERE hash = x'$slow')"
run doctor --repair
run doctor
check "a damaged removed run is set aside: $out" grep -q 'set aside; ingest its file again' <<<"$out"
equal "and is not read" "$(ids | grep -c "$slow")" 0

# ---- what --replace replaces ----

repository places
run ingest "$root/samples/history/04/attention-s512"
equal "a clean work tree: $err" "$status" 0
clean=$(newest attention)
echo text >tracked
git add tracked
run ingest --replace "$root/samples/history/05/attention-s512"
equal "a work tree with changes: $err" "$status" 0
equal "leaves the clean run" "$(ids | wc -l) $(ids | grep -c "$clean")" "6 1"
run ingest --replace "$root/samples/history/04/attention-s512"
equal "but not the other one with changes" "$(ids | wc -l) $(ids | grep -c "$clean")" "6 1"
git rm -qf tracked

repository copies
alone='--commit HEAD --columns kernel=op,device=gpu,time=value:ms'
printf 'op,gpu,value\nattention,h100-sxm,2\n' >"$scratch/clean.csv"
# shellcheck disable=SC2086 # words
run ingest $alone "$scratch/clean.csv"
clean=$(newest attention)
sed 's/2$/2.5/; s/attention/new_name/' "$scratch/clean.csv" >"$scratch/named.csv"
configure '[alias "attention"] as = new_name\n'
# shellcheck disable=SC2086 # words
run ingest $alone --replace "$scratch/named.csv"
equal "replaces the run under its earlier name: $err" "$status $(ids | grep -c "$clean")" "0 0"
run rm --undo
equal "undone: $err" "$status $(ids | grep -c "$clean")" "0 1"
configured=()

cp "$scratch/clean.csv" "$scratch/copy.csv"
for how in --again --replace; do
	run rm "$clean"
	# shellcheck disable=SC2086 # words
	run ingest $alone "$how" "$scratch/clean.csv" "$scratch/copy.csv"
	equal "$how of two copies of a file: $err" "$status $(ids | grep -c "$clean")" "0 1"
	check "brings one run back: $err" grep -q '1 removed run brought back' <<<"$err"
done
finish
