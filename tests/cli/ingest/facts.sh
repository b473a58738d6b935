#!/bin/bash
# What files leave open: stated by --set, --from-path and params.json, asked for at once, and contradicted.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2
summary=$root/samples/summary.json # neither a kernel nor a dtype
mkdir -p out/fused_bf16_s512 out/my_plain_fp16_s1024 beside
cp "$summary" out/fused_bf16_s512/a.json
cp "$summary" out/my_plain_fp16_s1024/b.json
cp "$summary" beside/c.json
cp "$root/samples/formats/nvidia/ncu-csv/sample-details.csv" ncu.csv
cp "$root/samples/prefill.csv" prefill.csv

facts() { # ARGS...: what ingest takes the runs for, a line each
	run ingest --dry-run --json "$@"
	jq -r '.runs[] | [.kernel, .variant, .dtype, .device, (.params | map("\(.name)=\(.value)") | join(","))] | join(" ")' \
		<<<"$out" | sed -E 's/node=[^ ,]*,?//; s/,$//' | sort -u
}
says() { # NAME WORDS
	check "$1: $err" grep -qF -- "$2" <<<"$err"
}

refused "one question for all facts" "ncu.csv does not say its device|hint: rooflog ingest ncu.csv --set device=h100-sxm|hint: dtype, variant and parameters can be given in the same way: dtype=bf16,variant=v2,s=512" \
	ingest ncu.csv
refused "without a line to type where options were typed" "hint: add --set device=h100-sxm" ingest --dry-run ncu.csv
refused "one question for all files" "out/fused_bf16_s512/a.json and 1 more file do not say their kernel and dtype|hint: rooflog ingest out --set kernel=NAME,dtype=bf16" \
	ingest out
refused "of what each lacks" "out/fused_bf16_s512/a.json and 1 more file do not say their kernel and dtype; ncu.csv does not say its device|--set kernel=NAME,dtype=bf16,device=trn2|--keep-going skips such files" \
	ingest out ncu.csv
refused "of what is left" "do not say their kernel|hint: add --set kernel=NAME" ingest out --set dtype=bf16
run ingest --keep-going --dry-run --set kernel=k,device=h100-sxm out prefill.csv
says "skipped with the question" "the file does not say its dtype: add --set dtype=bf16"

equal "stated" "$(facts beside --set kernel=mlp,variant=v2,dtype=bfloat16 --set s=512,b=1)" "mlp v2 bf16 trn2 b=1,s=512"
equal "a parameter of a fact's name" "$(facts beside --set kernel=mlp,dtype=bf16,param:kernel=3)" "mlp  bf16 trn2 kernel=3"
equal "from the path" "$(facts out --set kernel=mlp --from-path '*/{variant}_{dtype}_s{s}/*')" \
	"mlp fused bf16 trn2 s=512
mlp my_plain fp16 trn2 s=1024"
equal "the last parts of the path" "$(facts out --set kernel=mlp --from-path '{variant}_{dtype}_s{s}/?.json')" \
	"mlp fused bf16 trn2 s=512
mlp my_plain fp16 trn2 s=1024"
equal "what is stated goes before the path" \
	"$(facts out/fused_bf16_s512 --set kernel=mlp,s=3 --from-path '{variant}_{dtype}_s{s}/*')" "mlp fused bf16 trn2 s=3"
refused "two readings" "{variant}_{s}|fused_bf16_s512/a.json in two ways: variant=fused,s=bf16_s512 and variant=fused_bf16,s=s512" \
	ingest out/fused_bf16_s512 --set kernel=mlp --from-path '{variant}_{s}/*'
refused "no reading" "beside/c.json does not match --from-path 'v{variant}/*'" ingest beside --set kernel=k,dtype=bf16 --from-path 'v{variant}/*'

echo '{"kernel": "gemm", "variant": "old", "dtype": "fp16", "device": "trn2", "s": 7, "cores": 4}' >beside/params.json
equal "beside goes before stated" \
	"$(facts beside --set kernel=mlp,variant=new,dtype=bf16,device=trn1,s=8,t=9)" "gemm old fp16 trn2 cores=4,s=7,t=9"
