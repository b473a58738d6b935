#!/bin/bash
# Memory does not grow with the profile: a generated one of 100 MB, plain and gzipped, is read in less
# than 64 MB resident, and hardly more than one of 10 MB.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

case $(readlink -f "$rooflog") in
*/asan/* | */fuzz/*)
	echo "skipped: a sanitizer's memory is not the program's"
	exit 0
	;;
esac
cc -O2 -I. -o "$scratch/generate" bench/generate.c bench/schedule.c -lm || exit 1
cc -O2 -o "$scratch/measure" bench/measure.c || exit 1

peak_of() { # FILE: KiB
	"$scratch/measure" 1 "$rooflog" ingest --quiet --dry-run --kernel k --dtype bf16 "$1" |
		awk '{ print $3 }'
}

"$scratch/generate" 10000000 1 >"$scratch/small.json"
"$scratch/generate" 100000000 1 >"$scratch/large.json"
gzip -1 -k "$scratch/large.json"
small=$(peak_of "$scratch/small.json")
large=$(peak_of "$scratch/large.json")
packed=$(peak_of "$scratch/large.json.gz")
echo "peak KiB: 10 MB $small, 100 MB $large, 100 MB gzipped $packed"
check "below 64 MB: $large" [ "$large" -lt 65536 ]
check "gzipped below 64 MB: $packed" [ "$packed" -lt 65536 ]
check "flat: $small, then $large" [ "$large" -lt $((small + 4096)) ]
finish
