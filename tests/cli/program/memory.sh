#!/bin/bash
# Memory does not grow with the profile: a generated one of 100 MB, plain and packed, is read in less
# than 64 MB resident, and one that is not packed in hardly more than one of 10 MB. A native trace needs less than 32 MiB, in whatever order its records are.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

case $(readlink -f "$rooflog") in
*/asan/* | */fuzz/*)
	echo "skipped: a sanitizer's memory is not the program's"
	exit 0
	;;
esac
cc -O2 -I. -o "$scratch/generate" bench/tools/generate.c bench/tools/schedule.c -lm || exit 1
cc -std=c11 -D_GNU_SOURCE -O2 -include base/banned.h -I. -o "$scratch/generate_ntff" \
	bench/tools/generate_ntff.c bench/tools/ntff_file.c bench/tools/ntff_schedule.c bench/tools/ntff_words.c \
	bench/tools/schedule.c || exit 1
cc -O2 -o "$scratch/measure" bench/tools/measure.c || exit 1

peak_of() { # FILE JOBS: KiB
	"$scratch/measure" 1 "$rooflog" ingest --quiet --dry-run --set kernel=k,dtype=bf16 --jobs "$2" "$1" |
		awk '{ print $3 }'
}

"$scratch/generate" 10000000 1 >"$scratch/small.json"
"$scratch/generate" 100000000 1 >"$scratch/large.json"
gzip -1 -k "$scratch/large.json"
zstd -q "$scratch/large.json"
small=$(peak_of "$scratch/small.json" 1)
large=$(peak_of "$scratch/large.json" 1)
gzip=$(peak_of "$scratch/large.json.gz" 2)
zstd=$(peak_of "$scratch/large.json.zst" 2)
echo "peak KiB: 10 MB $small, 100 MB $large, 100 MB by gzip $gzip, by zstd $zstd"
check "below 64 MB: $large" [ "$large" -lt 65536 ]
check "by gzip below 32 MiB: $gzip" [ "$gzip" -lt 32768 ]
check "by zstd below 32 MiB: $zstd" [ "$zstd" -lt 32768 ]
check "flat: $small, then $large" [ "$large" -lt $((small + 4096)) ]

peak_of_trace() { # BYTES VERSION CORES SHAPE: KiB
	"$scratch/generate_ntff" "$1" "$2" "$3" 1 "$4" "$scratch/trace.ntff" >"$scratch/totals"
	"$scratch/measure" 1 "$rooflog" ingest --quiet --dry-run --set kernel=k "$scratch/trace.ntff" \
		2>"$scratch/messages" | awk '{ print $3 }'
}

for version in 5 6; do
	# Where engines have as many separate intervals as are kept (interval_limit), or nearly.
	small=$(peak_of_trace 200000000 "$version" 2 plain)
	large=$(peak_of_trace 400000000 "$version" 2 plain)
	echo "peak KiB of version $version: 200 MB $small, 400 MB $large"
	check "trace below 32 MiB: $large" [ "$large" -lt 32768 ]
	check "trace flat: $small, then $large" [ "$large" -lt $((small + 2048)) ]
done
mixed=$(peak_of_trace 120000000 6 1 shuffled)
echo "peak KiB without any order: $mixed"
check "trace without order below 32 MiB: $mixed" [ "$mixed" -lt 32768 ]
finish