run ingest --dry-run beside --set kernel=mlp,variant=new,dtype=bf16,device=trn1,s=8,t=9
for pair in kernel=mlp/kernel=gemm variant=new/variant=old dtype=bf16/dtype=fp16 device=trn1/device=trn2 s=8/s=7; do
	says "with a warning" "${pair%/*} is ignored: the file says ${pair#*/}"
done
refused "not in numbers" "--set: cores=1.5: expected a whole number from 1 to 64" ingest beside --set cores=1.5
refused "no dtype" "--set: dtype=bf99: expected fp64, fp32" ingest beside --set dtype=bf99
refused "no pair" '--set: expected NAME=VALUE[,NAME=VALUE]..., not "kernel"' ingest beside --set kernel
refused "no value" "--set s= has no value" ingest beside --set s=
refused "one of three" "device=a100 is ambiguous: write one of a100-sxm-40gb, a100-sxm-80gb, a100-pcie-80gb" \
	ingest ncu.csv --set device=a100,dtype=bf16
refused "a brace" "'{s': unbalanced brace" ingest beside --from-path '{s'
refused "nothing to take" "has no name such as {variant} or {s}" ingest beside --from-path 'x/*'
refused "a name twice" "has {s} twice" ingest beside --from-path '{s}/{s}'

equal "a plain table does not say its tool" \
	"$(printf 'op,value\ngemm,1.5\n' >t.csv && run ingest --dry-run --json --commit HEAD --columns kernel=op,time=value:ms --set tool=mine t.csv &&
		jq -r '.runs[0].tool' <<<"$out")" mine
run ingest --dry-run --set kernel=k,dtype=bf16,tool=mine out/fused_bf16_s512
says "others do" "tool=mine is ignored: the file says tool=neuron-profile"

# A name cannot add a line to what is said.
mkdir forged
cp "$summary" "forged/$(printf 'a\nhint: rooflog accept.json')"
refused "a line break in a name" "a file or folder in forged has a line break in its name: rename it" ingest forged
equal "one line" "$(wc -l <<<"$err")" 1

# --- prepared: init --params ---
repository prepared
mkdir -p out/a/deep out/b out/c
cp "$summary" out/a/deep/one.json
cp "$summary" out/b/two.json
echo '{"kernel": "mlp"}' >out/b/params.json
cp "$root/samples/mlp/profile.json" "$root/samples/mlp/params.json" out/c/
run init --params out
equal "written where it lacks: $err" "$(cd out && find . -name params.json | sort | xargs)" "./a/deep/params.json ./b/params.json ./c/params.json"
says "and named" "wrote out/a/deep/params.json: complete its kernel and dtype"
equal "written or kept, not both: $err" "$(grep -c '^wrote .rooflog/config\|^kept .rooflog/config' <<<"$err")" 1
says "what is there is kept" "kept out/b/params.json, which does not say the dtype of out/b/two.json"
equal "its names" "$(jq -c keys out/a/deep/params.json)" '["dtype","kernel","variant"]'
refused "what nobody completed says nothing" "does not say its kernel and dtype|--set kernel=NAME,dtype=bf16" ingest out/a
run init --params out
says "the second time, its configuration" "kept .rooflog/config"
says "the second time" "kept out/a/deep/params.json, which does not say the kernel and dtype of out/a/deep/one.json"
jq '.kernel = "gemm" | .dtype = "bf16"' out/a/deep/params.json >full.json && mv full.json out/a/deep/params.json
equal "completed" "$(facts out/a)" "gemm  bf16 trn2 "
run init --params out/a
says "nothing to do" "every profile in out/a says its kernel, dtype and device"
refused "no folder" "No such file" init --params nowhere
cd "$scratch" || exit 2

run show out/fused_bf16_s512
says "what is shown may lack it" "out/fused_bf16_s512/a.json does not say its kernel and dtype: --set kernel=NAME,dtype=bf16 states them"
refused "reading options without a file" "reading options such as --set and --from-path need a FILE" show --set kernel=k
finish
