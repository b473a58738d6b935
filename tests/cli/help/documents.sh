#!/bin/bash
# --json: every command prints one document, which begins with its schema and is as docs/schema says.
# The commands are those of the program's own table, so a new one without a line here fails.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

python=/usr/bin/python3
"$(dirname "$rooflog")/manual" "$root" "$scratch/man"
names=$("$rooflog" list schemas --json | jq -r '.schemas[].schema')

document() { # ARGS...: what is printed; $told is its schema
	run "$@"
	# shellcheck disable=SC2086 # one argument each
	told=$("$python" "$root/tests/cli/help/documents.py" $names <<<"$out" 2>&1)
	equal "$*: $told: $err" "$?" 0
}

# --- what the commands are called with ---
repository all
nights 40
series gemm 'e * (i > 30 ? 1.2 : 1)'
series steady 'e'
series creeps 'e * (1 + i * 0.001)'
measured 0
run ingest --set dtype=fp16,device=inf2 "$root/samples/prefill.csv"
run ingest --commit HEAD --set dtype=fp16,device=a100-sxm-80gb \
	"$root/samples/formats/fusion/fusion-profile/sample-shapes.json"
run ingest --commit HEAD --set dtype=bf16,device=a100-sxm-80gb "$root/samples/formats/fusion/fusion-e2e/sample.json"
run ingest "$root/samples/attention" "$root/samples/mlp"
equal "ingest: $err" "$status" 0
mkdir empty "$scratch/new"
printf 'index,value\n%s\n' "$(seq 30 | awk '{ print $1 "," ($1 > 20 ? 1.2 : 1) + ($1 % 3) / 1000 }')" >table.csv
cp "$root/samples/devlog/attention.md" attention.md
mkdir traces && "$python" "$root/tests/cli/ntff/make_ntff.py" traces
sed -n 's/^\t\(.*\)$/\1/p' >lines <<'END'
	show
	show steady --details
	show --source '/./' --kernel mlp
	show --opcode 'MAT*' --kernel mlp
	compare
	compare --by variant attention
	compare HEAD~12 HEAD
	gate
	gate --against window
	gate --explain
	gate --selftest
	gate -o comment=comment.md -o brief=night.json
	log
	log gemm
	log --view series
	log --view edits
	log --view candidates
	site pages
	ingest --dry-run --set dtype=fp16,device=inf2 samples/prefill.csv
	rm --reason wrong --series 'creeps*' --all-commits --dry-run
	mv steady calm --dry-run
	store copy copied.db
	store merge copied.db
	store export -o all.jsonl
	store import all.jsonl
	store size
	store prune --keep 500
	store push $scratch/shared.git
	store pull $scratch/shared.git
	bisect gemm
	bisect gemm --next
	bisect steady
	accept gemm --reason known --commit HEAD
	accept
	baseline set first HEAD~5
	baseline pin v1 HEAD~9
	baseline
	baseline list
	baseline rm first
	calibrate
	report
	report --as nightly --against window
	report --as nightly --against window -o nightly=nightly.md
	chart trend gemm -o trend.svg
	chart roofline -o roofline.svg
	devlog attention.md --kernel attention --params s=512 --variant fused --dry-run
	devlog attention.md --kernel attention --params s=512 --variant fused
	run --tool none --set device=h100-sxm -- true
	run --against HEAD~1 --fail-on none -- echo '{"context":{},"benchmarks":[{"name":"mlp","run_type":"iteration","real_time":9,"cpu_time":9,"time_unit":"us","iterations":9}]}'
	comment comment.md --api $here --repo ada/kernels --number 12 --dry-run
	notify night.json --as slack --dry-run
	inspect traces/v4.ntff
	inspect traces/v6.ntff
	inspect traces/odd.ntff
	analyze buckets --kernel matmul --over M
	analyze fusion
	analyze fusion --coverage
	analyze fusion --shape 1x300x4096 $root/samples/formats/fusion/fusion-profile/sample-shapes.json
	show --launches $root/samples/formats/nvidia/nsys-sqlite/sample-streams.sqlite
	analyze fusion --strategies
	stats detect table.csv
	stats judge table.csv
	stats judge --together --base 25 table.csv
	stats judge --drift release table.csv
	list formats
	list devices
	list metrics
	list kinds
	list schemas
	list commands
	list kernels
	list series
	init
	doctor
	completion bash
	version
END
ln -s "$root/samples" samples
forge_begin
jq -n --arg head "$(git rev-parse HEAD)" '{requests: [{number: 12, sha: $head, from: "a/b", base: "a/b"}]}' |
	forge_reset
git init -q --bare "$scratch/shared.git"
: >schemas
while IFS= read -r line; do
	arguments=()
	eval "arguments=($line)"
	document --json "${arguments[@]}"
	echo "$told" >>schemas
	# The manual page of the command names the document.
	name=${told#rooflog-}
	check "rooflog-${arguments[0]}(1) names ${name%/1}" grep -qw "${name%/1}" \
		<(sed -n '/^\.SH OUTPUT/,/^\.SH EXIT/p' "$scratch/man/man1/rooflog-${arguments[0]}.1" | grep -F 'rooflog list schemas' -A3)
done <lines

# --- all commands, and all schemas ---
while IFS= read -r command; do
	[ "$command" != mcp ] || continue # each of its lines is a message of another standard
	check "$command has a line here" grep -qE "^$command( |\$)" lines
done < <("$rooflog" list commands --json | jq -r '.commands[].command')
# data describes parts of others; comparison is a line of jsonl, brief a file of the gate
# (exporters.sh), store a line of an export (moving.sh).
for name in $names; do
	case $name in data | comparison | brief | store) continue ;; esac
	check "$name was printed" grep -qx "rooflog-$name/1" schemas
done
for name in $names; do
	run list schemas "$name"
	equal "the schema of $name" "$out" "$(cat "$(find "$root/docs/schema" -name "$name-1.schema.json")")"
done
run list schemas --json
equal "every schema has a name of its own" "$(jq -r '.schemas[].schema' <<<"$out" | sort | uniq -d)" ""

# --- where the option stands ---
run list kinds --json
after=$out
status=0 out=$("$rooflog" --json list kinds) || status=$?
equal "before the command" "$status $out" "0 $after"
run gate --as junit --json
equal "not beside another kind" "$status" 2
run chart trend gemm --json
check "a picture needs a file: $err" grep -q 'hint: add -o trend.svg' <<<"$err"
finish
