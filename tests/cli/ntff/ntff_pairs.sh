#!/bin/bash
# Native traces of real captures against what the vendor's tool made of the same ones: every
# quantity, to the picosecond and the byte; and every record of every trace fits.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
status=0
out=$(python3 tests/cli/ntff/ntff_pairs.py "$rooflog" "$data") || status=$?
echo "$out"
equal "pairs: every quantity is as exact as it must be" "$status" 0
equal "pairs: all are there" "$(tail -n 1 <<<"$out")" "pairs: 39 of v5, 6 of v6, 1 of v5 text"
cd "$scratch" || exit 2

# What is odd is told: in a copy an instruction end without a begin, another record is of a kind
# that nobody knows. The table above finds no such note in any file.
trace=$(find "$data" -name profile_128x128x800.ntff)
python3 - "$trace" odd.ntff <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
start = 128 + int.from_bytes(data[1:9], "little")
ends = [at for at in range(start, len(data), 16)
        if data[at + 3] & 0x83 == 0x81 and 1 <= data[at + 3] >> 2 & 7 <= 5]
data[ends[20]] ^= 0xff
data[ends[21] + 3] |= 3
open(sys.argv[2], "wb").write(data)
END
run ingest --dry-run --json --set kernel=k odd.ntff
equal "odd records: $err" "$status" 0
check "an end without its begin is counted" jq -e '[.runs[0].warnings[].message |
	select(. == "1 instruction end without a begin")] | length == 1' <<<"$out" >/dev/null
check "so is an unknown kind" jq -e '[.runs[0].warnings[].message |
	select(. == "1 record is of an undocumented type")] | length == 1' <<<"$out" >/dev/null
finish
