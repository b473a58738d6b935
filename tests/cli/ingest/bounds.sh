#!/bin/bash
# Numbers that no run can have: refused with name, value, unit and range, whatever the format.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
check "mutants of every format" python3 tests/cli/ingest/bounds.py "$rooflog" 12

repository bounds
map=kernel=op,time=ms:ms,hbm_read_bytes=bytes:B
bounded() { # MS BYTES MESSAGE
	printf 'op,ms,bytes\ngemm,%s,%s\n' "$1" "$2" >table.csv
	refused "$1 ms, $2 bytes" "table.csv: kernel gemm: $3" ingest --commit HEAD --set device=h100-sxm \
		--set dtype=fp16 --columns $map table.csv
}
bounded 1 1e40 'hbm_read_bytes is 1e+40 B; expected 0 to 1e+21 B'
bounded 1e300 1 'total_time is 1e+297 s; expected 1e-12 to 1e+07 s'
bounded 1e-300 1 'total_time is 1e-303 s; expected 1e-12 to 1e+07 s'
check "nothing stored" test ! -e .rooflog/runs.db

# --- possible numbers, impossible together ---
printf 'op,ms,flops\ngemm,1e-9,1e20\n' >table.csv
run ingest --commit HEAD --set device=h100-sxm,dtype=fp16 \
	--columns kernel=op,time=ms:ms,hardware_flops=flops:FLOP table.csv
equal "stored: $err" "$status" 0
run show --json
equal "unknown" "$(jq -c '.. | objects | .mfu? // empty' <<<"$out")" ""
equal "said" "$(jq -r '.runs[0].findings[] | select(.rule == "out-of-bounds") | .text' <<<"$out")" \
	"3 impossible values, used as unknown, e.g. achieved_flops = 1.000e+17 PFLOP/s"

# --- the work of a formula ---
mkdir -p .rooflog
printf '[work "gemm"]\n\tkernel = gemm\n\tflops = 1e300\n' >>.rooflog/config
run show
check "a formula: $out$err" grep -qF 'flops = 1e300: the result is 1e+300; expected at most 1e+21' <<<"$out$err"
finish
