#!/bin/bash
# Samples with one thing wrong are read, or refused by what is wrong. MUTANTS: how many of each sample.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# Sanitizers take their time.
if [ -n "${SANITIZED:-}" ]; then export MUTANTS="${MUTANTS:-10}"; fi
mkdir "$scratch/files"
cd "$scratch/files" || exit 2
check "mutants" python3 "$root/tests/cli/faults/mutations.py"
finish
