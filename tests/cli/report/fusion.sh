#!/bin/bash
# rooflog analyze fusion on the samples: decisions, noise from repeats, export, coverage, strategies.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

formats=$root/samples/formats
repository fusion
run init

# --- what the files do not say must be said ---
refused "no dtype" "does not say its dtype" ingest --commit HEAD --set device=a100-sxm-80gb "$formats/fusion/fusion-profile/sample-shapes.json"
refused "no device" "does not say its device" ingest --commit HEAD --set dtype=fp16 "$formats/fusion/fusion-profile/sample-shapes.json"
refused "no commit" "--commit" ingest --set dtype=fp16,device=a100-sxm-80gb "$formats/fusion/fusion-profile/sample-shapes.json"
refused "nothing stored" "has measurements" analyze fusion

ingest() { # FILE OPTIONS...
	local file=$1
	shift
	run ingest --commit HEAD "$@" "$file"
	equal "ingest $file: $err" "$status" 0
}

ingest "$formats/fusion/fusion-profile/sample-shapes.json" --set dtype=fp16,device=a100-sxm-80gb

decisions() { # SHAPE decision, of --json in $out
	jq -r '.operators[] | .kernel as $k | .shapes[] | "\($k) \(.shape) \(.decision)"' <<<"$out"
}

run analyze fusion --json
equal "decisions" "$(decisions)" "$(cat <<'END'
add+rms_norm [1, 128, 1024] fuse
add+rms_norm [1, 512, 1024] fuse
add+rms_norm [1, 2048, 1024] fuse
add+rms_norm [8, 1, 1024] fuse
silu+mul [1, 128, 1024] fuse
silu+mul [1, 512, 1024] fuse
silu+mul [1, 2048, 1024] undecided
silu+mul [4, 1, 1024] unknown
END
)"
equal "counts" "$(jq -c '.operators[1].counts' <<<"$out")" \
	'{"shapes":4,"fuse":2,"keep":0,"undecided":1,"unknown":1}'
# 0.0466 +- 2 % +- 0.00005 over 0.0311 +- 2 % +- 0.00005.
equal "interval" "$(jq -r '.operators[1].shapes[0] | [.speedup, .lowest, .highest] | map(. * 1e4 | round) | @tsv' <<<"$out")" \
	"$(awk 'BEGIN { u = 0.0466; f = 0.0311; r = 0.00005
		printf "%.0f\t%.0f\t%.0f", u / f * 1e4, (u * 0.98 - r) / (f * 1.02 + r) * 1e4, (u * 1.02 + r) / (f * 0.98 - r) * 1e4 }')"

run analyze fusion --kernel silu+mul --margin '60 %' -c fusion.noise=0
check "kept at 60 %" grep -qF 'fuse 0 of 4, keep 3 of 4, undecided 0 of 4, unknown 1 of 4' <<<"$out"
run analyze fusion --kernel silu+mul --margin 0.2 -c fusion.noise=0.001
check "the change: $out" grep -qF 'from fuse to keep between [1, 512, 1024] and [1, 2048, 1024]' <<<"$out"

# --- shapes that were not measured: as the scheduler's rule gives, written again in Python ---
shapes=(1x300x1024 4x60x1024 8x1x1024 1x9000x1024 3x700x2048 1x1x512 16x128x1024)
cat >rule.py <<'PY'
import itertools, json, sys

def time_of(target, table):
    points = {tuple(json.loads(key)): value for key, value in table.items()}
    if target in points:
        return points[target]
    cells = []
    for d, size in enumerate(target):
        sizes = sorted({point[d] for point in points})
        cells.append((max([s for s in sizes if s <= size] or sizes[:1]),
                      min([s for s in sizes if s >= size] or sizes[-1:])))
    corners = list(itertools.product(*cells))
    if all(corner in points for corner in corners):
        total = 0
        for bits in itertools.product((0, 1), repeat=len(target)):
            weight = 1
            for d, bit in enumerate(bits):
                low, high = cells[d]
                share = min(max((target[d] - low) / (high - low), 0), 1) if high > low else 0
                weight *= share if bit else 1 - share
            total += weight * points[tuple(cells[d][bit] for d, bit in enumerate(bits))]
        return total
    return min(points.items(), key=lambda item: sum(abs(a - b) for a, b in zip(item[0], target)))[1]

