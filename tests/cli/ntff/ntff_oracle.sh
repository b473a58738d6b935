#!/bin/bash
# Native Neuron traces as the program reads them and as a slow decoder of its own does
# (tests/oracle/ntff.py): every metric, tally, core, throttle window, timeline and count of oddities,
# of the samples, of random traces (the same each time) and of real ones where they are.
# ROUNDS=400 SEED=x compares more or other random traces.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

if ! python3 --version >/dev/null 2>&1; then
	echo "skipped: no python3"
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2317 # by check
agree() { # FILE... or FOLDER COUNT SEED
	python3 tests/oracle/ntff_differential.py "$rooflog" "$@" >"$scratch/differences" 2>&1
}
check "samples" agree samples/formats/neuron/ntff/sample*.ntff
head -c 4000 "$scratch/differences"
mkdir "$scratch/random"
check "random traces" agree "$scratch/random" "${ROUNDS:-250}" "${SEED:-1}"
head -c 4000 "$scratch/differences"
if [ -d ../shared/data/neuron ]; then
	# Alone: what lies beside them would be joined.
	mkdir "$scratch/real"
	find ../shared/data/neuron -name '*.ntff' -size +0 | sort | while read -r trace; do
		cp "$trace" "$scratch/real/$(tr / _ <<<"${trace#../shared/data/neuron/}")"
	done
	check "real traces" agree "$scratch"/real/*.ntff
	head -c 4000 "$scratch/differences"
else
	echo "skipped: no ../shared/data"
fi
finish
