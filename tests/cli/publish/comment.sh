#!/bin/bash
# rooflog comment: one comment for each request, by a server that plays the APIs of GitHub, GitLab and Gitea.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
unset ROOFLOG_TOKEN GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN GITEA_TOKEN GITHUB_ACTIONS GITLAB_CI GITEA_ACTIONS GITHUB_EVENT_PATH https_proxy http_proxy
cd "$scratch" || exit 2

forge_begin

head=1111111111111111111111111111111111111111
other=2222222222222222222222222222222222222222
marker() { echo "<!-- rooflog:${2:-default}:$1 -->"; }
text() { # WORDS [COMMIT [PROJECT]]
	printf '%s\n\n%s\n' "$1" "$(marker "${2:-$head}" "${3:-}")" >comment.md
}

# A request 12 of HEAD from FROM; what else there is, by jq's arguments.
reset() { # FROM [JQ]
	jq -n --arg head "$head" --arg from "$1" "{user: \"robot\", requests: [{number: 12, sha: \$head, from: \$from, base: \"ada/kernels\"}],
		comments: {}} | ${2:-.}" | forge_reset
}
sent() { forge_state | jq -r '[.log[] | select(.method != "GET") | "\(.method) \(.path)"] | join("|")'; }
comments() { forge_state | jq -c "[.comments[\"${1:-12}\"][]? | .body | split(\"\n\")[0]]"; }
post() { # ARGS...
	ROOFLOG_TOKEN=${token-good} run comment comment.md --api "$here" --repo ada/kernels "$@"
}
posted() { # NAME STATUS WORDS
	equal "$1: $out$err" "$status" "$2"
	check "$1: \"$3\" in: $out$err" grep -qF -- "$3" <<<"$out$err"
	equal "$1: no secret" "$(grep -cE 'good|reader' <<<"$out$err")" 0
}

# --- create, update, leave ---
text 'first'
reset ada/kernels
post --number 12 --dry-run
posted 'a dry run' 0 "POST $here/repos/ada/kernels/issues/12/comments"
equal 'has the body' "$(tail -n 1 <<<"$out" | jq '.body | startswith("first\n")')" true
equal 'and sends nothing' "$(sent)" ''
post --number 12
posted 'it is created' 0 'commented on request 12: https://host.example/comment/'
equal 'once' "$(sent) $(comments)" 'POST /repos/ada/kernels/issues/12/comments ["first"]'
equal 'by the token' "$(forge_state | jq -r '.log[-1].authorization')" 'Bearer good'
post --number 12
posted 'it is there' 0 'the comment on request 12 says that already'
text 'second'
post --number 12
posted 'it is changed' 0 'changed the comment on request 12'
equal 'in its place' "$(comments)" '["second"]'
post --number 12 --json
as_schema 'unchanged' program/comment-1.schema.json <<<"$out"
equal 'as data' "$(jq -c '[.outcome, .number, .head, .request]' <<<"$out")" "[\"unchanged\",\"12\",\"$head\",null]"
text third
post --number 12 --dry-run --json
as_schema 'a dry run' program/comment-1.schema.json <<<"$out"
equal 'what it would do' "$(jq -c '[.dry_run, .outcome, .request.method]' <<<"$out")" '[true,"updated","PATCH"]'
ROOFLOG_TOKEN=good "$rooflog" comment - --api "$here" --repo ada/kernels --number 12 <comment.md >.out 2>&1
equal 'from standard input' "$(sed 's/:.*//' .out)" 'changed the comment on request 12'
text fourth
printf 'good\n' >token
run comment comment.md --api "$here" --repo ada/kernels --number 12 --token-file token
posted 'a token of a file' 0 'changed the comment'

# --- whose comment it is ---
text mine
others='[{id: 1, author: "mallory", body: "'"theirs\n\n$(marker "$other")"'"}, {id: 2, author: "robot", body: "without"},
	{id: 3, author: "robot", body: "'"another\n\n$(marker "$other" kernels-2)"'"},
	{id: 4, author: "robot", body: "'"quoted $(marker "$other")\nand more"'"}]'
