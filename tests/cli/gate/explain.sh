#!/bin/bash
# Why a figure moved and what could be gained, from ingest to every place that says it; and that it is
# right about real pairs of profiles.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# A profile of the sample, changed by a jq program over its summary ($s) and the whole.
changed() { # NAME PROGRAM
	mkdir -p "$1"
	cp "$root/samples/mlp/params.json" "$1"
	jq -c "$2" "$root/samples/mlp/profile.json" >"$1/profile.json"
}

# The why of the newest run's baseline, and of the gate's first comparison.
why() { # FIELD
	"$rooflog" report --as json 2>/dev/null | jq -r ".runs[0].baseline.why.$1"
}
gate_why() { # FIELD
	"$rooflog" gate --json 2>/dev/null | jq -r ".gate.comparisons[0].why.$1"
}

repository explain
run ingest "$root/samples/mlp"
equal "ingest: $err" "$status" 0
commit noise 2026-03-02T09:00:00Z
changed noise '.summary[0] += {total_time: 48.356596e-6, dma_active_time: 23.357e-6}'
run ingest noise
equal "ingest: $err" "$status" 0
equal "the same kernel: cause" "$(why cause)" noise
equal "the same kernel" "$(why text)" \
	"+3.1 us: all engines idle +3.1 us, DMA active +2.9 us. The compiled kernel is identical, byte for byte: noise, or the machine"
equal "the gate says the same" "$(gate_why text)" "$(why text)"
equal "seconds of the DMA" "$(why 'parts[] | select(.key == "dma_active_time") | .seconds * 1e9 | round')" 2900

commit code 2026-03-03T09:00:00Z
changed code '.neff_header[0].hash = "00" |
	.summary[0] += {total_time: 58.356596e-6, dma_active_time: 33.357e-6, total_active_time: 42e-6,
		hbm_read_bytes: 9830400, spill_reload_bytes: 3276800, compiler_version: "2.24.1.0"} |
	.instruction |= map(if .nki_source_location == "mlp.py:48" then .duration += 400 else . end)'
run ingest code
equal "ingest: $err" "$status" 0
equal "another kernel: cause" "$(why cause)" code
text=$(why text)
equal "another kernel" "$text" "+10 us: DMA active +10 us, mlp.py:48 +6.4 us, HBM reads +50 % with the \
same FLOP (59.1 -> 39.9 FLOP/B), spill reloads 0 B -> 3.28 MB; compiler 2.23 -> 2.24"
run show --kernel mlp
check "the card: $out" grep -qE '^  cause +\+10 us: ' <<<"$out"
run gate
check "the gate at a terminal" grep -qF "  cause: $text" <<<"$out"
run report --as md
check "the report" grep -qF -- '- Cause of the change: +10 us: ' <<<"$out"
run report --as html
check "the page" grep -qF '<strong>Cause of the change</strong>: +10 µs: ' <<<"$out"
run report --as json
check "at most two sentences" jq -e '[.. | .why? // empty | .text | split(". ") | length] |
	length > 1 and max <= 2' <<<"$out" >/dev/null

# --- opportunities ---

run report --as contract
check "the contract has the formula: $out" grep -qE \
	'^3\. Eliminate spills — est\. 18\.56% gain — trigger: .*=33\.33 % — at most, spilled .* x DMA active 57\.16 %$' \
	<<<"$out"
run show --json --kernel mlp
equal "a share of the DMA's time, in both lists" "$(jq -r '.runs[0] | (.opportunities[], .findings[]) |
	select(.rule == "spills") | .gain_fraction * 1e9 | round' <<<"$out" | uniq)" \
	"$(jq -r '.runs[0].metrics | .spill_reload_bytes.value / .hbm_bytes.value *
		.dma_active_time.value / .total_time.value * 1e9 | round' <<<"$out")"

# --- real pairs ---

neuron=$root/../shared/data/neuron/allenkchau+trainium-kernel-fusion
gpu=$root/../shared/data/gpu/petebachant+clima-gpu-profiling/results/ncu
if [ ! -d "$neuron" ] || [ ! -d "$gpu" ]; then
	echo "skipped: no ../shared/data"
	finish
fi

