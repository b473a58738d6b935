#!/bin/bash
# Long texts on a terminal go through the user's pager, as in git; see pager.py.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
sh samples/history.sh "$scratch/pager" 1 2 >"$scratch/log" 2>&1
check "the pager" python3 tests/cli/program/pager.py "$rooflog" "$scratch/pager"
finish
