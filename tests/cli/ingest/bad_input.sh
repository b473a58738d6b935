#!/bin/bash
# Bad input: a clear message that names file and place, exit status 2, the store as it was. And
# what is tolerated: read, with a warning that counts.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository bad
bad=$root/samples/malformed
who=(--set "kernel=k,dtype=bf16,b=1")
run ingest "$root/samples/mlp/profile.json"
equal "a good run first: $err" "$status" 0

# name | texts in the message (by |) | file
: >empty.json
printf ' \n\t\n' >blank.json
printf '%0100000d' 0 | tr 0 '[' >deep.json
printf 'hello world\n' >text.txt
head -c 4096 /dev/zero >zeros.bin
printf '\x89PNG\r\n' >picture
printf '{"answer": 42}' >other.json
printf '\x06\x00\x00\x00' | cat - /dev/zero 2>/dev/null | head -c 5000 >trace.ntff
cp "$bad/truncated.json" truncated.json
refused "empty file" "empty.json|empty" ingest "${who[@]}" empty.json
refused "blank file" "blank.json|whitespace" ingest "${who[@]}" blank.json
refused "truncated" "truncated.json|byte" ingest "${who[@]}" truncated.json
refused "1e999" "overflow.json|byte|summary[0]" ingest "${who[@]}" "$bad/overflow.json"
refused "number as string" "number-as-string.json|summary[0]|byte" \
	ingest "${who[@]}" "$bad/number-as-string.json"
refused "bad UTF-8" "bad-utf8.json|UTF-8|byte" ingest "${who[@]}" "$bad/bad-utf8.json"
printf '{"summary":[{"total_time":1e-6,"x":' | cat - deep.json >nested.json
refused "deep nesting" "nested.json|deep|byte" ingest "${who[@]}" nested.json
refused "deep nesting alone" "deep.json" ingest "${who[@]}" deep.json
refused "unknown device in the file" "unknown-device.json|unknown device|devices.json|[device" \
	ingest "${who[@]}" "$bad/unknown-device.json"
refused "unknown device by option" "unknown device \"nope\"" \
	ingest "${who[@]}" --set device=nope "$root/samples/session.txt"
refused "text" "text.txt|lists the supported formats" ingest "${who[@]}" text.txt
refused "zeros" "zeros.bin|lists the supported formats" ingest "${who[@]}" zeros.bin
refused "picture" "picture|lists the supported formats" ingest "${who[@]}" picture
refused "other JSON" "other.json|answer" ingest "${who[@]}" other.json
refused "no native trace" "trace.ntff|binary" ingest "${who[@]}" trace.ntff
head -c 2000 "$root/samples/formats/neuron/ntff/sample-v6-trn2-window.ntff" >cut.ntff
refused "native trace, cut off" "cut.ntff|byte" ingest "${who[@]}" cut.ntff
refused "in a directory too" "cut.ntff|byte" ingest "${who[@]}" .
rm cut.ntff
refused "absent file" "cannot open absent.json|No such file" ingest "${who[@]}" absent.json
refused "unknown dtype" "--set: dtype=bf99: expected fp64" ingest --set kernel=k,dtype=bf99 "$root/samples/summary.txt"
refused "no kernel" "does not say its kernel|--set kernel=NAME" ingest --set dtype=bf16 "$root/samples/summary.txt"
refused "no dtype" "does not say its dtype|--set dtype=bf16" ingest --set kernel=k "$root/samples/summary.txt"
refused "bad params" "--set: expected NAME=VALUE" ingest --set kernel=k,dtype=bf16,b "$root/samples/summary.txt"
refused "bad commit" "nowhere" ingest "${who[@]}" --commit nowhere "$root/samples/mlp/profile.json"
refused "no path" "FILE is missing" ingest "${who[@]}"
refused "unknown option" "--wrong" ingest --wrong x
run ingest --dry-run --set device=trn1 "$root/samples/mlp"
equal "contradicting device" "$status $(grep -c 'device=trn1 is ignored: the file says device=trn2' <<<"$err")" "0 1"
refused "one bad file among good ones" "truncated.json" \
	ingest "${who[@]}" "$root/samples/attention/baseline-s512" truncated.json

# A string of 2 GB, through a pipe: refused long before memory would tell.
status=0
{ printf '{"summary":[{"instance_type":"'; head -c 2147483648 /dev/zero | tr '\0' a; } 2>/dev/null |
	(ulimit -v 2000000; "$rooflog" ingest "${who[@]}" - >/dev/null 2>.err) || status=$?