# What the two files of a configuration say, in the words of the sentence.
by_hand() { # NAME
	jq -rn --slurpfile a "$neuron/baseline_$1"/json_reports/*.json --slurpfile b "$neuron/fused_$1"/json_reports/*.json '
		def useful: .hardware_flops - .transpose_flops;
		def bytes: .hbm_read_bytes + .hbm_write_bytes;
		def three: . as $x | pow(10; 2 - ($x | log10 | floor)) as $s | ($x * $s | round) / $s;
		$a[0].summary[0] as $a | $b[0].summary[0] as $b |
		"-\(($a.total_time - $b.total_time) * 1e6 | three) us: ",
		"DMA active -\(($a.dma_active_time - $b.dma_active_time) * 1e6 | three) us, ",
		(($a | bytes) / ($b | bytes) | if . < 9.95 then (. * 10 | round) / 10 else round end |
			"HBM traffic \(.)x less with the same FLOP"),
		"(\(($a | useful / bytes) | three) -> \(($b | useful / bytes) | three) FLOP/B)",
		(if ($a | useful) == ($b | useful) then "with the same FLOP" else "not the same FLOP" end)'
}

repository neuron
ingest_all() { # VARIANT-OF-THE-FILES [OPTION...]
	local files=$1 name
	shift
	for name in bf16_s512 bf16_s1024 fp32_s1024; do
		run ingest --set kernel=attention --set "dtype=${name%_*}" --set "s=${name#*_s}" "$@" \
			"$neuron/${files}_$name/json_reports"
		equal "ingest $files $name: $err" "$status" 0
	done
}
ingest_all baseline
commit fused 2026-03-02T09:00:00Z
ingest_all fused
"$rooflog" gate --json >"$scratch/gate.json" 2>/dev/null
"$rooflog" report --as json >"$scratch/report.json" 2>/dev/null
equal "all three are changes of the code" "$(jq -r '.gate.comparisons[].why.cause' \
	"$scratch/gate.json" | uniq -c | tr -d ' ')" 3code
for name in bf16_s512 bf16_s1024 fp32_s1024; do
	text=$(jq -r --arg d "${name%_*}" --arg s "${name#*_s}" '.gate.comparisons[] |
		select(.dtype == $d and .params_text == "s=" + $s) | .why.text' "$scratch/gate.json")
	while IFS= read -r words; do
		check "$name: \"$words\" in $text" grep -qF -- "$words" <<<"$text"
	done < <(by_hand "$name")
	equal "$name: the run says the same" "$(jq -r --arg d "${name%_*}" --arg s "${name#*_s}" '
		.runs[] | select(.dtype == $d and .params_text == "s=" + $s) | .baseline.why.text' \
		"$scratch/report.json")" "$text"
done
check "counters that the profiler lost are not named" \
	jq -e '[.. | .why? // empty | .text | test("DMA (bytes|packets|transfers)")] | any | not' \
	"$scratch/gate.json" >/dev/null

repository variants
ingest_all baseline --set variant=baseline
ingest_all fused --set variant=fused
run compare --by variant
check "two variants side by side: $out" grep -qF "bf16 s=512 fused: $(by_hand bf16_s512 | head -1)" <<<"$out"
run compare --by variant --json
equal "and in the document" "$(jq -r '[.kernels[].configurations[].rows[1].why.cause] | unique[]' \
	<<<"$out")" code

# The launches of both files have the same registers, shared memory, grid, block and spills: the
# cycles differ by what they differ from run to run, and the profile does not say that the code did.
repository gpu
run ingest --set device=a100-sxm-80gb "$gpu/baseline-details.csv"
equal "ingest: $err" "$status" 0
commit mod 2026-03-02T09:00:00Z
sed 's/_jl_mod_src_/_jl_src_/g' "$gpu/mod-details.csv" >mod.csv
run ingest --set device=a100-sxm-80gb mod.csv
equal "ingest: $err" "$status" 0
configure '[gate]\nnoise = 3 %%\n'
"$rooflog" gate "${configured[@]}" --json 2>/dev/null | jq -r '.gate.comparisons[] |
	"\(.kernel | sub(".*_L"; "L")) \(.why.cause) \(.why.text)"' | sort >said
configured=()
python3 - "$gpu/baseline-details.csv" "$gpu/mod-details.csv" <<'END' | sort >by-hand
import csv, sys
SECONDS = {"us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3}
CODE = ("Registers Per Thread", "Static Shared Memory Per Block", "Dynamic Shared Memory Per Block",
        "Grid Size", "Block Size", "Local Memory Spilling Requests")
sides = []
for path in sys.argv[1:]:
    kernels = {}
    for row in csv.DictReader(open(path)):
        name = "L" + row["Kernel Name"].rsplit("_L", 1)[1]
        value = row["Metric Value"].replace(",", "")
        metric = row["Metric Name"]
        if metric == "Duration":
            value = float(value) * SECONDS[row["Metric Unit"]]
        kernels.setdefault(name, {})[metric] = value
    sides.append(kernels)
for name, a in sides[0].items():
    b = sides[1][name]
    assert all(a[metric] == b[metric] for metric in CODE), name
    difference = b["Duration"] - a["Duration"]
    size, unit = (abs(difference) * 1e6, "us") if abs(difference) >= 1e-6 else (abs(difference) * 1e9, "ns")
    cycles = float(b["Elapsed Cycles"]) / float(a["Elapsed Cycles"]) - 1
    if abs(difference / a["Duration"]) < 0.01:
        print(f"{name} null null")
        continue
    print(f"{name} unknown {'-' if difference < 0 else '+'}{size:.3g} {unit}: elapsed cycles {cycles * 100:+.1f} % "
          f"at the same clock. None of {len(CODE)} deterministic counters differs")
END
equal "six launches" "$(wc -l <said)" 6
equal "those that moved by 1 % or more have a reason" "$(grep -c unknown said)" 2
equal "said and by hand" "$(cat said)" "$(cat by-hand)"

finish
