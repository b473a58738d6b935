#!/bin/bash
# Every row of the README's table "you want / type" works in the repository that the demo leaves.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sh samples/demo.sh "$scratch/demo" >"$scratch/demo.log" 2>&1
demo=$?
equal "the demo: $(tail -2 "$scratch/demo.log")" "$demo" 0
cd "$scratch/demo/repository" || exit 2
rows=0
# shellcheck disable=SC2016 # Markdown
sed -n '/^| you want | type |$/,/^$/p' "$root/README.md" | grep -o '`rooflog [^`]*`' | tr -d '`' >"$scratch/rows"
while IFS= read -r line; do
	rows=$((rows + 1))
	eval "run ${line#rooflog }"
	equal "$line: $err" "$status" 0
done <"$scratch/rows"
check "there are rows: $rows" test "$rows" -gt 15
finish
