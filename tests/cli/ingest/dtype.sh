#!/bin/bash
# The data type: given, said by the file or its operands, or inferred from the kernel's name; and where these disagree.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2
cp "$root/samples/mlp/profile.json" alone.json
sample=alone.json

with_operands() { # FILE TYPE SHARE: of the matmuls have operands of the type, the others of fp32
	jq -c --arg type "$2" --argjson share "$3" '[.instruction[] | select(.opcode == "MATMUL")] as $all |
		.instruction = [$all | to_entries[] | .key as $i | .value |
			.elements = 1024 | .operands = "S[5] (Tensor)++@complete acc_flags=3 fp32_mode=LOW src=\(
				if $i < $share * ($all | length) then $type else "fp32" end)@0x37e00[1,0,0][128,1,1] 128*128"]' \
		"$sample" >"$1"
}
dtype() { # ARGS...
	run ingest --dry-run --json "$@"
	jq -r '.runs[0].dtype' <<<"$out"
}
says() { # NAME WORDS
	check "$1: $err" grep -qF -- "$2" <<<"$err"
}

with_operands half.json float16 1
equal "the operands say it" "$(dtype --set kernel=k half.json)" fp16
run ingest --dry-run --set kernel=k half.json
says "and that is marked" "dtype fp16, inferred from the operands of its matmuls; override it with --set dtype=..."
run ingest --dry-run --json --set kernel=k half.json
check "for reports, too" grep -q 'inferred from the operands' <<<"$out"
equal "what is given counts" "$(dtype --set kernel=k,dtype=fp32 half.json)" fp32
run ingest --dry-run --set kernel=k,dtype=fp32 half.json
says "but is contradicted" "dtype given as fp32, but the operands of the matmuls say fp16"
run ingest --dry-run --set kernel=k,dtype=float16 half.json
equal "what agrees is no matter" "$(grep -c dtype <<<"$err")" 0
with_operands mixed.json bfloat16 0.5
refused "operands of two types" "mixed.json|--set dtype=" ingest --dry-run --set kernel=k mixed.json
sed 's/acc_flags=3/& moving=bfloat16@0x100[1,0,0]/g' half.json >both.json
refused "two types in each matmul" "both.json|--set dtype=" ingest --dry-run --set kernel=k both.json
with_operands most.json bfloat16 0.95
equal "of nine tenths and more" "$(dtype --set kernel=k most.json)" bf16
refused "operands without a type" "--set dtype=" ingest --dry-run --set kernel=k "$sample"

equal "the kernel's name says it" "$(dtype --set kernel=gemm_bf16_128 "$sample")" bf16
run ingest --dry-run --set kernel=gemm_bf16_128 "$sample"
says "and that is marked" "dtype bf16, inferred from the kernel's name"
run ingest --dry-run --set kernel=gemm_bf16_128,dtype=fp32 "$sample"
equal "a name is no evidence" "$(grep -c 'given as' <<<"$err")" 0
for name in fp32_to_bf16 cast_bf16 gemm_fp8_bf16 double_buffer gemm_bf16x3 mlp; do
	refused "$name says nothing" "--set dtype=" ingest --dry-run --set "kernel=$name" "$sample"
done
printf 'op,value\ngemm_bf16,1.5\n' >table.csv
equal "formats that do without a dtype go on without" \
	"$(dtype --commit HEAD --columns kernel=op,time=value:ms table.csv)" null

trace=$root/samples/formats/neuron/ntff/sample.ntff
[ -e "$trace" ] || trace=$(find "$root/samples/formats" -name 'sample*.ntff' | sort | head -1)
own=$(dtype --set kernel=k "$trace")
other=fp32
[ "$own" != fp32 ] || other=bf16
run ingest --dry-run --set kernel=k --set "dtype=$other" "$trace"
says "the words of a trace" "dtype given as $other, but the file says $own"
finish
