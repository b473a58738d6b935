#!/bin/bash
# Names that are not what they look like, in every place that a name comes from, and what every
# command prints of them in every format.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository hostile
check "hostile names" python3 "$root/tests/cli/program/hostile_names.py" "$rooflog"
finish
