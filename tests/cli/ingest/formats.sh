#!/bin/bash
# Every format of the registry has its samples: samples/formats/<family>/<format>/sample* (files or
# directories; `args` holds the options that ingest needs), what is read from them
# (tests/golden/formats/<family>/<format>.json), and at least three malformed* files with their messages.
# GOLDEN_UPDATE=1 accepts the present output.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# What the file gives; what follows from it by formula is tested elsewhere.
# shellcheck disable=SC2016 # a jq program
given='def n: if . then . + 0 else . end; # a number as all versions of jq write it
{
	runs: [.runs[] | {
		format, kernel, variant, dtype, device, cores, tool, node, kernel_hash, params_text,
		source_commit,
		values: [.metric_rows[] | select(.provenance != "derived") |
			"\(.key) = \(.value | n) \(.unit) (\(.provenance))"],
		spreads: [.spreads[] | "\(.metric): \(.count) from \(.minimum.value | n) to \(.maximum.value | n), median \(.median.value | n), mean \(.mean.value | n), deviation \(.deviation.value | n)"],
		engines: [.engines[] | "\(.name) \(.active_time.value | n)"],
		opcodes: [.opcodes[].name], sources: [.sources[].name], dma: [.dma[].name],
		kernels: [.kernels[]? | "\(.name): \(.count.value | n) x, \(.time.value | n) s"],
		tuning: [.tuning[]? | "\(.name): \(.time.value | n) s"],
		versions: [.versions[] | "\(.key) = \(.text)"],
		warnings: [.warnings[] | "\(.category): \(.message)"]
	} | with_entries(select(.value != null and .value != [] and .value != ""))]
}'

seen=0
while IFS= read -r format; do
	seen=$((seen + 1))
	folder=$(echo samples/formats/*/"$format")
	golden=tests/golden/${folder#samples/}.json
	check "$format has samples" test -d "$folder"
	[ -d "$folder" ] || continue
	options=()
	[ ! -f "$folder/args" ] || read -r -a options <"$folder/args"
	actual=$scratch/$format.json
	: >"$actual"
	samples=0 malformed=0
	for path in "$folder"/sample* "$folder"/malformed*; do
		[ -e "$path" ] || continue
		run ingest --dry-run --json "${options[@]}" "$path"
		case ${path##*/} in
		sample*)
			samples=$((samples + 1))
			# What only lies beside profiles is read, and then there is no profile.
			check "$path is read: $err" [ "$status" = 0 -o \
				"${err#*no profiles found}" != "$err" ]
			;;
		malformed*)
			malformed=$((malformed + 1))
			equal "$path: status" "$status" 2
			check "$path: refused for what is in it: $err" grep -qE "$path(/[A-Za-z]+.parquet)?: " <<<"$err"
			check "$path: a reader took it: $err" [ "${err#*unsupported format}" = "$err" ]
			;;
		esac
		jq -n --arg file "${path##*/}" --arg messages "$err" --argjson out "${out:-null}" \
			"{file: \$file, read: (\$out | if . then ($given) else null end),
			messages: (\$messages | split(\"\\n\") | map(select(. != \"\")))} |
			with_entries(select(.value != null and .value != []))" >>"$actual"
	done
	check "$format: a sample" [ "$samples" -ge 1 ]
	check "$format: three malformed files, not $malformed" [ "$malformed" -ge 3 ]
	if [ -n "${GOLDEN_UPDATE:-}" ]; then
		mkdir -p "${golden%/*}" && cp "$actual" "$golden"
	fi
	check "$format: as $golden" diff -u "$golden" "$actual"
done < <("$rooflog" list formats --json | jq -r '.formats[].format')
check "formats: $seen" [ "$seen" -ge 30 ]
finish
