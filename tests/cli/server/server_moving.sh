#!/bin/bash
# Stores on a server and stores in files are united alike (tests/cli/store/moving.py).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

server_make ''
repository property
nights 9
mkdir "$scratch/folder"
server=$(address owner)
check "stores of several machines become one, also on a server" \
	python3 "$root/tests/cli/store/moving.py" "$rooflog" "$scratch/folder" "${ROUNDS:-3}" "${server%#*}"
finish
