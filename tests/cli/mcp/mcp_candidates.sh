#!/bin/bash
# An agent's session, played through rooflog mcp: ten candidates, of which two cheat, one is wrong, and one is truly faster.
# The leaderboard names the right one.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository agent
git branch -q -M main
mkdir .rooflog
cat >.rooflog/config <<'END_OF_CONFIG'
[run "sum"]
	command = ./kernel.sh
	build = cp mode built
	check = ./kernel.sh >/dev/null && [ "$(cat result)" = $((${ROOFLOG_SEED:-1} * 7 % 1000003)) ]
END_OF_CONFIG
cp "$root/tests/cli/measure/programs/sum.sh" kernel.sh
echo v1000 >mode
printf 'out\nresult\nmemo.*\ncalls\nseeds\nbuilt\n' >.gitignore
git add -f -A . && commit base
export ROOFLOG_STORE=$scratch/runs.db

# One server for the whole session, as a client has it: a request for each answer.
mkfifo "$scratch/requests" "$scratch/answers"
"$rooflog" mcp --allow-run <"$scratch/requests" >"$scratch/answers" 2>"$scratch/server.err" &
server=$!
exec 7>"$scratch/requests" 8<"$scratch/answers"
id=0
call() { # TOOL ARGUMENTS: the document is in $out
	id=$((id + 1))
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"%s","arguments":%s}}\n' \
		"$id" "$1" "$2" >&7
	IFS= read -r -t 60 answer <&8
	equal "$1 $2: ${answer:0:300}" "$(jq -c '[.id, .result.isError]' <<<"$answer")" "[$id,false]"
	out=$(jq -c .result.structuredContent <<<"$answer")
}

call run '{"name":"sum"}'
parent=$(jq -r '.runs[0].id' <<<"$out")
for mode in v1001 v999 v998 v1002 v990 v1003 v800 skip memo wrong; do
	echo $mode >mode
	for _ in 1 2; do
		call run "{\"name\":\"sum\",\"candidate\":\"$mode\",\"parent\":\"$parent\"}"
	done
done
call candidates '{"series":"sum"}'
equal "the leaderboard names the right one" "$(jq -c '.boards[0] | [.best, .tried]' <<<"$out")" '["v800",10]'
equal "the cheats and the wrong one have no rank, or are slower" \
	"$(jq -c '[.boards[0].candidates[] | select(.name == "skip" or .name == "wrong" or .name == "memo") | .rank == null or .speedup < 1] | unique' <<<"$out")" '[true]'
call gate '{}'
equal "and the commit is judged by its own runs" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" no-baseline
exec 7>&-
wait "$server"
equal "the server ends with its client: $(cat "$scratch/server.err")" "$?" 0
finish
