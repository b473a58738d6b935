#!/bin/bash
# rooflog notify: what a gate found, for Slack, Teams and any webhook.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
unset ROOFLOG_WEBHOOK https_proxy http_proxy

forge_begin
hook=$here/services/secret

reset() { # FAULTS
	jq -n "{requests: [], faults: $1}" | forge_reset
}
sent() { forge_state | jq "${1:-.log | length}"; }
taken='[{on: "POST /services/secret", times: 9, status: 200, body: "ok"}]'
notified() { # NAME STATUS WORDS
	equal "$1: $out$err" "$status" "$2"
	check "$1: \"$3\" in: $out$err" grep -qF -- "$3" <<<"$out$err"
	equal "$1: no secret" "$(grep -c secret <<<"$out$err")" 0
}

repository night
nights 39
series gemm '(i >= 38 ? 1.2 : 1) * e'
series conv '1 * e'
measured 0
run gate --against window -o brief=night.json
run gate HEAD~5 -o brief=pass.json
equal "a pass: $err" "$status" 0

reset "$taken"
ROOFLOG_WEBHOOK=$hook run notify night.json --as slack --link https://ci.example.org/night/7
notified 'Slack' 0 sent
sent '.log[0].body' >slack.json
block() { jq -r ".blocks[$1].text.text" slack.json; }
check "names what is slower: $(block 0)" grep -q '^rooflog: 1 of 2 series slower: gemm ' <<<"$(block 0)"
check "and by how much: $(block 1)" grep -qE '^gemm: slower, 1\.0.* -> 1\.[12].* \(\+[12][0-9.]+ %\)$' <<<"$(block 1)"
equal 'and the commit' "$(block 2)" "commit $(git rev-parse --short=10 HEAD)"
equal 'and links to the page' "$(jq -r '.blocks[3].elements[0].url' slack.json)" https://ci.example.org/night/7
equal 'in plain text' "$(jq -c '[.blocks[].text.type // empty] | unique' slack.json)" '["plain_text"]'
ROOFLOG_WEBHOOK=$hook run notify night.json --as teams
sent '.log[-1].body' >teams.json
equal 'Teams' "$(jq -r '.attachments[0].content | "\(.type) \(.version) \([.body[].inlines[0].text] | length)"' teams.json)" 'AdaptiveCard 1.4 3'
echo "$hook" >url
run notify night.json --url-file url
notified 'any other' 0 sent
equal 'gets the brief' "$(sent '.log[-1].body' | jq -S .)" "$(jq -S . night.json)"

before=$(sent)
ROOFLOG_WEBHOOK=$hook run notify pass.json --unless-pass
notified 'a pass' 0 'nothing to send: pass'
run notify night.json --as slack --dry-run
equal 'a dry run prints it' "$(jq -r '.blocks[1].text.text' <<<"$out" | cut -c1-5)" gemm:
equal 'and nothing is sent' "$(sent)" "$before"

# Names are those of files.
name='a`*<!channel>&<https://evil.example|x>\u001b[31m\n@here'
jq ".comparisons[0].name = \"$name\" | .answer = \"$name\" | .commit = \"a|x>*\"" night.json >hostile.json
run notify hostile.json --as slack --dry-run
equal 'hostile names are plain text' "$(jq -r '.blocks[1].text.text' <<<"$out" | sed 's/: slower.*//')" \
	'a`*<!channel>&<https://evil.example|x> [31m @here'
equal 'everywhere' "$(jq -c '[.blocks[].text.type] | unique' <<<"$out")" '["plain_text"]'
equal 'and escaped where Slack formats' "$(jq -r .text <<<"$out")" \
	"\`rooflog: a'*&lt;!channel&gt;&amp;&lt;https://evil.example|x&gt; [31m @here\`"
run notify hostile.json --as teams --dry-run
equal 'are no Markdown' "$(jq -r '[.attachments[0].content.body[].type] | unique[]' <<<"$out")" RichTextBlock

reset '[{on: "POST .*", status: 429, headers: {"Retry-After": "1"}}, {on: "POST .*", status: 200, body: "ok"}]'
ROOFLOG_WEBHOOK=$hook run notify night.json
notified 'patience' 0 sent
reset '[{on: "POST .*", status: 429, headers: {"Retry-After": "600"}}]'
ROOFLOG_WEBHOOK=$hook run notify night.json
notified 'too much of it' 2 '127.0.0.1'
reset '[{on: "POST .*", status: 404}]'
ROOFLOG_WEBHOOK=$hook run notify night.json
notified 'revoked' 2 'does not know this webhook (HTTP 404)'
reset '[{on: "POST .*", status: 302, headers: {"Location": "http://evil.example/"}}]'
ROOFLOG_WEBHOOK=$hook run notify night.json
notified 'a redirect' 2 'did not take the message (HTTP 302)'
reset '[{on: "POST .*", cut: 1}]'
ROOFLOG_WEBHOOK=$hook run notify night.json
notified 'cut' 2 '127.0.0.1'
equal 'it is sent once' "$(sent)" 1
run notify night.json
notified 'without a webhook' 2 'no webhook: set ROOFLOG_WEBHOOK'
ROOFLOG_WEBHOOK=http://hooks.example.org/secret run notify night.json
notified 'not in clear' 2 'only sent over https://'
run notify slack.json
notified 'another file' 2 'is not a brief'
run notify night.json --as mail
notified 'another kind' 2 'slack, teams or json'
run notify night.json --link 'https://a|b'
notified 'a link that is none' 2 'is not a URL'
finish
