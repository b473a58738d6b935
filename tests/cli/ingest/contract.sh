#!/bin/bash
# A tree as a profiling run leaves it: out/profiles/<mode>/<kernel>/<params>/<timestamp>/ with
# params.json, report.md and tilings. Stages, modes that never mix, what lies beside.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository contract
cp -r "$root"/samples/contract/out .
run ingest out
equal "the whole tree: $err" "$status" 0
check "all of it is read: $err" grep -q '8 files read: 3 runs stored' <<<"$err"
run log --json
equal "kernel and variant" "$(jq -r '[.runs[] | "\(.kernel) \(.variant)"] | unique | .[]' <<<"$out")" \
	"mla_var6_plus v4"
equal "modes are tool classes of their own" \
	"$(jq -r '[.runs[].tool] | sort | join(" ")' <<<"$out")" "annotation-report annotation-report event"
equal "stages" "$(jq -r '[.runs[].params[] | select(.name == "stage").value] | sort | join(" ")' \
	<<<"$out")" "absorb attention"
stage() { # STAGE FILTER: of the run of that stage
	jq -r --arg stage "$1" '.runs[] | select(any(.params[]; .name == "stage" and .value == $stage)) |
		'"$2" <<<"$out"
}
equal "duration of a stage" "$(stage attention .metrics.total_time.value)" 0.0003805
equal "tensor pipe of a stage" "$(stage attention .metrics.tensor_pipe_utilization.value)" 0.42
equal "the tiling of the stage" \
	"$(stage attention '[.versions[] | select(.key == "tiling.Bn").text] | join(",")')" 128
equal "the tiling of another stage is not there" \
	"$(stage absorb '[.versions[] | select(.key | startswith("tiling"))] | length')" 0
equal "the fastest configuration first" "$(stage attention \
	'.tuning[0] | "\(.name) \(.time.value)"')" "Bm=64, Bn=128 0.0003805"
equal "what was tried" "$(stage attention \
	'[.versions[] | select(.key == "tiling.tuning_tried").text] | join(",")')" 3
equal "a run of all stages names them" "$(jq -r '.runs[] | select(.tool == "event") | .tuning[0].name' \
	<<<"$out")" "attention: Bm=64, Bn=128"

run ingest out
check "known with all that lies beside: $err" grep -q ' 3 duplicates' <<<"$err"
find out -name autotuning.json -delete
run ingest out
check "and without the history of its tuning: $err" grep -q ' 3 duplicates' <<<"$err"

# Without params.json the path still names the kernel; event mode never meets another mode.
rm out/profiles/event/mla_var6_plus/*/*/params.json
run ingest --dry-run --json --set dtype=bf16,device=rtx-5090 out/profiles/event
equal "the kernel is that of the path" "$(jq -r '.runs[0].kernel' <<<"$out")" mla_var6_plus
cp -r out/profiles/annotation/mla_var6_plus/b32_s16_t4096/20260301-0900 moved
run ingest --dry-run --json moved
equal "outside of such a path it is a report" "$(jq -r '.runs[0].tool' <<<"$out")" report


# --- the modes of ncu and nsys: their reports name the profile, code of the compiler is no failure ---

for mode in ncu nsys; do
	folder=reports/out/profiles/$mode/mla_var6_plus/b32/20260301-0900
	mkdir -p "$folder/compiled/attention"
	printf '# Diagnosis\n\nMemory-bound, see above.\n' | tee "$folder/report.md" >"$folder/report-verbose.md"
	printf '.version 8.4\n' >"$folder/compiled/attention/kernel.ptx"
	printf 'module {\n}\n' >"$folder/compiled/attention/kernel.mlir"
done
cp "$root/samples/formats/nvidia/ncu-raw/sample.csv" reports/out/profiles/ncu/mla_var6_plus/b32/20260301-0900/raw.csv
run ingest --dry-run --set dtype=bf16,device=h100-sxm reports
equal "a tree with reports: $err" "$status" 0
check "one line for the code: $err" grep -qF -- 'code of the compiler (PTX, SASS, MLIR, bytecode), not a measurement' <<<"$err"
check "counted: $err" grep -qE -- 'skipped 4 files, e.g. .*kernel.(ptx|mlir)' <<<"$err"
check "the profile beside: $err" grep -qF -- 'a report of the ncu mode, without numbers of its own; they are in raw.csv' <<<"$err"
check "none beside: $err" grep -qF -- 'a report of the nsys mode, without numbers of its own; the folder has no profile: export one: nsys export --type sqlite FILE.nsys-rep' <<<"$err"
run ingest --dry-run reports/out/profiles/ncu/mla_var6_plus/b32/20260301-0900/report.md
equal "a named one is refused" "$status" 2
check "by name: $err" grep -qF -- 'they are in raw.csv' <<<"$err"

# --- the chosen configuration among those that were tried ---

mkdir chosen
cp -r "$root"/samples/contract/out chosen
tuned=$(echo chosen/out/profiles/annotation/mla_var6_plus/*/*)
run show --details "$tuned"
check "spread and rank: $out" grep -qF -- 'best 380.5 us, median 391.4 us, worst 402.2 us; chosen: the best' \
	<<<"$(tr -s ' \n' ' ' <<<"$out")"
printf '{"Bm": 64, "Bn": 64}' >"$tuned/tiling/attention.json"
run show --json "$tuned"
equal "the chosen one is not the best" "$(jq -r '.runs[] | .findings[] | select(.rule == "tuning-not-best") |
	"\(.value.value * 1e6 | round) \(.text)"' "$scratch/.out")" \
	"57162 The chosen configuration Bm=64, Bn=64 took 402.2 us in tuning, 5.716 % longer than Bm=64, Bn=128 (380.5 us)"
run show --details "$tuned"
check "in words: $out" grep -qF -- 'chosen: rank 2, 5.716 % above the best' <<<"$(tr -s ' \n' ' ' <<<"$out")"

printf '## Development log\n\n| Metric | Value |\n|---|---|\n| Duration | 3 us |\n' >log.md
refused "a development log is no report" 'unsupported format' ingest log.md
finish
