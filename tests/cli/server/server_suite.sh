#!/bin/bash
# Tests of commands, whose stores lie on a server this time: each finds what it expects of a file.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

server_make ''
server=$(address owner)
for test in bounds compare devlog dtype explain facts gate_explain gate_references gate_rows gate_turns gate_window impossible measurements \
	outputs repeats same_kernel scenarios unproven; do
	script=$(find "$root/tests/cli" -name "$test.sh")
	said=$(cd "$root" && ON_SERVER=${server%#*} bash "$script" 2>&1)
	check "$test: $said" test $? = 0
done
check "they were on the server" test "$(sql 'SELECT count(*) FROM rooflog.project')" -gt 30
finish