reset ada/kernels ".comments = {\"12\": ${others//$'\n'/ }}"
post --number 12
posted 'a new one' 0 'commented on'
equal 'all others stay' "$(comments | sed 's/ <!--[^"]*//')" '["theirs","without","another","quoted","mine"]'
reset ada/kernels ".page = 2 | .comments = {\"12\": (${others//$'\n'/ } + [{id: 5, author: \"robot\", body: \"old\\r\\n\\r\\n$(marker "$other")\\r\\n\"}])}"
post --number 12
posted 'on the last page' 0 'changed the comment'
equal 'it is the robot'"'"'s' "$(sent)" 'PATCH /repos/ada/kernels/issues/comments/5'
reset ada/kernels '.user = null'
in_job() { # EVENT
	echo "$1" >event.json
	GITHUB_TOKEN=good GITHUB_ACTIONS=true GITHUB_API_URL=$here GITHUB_REPOSITORY=ada/kernels GITHUB_EVENT_PATH=event.json \
		run comment comment.md
}
event="{\"pull_request\": {\"number\": 12, \"head\": {\"sha\": \"$head\"}}}"
in_job "$event"
posted 'a token without a user' 0 'commented on'
text mine-2
in_job "$event"
posted 'is that of the job' 0 'changed the comment'
post --number 12
posted 'not elsewhere' 2 'name the account whose comments are'
reset ada/kernels '.user = null'
post --number 12 --on gitea
posted 'elsewhere nobody knows' 2 'name the account whose comments are rooflog'"'"'s by --author'
post --number 12 --on gitea --author robot
posted 'but the caller' 0 'commented on'

# --- the request ---
text x
reset ada/kernels '.requests[0].state = "closed"'
post --number 12
posted 'closed meanwhile' 0 'nothing to do: request 12 is not open'
reset ada/kernels ".requests[0].sha = \"$other\""
post --number 12
posted 'the head moved' 0 'nothing to do: the head of request 12 is another commit'
post --number 13
posted 'no such request' 2 '127.0.0.1'
equal 'nothing was sent' "$(sent)" ''
two="{number: 13, sha: \"$head\", from: \"bob/kernels\", base: \"ada/kernels\"}"
reset mallory/kernels ".page = 1 | .requests += [$two]"
post --head "$head" --from bob/kernels
posted 'two requests of one head' 0 'commented on request 13'
equal 'the right one' "$(comments 12) $(comments 13)" '[] ["x"]'
post --head "$head" --from carol/kernels
posted 'of nobody' 0 'nothing to do: no open request has this head'

# --- rights ---
reset mallory/kernels
token=reader post --number 12
posted 'a fork' 0 'request 12 is from a fork, and the token of its job can only read'
reset ada/kernels
token=reader post --number 12
posted 'not a fork' 2 'commenting is not allowed (HTTP 403: Resource not accessible by integration)'
token=wrong post --number 12
posted 'a wrong token' 2 'does not accept the token of ROOFLOG_TOKEN (HTTP 401: Bad credentials)'
token='' post --number 12
posted 'without one' 2 'a token is needed to comment'
token='' post --number 12 --dry-run
posted 'a dry run needs none' 0 "POST $here"
token='a b' post --number 12
posted 'no token' 2 'ROOFLOG_TOKEN: blanks'

