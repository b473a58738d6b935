#!/bin/bash
# The steps of docs/examples/github-actions.yml, run in clones as the runner makes them: a commit of main is stored, a
# pull request (its merge) that is slower fails and gets its comment, one that is not passes. It comments as docs/user/ci.md does.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
workflow=$root/docs/examples/github-actions.yml

step() { # NAME: its commands
	awk -v name="      - name: $1" '
		/^      - / { inside = $0 == name; commands = 0 }
		inside && commands { sub(/^          /, ""); print }
		inside && /^        run: \|$/ { commands = 1 }' "$workflow"
}
for name in Store Judge Comment; do
	step "$name" >"$scratch/$name"
	check "$name has commands" test -s "$scratch/$name"
done
if python3 -c 'import yaml' 2>/dev/null; then
	check "it is YAML with two jobs" python3 -c 'import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
sys.exit(list(jobs) != ["measure", "judge"] or jobs["judge"]["needs"] != "measure")' "$workflow"
	check "a fork's pull request runs no job" python3 -c 'import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
own = "github.event.pull_request.head.repo.full_name == github.repository"
sys.exit(jobs["measure"].get("if") != "github.event_name == \x27push\x27 || " + own or "if" in jobs["judge"])' "$workflow"
else
	echo "skipped: no python3-yaml"
fi
awk '/^marker=/ { inside = 1 } inside && /^```$/ { exit } inside' "$root/docs/user/ci.md" |
	tr -s '\t ' ' ' >"$scratch/page"
equal "the comment is that of docs/user/ci.md" "$(tail -n +2 "$scratch/Comment" | tr -s '\t ' ' ')" "$(cat "$scratch/page")"

mkdir "$scratch/bin"
ln -s "$rooflog" "$scratch/bin/rooflog"
# Keeps the comment that is posted, and lists it afterwards.
cat >"$scratch/bin/gh" <<'END'
#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
"api --paginate "*) [ ! -s "$CALLS.json" ] || exec jq "$5" "$CALLS.json" ;;
"api repos/"*" -F body=@"*)
	exec jq -n --rawfile body "${4#body=@}" \
		'[{id: 40, user: {login: "ada"}, body: $body}, {id: 41, user: {login: "github-actions[bot]"}, body: $body}]' >"$CALLS.json" ;;
esac
END
chmod +x "$scratch/bin/gh"
export PATH=$scratch/bin:$PATH CALLS=$scratch/calls ROOFLOG_STORE=$scratch/kernels.db GITHUB_REPOSITORY=ada/kernels
export PULL_REQUEST=7

repository upstream
git symbolic-ref HEAD refs/heads/main
echo 'VERSION = 4' >attention.py
git add .
commit 'Attention: comment the schedule'

# Runs a step in a new clone of REVISION, with what the measuring job left in out/.
runner() { # REVISION PROFILES AGAIN STEP...
	export RUNNER_TEMP=$scratch/temp GITHUB_STEP_SUMMARY=$scratch/summary.md
	rm -rf "$scratch/clone" "$RUNNER_TEMP" "$GITHUB_STEP_SUMMARY"
	mkdir -p "$RUNNER_TEMP/out"
	cp -r "$root/samples/history/$2" "$RUNNER_TEMP/out/profiles"
	cp -r "$root/samples/history/$3" "$RUNNER_TEMP/out/again"
	git clone -q "$scratch/upstream" "$scratch/clone"
	cd "$scratch/clone" || exit 2
	git checkout -q "$1"
	shift 3
	for name; do
		status=0
		bash -e "$scratch/$name" >"$scratch/$name.out" 2>&1 || status=$?
		printf '%s %s\n' "$name" "$status"
	done
}
# The merge of a pull request with the main branch, which is what the runner checks out.
merge() { # BRANCH
	cd "$scratch/upstream" || exit 2
	git checkout -q -b "$1" main
	echo "VERSION = $1" >attention.py
	git commit -q -a -m "Attention: $1"
	git checkout -q --detach main
	git merge -q --no-ff -m "Merge $1" "$1"
	git branch -q "$1-merged"
	git checkout -q main
}

equal "main is stored" "$(runner origin/main 04 04 Store)" "Store 0"
merge slower
equal "a slower pull request" "$(runner origin/slower-merged 05 05-again Judge Comment)" "Judge 1
Comment 0"
check "confirmed by the second session" grep -q 'slower, confirmed' "$scratch/Judge.out"
check "its comment" grep -q '^<!-- rooflog:default:[0-9a-f]* -->$' "$scratch/temp/comment.md"
check "is posted" grep -qx "api repos/ada/kernels/issues/7/comments -F body=@$scratch/temp/comment.md" "$CALLS"
check "its summary" test -s "$scratch/summary.md"
merge same
equal "one that is not slower" "$(runner origin/same-merged 04 04 Judge Comment)" "Judge 0
Comment 0"
check "its comment takes the place of the first" \
	grep -qx "api -X PATCH repos/ada/kernels/issues/comments/41 -F body=@$scratch/temp/comment.md" "$CALLS"
equal "which is posted once" "$(grep -c '^api repos/.* -F body=' "$CALLS")" 1
finish
