#!/bin/bash
# Real reports of Nsight Compute against a decoder of their layout and against their exports.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/ncurep
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
python3 "$root/tests/cli/real/ncu_report.py" "$rooflog" "$data"
