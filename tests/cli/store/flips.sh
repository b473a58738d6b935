#!/bin/bash
# One bit of a store flips: doctor names it, --repair ends, and no run is lost. ROOFLOG_FLIPS=all takes a bit of every
# value (half an hour); a number seeds another sample.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

if [ "${ROOFLOG_FLIPS:-}" = all ]; then
	check "a bit of every value" python3 tests/cli/store/flips.py "$rooflog" 1
else
	check "bits of some values" python3 tests/cli/store/flips.py "$rooflog" "${ROOFLOG_FLIPS:-1}" 25
fi
finish
