#!/bin/bash
# rooflog inspect on small traces that tests/cli/ntff/make_ntff.py writes: text, programs, events and JSON are as
# in tests/golden/ntff; its figures are those that ingest stores; private fields stay private.
# GOLDEN_UPDATE=1 accepts the present output.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

golden=$root/tests/golden/ntff
cd "$scratch" || exit 2
python3 "$root/tests/cli/ntff/make_ntff.py" . || exit 1

golden() { # NAME ARGS...: stdout, stderr and status are as in the file
	local file=$golden/$1
	shift
	run inspect "$@"
	{
		printf '%s\n' "$out"
		[ -z "$err" ] || printf 'stderr: %s\n' "$err"
		[ "$status" = 0 ] || printf 'status: %s\n' "$status"
	} >actual
	if [ -n "${GOLDEN_UPDATE:-}" ]; then
		mkdir -p "${file%/*}" && cp actual "$file"
	fi
	check "${file##*/}: ntff $*" diff -u "$file" actual
	check "${file##*/}: nothing private" bash -c '! grep -qi "private\(/\| memory\)\|i-PRIVATE\|4711231" actual'
}

for version in v4 v5 v6 odd; do
	golden $version.txt $version.ntff
done
golden v7.txt v7.ntff
golden v7.json --json v7.ntff
golden v7-events.txt --events v7.ntff
golden odd.json --json odd.ntff
golden v6-top.txt --top 0 v6.ntff
golden v5-disasm.txt --disasm v5.ntff
golden odd-disasm-vector.txt --disasm --engine vector odd.ntff
golden odd-events.jsonl --events odd.ntff
LC_ALL=C golden v6-c-locale.txt v6.ntff

# A pipe and gzip give the same.
"$rooflog" inspect v6.ntff | sed '/^  file /d' >plain
gzip -k v6.ntff
"$rooflog" inspect v6.ntff.gz | sed '/^  file /d' >packed
"$rooflog" inspect - <v6.ntff | sed '/^  file /d' >piped
head -c 1000000 v6.ntff | "$rooflog" inspect - | sed '/^  file /d' >real-pipe
for other in packed piped real-pipe; do
	check "$other" cmp plain $other
done
check "dump is not empty" test -s plain

# The path of the NEFF is shown only when asked for.
run inspect --paths v6.ntff
check "--paths" grep -qF 'NEFF path     /home/PRIVATE/graph.neff' <<<"$out"
run inspect --paths --json v6.ntff
equal "--paths --json" "$(jq -r .neff_path <<<"$out")" /home/PRIVATE/graph.neff
run inspect --json v6.ntff
equal "no name" "$(jq 'has("neff_path")' <<<"$out")" false

# A reader that closes the pipe ends it without a word, also where SIGPIPE is ignored; a full disk
# does not.
for options in --events --disasm --json --top=3; do
	(
		trap '' PIPE
		sleep 0.2
		"$rooflog" inspect "$options" v6.ntff 2>quiet
		echo "$?" >code
	) | true
	equal "$options: closed pipe" "$(cat quiet) $(cat code)" " 0"
	if [ -e /dev/full ]; then
		"$rooflog" inspect "$options" v6.ntff >/dev/full 2>loud
		equal "$options: full disk, status" "$?" 2
		check "$options: full disk" grep -q 'cannot write to standard output' loud
	fi
done

# Names of files are shown as they can be, in JSON too.
name=$(printf 'odd\377\033.ntff')
cp v6.ntff "$name"
run inspect --json "$name"
check "JSON is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null <<<"$out"
equal "a byte that is none" "$(jq -r '.file | length' <<<"$out")" 10

: >empty.ntff

# What is no option, no file, no trace.
refused "no file" 'takes one FILE' inspect
refused "two files" 'takes one FILE' inspect v4.ntff v5.ntff
refused "missing" 'nowhere.ntff' inspect nowhere.ntff
refused "no trace" 'plain: neither an NTFF trace nor a report' inspect plain
refused "nothing" 'empty.ntff: the file is empty' inspect empty.ntff
refused "exclusive" '--json, --disasm and --events cannot be combined' inspect --json --events v6.ntff
refused "engine" '--engine "pool": expected tensor, scalar, gpsimd, vector or sync' inspect --disasm --engine pool v6.ntff
refused "engine alone" '--engine needs --disasm' inspect --engine tensor v6.ntff
refused "top" '--top x: expected a whole number from 0 to 1000' inspect --top x v6.ntff
refused "top where there is none" '--events cannot be combined with --top' inspect --events --top 3 v6.ntff
refused "names where there are none" '--disasm cannot be combined with --paths' inspect --disasm --paths v6.ntff
{ printf '\011'; tail -c +2 v7.ntff | head -c 400; } >v9.ntff
refused "unknown header" 'NTFF version 9 is not supported, and its header differs from that of versions 4 to 6: ' inspect v9.ntff
size=$(stat -c %s v6.ntff)
for cut in 0 1 64 128 129 500 $((size - 1)); do
	head -c "$cut" v6.ntff >cut.ntff
	refused "cut at $cut" 'cut.ntff: ' inspect cut.ntff
done

# The same figures as ingest stores.
for file in v4 v5 v6 odd; do
	check "$file: figures" python3 "$root/tests/cli/ntff/ntff_figures.py" "$rooflog" $file.ntff
done
finish
