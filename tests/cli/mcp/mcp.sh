#!/bin/bash
# rooflog mcp: both eras of the protocol, each tool, and what a client may try.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository mcp
git branch -q -M main
nights 40
series gemm 'e * (i > 30 ? 1.2 : 1)'
series steady 'e'
measured 0
run ingest --commit HEAD~1 "$root/samples/attention" "$root/samples/mlp"
equal "ingest: $err" "$status" 0

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
hello='{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'

# Serves what standard input has: the answers, one a line, are in $out. The lines of a call are those of the protocol alone.
serve() { # ARGS...
	status=0
	"$rooflog" "${configured[@]}" mcp "$@" >"$scratch/.out" 2>"$scratch/.err" || status=$?
	out=$(cat "$scratch/.out")
	err=$(cat "$scratch/.err")
}

ask() { # MESSAGES...: each is a line
	serve "${options[@]}" < <(printf '%s\n' "$@")
}
options=()

request() { # METHOD [MEMBERS OF PARAMS]: without a handshake
	printf '{"jsonrpc":"2.0","id":7,"method":"%s","params":{%s%s}}\n' "$1" "$meta" "${2:+,$2}"
}

call() { # TOOL [ARGUMENTS]: the result is in $out
	ask "$(request tools/call "\"name\":\"$1\",\"arguments\":${2:-{\}}")"
}

# shellcheck disable=SC2317 # check calls it
holds() { # FILTER ANSWER
	jq -e "$1" <<<"$2" >/dev/null
}

# The last answer has what the filter says.
says() { # NAME FILTER
	check "$1: $(tail -n 1 <<<"$out" | cut -c 1-600)$err" holds "$2" "$(tail -n 1 <<<"$out")"
}

fails() { # NAME CODE MESSAGES...: the last answer is an error
	local name=$1 code=$2
	shift 2
	ask "$@"
	says "$name" ".error.code == $code and (.error.message | length > 9) and (has(\"result\") | not)"
}

# --- the handshake ---
ask "$hello" '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":3,"method":"ping"}' \
	'{"jsonrpc":"2.0","id":4,"method":"tools/list"}'
equal "the end of the input ends it: $err" "$status" 0
equal "a notification gets no answer, ids are as they were" "$(jq -c .id <<<"$out")" "$(printf '"hello"\n3\n4')"
says "the tools, in this order" '[.result.tools[].name] ==
	["show", "compare", "gate", "explain", "history", "findings", "candidates"]'
says "each is described" '.result.tools | all((.title and .description and .annotations.readOnlyHint)
	and .inputSchema.type == "object" and .inputSchema.additionalProperties == false)'
says "what only the other era has is not there" '.result | has("resultType") or has("ttlMs") | not'
equal "ping" "$(sed -n 2p <<<"$out" | jq -c .result)" '{}'
check "who serves" holds '.result | .protocolVersion == "2025-11-25" and .serverInfo.name == "rooflog" and
	.serverInfo.version and .capabilities.tools and .instructions' "$(head -n 1 <<<"$out")"
for wanted in 2025-06-18:2025-06-18 2024-11-05:2025-11-25 2026-07-28:2025-11-25 tomorrow:2025-11-25; do
	ask "${hello/2025-11-25/${wanted%:*}}"
	says "the revision for $wanted" ".result.protocolVersion == \"${wanted#*:}\""
done
fails "a handshake without a revision" -32602 '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'

# --- without one ---
ask "$(request server/discover)"
says "discover" '.result | .resultType == "complete" and .supportedVersions[0] == "2026-07-28" and .capabilities.tools
	and .ttlMs >= 0 and .cacheScope == "private" and ._meta["io.modelcontextprotocol/serverInfo"].name == "rooflog"'
ask "$(request tools/list)"
says "tools/list" '.result | .resultType == "complete" and .ttlMs >= 0 and .cacheScope == "private" and (.tools | length) == 7'
equal "the same list every time" "$(ask "$(request tools/list)"; echo "$out")" "$out"
fails "a revision that is not known" -32022 "$(request tools/list | sed s/2026-07-28/1900-01-01/)"
says "names those that are" '.error.data | .requested == "1900-01-01" and .supported[0] == "2026-07-28"'
fails "a request that names none" -32602 '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
fails "nor what the client can" -32602 "$(request tools/list | sed 's/,"io.modelcontextprotocol.clientCapabilities":{}//')"
fails "ping is of the other era" -32601 "$(request ping)"
fails "discover is of this one" -32601 "$hello" '{"jsonrpc":"2.0","id":1,"method":"server/discover"}'

