#!/bin/bash
# Native traces that somebody made to do harm (tests/cli/ntff/ntff_hostile.py): each is read or refused
# with a sentence that says what and where, in little time and memory, and the store stays as it was.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sanitized=
case $(readlink -f "$rooflog") in */asan/* | */fuzz/*) sanitized=yes ;; esac
traces=$scratch/traces
mkdir -p "$traces/damaged"
python3 tests/cli/ntff/ntff_hostile.py "$traces" || exit 2
python3 tests/cli/ntff/ntff_hostile.py "$traces/damaged" damage || exit 2
cc -O2 -o "$scratch/measure" bench/tools/measure.c || exit 2
# More than the program needs for any trace; sanitizers need terabytes.
[ -n "$sanitized" ] || ulimit -v 400000
repository hostile
run ingest --set kernel=k,dtype=bf16 "$root/samples/formats/neuron/ntff/sample-v6-trn2-window.ntff"
equal "a good trace first: $err" "$status" 0

# What no trace may end in: a signal, or a word of a sanitizer.
survived() { # NAME
	check "$1: status $status" [ "$status" -le 2 ]
	equal "$1: sanitizers" "$(grep -m 1 -E 'runtime error|Sanitizer' <<<"$err")" ""
	check "$1: no control character" [ -z "$(tr -d '\n\t' <<<"$err" | grep -a '[[:cntrl:]]')" ]
}

while IFS='|' read -r name texts; do
	refused "$name" "$name.ntff: |$texts" ingest --set kernel=k,dtype=bf16 "$traces/$name.ntff"
	survived "$name"
done <<'END'
refused-all-begins|200000 begin|0 end
refused-all-ends|0 begin|200000 end
refused-times-of-nothing|4 begin, 0 end
refused-overlapping|header|overlap|bytes
refused-too-many-cores|header|more than 64 cores
refused-wrapping|tensor_engine_instruction_time is 115292150 s; expected 0 to 1e+07 s
refused-instance|unknown device "?]0;x?<b>
large-trace|0 begin, 0 end|12500000 records
large-header|header|byte 200003356|truncated or damaged
many-fields|header|more than 4194304 fields
many-queues|no instructions
large-programs|no instructions
END

for trace in "$traces"/read-*.ntff; do
	name=${trace##*/read-}
	run ingest --dry-run --json --set kernel=k,dtype=bf16 "$trace"
	equal "$name: $err" "$status" 0
	survived "$name"
	printf '%s' "$out" >"${name%.ntff}.json"
done

# What does not show in a name is written out, in every form.
for form in --top=10 --json --disasm --events; do
	run inspect "$form" "$traces/read-marks.ntff"
	equal "ntff $form: $err" "$status" 0
	check "ntff $form: what does not show" grep -qE 'U\+202E|\\u202e' <<<"$out"
	check "ntff $form: is written out" [ -z "$(grep -oP '[\x{80}-\x{9f}\x{200b}\x{202e}\x{e0041}]' <<<"$out")" ]
done

metric() { # NAME KEY
	jq -r --arg key "$2" '.runs[0].metrics[$key].value | if . then . + 0 else . end' "$1.json"
}
warnings() { # NAME
	jq -r '.runs[0].warnings[].message' "$1.json"
}

# Sums that do not fit 64 bits are right, or are said to be too low.
equal "too many FLOP" "$(metric absurd-matmul hardware_flops)" 18446744073709552000
equal "too many FLOP: not measured" "$(jq -r '.runs[0].metrics.hardware_flops.provenance' \
	absurd-matmul.json)" 'at least'
check "too many FLOP: told" grep -q "counts overflow 64 bits" <<<"$(warnings absurd-matmul)"
equal "too many FLOP: a bound" \
	"$(jq -r '.runs[0].metrics.hardware_flops.provenance' absurd-matmul.json)" 'at least'
equal "too many squares to tell" "$(metric squares transpose_flops)" null
equal "nothing but DMA" "$(jq -c '[.runs[0].metrics[
	"hardware_flops", "tensor_engine_instruction_count", "total_active_time", "throttle_time"
	].value]' rings.json)" "[null,null,null,null]"
equal "100000 at one time" "$(metric one-time tensor_engine_instruction_count)" 100000
equal "no time at all" "$(metric one-time tensor_engine_active_time)" 0
equal "64 cores" "$(jq '.runs[0].cores_work | length' cores.json)" 64
check "times beyond any clock" grep -q "58 records with impossible times" <<<"$(warnings extremes)"
check "open transfers" grep -q "64 DMA transfer begins without an end" <<<"$(warnings rings)"
check "open instructions" grep -q "1023 instruction begins without an end" \
	<<<"$(warnings searches)"

# How long the device has been up does not matter.
values='.runs[0].metrics | map_values(.value)'
for version in "" -v5; do
	equal "up for months$version" "$(jq -c "$values" "months$version.json")" \
		"$(jq -c "$values" "fresh$version.json")"
	equal "up for months$version: active" "$(metric "months$version" scalar_engine_active_time)" \
		1.54e-07