profile, margin, answers = json.load(open(sys.argv[1])), float(sys.argv[2]), json.load(sys.stdin)["answers"]
for answer in answers:
    target = tuple(json.loads(answer["shape"]))
    elements = target[0] * target[1] * target[2]
    unfused, fused = (time_of(target, profile[side][answer["kernel"]]) for side in ("unfused", "fused"))
    fuses = elements >= 1024 and unfused > fused * (1 + margin)
    same = abs(answer["unfused"]["value"] * 1e3 - unfused) < 1e-9 and abs(answer["fused"]["value"] * 1e3 - fused) < 1e-9
    if not same or (answer["scheduler"] == "fuse") != fuses:
        print(answer["kernel"], target, unfused, fused, fuses, answer["scheduler"])
print(len(answers), "answers")
PY
jq 'del(.unfused["silu+mul"]["[4, 1, 1024]"])' "$formats/fusion/fusion-profile/sample-shapes.json" >both.json
for margin in 0 0.3 0.6; do
	run analyze fusion --kernel 'add*' --json --margin $margin "${shapes[@]/#/--shape=}"
	equal "as the scheduler, margin $margin: $err" "$(python3 rule.py both.json $margin <<<"$out")" "7 answers"
done
equal "sources" "$(jq -c '[.answers[] | .unfused.source]' <<<"$out")" \
	'["interpolated","nearest","measured","extrapolated","nearest","nearest","nearest"]'
run analyze fusion --kernel silu+mul --shape b=1,s=2000
check "too close to call: $out" grep -qF 'too close to call: within noise' <<<"$out"
run analyze fusion --kernel silu+mul --shape b=1,s=320
check "named sizes: $out" grep -qF 'interpolated: 50.00 % of [1, 128, 1024], 50.00 % of [1, 512, 1024]' <<<"$out"
refused "no shape" 'expected sizes such as 1x300x4096' analyze fusion --shape b=1,q=3
refused "one at a time" "--shape and --coverage cannot be combined" analyze fusion --shape 1x2x3 --coverage

# --- export: the scheduler's file, and the same times when it is read again ---
run analyze fusion -o scheduler=out.json
equal "export: $err" "$status" 0
check "undecided is said" grep -qF '1 of them is unclear' <<<"$err"
check "left out is said" grep -qF 'skipped 1:' <<<"$err"
jq 'del(.unfused["silu+mul"]["[4, 1, 1024]"])' "$formats/fusion/fusion-profile/sample-shapes.json" >expected.json
check "export: as the file that was read" cmp <(jq -S . out.json) <(jq -S . expected.json)
run ingest --commit HEAD --set dtype=fp16,device=a100-sxm-80gb out.json
equal "nothing new: $err" "$(jq -Rs 'contains("0 runs stored, 14 duplicates")' <<<"$err")" true

ingest "$formats/fusion/fusion-profile/sample-shapes.json" --set dtype=fp16,device=bi-v150
cp out.json before.json
refused "two devices" "a100-sxm-80gb, fp16|bi-v150, fp16|--device" analyze fusion -o scheduler=out.json
check "the old file stays" cmp out.json before.json
run analyze fusion -o scheduler=- --device bi-v150
check "standard output" cmp <(jq -S . <<<"$out") <(jq -S . before.json)
refused "no such directory" "gone" analyze fusion --device bi-v150 -o scheduler=gone/out.json
refused "two modes" "--coverage and --strategies cannot be combined" analyze fusion --coverage --strategies
refused "coverage for the scheduler" "cannot be combined with --coverage, --shape or --strategies" analyze fusion --coverage -o scheduler=x.json
refused "a chart of coverage" "x.svg" analyze fusion --coverage -o x.svg
refused "a margin of words" "--margin" analyze fusion --margin much
refused "a negative margin" "--margin" analyze fusion --margin -1
refused "noise of 100 %" "-c fusion.noise=1: expected a share" analyze fusion -c fusion.noise=1
refused "two commits" "two commits: HEAD and HEAD" analyze fusion HEAD HEAD
refused "nothing matches" "fused and unfused" analyze fusion --kernel gelu+mul

