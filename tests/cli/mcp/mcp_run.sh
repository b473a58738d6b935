#!/bin/bash
# rooflog mcp --allow-run: what the merged configuration names can be run, and nothing else.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository kernels
git branch -q -M main
mkdir .rooflog
cat >.rooflog/config <<'END_OF_CONFIG'
[run "decode"]
	command = ./bench decode
	build = make
	check = ./check
[run "hang"]
	command = ./hang
END_OF_CONFIG
cat >bench <<'END_OF_BENCH'
#!/bin/sh
echo "$*" >>calls
sleep 0.01
END_OF_BENCH
printf 'all:\n\techo build >>%s/builds\n' "$scratch" >Makefile
printf '#!/bin/sh\ntest ! -e wrong\n' >check
cat >hang <<'END_OF_HANG'
#!/bin/sh
sleep 300 &
echo $! >child
wait
END_OF_HANG
chmod +x bench check hang
git add -f .rooflog/config .
commit "commands"
export ROOFLOG_STORE=$scratch/runs.db

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

request() { # METHOD [MEMBERS OF PARAMS]
	printf '{"jsonrpc":"2.0","id":7,"method":"%s","params":{%s%s}}\n' "$1" "$meta" "${2:+,$2}"
}

ask() { # MESSAGE [ARGS...]: the answer is in $out
	local message=$1
	shift
	status=0
	out=$("$rooflog" "${configured[@]}" mcp "$@" <<<"$message" 2>"$scratch/.err") || status=$?
	err=$(cat "$scratch/.err")
}

# shellcheck disable=SC2317 # check calls it
holds() { # FILTER ANSWER
	jq -e "$1" <<<"$2" >/dev/null
}

says() { # NAME FILTER
	check "$1: ${out:0:600} $err" holds "$2" "$out"
}

names() { # NAME COMMANDS: those that tools/list names
	ask "$(request tools/list)" --allow-run
	equal "$1: $err" "$status $(jq -c '[.result.tools[] | select(.name == "run") | .inputSchema.properties.name.enum]' <<<"$out")" "0 $2"
}

# --- a command that is named ---
names "the commands" '[["decode","hang"]]'
says "run is not for reading" '.result.tools[-1].annotations | .readOnlyHint == false and .idempotentHint == false'
ask "$(request tools/call '"name":"run","arguments":{"name":"decode"}')" --allow-run
says "run" '.result | .isError == false and .structuredContent.runs[0].metrics.host_time.value > 0'
equal "the command of the configuration, by the shell, warmed up and five times" "$(cat calls)" \
	"$(printf 'decode\n%.0s' 1 2 3 4 5 6)"
ask "$(request tools/call '"name":"history"')"
says "is stored" '.result.structuredContent.series | length == 1'
touch wrong
ask "$(request tools/call '"name":"run","arguments":{"name":"decode"}')" --allow-run
says "its check decides what is correct" '.result.structuredContent.runs[0].findings | tostring | contains("incorrect")'
rm wrong
printf 'sleep 0.02\n' >>bench
rm "$scratch/builds"
ask "$(request tools/call '"name":"run","arguments":{"name":"decode","against":"HEAD"}')" --allow-run
says "against a commit: slower is a result" '.result | .isError == false and .structuredContent.schema == "rooflog-paired/1"'
equal "both sides are built" "$(cat "$scratch/builds")" "$(printf 'build\nbuild')"
git checkout -q bench

# --- any other ---
for name in other './bench decode' '' decode\; ../decode; do
	: >calls
	ask "$(request tools/call "$(jq -nc --arg name "$name" '{name: $name}' | sed 's/^/"name":"run","arguments":/')")" --allow-run
	says "'$name' is not named" '.result | .isError and (.content[0].text | contains("tools/list"))'
	equal "'$name' ran nothing" "$(cat calls)" ""
done
# shellcheck disable=SC2016 # for a shell that must not be there
for against in --build=touch -x $'a\nb' '$(touch stolen)'; do
	ask "$(request tools/call "$(jq -nc --arg against "$against" '{name: "decode", against: $against}' |
		sed 's/^/"name":"run","arguments":/')")" --allow-run
	says "against $against" '.result.isError'
