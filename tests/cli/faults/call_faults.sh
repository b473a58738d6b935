#!/bin/bash
# Each call of SQLite, each read of a sample, and each call of libgit2 and git fails once: the command says so and the
# store is as it was, or the answer is the same. FAULTS: more of them (store_faults.py, read_faults.py, git_faults.py).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# Sanitizers take their time.
if [ -n "${SANITIZED:-}" ]; then export FAULTS="${FAULTS:-3}"; fi
preload=$scratch/fail_calls.so
cc -shared -fPIC -O1 -D_GNU_SOURCE -o "$preload" tests/cli/faults/fail_calls.c -ldl || exit 1
for what in ${WHAT:-store read git}; do
	mkdir "$scratch/$what"
	cd "$scratch/$what" || exit 2
	check "faults of $what" python3 "$root/tests/cli/faults/${what}_faults.py" "$preload"
done
finish
