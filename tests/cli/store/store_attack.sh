#!/bin/bash
# Hostile and damaged stores: no command crashes, hangs, or gives another answer without a word. More
# stores: python3 tests/cli/store/store_attack.py build/dev/rooflog bytes 1 1000
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

check "hostile objects" python3 tests/cli/store/store_attack.py "$rooflog" objects
check "runs that were moved" python3 tests/cli/store/store_attack.py "$rooflog" columns run.revision_id
check "damaged bytes" python3 tests/cli/store/store_attack.py "$rooflog" bytes 1 25
finish
