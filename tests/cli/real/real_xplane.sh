#!/bin/bash
# Real XPlane files of JAX on TPU and GPU against a decoder of their layout.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/xplane-rocm
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
python3 "$root/tests/cli/real/xplane.py" "$rooflog" "$data"
