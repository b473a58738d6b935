#!/bin/sh
# usage: install.sh FOLDER [SOURCE]
# Puts what package-lock.json of SOURCE (default: the folder of this script) names into
# FOLDER/node_modules, unless it is there, from the registry that npm is set up for. Exit status 3:
# there is no npm, or its registry cannot be reached.
set -eu
here=$(cd "${2:-$(dirname "$0")}" && pwd)
mkdir -p "$1"
cd "$1"
if cmp -s "$here/package-lock.json" installed.json; then
	exit 0
fi
if ! command -v npm >/dev/null; then
	echo 'no npm' >&2
	exit 3
fi
cp "$here/package.json" "$here/package-lock.json" .
unreachable='ENOTFOUND|EAI_AGAIN|ECONN[A-Z]*|E[A-Z]*TIMEDOUT|E[A-Z]*UNREACH|ERR_SOCKET_TIMEOUT'
npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >npm.log 2>&1 || {
	cat npm.log >&2
	grep -qE "code ($unreachable)\$" npm.log && exit 3
	exit 1
}
cp package-lock.json installed.json
