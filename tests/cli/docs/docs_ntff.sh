#!/bin/bash
# The worked example and the Python reader of docs/formats/ntff.md are true: the bytes of
# docs/examples/ntff-trace.hex become a file, docs/examples/ntff_reader.py and rooflog read it, and
# both print what the page says. The reader also finds, in every sample and every real trace that is
# present, as many instructions as rooflog.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
page=$root/docs/formats/ntff.md

reader=$root/docs/examples/ntff_reader.py

# The bytes of a dump as "hexdump -C" prints it, "*" standing for more of the line before.
to_file() { # FILE
	python3 -c '
import sys
out, last = bytearray(), b""
for line in sys.stdin:
    if line.strip() == "*":
        continue
    at = int(line[:8], 16)
    assert at == len(out) or len(last) == 16 and at > len(out), line
    out += last * ((at - len(out)) // 16)
    last = bytes.fromhex(line[8:58].split("|")[0])
    out += last
open(sys.argv[1], "wb").write(out)' "$1"
}

metric() { # NAME: of the run in $out
	python3 -c '
import json, sys
metric = json.loads(sys.argv[2])["runs"][0]["metrics"][sys.argv[1]]
print("%.15g %s" % (metric["value"], metric["provenance"]))' "$1" "$out"
}

# Instructions inside and outside the window are counted by the reader; rooflog counts those inside.
counts() { # FILE
	python3 "$reader" "$1" >"$scratch/lines" 2>"$scratch/.err"
	equal "$1: the reader" "$? $(cat "$scratch/.err")" "0 "
	run ingest --dry-run --json --quiet --no-tools --set kernel=k,dtype=bf16 --commit "$commit" "$1"
	equal "$1: rooflog" "$status" 0
	equal "$1: instructions" "$(python3 - "$scratch/lines" "$out" <<'PY'
import json, sys
lines = [line.split() for line in open(sys.argv[1])]
run = json.loads(sys.argv[2])["runs"][0]["metrics"]
names = "tensor scalar gpsimd vector sync".split()
kept = [run[n + "_engine_instruction_count"]["value"] for n in names]
found = [sum(line[1] == str(engine) for line in lines) for engine in range(5)]
matmuls = sum(line[3] == "02" for line in lines)
print(all(f >= k > 0 for f, k in zip(found, kept)),
      matmuls == run["matmul_instruction_count"]["value"])
PY
)" "True True"
}

commit=$(printf '0%.0s' {1..40})
to_file "$scratch/example.ntff" <"$root/docs/examples/ntff-trace.hex"

equal "the example's size" "$(wc -c <"$scratch/example.ntff")" 400
# shellcheck disable=SC2016 # Markdown
read -ra expected <<<"$(sed -n 's/^The reader prints `\(.*\)`: core.*/\1/p' "$page")"
equal "what the reader prints" "$(python3 "$reader" "$scratch/example.ntff" 2>&1)" \
	"${expected[*]}"
run ingest --dry-run --json --quiet --set kernel=k --commit "$commit" "$scratch/example.ntff"
equal "rooflog reads the example" "$status" 0
while read -r name value; do
	equal "$name of the example" "$(metric "$name")" "$value"
done <<'END'
total_time 1e-06 measured
tensor_engine_active_time 2.4e-07 measured
tensor_engine_occupancy 0.24 derived
hardware_flops 16777216 measured
sbuf_read_bytes 1024 measured
psum_write_bytes 1024 measured
hbm_read_bytes 2048 estimated
static_dma_bytes 2048 measured
dma_active_time 3.6e-07 measured
END

traces=0
for trace in samples/formats/neuron/ntff/sample-*.ntff ../shared/data/neuron/*/*/*.ntff \
	../shared/data/neuron/*/*/*/*.ntff; do
	[ ! -f "$trace" ] || counts "$trace"
	[ ! -f "$trace" ] || traces=$((traces + 1))
done
check "the samples are there" [ "$traces" -ge 4 ]
[ -d ../shared/data ] || echo "skipped: no ../shared/data"
echo "$traces traces"
finish