# --- limits, faults ---
limited() { # NAME STATUS WORDS SENT FAULT
	reset ada/kernels ".faults = [$5]"
	text "$1"
	post --number 12
	posted "$1" "$2" "$3"
	equal "$1: what was sent" "$(sent | tr '|' '\n' | grep -c .)" "$4"
}
limited 'retry-after' 0 'commented on' 2 '{on: "POST .*", status: 429, headers: {"Retry-After": "1"}}'
limited 'a secondary limit' 0 'commented on' 2 '{on: "POST .*", status: 403, headers: {"retry-after": "1"}}'
limited 'a primary limit' 0 'commented on' 1 '{on: "GET .*/user", status: 403, headers: {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}}'
limited 'too long a limit' 2 'limits the rate of requests: try again in 3600 s' 0 '{on: "GET .*", status: 429, headers: {"Retry-After": "3600"}}'
limited 'refused' 2 'commenting failed (HTTP 422: Validation Failed)' 1 '{on: "POST .*", status: 422, body: {message: "Validation Failed"}}'
limited 'broken for a moment' 0 'commented on' 1 '{on: "GET .*", status: 502, body: "<html>"}'
limited 'a broken write is not repeated' 2 'commenting failed (HTTP 500' 1 '{on: "POST .*", status: 500}'
limited 'a cut read is' 0 'commented on' 1 '{on: "GET .*/12", cut: 1}'
limited 'a cut write is not' 2 'it is unknown whether the comment was written; run the command again' 1 '{on: "POST .*", after: 1}'
equal 'it was' "$(comments)" '["a cut write is not"]'
post --number 12
posted 'and is found again' 0 'says that already'
limited 'a write that may be done' 2 'commenting failed (HTTP 503' 1 '{on: "POST .*", status: 503, headers: {"Retry-After": "1"}}'
limited 'busy for a moment' 0 'commented on' 1 '{on: "GET .*/12", status: 503, headers: {"Retry-After": "1"}}'
limited 'a broken account' 2 'reading /user failed (HTTP 500' 0 '{on: "GET /user", times: 9, status: 500}'
limited 'slow' 0 'commented on' 1 '{on: "GET .*", delay: 2}'
limited 'no JSON' 2 '127.0.0.1' 0 '{on: "GET .*/12", status: 200, body: "<html>"}'
limited 'JSON of something else' 2 'has no head' 0 '{on: "GET .*/12", status: 200, body: "[1, 2]"}'
limited 'the token in an answer' 2 'commenting failed (HTTP 422)' 1 '{on: "POST .*", status: 422, body: {message: "the token good is bad"}}'
limited 'a redirect within the host' 0 'commented on' 1 '{on: "GET .*/pulls/12", status: 301, headers: {"Location": "/repos/ada/kernels/pulls/12"}}'
limited 'a redirect elsewhere' 2 'redirects to another host' 0 \
	'{on: "GET .*/pulls/12", status: 302, headers: {"Location": "http://evil.example/"}}'
limited 'a redirect with the token' 2 'redirects to another host' 0 '{on: "GET .*/pulls/12", status: 302, headers: {"Location": "https://good.evil.example/"}}'
limited 'round and round' 2 'round and round' 0 '{on: "GET .*/pulls/12", times: 9, status: 302, headers: {"Location": "/repos/ada/kernels/pulls/12"}}'

# --- GitLab, Gitea ---
text lab
reset 7 '.requests[0].base = "7"'
ROOFLOG_TOKEN=good run comment comment.md --on gitlab --api "$here" --repo group/sub/kernels --number 12
posted 'GitLab' 0 'commented on request 12: https://host.example/-/merge_requests/12#note_'
equal 'its path and header' "$(sent) $(forge_state | jq -r '.log[-1].private')" 'POST /projects/group%2Fsub%2Fkernels/merge_requests/12/notes good'
text lab-2
GITLAB_TOKEN=good GITLAB_CI=true CI_API_V4_URL=$here CI_PROJECT_ID=7 CI_MERGE_REQUEST_IID=12 run comment comment.md
posted 'a job of GitLab' 0 'changed the comment on request 12'
equal 'by PUT' "$(sent | tr '|' '\n' | tail -n 1 | sed 's/[0-9]*$/ID/')" 'PUT /projects/7/merge_requests/12/notes/ID'
ROOFLOG_TOKEN=good run comment comment.md --on gitlab --api "$here" --repo 7 --head "$head" --from 7
posted 'by its head' 0 'says that already'
text tea
reset ada/kernels
ROOFLOG_TOKEN=good run comment comment.md --on gitea --api "$here" --repo ada/kernels --number 12
posted 'Gitea' 0 'commented on request 12'
equal 'its header' "$(forge_state | jq -r '.log[-1].authorization')" 'token good'
text hub
in_job "{\"pull_request\": {\"number\": 12, \"head\": {\"sha\": \"$head\"}}}"
posted 'a job of GitHub' 0 'changed the comment on request 12'
text 'the merge of the head' "$other"
in_job "{\"pull_request\": {\"number\": 12, \"head\": {\"sha\": \"$head\"}}}"
posted 'what was measured may be another commit' 0 'changed the comment on request 12'
in_job "{\"pull_request\": {\"number\": 12, \"head\": {\"sha\": \"$other\"}}}"
posted 'but not of another head' 0 'the head of request 12 is another commit'
in_job "{\"workflow_run\": {\"head_sha\": \"$head\", \"head_repository\": {\"full_name\": \"ada/kernels\"}}}"
posted 'a workflow after another' 0 'the comment on request 12 says that already'
in_job "{\"workflow_run\": {\"head_sha\": \"$head\", \"head_repository\": {\"full_name\": \"eve/kernels\"}}}"
posted 'of another repository' 0 'no open request has this head'
in_job '{"ref": "refs/heads/main"}'
posted 'of a push' 2 'this job is not of a pull request'
in_job 'nothing'
posted 'no event' 2 'event.json'
text hub

