#!/bin/bash
# usage: bench/verdicts/verdicts.sh ROOFLOG [SEED]...
# How often verdicts err: change points, judgements, nights and drift on series whose truth is known.
# Needs ../shared/tools/stats beside the project, and Debian's python3-numpy and python3-scipy.
# Constants are tuned on the "dev" half of the series only; "heldout" is what may be quoted.
set -eu
rooflog=$(realpath "${1:?usage: bench/verdicts/verdicts.sh ROOFLOG [SEED]...}")
shift
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$here/../../.." && pwd)/shared/tools/stats
[ -d "$tools" ] || { echo "skipped: no ../shared/tools"; exit 0; }
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1
for seed in "${@:-20260101}"; do
	export STATS_SEED=$seed
	echo "seed $seed"
	for half in dev heldout; do
		(cd "$tools" && $python score.py --detector "$rooflog stats detect --protocol multi" \
			--protocol multi --split $half --jobs 1 --name rooflog \
			--suite synth,clean,long,tcpd,labelled)
	done
	(cd "$tools" && $python judge_score.py --judge "$rooflog stats judge")
	$python "$here/drift.py" --judge "$rooflog stats judge"
	$python "$here/location.py" --rooflog "$rooflog" --seed "$seed"
done
unset STATS_SEED
$python "$here/night.py" --judge "$rooflog stats judge"
(cd "$tools" && $python score.py --detector "$rooflog stats detect --protocol multi" --protocol multi \
	--suite time --name rooflog)
clocked=$(mktemp)
trap 'rm -f "$clocked"' EXIT
${CC:-cc} -O2 -o "$clocked" "$here/../tools/clocked.c"
$python "$here/paired.py" --rooflog "$rooflog" --clocked "$clocked"
"$here/matmul.sh" "$rooflog"
