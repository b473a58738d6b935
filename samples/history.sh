#!/bin/sh
# usage: ROOFLOG=PROGRAM sh samples/history.sh DIRECTORY FIRST LAST
# Plays the steps FIRST to LAST (1 to 6) of an invented kernel's life in the git repository
# DIRECTORY, made at step 1: one commit a step, its profiles (samples/history/NN) ingested there.
# Names, dates and so the commits' ids are the same on every machine.
set -eu
: "${ROOFLOG:?the program to use}"
samples=$(cd "$(dirname "$0")" && pwd)
directory=$1 first=$2 last=$3

export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME='Ada Kern' GIT_AUTHOR_EMAIL='ada@example.org'
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"

subject_of() {
	case $1 in
	1) echo 'Attention: softmax(Q K^T) V a row block at a time' ;;
	2) echo 'Attention: name the tile sizes' ;;
	3) echo 'Attention: load the next block while this one computes' ;;
	4) echo 'Attention: comment the schedule' ;;
	5) echo 'Attention: allow longer sequences by spilling K' ;;
	6) echo 'Attention: spill K only above 2048 rows' ;;
	esac
}

# What the commit changes: the kernel's source, and the newest entry of its development log; the first
# one also brings the configuration, which counts for the commits after it.
write_step() {
	mkdir -p kernels docs/kernels
	printf '# %s\nVERSION = %d\n' "$(subject_of "$1")" "$1" >kernels/attention.py
	if [ "$1" = 1 ]; then
		printf '# Attention\n\nFused attention for trn2.\n\n## Development log\n' \
			>docs/kernels/attention.md
	fi
	# shellcheck disable=SC2016 # Markdown
	printf '\n### V%d: %s\n\n**Location**: `kernels/attention.py`\n\n' "$1" \
		"$(subject_of "$1" | cut -d ' ' -f 2-)" >>docs/kernels/attention.md
	printf '**What changed**: %s.\n' "$(subject_of "$1" | cut -d ' ' -f 2-)" \
		>>docs/kernels/attention.md
}

mkdir -p "$directory"
cd "$directory"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ "$first" = 1 ]; then
	git init -q
	git symbolic-ref HEAD refs/heads/main
	"$ROOFLOG" init
fi
step=$first
while [ "$step" -le "$last" ]; do
	write_step "$step"
	git add kernels docs .rooflog
	date="2026-03-0${step}T09:00:00+0000"
	GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date \
		git -c core.autocrlf=false commit -q -m "$(subject_of "$step")"
	# Measured an hour later: what is measured again on another day is told from it.
	if ! SOURCE_DATE_EPOCH=$((1772359200 + (step - 1) * 86400)) \
		"$ROOFLOG" ingest "$samples/history/0$step" >"$log" 2>&1; then
		cat "$log" >&2
		exit 1
	fi
	printf '%s  %s: %s\n' "$(git log -1 --format=%h)" "$(subject_of "$step")" \
		"$(grep ' files read' "$log")"
	step=$((step + 1))
done
