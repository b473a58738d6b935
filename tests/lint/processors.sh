#!/bin/bash
# The JSON scanner's variants for processors that this machine is not: built by a cross compiler, with
# warnings as errors, and run by an emulator, they read as byte by byte. CROSS: other ones, by their
# names in Debian and QEMU (CROSS="s390x:s390x" has words of the other byte order).
set -eu
here=$(uname -m)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sources='ingest/json/simd/blocks.c ingest/json/simd/blocks_[anw]*.c ingest/json/records.c
	ingest/json/scan.c ingest/json/source.c ingest/bytes/file_window.c
	ingest/json/stream.c base/json/token.c base/error.c base/hash/table_hash.c base/span.c
	base/strbuf.c base/arena.c base/memory.c base/text/utf8.c base/system/cpu.c tests/cross/input.c tests/unit/ingest/json/simd/check_json_blocks.c'

for one in ${CROSS:-aarch64:aarch64}; do
	compiler=${one%:*}-linux-gnu-gcc emulator=qemu-${one#*:}
	if [ "${one%:*}" = "$here" ]; then
		compiler=cc emulator=
	fi
	for program in $compiler $emulator; do
		if ! command -v "$program" >/dev/null; then
			echo "skipped: there is no $program for ${one%:*}"
			continue 2
		fi
	done
	# shellcheck disable=SC2086 # lists of words
	$compiler -std=c11 -D_GNU_SOURCE -O2 -static -Wall -Wextra -Werror -Itests/cross -I. \
		-DCHECK_ONE_IN=8 -o "$scratch/check" $sources -lm
	result=$($emulator "$scratch/check")
	echo "${one%:*}: $result"
done
