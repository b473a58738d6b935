#!/bin/bash
# The profile_result.json files of the FusionScheduler's history: every time, decision and count is
# recomputed here from the files themselves.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/gpu/hootandy321+OpCompiler/InfiniCore/python/infinicore/fusion
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

repository fusion
run init
say=(--set "dtype=fp16,device=a100-sxm-80gb")

ingest() { # FILE RUNS
	commit "${1##*/}"
	run ingest --commit HEAD "${say[@]}" "$1"
	equal "ingest ${1##*/}" "$(tail -n 1 <<<"$err")" "1 file read: $2 runs stored, 0 duplicates, 0 skipped"
}

# Every time of a file of the second version, in seconds: operator, variant, shape.
times_of_file() { # FILE
	jq -r 'to_entries[] | .key as $v | .value | to_entries[] | .key as $k | .value | to_entries[] |
		"\($k)\t\($v)\t\(.key)\t\(.value / 1000)"' "$1" | LC_ALL=C sort
}
times_stored() {
	run log --json
	jq -r --arg c "$(git rev-parse HEAD)" '.runs[] | select(.commit.oid == $c) |
		"\(.kernel)\t\(.variant)\t\(.params[0].value)\t\(.metrics.host_time.value)"' <<<"$out" | LC_ALL=C sort
}

# --- version 1: sums of operators timed alone ---
ingest "$data/profile_result.json@2bd2744" 4
check "no shapes is said" grep -qF 'the file has no shapes' <<<"$err"
run analyze fusion --json
equal "version 1" "$(jq -r '.operators[] | .kernel as $k | .shapes[] | [$k, (.unfused.value * 1e10 | round),
	.unfused.provenance, (.fused.value * 1e10 | round), .fused.provenance, .decision] | @tsv' <<<"$out")" \
	"$(jq -r '[["add+rms_norm", .single.add + .single.rms_norm, "fuse"], ["silu+mul", .single.silu + .single.mul, "undecided"]] as $r |
	$r[] as $x | [$x[0], ($x[1] * 1e7 | round), "derived", (.fused[$x[0]] * 1e7 | round), "measured", $x[2]] | @tsv' \
		"$data/profile_result.json@2bd2744")"
refused "nothing to export without shapes" "nothing to export" analyze fusion -o scheduler=x.json

# --- version 2 ---
for version in bdd802c:6 0c7c76c:400; do
	file=$data/profile_result.json@${version%:*}
	[ -f "$file" ] || continue
	ingest "$file" "${version#*:}"
	check "${version%:*}: no warning" [ "$(wc -l <<<"$err")" = 1 ]
	check "${version%:*}: all times" diff <(times_of_file "$file") <(times_stored)
	run analyze fusion -o scheduler="$version.json"
	equal "export of ${version%:*}: $err" "$status" 0
	check "${version%:*}: the export is the file" cmp <(jq -S . "$file") <(jq -S . "$version.json")
	run ingest --commit HEAD "${say[@]}" "$version.json"
	equal "${version%:*}: read again it is the same" "$(tail -n 1 <<<"$err")" \
		"1 file read: 0 runs stored, ${version#*:} duplicates, 0 skipped"
done
check "the export is the file byte for byte" cmp "$file" "$version.json"

# --- 100 shapes an operator; decisions at several margins ---
# 2 % noise, and half of 0.0001 ms that the producer rounds to.
expected() { # MARGIN
	jq -r --argjson m "$1" '. as $d | .fused | to_entries[] | .key as $k | [.value | to_entries[] |
		.value as $f | $d.unfused[$k][.key] as $u |
		(($u * 0.98 - 0.00005) / ($f * 1.02 + 0.00005)) as $low |
		(($u * 1.02 + 0.00005) / ($f * 0.98 - 0.00005)) as $high |
		if $low > 1 + $m then "fuse" elif $high <= 1 + $m then "keep" else "undecided" end] |
		[$k, length, (map(select(. == "fuse")) | length), (map(select(. == "keep")) | length),
		(map(select(. == "undecided")) | length)] | @tsv' "$file"
}
for margin in 0 0.1 0.2 0.25 0.5 0.9 1; do
	run analyze fusion --json --margin $margin
	equal "counts at $margin" "$(jq -r '.operators[] | [.kernel, .counts.shapes, .counts.fuse, .counts.keep,
		.counts.undecided] | @tsv' <<<"$out")" "$(expected $margin)"
done
equal "100 shapes an operator" "$(jq -c '[.operators[].counts.shapes]' <<<"$out")" "[100,100]"

# The scheduler's own rule on the exported numbers says the same of everything that is decided.
for margin in 0 0.2 0.5 0.9; do
	run analyze fusion --json --margin $margin
	equal "the scheduler agrees at $margin" "$(jq --argjson m $margin --slurpfile file "$version.json" '
		[.operators[] | .kernel as $k | .shapes[] | select(.decision != "undecided") |
		($file[0].unfused[$k][.shape] > $file[0].fused[$k][.shape] * (1 + $m)) == (.decision == "fuse")] |
		[length > 0, all]' -c <<<"$out")" '[true,true]'
done

run analyze fusion --coverage --json HEAD
equal "coverage" "$(jq -r '.lines[] | [.platform, .kernel, .hidden_size, (.measured | length), (.interpolated | length),
	(.missing | length)] | @tsv' <<<"$out")" "$(printf '%s\t%s\t%s\t%s\t%s\t%s\n' \
	NVIDIA add+rms_norm 4096 5 0 6 NVIDIA silu+mul 11008 0 5 6 \
	Iluvatar add+rms_norm 4096 0 0 11 Iluvatar silu+mul 11008 0 0 11 \
	MetaX add+rms_norm 4096 0 0 11 MetaX silu+mul 11008 0 0 11)"
finish
