#!/bin/bash
# Commands that are killed while they write leave whole files, and what they left is removed by the next run.
# KILLS=130 bash tests/cli/program/killed_outputs.sh repeats it more often.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository killed
nights 12
for kernel in gemm norm mlp attention softmax; do
	series "$kernel" '1 * e'
done
measured 0
check "no file is torn, and nothing is left" python3 "$root/tests/cli/program/killed_outputs.py" "$rooflog" "${KILLS:-16}"

# A folder that only has such a name is left alone, and so is the one of a site that is being written.
mkdir .site.rooflog-0 .site.rooflog-1
echo mine >".site.rooflog-0/Notes.txt"
exec 9<.site.rooflog-1
flock --nonblock 9
run site site
equal "site: $err" "$status" 0
equal "a file of mine is kept" "$(cat .site.rooflog-0/Notes.txt)" mine
check "a folder in use is kept" test -d .site.rooflog-1
exec 9<&-
rm -r site && run site site
check "and removed once it is not" test ! -e .site.rooflog-1
rm -r site .site.rooflog-0

# Two at once do not remove each other's files.
for i in 1 2 3 4; do
	"$rooflog" report -q --output same.md 2>"$scratch/err$i" &
	"$rooflog" site "site$((i % 2))" 2>"$scratch/site$i" &
done
wait
equal "reports at once" "$(cat "$scratch"/err?)" ""
check "the report is whole" grep -q '^#' same.md
equal "nothing is left" "$(find . -name '.*rooflog-*')" ""
finish
