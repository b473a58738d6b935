#!/bin/bash
# kill -9 of ingests, edits, migrations and outputs leaves all or nothing of each, and all that was acknowledged.
# KILL_INGESTS, KILL_MIGRATIONS, KILL_EDITS, KILL_OUTPUTS, KILL_RUNS: how many, and the size of the store that is
# migrated.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository kills
check "kills" python3 "$root/tests/cli/faults/kills.py" "${KILL_INGESTS:-60}" "${KILL_MIGRATIONS:-8}" \
	"${KILL_RUNS:-3000}" "${KILL_EDITS:-20}" "${KILL_OUTPUTS:-6}"
finish