done

# Names are texts wherever they are shown, and four cores stay four.
equal "names" "$(jq -r '[.runs[0].cores_work[].name] | unique | length' names.json)" 4
run ingest --set kernel=names,dtype=bf16 "$traces/read-names.ntff"
for shown in "show --kernel names" "report --as md" "report --as html" \
	"report --as json" "log"; do
	# shellcheck disable=SC2086 # words are meant
	run $shown
	equal "$shown: $err" "$status" 0
	equal "$shown: escape sequences" "$(grep -a -c $'[\e\a]' <<<"$out")" 0
	check "$shown: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null <<<"$out"
	case $shown in *md | *html) equal "$shown: markup" "$(grep -c '<script>' <<<"$out")" 0 ;; esac
done

# Prefixes and flipped bits, many in one process.
run ingest --dry-run --json --keep-going --set kernel=k,dtype=bf16 "$traces/read-fresh.ntff" \
	"$traces"/damaged/cut-*.ntff
survived "prefixes"
count=$(find "$traces/damaged" -name 'cut-*' | wc -l)
check "prefixes: $count" [ "$count" -gt 1000 ]
equal "prefixes: each is cut off" \
	"$(jq '[.skipped[].reason | select(test("truncated") and test("byte [0-9]+"))] | length' <<<"$out")" \
	"$count"
run ingest --dry-run --keep-going --split-by none --set kernel=k,dtype=bf16 "$traces"/damaged/flip-*.ntff
survived "flipped bits"
told=$(sed -n 's/.*read: \([0-9]*\) runs* found, \([0-9]*\) skipped.*/\1 + \2/p' <<<"$err")
echo "flipped bits: $told"
equal "flipped bits: each read or refused" "$((told))" 2000

# What rooflog inspect shows of them.
dumped() { # NAME STATUS MODE
	local -a options=()
	[ -z "$3" ] || options=("$3")
	run inspect "${options[@]}" "$traces/$1.ntff"
	survived "ntff $3 $1"
	equal "ntff $3 $1: status" "$status" "$2"
	equal "ntff $3 $1: escape sequences" "$(grep -a -c $'[\e\a]' <<<"$out")" 0
	check "ntff $3 $1: UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null <<<"$out"
	case $3 in --json | --events) [ -z "$out" ] || check "ntff $3 $1: JSON" jq -e . >/dev/null <<<"$out" ;; esac
}
for name in absurd-matmul clocks cores extremes names; do
	for mode in "" --json --events --disasm; do
		dumped "read-$name" 0 "$mode"
	done
done
for mode in "" --json --events --disasm; do
	dumped refused-wrapping 0 "$mode"
done
for mode in "" --json; do
	dumped large-programs 0 "$mode"
	dumped refused-overlapping 2 "$mode"
done
dumped large-programs 2 --disasm
check "programs: $err" grep -q "choose one engine" <<<"$err"
run inspect --json "$traces/read-absurd-matmul.ntff"
equal "ntff: too many FLOP are a bound" "$(jq -r '.work[] | select(.metric == "hardware_flops" or
	.metric == "sbuf_read_bytes").bound' <<<"$out" | sort -u)" at_least
run inspect --json "$traces/refused-wrapping.ntff"
equal "ntff: what fits no 64 bits" "$(jq -r '.engines[0].time_ps' <<<"$out")" 18446744073709551615

# Time and memory, without optimisation.
measure() { # ARGS...: seconds of CPU, of the clock, KiB
	"$scratch/measure" 1 sh -c '"$@" || true' sh "$rooflog" "$@" 2>/dev/null
}
for name in large-trace many-fields many-queues read-cores read-searches read-scattered \
	read-rings; do
	[ -z "$sanitized" ] || break
	read -r seconds _ kilobytes < <(measure ingest --quiet --dry-run --set kernel=k,dtype=bf16 \
		"$traces/$name.ntff")
	echo "$name: $seconds s, $kilobytes KiB"
	check "$name: below 2 s of CPU: $seconds" [ "${seconds%.*}" -lt 2 ]
	check "$name: below 64 MB: $kilobytes" [ "$kilobytes" -lt 65536 ]
	[ "$name" != read-scattered ] || small=$kilobytes
	[ "$name" != read-rings ] || check "rings give their room back: $kilobytes" \
		[ "$kilobytes" -lt $((small + 3000)) ]
done
for mode in --quiet --json; do
	[ -z "$sanitized" ] || break
	read -r seconds _ kilobytes < <(measure ntff "$mode" "$traces/many-queues.ntff")
	echo "ntff $mode many-queues: $seconds s, $kilobytes KiB"
	check "ntff $mode many-queues: below 8 s of CPU: $seconds" [ "${seconds%.*}" -lt 8 ]
	check "ntff $mode many-queues: below 256 MB: $kilobytes" [ "$kilobytes" -lt 262144 ]
done
finish