# --- messages that are none ---
fails "an unknown method" -32601 "$hello" '{"jsonrpc":"2.0","id":1,"method":"resources/list"}'
fails "no JSON" -32700 'tools/list'
says "its id is not known" 'has("id") | not'
fails "half a message" -32700 '{"jsonrpc":"2.0","id":1'
fails "a batch" -32600 "[$hello]"
fails "a number" -32600 12
fails "no version of JSON-RPC" -32600 '{"id":1,"method":"ping"}'
fails "a method that is a number" -32600 '{"jsonrpc":"2.0","id":1,"method":1}'
fails "an id that is null" -32600 '{"jsonrpc":"2.0","id":null,"method":"ping"}'
fails "an id that is an object" -32600 '{"jsonrpc":"2.0","id":{},"method":"ping"}'
fails "params in an array" -32602 '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}'
fails "a cursor" -32602 "$(request tools/list '"cursor":"2"')"
fails "an unknown tool" -32602 "$(request tools/call '"name":"rm"')"
fails "no tool" -32602 "$(request tools/call)"
fails "arguments in an array" -32602 "$(request tools/call '"name":"show","arguments":[]')"
deep=$(printf '[%.0s' {1..5000})
fails "5000 levels" -32700 "$deep"
ask '{"jsonrpc":"2.0","id":1,"result":{}}' '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"show"}}' '' '  ' \
	'{"jsonrpc":"2.0","method":"notifications/nonesuch"}'
equal "responses, notifications and empty lines get no answer" "$status $out" "0 "

# --- a line of 200 MB, in the memory of a small one ---
long() {
	printf '{"jsonrpc":"2.0","id":1,"method":"'
	head -c 200000000 /dev/zero | tr '\0' a
	printf '"}\n{"jsonrpc":"2.0","id":8,"method":"ping"}\n'
}
if [ -z "${SANITIZED:-}" ]; then
	serve < <(ulimit -v 2000000 && long)
	memory=$( (ulimit -v 400000; long | "$rooflog" mcp) | jq -c '[.error.code, .id]' | tr '\n' ' ')
	equal "is refused once, and what follows is answered" "$memory" "[-32600,null] [null,8] "