refused "a chart of another kind" "unknown kind of output for 'x.gif'" analyze fusion -o x.gif --device bi-v150
run analyze fusion -o out.svg --device bi-v150
equal "chart: $err" "$status" 0
check "an SVG" grep -q '^<svg .*</svg>$' <<<"$(tr -d '\n' <out.svg)"
check "says how many" grep -qF 'fuse 2, undecided 1, unknown 1 of 4' out.svg
run analyze fusion --output chart.svg --device bi-v150
equal "the chart by its name: $err" "$status" 0
check "is the same" cmp out.svg chart.svg
refused "nothing fused" "fused and unfused" analyze fusion --kernel gelu+mul --output x.svg
refused "--dark is a key here" "unknown option --dark" analyze fusion -o out.png --dark
run analyze fusion -o dark.svg -c chart.dark=true --device bi-v150
equal "dark: $err" "$status" 0
check "dark differs" bash -c '! cmp -s out.svg dark.svg'
refused "dark or not" "expected true or false" analyze fusion -c chart.dark=perhaps
refused "no such key" "unknown key; available: dark" analyze fusion -c chart.light=true
run analyze fusion -o out.png --device bi-v150
check "a PNG" grep -q PNG <<<"$(head -c 4 out.png)"

# --- a file is enough, and SERIES narrows ---
mkdir "$scratch/elsewhere"
(
	cd "$scratch/elsewhere" || exit 1
	run analyze fusion "$formats/fusion/fusion-profile/sample-shapes.json" silu+mul \
		--set dtype=fp16,device=bi-v150 --json
	equal "a file: $err" "$status" 0
	equal "a file: operators" "$(jq -c '[.commit, [.operators[].kernel]]' <<<"$out")" '[null,["silu+mul"]]'
	run analyze fusion --coverage "$formats/fusion/fusion-profile/sample-shapes.json"
	equal "the coverage of a file: $err" "$status" 0
	refused "nothing fused in a file" "no matching runs of the variants" \
		analyze fusion "$root/samples/prefill.csv"
	finish
) || failures=$((failures + 1))
run analyze fusion silu+mul --device bi-v150 --json
equal "SERIES: $err" "$(jq -c '[.operators[].kernel]' <<<"$out")" '["silu+mul"]'
refused "a run is none of the kinds" "analyze takes the runs of a commit or of files" \
	analyze fusion "run:$("$rooflog" log --json | jq -r 'first(.. | .id? // empty)')"

# --- repeats are the noise ---
commit repeats
for change in 0.0468 0.0311 0.0452; do
	printf '{"unfused": {"a+b": {"[1, 8, 64]": %s}}, "fused": {"a+b": {"[1, 8, 64]": 0.0451}}}' $change >$change.json
	ingest $change.json --set dtype=fp16,device=a100-sxm-80gb
done
run analyze fusion --json
equal "repeats" "$(jq -r '.operators[0].shapes[0] | [.decision, .unfused.repeats,
	(.unfused | .value, .lowest, .highest | . * 1e8 | round), .fused.repeats] | @tsv' <<<"$out")" \
	$'undecided\t3\t4520\t3105\t4685\t1'

# --- estimates ---
commit estimates
ingest "$formats/fusion/fusion-ops/sample.json" --set device=a100-sxm-80gb
run analyze fusion --json
equal "an estimate is never a win" "$(jq -r '.operators[] | select(.kernel == "silu+mul") |
	.shapes[] | [.shape, .decision, .reason, .fused.provenance, .unfused.provenance] | @tsv' <<<"$out")" \
	$'[1, 128, 1024]\tundecided\tthe fused time is an estimate\testimated\tderived'
run analyze fusion
check "marked" grep -qF '~52.63 us' <<<"$out"
run analyze fusion -o scheduler=ops.json
equal "estimates are not exported" "$(jq -c '[.fused[] | keys]' ops.json)" '[["[1, 128, 1024]","[8, 1, 1024]"]]'

run analyze fusion --coverage --json HEAD
equal "an estimate is no measurement" "$(jq -c '.lines[] | select(.platform == "NVIDIA" and
	.kernel == "silu+mul") | [.stored_shapes, (.measured | length)]' <<<"$out")" '[0,0]'

