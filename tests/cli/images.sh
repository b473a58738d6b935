#!/bin/bash
# The pictures of the README are what the program draws from the samples. GOLDEN_UPDATE=1 redraws.
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

# The same scene through Cairo is a picture and a document.
run chart roofline --output "$scratch/roofline.png"
check "PNG" test "$(head -c 8 "$scratch/roofline.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
run chart roofline --output "$scratch/roofline.pdf"
check "PDF" test "$(head -c 5 "$scratch/roofline.pdf")" = "%PDF-"
finish