fi
sized() { # BYTES
	local begin='{"jsonrpc":"2.0","id":8,"method":"ping"'
	# The end of the line comes after all of it was read.
	{ printf '%s%*s}' "$begin" $(($1 - ${#begin} - 1)) '' && sleep 0.3 && echo; } | "$rooflog" mcp | jq -c '[.result, .error.code]'
}
equal "the longest one" "$(sized $((1 << 20)))" '[{},null]'
equal "one byte more" "$(sized $(((1 << 20) + 1)))" '[null,-32600]'
equal "a last line without an end" "$(printf '{"jsonrpc":"2.0","id":8,"method":"ping"}' | "$rooflog" mcp | jq -c .id)" 8

# --- the tools ---
call history
says "history: all series" '.result.structuredContent | .schema == "rooflog-history/1" and ([.series[].name] | contains(["gemm"]))'
says "the text and the document are the same" '.result | .isError == false and (.content[0].text | fromjson) == .structuredContent'
call history '{"series":"gemm","count":20}'
says "history: one series" '.result.structuredContent | (.series | length) == 1 and (.series[0].points | length) == 20'
call history '{"series":"mlp","metric":"mfu"}'
says "history: a metric" '.result.structuredContent.series[0].metric == "mfu"'
call gate
says "gate" '.result | .isError == false and (.structuredContent | .gate.verdict and (has("runs") | not))'
call gate '{"commit":"HEAD~9","series":"gemm","against":"window"}'
says "gate: a slow commit is a result" '.result | .isError == false and .structuredContent.gate.exit_status == 1'
call explain '{"series":"steady"}'
says "explain" '.result.structuredContent | .schema == "rooflog-explanation/1" and (.explained | length) == 1'
call show '{"commit":"HEAD~1","series":"mlp"}'
says "show" '.result.structuredContent.runs | length == 1 and (.[0] | .metrics and .bottleneck and .findings and (has("engines") | not))'
call show '{"commit":"HEAD~1","series":"mlp","details":true}'
says "show: details" '.result.structuredContent.runs[0].engines'
call show '{"commit":"HEAD~1","details":true}'
says "show: too long" '.result | .isError and (.content[0].text | test("more than the limit of 200000: name one series"))'
call findings '{"commit":"HEAD~1","series":"mlp"}'
says "findings" '.result.structuredContent.runs[0] | .findings[0].advice and .bottleneck.title and (has("metrics") | not)'
call compare '{"before":"HEAD~12","series":"gemm"}'
says "compare" '.result.structuredContent | .compare and .commit.oid'
call compare '{"before":"HEAD~12","after":"HEAD~2"}'
says "compare: both sides" ".result.structuredContent.commit.oid == \"$(git rev-parse HEAD~2)\""
ask "$hello" '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"gate"}}'
says "a call after a handshake" '.result | .structuredContent.gate and (has("resultType") | not)'

# --- what a client may try ---
mistaken() { # NAME TOOL ARGUMENTS TEXT
	call "$2" "$3"
	says "$1" ".result | .isError and (has(\"structuredContent\") | not) and (.content[0].text | contains(\"$4\"))"
}
mistaken "a series that is not there" show '{"series":"nonesuch"}' "nonesuch"
mistaken "a commit that is not there" gate '{"commit":"nonesuch"}' "nonesuch"
mistaken "an argument that is not there" show '{"output":"x.html"}' 'show has no argument'
mistaken "a required one" compare '{}' 'before is missing'
mistaken "a number for a text" show '{"series":5}' 'series: expected a text'
mistaken "an empty text" show '{"series":""}' 'series: expected a text'
mistaken "a text for a flag" show '{"details":"yes"}' 'details: expected true or false'
mistaken "half of a run" history '{"count":0.5}' 'count: expected a number'
mistaken "too many" history '{"count":1e9}' 'count: expected a number'
mistaken "a long text" show "{\"series\":\"$(printf 'a%.0s' {1..1001})\"}" 'longer than 1000 bytes'
for option in --output=stolen.html -ostolen.html --store=/tmp/x -c --; do
	for argument in gate:commit gate:against gate:series compare:before history:metric show:series; do
		mistaken "$option as $argument" "${argument%:*}" "{\"${argument#*:}\":\"$option\"}" 'may not begin with a dash'
	done
done
mistaken "a line end" show '{"series":"a\nb"}' 'control characters'
mistaken "an escape" show '{"series":"\u001b[2J"}' 'control characters'
# shellcheck disable=SC2016 # for a shell that must not be there
for text in '$(touch stolen)' '`touch stolen`' '; touch stolen' '| touch stolen' '&& touch stolen'; do
	call show "$(jq -nc --arg text "$text" '{series: $text}')"
	says "$text is a text" '.result.isError'
	call gate "$(jq -nc --arg text "$text" '{against: $text}')"
	says "$text is no revision" '.result.isError'
done
equal "nothing was written" "$(find . -name 'stolen*')" ""
echo '{"secret": 1}' >secret.json
for path in secret.json ./secret.json file:secret.json /etc/passwd; do
	for argument in show:commit show:series history:series compare:before; do
		call "${argument%:*}" "$(jq -nc --arg name "${argument#*:}" --arg path "$path" '{($name): $path}')"
		says "$path as $argument is no file" '.result.isError and (.result.content[0].text | test("secret\"|root:") | not)'
	done
done
rm secret.json
store=$(store_sum)
for tool in show gate explain history findings; do call "$tool"; done
equal "no tool changes the store" "$(store_sum)" "$store"
cd "$scratch" || exit 2
call gate
says "without a repository" '.result | .isError and (.content[0].text | test("repository"))'
"$rooflog" -C mcp --store "$scratch/mcp/.rooflog/runs.db" mcp < <(request tools/call '"name":"history"') >"$scratch/.out"
out=$(cat "$scratch/.out") err=''
says "-C and --store hold for calls" '.result.structuredContent.series | length > 1'
cd mcp || exit 2
refused "--json" "without --json" mcp --json
refused "an argument" "unexpected argument" mcp gate
call run '{"name":"bench"}'
says "run is not offered" '.error.code == -32602'

# --- the end ---
mkfifo client
"$rooflog" mcp <client &
child=$!
exec 9>client
sleep 0.3
kill -TERM "$child"
wait "$child" 2>/dev/null
equal "a signal ends it" "$?" 143
finish