case $(readlink -f "$rooflog") in
*/asan/* | */fuzz/*) ;; # the sanitizer reserves terabytes of address space: no limit can be set
*)
	equal "2 GB string" "$status" 2
	check "2 GB string: message $(cat .err)" grep -q 'standard input.*byte' .err
	;;
esac
rm -f .err

# No permission: root may read everything, so only ordinary users can be refused.
if [ "$(id -u)" != 0 ]; then
	cp "$root/samples/mlp/profile.json" secret.json
	chmod 0 secret.json
	refused "no permission" "secret.json|Permission denied" ingest "${who[@]}" secret.json
fi
refused "a directory without profiles" "no profile" ingest "${who[@]}" .git/refs

# A full disk: the file size limit makes every write beyond 16 KiB fail as a full disk does.
before=$(store_sum) status=0
(
	trap '' XFSZ
	ulimit -f 16
	"$rooflog" ingest "${who[@]}" --set variant=full "$root/samples/mlp/profile.json" >/dev/null 2>.err
) || status=$?
equal "full disk: status, $(cat .err)" "$status" 2
check "full disk: a message" grep -q 'runs.db' .err
equal "full disk: store" "$(store_sum)" "$before"

# Killed while it reads.
mkfifo slow
before=$(store_sum)
"$rooflog" ingest "${who[@]}" slow >/dev/null 2>&1 &
victim=$!
exec 3>slow
head -c 2000 "$root/samples/mlp/profile.json" >&3
kill -9 "$victim"
wait "$victim" 2>/dev/null
exec 3>&-
equal "killed: store" "$(store_sum)" "$before"
rm -f slow .err

# Every prefix of a small profile is refused; none changes the store.
cat >small.json <<'END'
{"metadata":[{"pe_num_rows":128,"pe_num_cols":128,"pe_clock_freq":2.4,"num_physical_cores":2,
"hbm_ddr_bandwidth":716000000000}],"active_time":[{"engine":"tensor","start_ts":1,"end_ts":900}],
"summary":[{"total_time":1e-06,"instance_type":"trn2.3xlarge","hardware_flops":1048576}]}
END
size=$(wc -c <small.json) before=$(store_sum) wrong=0
for ((i = 0; i < size - 1; i++)); do
	head -c "$i" small.json >prefix.json
	status=0
	"$rooflog" ingest "${who[@]}" prefix.json >/dev/null 2>.err || status=$?
	if [ "$status" != 2 ] || ! grep -q prefix.json .err; then
		echo "prefix of $i bytes: status $status, $(cat .err)"
		wrong=$((wrong + 1))
	fi
done
equal "prefixes accepted or without message" "$wrong" 0
equal "store after all prefixes" "$(store_sum)" "$before"
run ingest "${who[@]}" small.json
equal "the whole of it: $err" "$status" 0

# Tolerated with a warning.
run ingest "${who[@]}" --set variant=nan "$bad/nan.json"
equal "NaN tokens: $err" "$status" 0
check "NaN is counted: $err" grep -qiE 'warning: .*nan' <<<"$err"
run ingest "${who[@]}" --set variant=duplicate "$bad/duplicate-keys.json"
equal "duplicate keys: $err" "$status" 0
check "duplicates are counted: $err" grep -qiE 'warning: .*(duplicate|repeat)' <<<"$err"
{ printf '\xef\xbb\xbf'; cat small.json; } >bom.json
run ingest "${who[@]}" --set variant=bom bom.json
equal "byte order mark: $err" "$status" 0

# The same file twice, and as .gz: known.
gzip -c small.json >small.json.gz
run ingest "${who[@]}" small.json.gz
equal "gz: $err" "$status" 0
check "gz is known: $out" grep -q '^known' <<<"$out"
zstd -q -o small.json.zst small.json
run ingest "${who[@]}" small.json.zst
equal "zst: $err" "$status" 0
check "zst is known: $out" grep -q '^known' <<<"$out"
for tool in gzip zstd; do
	$tool -qc small.json >packed
	truncate -s -3 packed
	refused "$tool, cut off" "packed|the $tool data is truncated after stored byte" \
		ingest "${who[@]}" packed
	$tool -qc small.json.gz >packed
	refused "gzip inside $tool" "packed|gzip inside gzip or zstd|unpack it once" \
		ingest "${who[@]}" packed
	{ $tool -qc small.json; echo junk; } >packed
	refused "$tool, then junk" "packed|data that is not $tool follows" \
		ingest "${who[@]}" packed
done

# A pipe that stays open, with what is wrong far behind its beginning.
mkfifo pipe
{
	printf '{"summary":[{"total_time":1e-6}],"x":"'
	head -c 300000 /dev/zero | tr '\0' a
	printf '" junk'
	head -c 100000 /dev/zero
	exec sleep 60
} >pipe &
writer=$!
began=$SECONDS
refused "an open pipe" "pipe|byte 300040|'j'" ingest "${who[@]}" pipe
check "at once: $((SECONDS - began)) s" [ $((SECONDS - began)) -lt 30 ]
kill "$writer" && wait "$writer" 2>/dev/null

# A store of an older rooflog, which an ingest would bring up to date.
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())' \
	"$root/tests/golden/stores/v4.sql" old.db
before=$(sha256sum old.db)
refused "a commit for what names its own" "names its own commits: remove --commit" ingest --store old.db --commit HEAD \
	"$root/samples/formats/benchmarks/github-action-benchmark/sample.js"
equal "a refused ingest leaves the store of an older rooflog" "$(sha256sum old.db)" "$before"
finish
