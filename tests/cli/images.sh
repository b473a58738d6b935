#!/bin/bash
# The pictures of the README and of docs/charts.md are what the program draws from the samples. GOLDEN_UPDATE=1 redraws.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository images
run ingest "$root/samples/attention" "$root/samples/mlp" "$root/samples/mlp-neuronxcc"
equal "ingest: $err" "$status" 0

draw() { # FILE CHART OPTIONS...
	local file=$1
	shift
	run chart "$@" --output "$scratch/$file"
	equal "$file: $err" "$status" 0
	if [ "${GOLDEN_UPDATE:-}" = 1 ]; then
		mkdir -p "$root/docs/images"
		cp "$scratch/$file" "$root/docs/images/$file"
	fi
	check "$file is as in docs/images" cmp "$scratch/$file" "$root/docs/images/$file"
}

draw roofline.svg roofline
draw roofline-dark.svg roofline --dark
draw occupancy.svg occupancy --kernel mlp --variant nkilib
draw occupancy-dark.svg occupancy --kernel mlp --variant nkilib --dark

pair() { # NAME CHART OPTIONS...: for light and for dark
	local name=$1
	shift
	draw "$name.svg" "$@"
	draw "$name-dark.svg" "$@" --dark
}

# What there must be two commits for, and what is drawn from tables.
repository later
run ingest --commit HEAD "$root/samples/history/03"
equal "ingest: $err" "$status" 0
refused "no baseline" "no run has timelines of its engines beside those of a baseline" \
	chart timeline --output "$scratch/x.svg"
commit second
run ingest --commit HEAD "$root/samples/history/05"
equal "ingest: $err" "$status" 0
pair timeline timeline
pair distribution distribution
id=$("$rooflog" report --format json | jq -r '.runs[] | select(.params_text | test("s=512")).id')
run chart timeline --output "$scratch/x.svg" "${id:0:8}"
equal "one run by its id: $err" "$status" 0
check "is alone" grep -q '<desc>[^;]*; [^;]*s=512: +1.8[0-9]* us from [^;]*</desc>' "$scratch/x.svg"
repository tables
run ingest --dtype fp16 --device inf2 "$root/samples/prefill.csv"
equal "ingest: $err" "$status" 0
pair latency latency
pair buckets buckets
run ingest --commit HEAD --device bi-v150 --dtype fp16 "$root/samples/formats/fusion-profile/sample-shapes.json"
equal "ingest: $err" "$status" 0
pair fusion fusion
repository trends
"$rooflog" init >/dev/null 2>&1
nights 59
series jumps 'e * (i > 48 ? 1.1 : 1)'
series mends '3 * e * (i > 20 && i <= 42 ? 1.2 : 1)' 1
series steady '0.2 * e'
series young 'e / 2' 55
# shellcheck disable=SC2119
measured
pair trend trend
cd ../images || exit 2

# The same scene through Cairo is a picture and a document.
run chart roofline --output "$scratch/roofline.png"
check "PNG" test "$(head -c 8 "$scratch/roofline.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
run chart roofline --output "$scratch/roofline.pdf"
check "PDF" test "$(head -c 5 "$scratch/roofline.pdf")" = "%PDF-"
finish