# --- coverage: all commits, all platforms ---
run analyze fusion --coverage --json
line() { # PLATFORM KERNEL HIDDEN
	jq -r --arg p "$1" --arg k "$2" --argjson h "$3" '.lines[] | select(.platform == $p and .kernel == $k and
		.hidden_size == $h) | "\(.measured | length) \(.interpolated | length) \(.missing | length) \(.expected)"' <<<"$out"
}
equal "NVIDIA add+rms_norm" "$(line NVIDIA add+rms_norm 1024)" "4 2 5 11"
equal "NVIDIA silu+mul: one side is no measurement" \
	"$(line NVIDIA silu+mul 1024)" "3 2 6 11"
equal "Iluvatar" "$(line Iluvatar add+rms_norm 1024)" "4 2 5 11"
equal "MetaX: nothing" "$(line MetaX add+rms_norm 1024)" "0 0 11 11"
run analyze fusion --coverage --device bi-v150
check "only what matches" [ "$(grep -c '^Iluvatar ' <<<"$out")/$(grep -cE '^(NVIDIA|MetaX) ' <<<"$out")" = 2/0 ]
check "missing shapes are listed" grep -qE 'Iluvatar +silu\+mul +1024 +3 of 11 +2 of 11 +decode 1 2 4 8 16 32$' <<<"$out"

# --- the same file under another commit is most often a mistake; one equal time is not ---
commit twins
run ingest --commit HEAD --set dtype=fp16,device=bi-v150 "$formats/fusion/fusion-profile/sample-shapes.json"
equal "said once for the file" "$(grep -c 'is identical to a run already stored for commit' <<<"$err")" 1
jq '.fused["silu+mul"]["[1, 128, 1024]"] = 0.0312' "$formats/fusion/fusion-profile/sample-shapes.json" >other.json
commit others
run ingest --commit HEAD --set dtype=fp16,device=bi-v150 other.json
equal "equal times by chance: $err" "$(grep -c 'is identical' <<<"$err")" 0

# --- a changed work tree is other code ---
printf 'a' >tracked
git add tracked
commit tracked
session=(--set "kernel=mlp,dtype=bf16,device=trn2" "$formats/neuron/neuron-session/sample.txt")
run ingest --set variant=fused "${session[@]}"
printf 'b' >tracked
run ingest --set variant=unfused "${session[@]}"
run analyze fusion --tool 'neuron*' --json
equal "clean and changed are not compared" "$(jq -c '[.operators[].shapes[] | [.dirty, .decision]] | sort' <<<"$out")" \
	'[[false,"unknown"],[true,"unknown"]]'
git checkout -q tracked
run ingest --set variant=unfused "${session[@]}"
run analyze fusion --tool 'neuron*' --json
equal "any tool's runs are compared" "$(jq -c '.operators[].shapes[] | select(.dirty | not) | [.speedup, .decision]' <<<"$out")" \
	'[1,"undecided"]'

# --- strategies ---
refused "no strategies" "never_fuse" analyze fusion --strategies
commit strategies
ingest "$formats/fusion/fusion-e2e/sample.json" --set dtype=bf16,device=a100-sxm-80gb
check "smart is warned of" grep -qF 'smart_schedule is treated as an estimate' <<<"$err"
equal "once" "$(grep -c 'smart_schedule is treated as an estimate' <<<"$err")" 1
run analyze fusion --strategies --json
equal "fastest measured" "$(jq -r '.groups[0].works[] | "\(.prefill) \(.decode) \(.fastest_measured)"' <<<"$out")" \
	$'16 64 unclear\n128 16 always_fuse\n128 128 always_fuse'
equal "means" "$(jq -r '.groups[0].geometric_mean_speedup[] | "\(.value * 1e6 | round) \(.count) \(.of) \(.estimated)"' <<<"$out")" \
	"$(awk 'BEGIN {
		a = (212.4181 / 198.0312 * 840.2066 / 846.9027 * 1630.5507 / 1391.2263) ^ (1 / 3)
		s = (212.4181 / 196.2203 * 840.2066 / 801.115 * 1630.5507 / 1380.771) ^ (1 / 3)
		printf "%.0f 3 3 false\n%.0f 3 3 true", a * 1e6, s * 1e6 }')"
run analyze fusion --strategies
check "estimates are marked" grep -qF '~196.2 ms' <<<"$out"
check "and win nothing" grep -qF 'not measured, and wins nothing' <<<"$out"
finish
