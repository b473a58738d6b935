#!/bin/bash
# samples/ is what samples/tools/generate.py writes, to the byte (gzip files: to the unpacked byte; databases: to the
# rows, as the unused bytes of a page are the library's).
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
rows() { # DATABASE
	python3 -c 'import sqlite3, sys
try:
    print("\n".join(sqlite3.connect(sys.argv[1]).iterdump()))
except sqlite3.Error as error:
    print(error, len(open(sys.argv[1], "rb").read()))' "$1"
}
while IFS= read -r file; do
	case $file in
	*.sqlite | *.db) cmp -s "$fresh/$file" "samples/$file" || cmp -s <(rows "$fresh/$file") <(rows "samples/$file") ;;
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
