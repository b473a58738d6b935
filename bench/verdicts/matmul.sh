#!/bin/bash
# usage: bench/verdicts/matmul.sh ROOFLOG [SESSIONS]
# Sessions of "rooflog run --against" with real processes: samples/matmul, 3 % slower than its base and then equal to
# it; on the machine as it is, and with a process beside it that is busy in two of three seconds. Printed: how often each
# result came.
set -eu
rooflog=$(realpath "${1:?usage: bench/verdicts/matmul.sh ROOFLOG [SESSIONS]}")
sessions=${2:-10}
source=$(cd "$(dirname "$0")/../.." && pwd)/samples/matmul/matmul.c
work=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill "$beside"; rm -rf "$work"' EXIT
cd "$work"
git init -q . && git config user.name a && git config user.email a@b
cp "$source" .
printf 'out\nmatmul\n.rooflog\n' >.gitignore
git add -A && git commit -qm base

measure() { # REPEATS: of the side here
	sed "s/define REPEATS .*/define REPEATS $1/" "$source" >matmul.c
	for _ in $(seq "$sessions"); do
		"$rooflog" run --quiet --json --tool none --fail-on none --against HEAD --build 'cc -O2 -o matmul matmul.c' \
			-- ./matmul | sed -n 's/^  "result": "\(.*\)",$/\1/p'
	done | sort | uniq -c | awk '{ printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 } END { print "" }'
}

for machine in quiet busy; do
	if [ $machine = busy ]; then
		(while true; do
			timeout 2 sh -c 'while true; do :; done' || true
			sleep 1
		done) &
		beside=$!
	fi
	echo "$machine, 3 % slower: $(measure 103)"
	echo "$machine, equal: $(measure 100)"
done
