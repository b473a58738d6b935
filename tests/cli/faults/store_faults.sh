#!/bin/bash
# Each call of SQLite fails once, in each command: the command says so and the store is as it was, or the answer is
# the same. FAULTS=100 for each statement of each command, FAULTS=all for each call.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# Sanitizers take their time.
if [ -n "${SANITIZED:-}" ]; then export FAULTS="${FAULTS:-3}"; fi
preload=$scratch/fail_calls.so
cc -shared -fPIC -O1 -D_GNU_SOURCE -o "$preload" tests/cli/faults/fail_calls.c -ldl || exit 1
mkdir "$scratch/stores"
cd "$scratch/stores" || exit 2
check "faults of the store" python3 "$root/tests/cli/faults/store_faults.py" "$preload"
finish
