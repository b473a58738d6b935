#!/bin/bash
# usage: bench/peers/agree.sh FILE   (BENCH_FOLDER: where to build; BENCH_ROOFLOG: the program;
# BENCH_PEERS: instead of all)
# Asks rooflog and every peer that is installed about a profile, and prints a line for each peer. Exit
# status 1: one of them answers differently.
set -euo pipefail
cd -P "$(dirname "$0")/../.."
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
# shellcheck source=bench/peers/peers.sh
. bench/peers/peers.sh

differing=0
mkdir -p "$work"
rooflog_answer "$1"
for peer in ${BENCH_PEERS-$peer_names}; do
	if prepare_peer "$peer"; then
		result=$(peer_agrees "$peer" "$1")
	else
		result="not installed (${peer_packages[$peer]})"
	fi
	echo "$peer: $result"
	case $result in agrees | 'not installed'*) ;; *) differing=1 ;; esac
done
exit $differing
