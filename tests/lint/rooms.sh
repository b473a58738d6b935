#!/bin/bash
# The rooms are as tests/lint/rooms.txt declares them: doors, includes, cycles, exported functions, and
# the table in ARCHITECTURE.md. No tracked folder other than the root has more than 20 entries: what has more holds
# several subjects.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

python3 tests/lint/rooms.py || fail tests/lint/rooms.txt "rooms"
if ! files=$(git ls-files 2>/dev/null); then
	echo "this is no git repository: folders are not counted"
	files=
fi
while read -r count folder; do
	[ -z "$folder" ] || fail "$folder" "$count entries; 20 is the limit"
done < <(awk -F/ '
	{
		folder = ""
		for (i = 1; i < NF; i++) {
			folder = folder (i > 1 ? "/" : "") $i
			if (!seen[folder, $(i + 1)]++)
				entries[folder]++
		}
	}
	END { for (folder in entries) if (entries[folder] > 20) print entries[folder], folder }' \
	<<<"$files" | sort -k2)
finish
