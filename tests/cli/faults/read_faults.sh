#!/bin/bash
# Each read of each sample fails once: ingest says so, or its answer is the same.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# Sanitizers take their time.
if [ -n "${SANITIZED:-}" ]; then export FAULTS="${FAULTS:-3}"; fi
preload=$scratch/fail_calls.so
cc -shared -fPIC -O1 -D_GNU_SOURCE -o "$preload" tests/cli/faults/fail_calls.c -ldl || exit 1
mkdir "$scratch/files"
cd "$scratch/files" || exit 2
check "faults of files" python3 "$root/tests/cli/faults/read_faults.py" "$preload"
finish
