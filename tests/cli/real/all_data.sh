#!/bin/bash
# Every real file at hand: which format it is and how many runs it gives, or why it is refused. The
# table is tests/golden/data.tsv; GOLDEN_UPDATE=1 accepts the present one, TABLE=1 prints it all.
# Files are read without options first, then with those that their format asks for.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data
golden=$root/tests/golden/data.tsv
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
cd "$scratch" || exit 2

# Sanitizers look at the reading itself: one run over all files.
if [ -n "${SANITIZED:-}" ]; then
	run ingest --dry-run --quiet --keep-going --max-series 100000 --split-by none --set kernel=k,dtype=bf16,device=trn2 "$data"/*/
	equal "all files in one run: $(tail -n 3 <<<"$err")" "$status" 0
	finish
fi

device_of() { # FILE: where its format asks for a device
	case $1 in
	*/neuron/*AnchovyPark*) echo inf2 ;;
	*/neuron/*yahavb*) echo trn3 ;;
	*/neuron/*pantheon*) echo trn1 ;;
	*/neuron/*) echo trn2 ;;
	*) echo a100-sxm-80gb ;;
	esac
}

read_file() { # FILE: as little help as it takes
	local asked=(--set kernel=k)
	run ingest --dry-run --json "$1"
	for option in kernel dtype device; do
		[ "$status" = 0 ] && return
		case $err in *'does not say its'*) ;; *) return ;; esac
		case $option in
		dtype) asked+=(--set dtype=bf16) ;;
		device) asked+=(--set "device=$(device_of "$1")") ;;
		esac
		run ingest --dry-run --json "${asked[@]}" "$1"
	done
}

describe() { # FILE NAME: one line of the table
	read_file "$1"
	if [ "$status" = 0 ]; then
		jq -r --arg name "$2" '"\([.runs[].format] | unique | join("+"))\t\(.runs | length)\t\($name)"' \
			<<<"$out"
		return
	fi
	case $err in
	*'no profiles found in'*)
		printf 'companion\t0\t%s\n' "$2" ;;
	*) # The reason without the path, and without figures of the file.
		local reason=${err##*"$1: "}
		reason=${reason%%; \"rooflog list formats\"*}
		reason=${reason#unsupported format: the file }
		reason=${reason%%; *}
		reason=${reason%% that begins with *}
		reason=${reason%% (its first member is *}
		reason=${reason%% with the columns *}
		printf 'refused: %s\t0\t%s\n' "$(tail -n 1 <<<"$reason" | cut -c 1-90)" "$2" ;;
	esac
}

while IFS= read -r file; do
	describe "$file" "${file#"$data"/}"
done < <(find "$data"/gpu "$data"/ncurep "$data"/neuron "$data"/trackers "$data"/xplane-rocm -type f | LC_ALL=C sort) >actual.tsv

[ -z "${TABLE:-}" ] || cat actual.tsv
[ -z "${GOLDEN_UPDATE:-}" ] || cp actual.tsv "$golden"
check "the table of all real files" diff -u "$golden" actual.tsv
awk -F '\t' '{ files++ } /^refused/ { refused++; next } { formats[$1]++; runs += $2 } END {
	printf "%d files: %d read as %d formats, %d runs; %d refused\n", files, files - refused,
		length(formats), runs, refused }' actual.tsv
finish