done
ask "$(request tools/call '"name":"run","arguments":{"name":"decode","command":"touch stolen"}')" --allow-run
says "a command of the client" '.result | .isError and (.content[0].text | contains("run has no argument"))'
equal "nothing was made" "$(find . -name 'stolen*')" ""
ask "$(request tools/call '"name":"run","arguments":{"name":"decode"}')"
says "without --allow-run there is no run" '.error.code == -32602'

# --- whose configuration counts ---
printf '[run "mine"]\n\tcommand = touch stolen\n' >.rooflog/config
names "the work tree's does not" '[["decode","hang"]]'
check "and that is said: $err" grep -q "configuration: .*work tree" <<<"$err"
git checkout -q -b change
git commit -q -am "mine"
names "nor that of a branch" '[["decode","hang"]]'
configured=(--config .rooflog/config)
names "nor by its path" '[["decode","hang"]]'
configure '[run "ours"]\n\tcommand = true\n'
names "a file outside of the work tree is the caller's word" '[["ours"]]'
configured=(-c run.given.command=true)
names "as is the command line" '[["decode","hang","given"]]'
configured=()
git checkout -q main
git merge -q change
names "once it is merged" '[["mine"]]'
git branch -q -m develop
git branch -q -D change
run mcp --allow-run
equal "without a main branch nothing is offered" "$status $out" "2 "
check "and said: $err" grep -q "no main branch found" <<<"$err"
git branch -q -m main
git commit -q --allow-empty -m "more"
git rm -q .rooflog/config && git commit -q -m "no commands"
names "without any command there is no run" '[]'
check "and that is said: $err" grep -q "names no command" <<<"$err"
for config in '[run]\n\tcommand = true\n|expected a name' '[run "a b"]\n\tcommand = true\n|expected a name' \
	'[run "a"]\n\tcommand =\n|expected a command of the shell' '[run "a"]\n\tbuild = make\n|has no command' \
	'[run "a"]\n\tcommands = true\n|unknown key; available: command, build, check'; do
	configure "${config%|*}"
	run mcp --allow-run
	equal "$config: status" "$status" 2
	check "$config: $err" grep -qF "${config#*|}" <<<"$err"
done
cd "$scratch" || exit 2
configured=()
run mcp --allow-run
equal "outside of a repository: $err" "$status" 2

# --- what takes long ---
cd kernels || exit 2
git revert --no-edit HEAD >/dev/null
configure '[run "hang"]\n\tcommand = ./hang\n'
gone() { # NAME: what ./hang started has ended
	for _ in {1..100}; do
		grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat child)/status" 2>/dev/null || break
		sleep 0.05
	done
	equal "$1" "$(grep '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat child)/status" 2>/dev/null)" ""
}
# shellcheck disable=SC2317 # check calls it
hung() { # waits until it runs
	for _ in {1..200}; do
		[ ! -s child ] || return 0
		sleep 0.05
	done
	return 1
}
mkfifo client
for end in cancelled signal; do
	rm -f child
	"$rooflog" "${configured[@]}" mcp --allow-run <client >answers 2>"$scratch/.err" &
	server=$!
	exec 9>client
	request tools/call '"name":"run","arguments":{"name":"hang"}' >&9
	check "$end: it runs" hung
	began=$SECONDS
	if [ "$end" = signal ]; then
		kill -TERM "$server"
		wait "$server"
		equal "a signal ends the server" "$?" 143
	else
		printf '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}\n' 6 7 >&9
		request server/discover | sed 's/"id":7/"id":8/' >&9
		exec 9>&-
		wait "$server"
		equal "a request that was cancelled gets no answer, and the next one does" "$(jq -c '.id' <answers)" 8
	fi
	exec 9>&-
	check "$end: at once" test $((SECONDS - began)) -lt 60
	gone "$end: the program and its children have ended"
done

# A request that waits behind another one can be called off, too.
configure '[run "decode"]\n\tcommand = ./bench decode\n'
calls=$(wc -l <calls)
{
	request tools/call '"name":"run","arguments":{"name":"decode"}'
	request tools/call '"name":"run","arguments":{"name":"decode"}' | sed 's/"id":7/"id":8/'
	printf '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}\n'
} | "$rooflog" "${configured[@]}" mcp --allow-run >answers 2>"$scratch/.err"
equal "a cancelled one in the queue gets no answer: $(cut -c1-600 answers)" "$(jq -c '.id' <answers)" 7
equal "and does not run" "$(($(wc -l <calls) - calls))" 6
finish
