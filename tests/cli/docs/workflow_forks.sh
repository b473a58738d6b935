#!/bin/bash
# The steps of docs/examples/github-forks-judge.yml, run as the runner does, with GitHub's answers played: the pull request is
# found by what GitHub says of the run, judged with the rules of the main branch, and gets a comment; what the fork wrote
# decides none of it.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
measure=$root/docs/examples/github-forks-measure.yml judge=$root/docs/examples/github-forks-judge.yml

step() { # NAME: its commands
	awk -v name="      - name: $1" '
		/^      - / { inside = $0 == name; commands = 0 }
		inside && commands { sub(/^          /, ""); print }
		inside && /^        run: \|$/ { commands = 1 }' "$judge"
}
for name in "Find the pull request" Judge Comment; do
	step "$name" >"$scratch/$name"
	check "$name has commands" test -s "$scratch/$name"
done
# shellcheck disable=SC2016 # ${{ }} is of the workflow
if python3 -c 'import yaml' 2>/dev/null; then
	check "the first has no right to write, the second no code of the fork" python3 -c 'import sys, yaml
first, second = (yaml.safe_load(open(path)) for path in sys.argv[1:])
assert first["permissions"] == {"contents": "read"} and "permissions" not in first["jobs"]["measure"]
assert first["name"] in second[True]["workflow_run"]["workflows"]
assert "secrets" not in open(sys.argv[1]).read() and "cache" not in open(sys.argv[1]).read()
for step in second["jobs"]["judge"]["steps"]:
    assert not step.get("uses", "").startswith("actions/checkout") or "ref" not in step["with"]
    assert "${{" not in step.get("run", "")' "$measure" "$judge"
else
	echo "skipped: no python3-yaml"
fi
marker() { awk '/marker=/ { inside = 1 } inside' "$1" | tr -s '\t ' ' '; }
equal "the comment is that of the other workflow" "$(marker "$scratch/Comment" | sed 's/^ *//')" \
	"$(marker "$root/docs/examples/github-actions.yml" | sed 's/^ *//')"

mkdir "$scratch/bin"
ln -s "$rooflog" "$scratch/bin/rooflog"
cat >"$scratch/bin/gh" <<'END'
#!/bin/sh
# pulls.json and artifacts.json are what GitHub answers; comments are kept.
echo "$*" >>"$CALLS"
case "$*" in
"api --paginate repos/ada/kernels/pulls?"*) exec jq -r "$5" "$PLAYED/pulls.json" ;;
"api repos/ada/kernels/actions/runs/99/artifacts "*) exec jq -r "$4" "$PLAYED/artifacts.json" ;;
"api repos/ada/kernels/pulls/"*) exec jq -r --argjson number "${2##*/}" ".[] | select(.number == \$number) | $4" "$PLAYED/pulls.json" ;;
"api --paginate repos/ada/kernels/issues/"*) [ ! -s "$PLAYED/comments.json" ] || exec jq "$5" "$PLAYED/comments.json" ;;
"api repos/"*" -F body=@"*)
	exec jq -n --rawfile body "${4#body=@}" \
		'[{id: 40, user: {login: "ada"}, body: $body}, {id: 41, user: {login: "github-actions[bot]"}, body: $body}]' >"$PLAYED/comments.json" ;;
esac
END
chmod +x "$scratch/bin/gh"
export PATH=$scratch/bin:$PATH CALLS=$scratch/calls PLAYED=$scratch GITHUB_REPOSITORY=ada/kernels MEASURED=99
export HEAD_REPOSITORY=eve/kernels ROOFLOG_STORE=$scratch/kernels.db

