#!/bin/bash
# The steps of docs/ci/gitlab-ci.yml and docs/ci/Jenkinsfile, run in clones with the variables of these systems: main is stored, a
# slower change fails, leaves its reports and gets its comment, its repair passes, a night is judged.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
unset ROOFLOG_TOKEN GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN ROOFLOG_WEBHOOK GITHUB_ACTIONS https_proxy http_proxy
export SAMPLES=$root/samples/history

forge_begin
requested() { # HEAD REPOSITORY
	jq -n --arg head "$1" --arg repository "$2" '{requests: [{number: 7, sha: $head, from: $repository, base: $repository}], user: "robot",
		comments: {}, faults: [{on: "POST /services/hook", times: 9, status: 200, body: "ok"}]}' |
		forge_reset
}
mkdir "$scratch/bin"
ln -s "$rooflog" "$scratch/bin/rooflog"
export PATH=$scratch/bin:$PATH

repository upstream
git branch -q -M main
cp "$root/tests/cli/docs/profile" .
echo 04 >VERSION
printf 'out/\n*.md\n*.html\n*.json*\n*.xml\n' >.gitignore
git add .
commit 'Attention'
git checkout -q -b slower
echo 05 >VERSION
commit 'Attention: slower' && git commit -q --amend -a --no-edit
git checkout -q -b mended
echo 04 >VERSION
git commit -q -a -m 'Attention: as fast as before'
git checkout -q main

# Steps, each a file, in a clone of BRANCH: their statuses.
steps() { # BRANCH FILE...
	rm -rf "$scratch/clone"
	git clone -q --branch "$1" "$scratch/upstream" "$scratch/clone"
	cd "$scratch/clone" || exit 2
	shift
	for file; do
		status=0
		bash -e "$file" >"$file.out" 2>&1 || status=$?
		printf '%s ' "$status"
	done
}

# --- GitLab ---
job() { # NAME: its script, with the store of this test
	python3 -c 'import sys, yaml
for line in yaml.safe_load(open(sys.argv[1]))[sys.argv[2]]["script"]: print(line)' "$root/docs/ci/gitlab-ci.yml" "$1" >"$scratch/$1"
	check "$1 has a script" test -s "$scratch/$1"
}
for name in measure 'merge request' main; do job "$name"; done
check 'its rules are for merge requests and the main branch' python3 -c 'import sys, yaml
file = yaml.safe_load(open(sys.argv[1]))
assert file["variables"]["GIT_DEPTH"] == "0" and set(file["merge request"]["artifacts"]["reports"]) == {"codequality", "junit"}
assert all("if" in rule for name in ("measure", "merge request", "main") for rule in file[name]["rules"])' "$root/docs/ci/gitlab-ci.yml"
export GITLAB_CI=true CI_API_V4_URL=$here CI_PROJECT_ID=7 CI_MERGE_REQUEST_IID=7 CI_DEFAULT_BRANCH=main GITLAB_TOKEN=good
export ROOFLOG_STORE=$scratch/gitlab.db CI_PIPELINE_URL=https://host.example/p/1
export CI_PIPELINE_SOURCE=push
equal "main: $(cat "$scratch"/*.out 2>/dev/null)" "$(steps main "$scratch/measure" "$scratch/main")" '0 0 '
export CI_PIPELINE_SOURCE=merge_request_event
requested "$(git -C "$scratch/upstream" rev-parse slower)" 7
equal 'a slower merge request' "$(steps slower "$scratch/measure" "$scratch/merge request")" '0 1 '
check "confirmed: $(cat "$scratch/merge request.out")" grep -q 'slower, confirmed' "$scratch/merge request.out"
check 'leaves its reports' test -s "$scratch/clone/quality.json" -a -s "$scratch/clone/gate.xml"
check "gets its comment: $(forge_state)" grep -q slower <<<"$(forge_state | jq -r '.comments["7"][0].body')"
equal 'of one line for code quality' "$(jq 'length' "$scratch/clone/quality.json")" 1
requested "$(git -C "$scratch/upstream" rev-parse mended)" 7
equal 'its repair' "$(steps mended "$scratch/measure" "$scratch/merge request")" '0 0 '
GITLAB_TOKEN='' requested "$(git -C "$scratch/upstream" rev-parse slower)" 7
equal 'without a token' "$(GITLAB_TOKEN='' steps slower "$scratch/measure" "$scratch/merge request")" '0 1 '
equal 'nothing is asked' "$(forge_state | jq '.log | length')" 0
git -C "$scratch/upstream" commit -q --allow-empty -m 'Tonight'
export CI_PIPELINE_SOURCE=schedule ROOFLOG_WEBHOOK=$here/services/hook
equal 'a night' "$(steps main "$scratch/measure" "$scratch/main")" '0 0 '
check 'has its page' test -s "$scratch/clone/nightly.html"

# --- Jenkins ---
git -C "$scratch/upstream" reset -q --hard HEAD~1
unset GITLAB_CI CI_PIPELINE_SOURCE GITLAB_TOKEN CI_MERGE_REQUEST_IID ROOFLOG_WEBHOOK
python3 - "$root/docs/ci/Jenkinsfile" "$scratch/jenkins" <<'END'
import re
import sys
text = open(sys.argv[1]).read()
blocks = re.findall(r"sh '''\n(.*?)'''", text, re.S)
assert len(blocks) == 3, len(blocks)
for name, block in zip(("measure", "change", "main"), blocks):
    open(f"{sys.argv[2]}.{name}", "w").write(block.replace("\\\\", "\\"))
open(f"{sys.argv[2]}.comment", "w").write(re.search(r"sh '(rooflog comment .*?)'", text)[1] + "\n")
for a, b in ("()", "[]", "{}"):
    assert text.count(a) == text.count(b), a
END
equal 'the Jenkinsfile has its steps' "$?" 0
sed -i "s|OWNER/NAME|ada/kernels --api $here|" "$scratch/jenkins.comment"
export ROOFLOG_STORE=$scratch/jenkins.db CHANGE_TARGET=main CHANGE_ID=7 ROOFLOG_TOKEN=good
equal 'main' "$(steps main "$scratch/jenkins.measure" "$scratch/jenkins.main")" '0 0 '
requested "$(git -C "$scratch/upstream" rev-parse slower)" ada/kernels
equal "a slower change" "$(steps slower "$scratch"/jenkins.{measure,change,comment})" '0 1 0 '
check "confirmed: $(cat "$scratch/jenkins.change.out")" grep -q 'slower, confirmed' "$scratch/jenkins.change.out"
check 'leaves its report' test -s "$scratch/clone/out/gate.xml"
check "gets its comment: $(cat "$scratch/jenkins.comment.out")" grep -q slower <<<"$(forge_state | jq -r '.comments["7"][0].body')"
requested "$(git -C "$scratch/upstream" rev-parse mended)" ada/kernels
equal 'its repair' "$(steps mended "$scratch"/jenkins.{measure,change,comment})" '0 0 0 '
finish
