#!/bin/bash
# Any sequence of ingest, rm, mv, --replace, --again and --undo leaves a store that answers as one
# into which only what is left was ever ingested. TAKING_BACK_STEPS: how many; SEED: others.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository fuzz
nights 11
check "the store answers as a new one" python3 "$root/tests/cli/store/taking_back_fuzz.py" "${TAKING_BACK_STEPS:-60}"
finish
