#!/bin/bash
# ingest --summary-only: what it knows, what it leaves unknown, where it stops, what it refuses; and
# the instructions that JSON is read with, which change nothing of that.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
formats=$root/samples/formats
who=(--set "kernel=mlp,dtype=bf16")
repository summary

# A profile with its sections in the order named, and a long one that nobody reads.
profile() { # SECTION...
	jq -c --args '(. + {semaphore_update: [range(3000) | {id: ., text: "\"}]\\"}]}) as $all |
		reduce $ARGS.positional[] as $name ({}; .[$name] = $all[$name])' "$@" \
		<"$formats/neuron/neuron-profile-json/sample.json"
}
profile metadata semaphore_update active_time summary >last.json
profile summary semaphore_update active_time metadata >first.json
profile metadata semaphore_update active_time >none.json
head -c $(($(wc -c <first.json) / 2)) first.json >first_cut.json
head -c $(($(wc -c <last.json) / 2)) last.json >last_cut.json

run ingest "${who[@]}" --dry-run --json last.json
equal "whole: $err" "$status" 0
whole=$out
run ingest "${who[@]}" --dry-run --json --summary-only last.json
equal "summary: $err" "$status" 0
check "the notice: $err" grep -q 'warning: last.json: summary only: engine timelines' <<<"$err"
equal "the note" "$(jq '[.runs[0].warnings[] | select(.message | startswith("summary only"))] | length' <<<"$out")" 1
equal "it has its cores" "$(jq '.runs[0].cores' <<<"$out")" 2
timelines='[.runs[0].engines[] | has("timeline")]'
equal "whole: timelines" "$(jq -c "$timelines" <<<"$whole")" '[true,true]'
equal "no timelines" "$(jq -c "$timelines" <<<"$out")" '[false,false]'
metrics='.runs[0].metrics | with_entries(.value |= .value)'
equal "every figure is that of the whole" \
	"$(jq -n --argjson a "$(jq "$metrics" <<<"$out")" --argjson b "$(jq "$metrics" <<<"$whole")" \
		'[$a | to_entries[] | select(.value != $b[.key]) | .key]' -c)" '[]'
check "figures" [ "$(jq "$metrics | length" <<<"$out")" -gt 10 ]

# Behind the summary nothing is looked at, before it everything has its end.
run ingest "${who[@]}" --dry-run --summary-only --json first_cut.json
equal "cut off behind it: $err" "$status" 0
equal "metadata behind it" "$(jq -c '[.runs[0].cores, .runs[0].metrics.mfu]' <<<"$out")" '[null,null]'
refused "cut off behind it, the whole asked for" "first_cut.json|truncated JSON document" \
	ingest "${who[@]}" first_cut.json
refused "cut off before it" "last_cut.json|truncated JSON document" ingest "${who[@]}" --summary-only last_cut.json
refused "no summary" "none.json: the profile has no summary" ingest "${who[@]}" --summary-only none.json

# One run each.
run ingest "${who[@]}" --summary-only last.json
equal "stored: $err" "$status" 0
run ingest "${who[@]}" --summary-only last.json
check "known: $err" grep -q '0 runs stored, 1 duplicate,' <<<"$err"
run ingest "${who[@]}" last.json
check "the whole is another run: $err" grep -q '1 run stored, 0 duplicates' <<<"$err"

# Other formats.
refused "a trace of PyTorch" "sample.json: --summary-only reads only neuron-profile summaries" \
	ingest "${who[@]}" --summary-only "$formats/frameworks/kineto/sample.json" --dry-run
for sample in "$root/samples/summary.json" "$root/samples/summary.txt"; do
	run ingest "${who[@]}" --set device=trn2 --dry-run --json "$sample"
	whole=$out
	run ingest "${who[@]}" --set device=trn2 --dry-run --json --summary-only "$sample"
	equal "a summary is read as ever: $sample" "$status $out" "0 $whole"
done
mkdir many
cp last.json many
cp "$formats/frameworks/kineto/sample.json" many/trace.json
printf '{"kernel":"mlp","dtype":"bf16"}' >many/params.json
run ingest --dry-run --summary-only many
equal "a directory: $err" "$status" 0
check "params.json is heard: $out" grep -q 'mlp bf16' <<<"$out"
check "what is skipped: $err" grep -q 'skipped many/trace.json: --summary-only reads only neuron-profile summaries' <<<"$err"

# Instruction sets.
names=$(ROOFLOG_ISA=none "$rooflog" doctor | sed -n 's/.*instructions *JSON is read with none; available: \(.*\)$/\1/p')
check "those of this machine: $names" grep -q 'words, none$' <<<"$names"
equal "the best one by default" "$(env -u ROOFLOG_ISA "$rooflog" doctor | awk '/instructions/ { sub(";", "", $7); print $7 }')" \
	"${names%%,*}"
for name in ${names//,/}; do
	export ROOFLOG_ISA=$name
	check "doctor shows $name" grep -qE "^ok +instructions +JSON is read with $name; " <<<"$("$rooflog" doctor)"
	for option in --summary-only --keep-going; do
		run ingest "${who[@]}" --dry-run --json "$option" last.json
		[ "$option" != --summary-only ] || summary=${summary:-$out}
		[ "$option" = --summary-only ] || all=${all:-$out}
		[ "$option" != --summary-only ] || equal "$name: summary" "$out" "$summary"
		[ "$option" = --summary-only ] || equal "$name: all" "$out" "$all"
	done
done
for name in mmx 'words ' AVX2; do
	export ROOFLOG_ISA=$name
	refused "ROOFLOG_ISA=$name" "ROOFLOG_ISA \"$name\" is not supported; this machine has $names" doctor
done
ROOFLOG_ISA='' run doctor
equal "empty is as if it were not set" "$status" 0
finish
