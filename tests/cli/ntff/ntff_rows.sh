#!/bin/bash
# Real traces against the vendor's JSON of the same capture: `rooflog inspect --events` row by row, the
# operands of `--disasm` text by text; and the figures of the dump against ingest's.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

pairs=() files=()
while IFS= read -r ntff; do
	files+=("$ntff")
	json=${ntff%.ntff}.json
	[ -e "$json" ] || json=$(find "${ntff%/*}/json_reports" -name '*.json' 2>/dev/null | sort | head -n 1)
	[ -z "$json" ] || pairs+=("$ntff" "$json")
done < <(find "$data" -name '*.ntff' -size +0 | sort)
equal "pairs" "$((${#pairs[@]} / 2))" 45

check "rows" python3 tests/cli/ntff/ntff_rows.py "$rooflog" "${pairs[@]}"
check "operands" python3 tests/cli/ntff/ntff_operands.py "$rooflog" "${pairs[@]}"
check "figures" python3 tests/cli/ntff/ntff_figures.py "$rooflog" "${files[@]}"

# The helpers tell a difference: one row, one operand of the JSON is changed.
jq -c '.dma[0].crc += 1' "${pairs[1]}" >"$scratch/row.json"
jq -c '(.instruction[] | select(.opcode == "MATMUL") | .operands) |= sub("128\\*128"; "128*64")' \
	"${pairs[1]}" >"$scratch/operand.json"
check "a changed row is found" bash -c '! python3 tests/cli/ntff/ntff_rows.py "$@" >/dev/null' - \
	"$rooflog" "${pairs[0]}" "$scratch/row.json"
check "a changed operand is found" bash -c '! python3 tests/cli/ntff/ntff_operands.py "$@" >/dev/null' - \
	"$rooflog" "${pairs[0]}" "$scratch/operand.json"
finish
