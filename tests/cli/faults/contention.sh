#!/bin/bash
# Many processes write and read one store at once: all is stored, every answer is whole, nobody finds it locked.
# PROCESSES, SECONDS_MIXED: how many writers and readers, and for how long they work together.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository contention
check "contention" python3 "$root/tests/cli/faults/contention.py" "${PROCESSES:-8}" "${SECONDS_MIXED:-3}"
finish