# Each request is answered wrongly.
check 'wrong answers' python3 "$root/tests/cli/publish/wrong_answers.py" "$here"

# --- tokens of hosts ---
text x
reset ada/kernels
for on in github gitlab gitea; do
	GITHUB_TOKEN=good GH_TOKEN=good GITLAB_TOKEN=good GITEA_TOKEN=good run comment comment.md --on $on --api "$here" --repo 7/8 --number 12
done
equal 'are not sent to another one' "$(forge_state | jq -c '[.log[] | .authorization, .private] | unique')" '[null]'
printf 'a\0b\n\n%s\n' "$(marker "$head")" >comment.md
post --number 12
posted 'a body with NUL' 2 'comment.md: not UTF-8, or with NUL'
text x
reset ada/kernels '.user = "Robot"'
post --number 12
text y
post --number 12 --author robot
posted 'accounts without regard to case' 0 'changed the comment'

# --- what is refused before anything is sent ---
reset ada/kernels
refuse() { # WORDS ARGS...
	local words=$1
	shift
	ROOFLOG_TOKEN=good run comment comment.md "$@"
	posted "$*" 2 "$words"
}
refuse 'a token is only sent over https://' --api http://git.example.org --repo a/b --number 1
refuse 'has a user name' --api "https://a:b@git.example.org" --repo a/b --number 1
refuse 'is not a URL that begins with https://' --api ftp://git.example.org --repo a/b --number 1
refuse 'has ?, # or %' --api "$here/?x=" --repo a/b --number 1
refuse '"a/../b" is not a repository' --api "$here" --repo a/../b --number 1
refuse '"a b" is not a repository' --api "$here" --repo 'a b' --number 1
refuse '"1/2" is not the number of a pull request' --api "$here" --repo a/b --number 1/2
refuse '"" is not the number' --api "$here" --repo a/b --number ''
refuse 'is not the number of a project' --on gitlab --api "$here" --repo a/b --head "$head" --from group/kernels
refuse 'is not the full id of a commit' --api "$here" --repo a/b --head abc --from a/b
refuse 'this job is not of a pull request' --api "$here" --repo a/b --head "$head"
refuse 'instead of --number' --api "$here" --repo a/b --head "$head" --from a/b --number 1
refuse 'instead of --number' --api "$here" --repo a/b --from a/b
refuse '--on svn: available: github, gitlab, gitea' --on svn --api "$here" --repo a/b --number 1
refuse '--repo is missing' --api "$here" --number 1
refuse '--api is missing' --on gitea --repo a/b --number 1
echo 'no marker' >comment.md
refuse 'comment.md: its last line is not that of a comment' --api "$here" --repo a/b --number 1
printf 'x\n%s\nmore\n' "$(marker "$head")" >comment.md
refuse 'its last line is not that of a comment' --api "$here" --repo a/b --number 1
rm comment.md
refuse 'comment.md' --api "$here" --repo a/b --number 1
equal 'nothing was asked' "$(forge_state | jq '.log | length')" 0

# --- a real comment ---
repository real
nights 3
series gemm '1 * e'
measured 0
run gate -o comment="$scratch/comment.md"
cd "$scratch" || exit 2
reset ada/kernels ".requests[0].sha = \"$(git -C real rev-parse HEAD)\""
post --number 12
posted 'what gate writes' 0 'commented on request 12'
equal 'arrives as it is' "$(forge_state | jq -r '.comments["12"][0].body')" "$(cat comment.md)"
finish