# --- the main branch, and two forks' pull requests ---
repository upstream
git symbolic-ref HEAD refs/heads/main
mkdir .rooflog
printf '[rule "default"]\n\tkernel = *\n\trelative = 2%%\n' >.rooflog/config
git add -f .rooflog/config
commit 'Rules'
echo 'VERSION = 4' >attention.py
git add .
commit 'Attention: comment the schedule'
rooflog ingest --quiet --commit HEAD "$root/samples/history/04" || exit 1
pull_request() { # NUMBER BRANCH: a change that also relaxes the rules
	git checkout -q -b "$2" main
	echo "VERSION = $2" >attention.py
	printf '[rule "default"]\n\tkernel = *\n\trelative = 900%%\n' >.rooflog/config
	printf '* | * | 1 s | never | eve | all is well\n' >.rooflog/accept
	git add -f .rooflog
	git commit -q -a -m "Attention: $2 @ada"
	git update-ref "refs/pull/$1/head" HEAD
	git checkout -q main
	git branch -q -D "$2"
}
pull_request 7 slower
slower=$(git rev-parse refs/pull/7/head)
played() { # NUMBER HEAD [NUMBER HEAD]...: the open pull requests, and the head repository of each
	local list=
	while [ $# -gt 0 ]; do
		list="$list{\"number\": $1, \"head\": {\"sha\": \"$2\", \"repo\": {\"full_name\": \"${3:-eve/kernels}\"}}},"
		shift $(($# > 2 ? 3 : 2))
	done
	echo "[${list%,}]" >"$scratch/pulls.json"
}
echo '{"artifacts": [{"name": "profiles", "size_in_bytes": 12345}, {"name": "other", "size_in_bytes": 999999999}]}' >"$scratch/artifacts.json"

# The steps, with the profiles that the first workflow left.
runner() { # PROFILES AGAIN: "number, statuses"
	export RUNNER_TEMP=$scratch/temp GITHUB_STEP_SUMMARY=$scratch/summary.md GITHUB_OUTPUT=$scratch/output
	rm -rf "$scratch/clone" "$RUNNER_TEMP" "$GITHUB_STEP_SUMMARY" "$GITHUB_OUTPUT"
	mkdir -p "$RUNNER_TEMP/out"
	cp -r "$1" "$RUNNER_TEMP/out/profiles"
	cp -r "$2" "$RUNNER_TEMP/out/again"
	git clone -q "$scratch/upstream" "$scratch/clone"
	cd "$scratch/clone" || exit 2
	bash -e "$scratch/Find the pull request" >"$scratch/find.out" 2>&1 || { echo "not found $?"; return; }
	PULL_REQUEST=$(sed -n 's/^number=//p' "$GITHUB_OUTPUT" 2>/dev/null)
	[ -n "$PULL_REQUEST" ] || { echo "no pull request"; return; }
	export PULL_REQUEST
	printf '%s' "$PULL_REQUEST"
	for name in Judge Comment; do
		status=0
		bash -e "$scratch/$name" >"$scratch/$name.out" 2>&1 || status=$?
		printf ', %s %s' "$name" "$status"
	done
}
export HEAD_SHA=$slower
before=$(sha256sum <"$ROOFLOG_STORE")
played 6 0000000000000000000000000000000000000006 eve/kernels 7 "$slower" eve/kernels 8 "$slower" mallory/kernels
equal "a slower pull request: $(cat "$scratch"/*.out 2>/dev/null)" "$(runner "$root"/samples/history/05{,-again})" "7, Judge 1, Comment 0"
check "by the rules of main: $(cat "$scratch/Judge.out")" grep -q 'fail: .* slower, confirmed' "$scratch/Judge.out"
check "is commented on" grep -qx "api repos/ada/kernels/issues/7/comments -F body=@$scratch/temp/comment.md" "$CALLS"
check "and on no other" test -z "$(grep 'issues/[0-9]*/comments' "$CALLS" | grep -v 'issues/7/')"
check "the fork mentions nobody" test -z "$(grep '@ada' "$scratch/temp/comment.md" | grep -v '`')"
equal "the store of main is as it was" "$(sha256sum <"$ROOFLOG_STORE")" "$before"
equal "again: the comment is changed" "$(runner "$root"/samples/history/0{4,4})" "7, Judge 0, Comment 0"
check "that of the job itself" grep -qx "api -X PATCH repos/ada/kernels/issues/comments/41 -F body=@$scratch/temp/comment.md" "$CALLS"

# --- what a fork could try ---
mkdir "$scratch/hostile"
cp -r "$root/samples/history/05/." "$scratch/hostile"
echo 7 >"$scratch/hostile/pr_number"
ln -s /etc/passwd "$scratch/hostile/profile-link.json"
said=$(runner "$scratch/hostile" "$root/samples/history/05-again")
check "files that are no profiles decide nothing: $said" grep -q '^7, ' <<<"$said"
check "no file of the machine is quoted" test -z "$(grep -s root: "$scratch/temp/comment.md" "$scratch/Judge.out")"
played 7 "$slower" mallory/kernels
equal "a head of another repository" "$(runner "$root"/samples/history/05{,-again})" "no pull request"
played
equal "closed meanwhile" "$(runner "$root"/samples/history/05{,-again})" "no pull request"
played 7 "$slower" eve/kernels
git -C "$scratch/upstream" update-ref refs/pull/7/head main
rm -f "$CALLS"
equal "moved on" "$(runner "$root"/samples/history/05{,-again})" "7, Judge 0, Comment 0"
check "is not commented on" test -z "$(grep 'body=@' "$CALLS")"
git -C "$scratch/upstream" update-ref refs/pull/7/head "$slower"
echo '{"artifacts": [{"name": "profiles", "size_in_bytes": 200000001}]}' >"$scratch/artifacts.json"
equal "too much" "$(runner "$root"/samples/history/05{,-again})" "not found 1"
equal "the store of main is as it was" "$(sha256sum <"$ROOFLOG_STORE")" "$before"
finish
