#!/bin/bash
# samples/ is what samples/tools/generate.py writes, to the byte (gzip files: to the unpacked byte).
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

if ! python3 --version >/dev/null 2>&1; then
	echo "python3 is not installed: samples are not compared"
	exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 samples/tools/generate.py "$fresh"
while IFS= read -r file; do
	case $file in
	*.gz) cmp -s <(gzip -dc "$fresh/$file") <(gzip -dc "samples/$file" 2>/dev/null) ;;
	*) cmp -s "$fresh/$file" "samples/$file" ;;
	esac || fail "samples/$file:1" "differs from what samples/tools/generate.py writes"
done < <(cd "$fresh" && find . -type f | sed 's|^\./||' | sort)
while IFS= read -r file; do
	case $file in
	tools/*.py | README.md | *.sh | *.c) ;;
	*) [ -f "$fresh/$file" ] || fail "samples/$file:1" "samples/tools/generate.py does not write it" ;;
	esac
done < <(cd samples && find . -type f ! -path '*/__pycache__/*' | sed 's|^\./||' | sort)
finish
