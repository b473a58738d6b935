#!/bin/bash
# The jobs of docs/user/ci.md, word for word, from an empty repository through twelve nights: pull
# requests of which one is slow, a regression that gets in, its repair, a kernel that is renamed, a run
# that is removed. Every job has a fresh clone; the store is all that they share.
# CI_PAGES=FOLDER keeps what they wrote, to be read.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# The sh blocks of a section, each in a file NAME.1, NAME.2, ...
blocks() { # NAME HEADING
	awk -v heading="## $2" -v name="$scratch/$1" '
		/^## / { inside = $0 == heading }
		inside && /^```sh$/ { file = name "." ++count; next }
		/^```$/ { file = "" }
		file { print >file }' "$root/docs/user/ci.md"
}
blocks pull "A pull request"
blocks night "Every night"
blocks week "Every week"
equal "the jobs' steps" "$(cd "$scratch" && printf '%s ' night.* pull.* week.*)" \
	"night.1 pull.1 pull.2 week.1 "

mkdir -p "$scratch/bin" "$scratch/pages"
ln -s "$rooflog" "$scratch/bin/rooflog"
# The file truth of a commit says how many times longer each kernel takes than the sample's profile.
# There is 0.4 % of noise between sessions and a tenth of that between repeats.
cat >"$scratch/bin/measure" <<'END'
#!/bin/bash
# usage: measure FOLDER [--kernel=KERNEL]
set -eu
only=${2-}
session=$(cat "$SESSIONS" 2>/dev/null || echo 0)
echo $((session + 1)) >"$SESSIONS"
while read -r kernel factor; do
	[ "${only:---kernel=$kernel}" = "--kernel=$kernel" ] || continue
	mkdir -p "$1/$kernel"
	jq -n --arg kernel "$kernel" '{kernel: $kernel, dtype: "bf16", s: 256}' >"$1/$kernel/params.json"
	awk -v kernel="$kernel" -v factor="$factor" -v session="$session" '
		function noise(  k, sum) {
			for (k = 0; k < 12; k++) {
				state = (state * 69069 + 12345) % 4294967296
				sum += state / 4294967296
			}
			return sum - 6
		}
		BEGIN {
			state = session * 7919
			for (k = 1; k <= length(kernel); k++)
				state = (state * 31 + index("abcdefghijklmnopqrstuvwxyz_", substr(kernel, k, 1))) % 4294967296
			factor *= 1 + 0.004 * noise()
			for (k = 1; k <= 3; k++)
				printf "%d %.6f\n", k, factor * (1 + 0.0004 * noise())
		}' | while read -r repeat scale; do
		jq --argjson scale "$scale" '.summary |= map(with_entries(if .key | endswith("_time")
			then .value *= $scale else . end))' "$SAMPLE" >"$1/$kernel/repeat-$repeat.json"
	done
done <truth
END
# GitHub, as far as the comment of a pull request goes.
forge_begin
# The pull request 7 of a commit, with the comments so far, and its event.
requested() { # COMMIT
	forge_state | jq --arg head "$1" '{requests: [{number: 7, sha: $head, from: "us/kernels", base: "us/kernels"}], user: null, comments}' |
		forge_reset
	jq -n --arg head "$1" '{pull_request: {number: 7, head: {sha: $head}}}' >"$GITHUB_EVENT_PATH"
}
chmod +x "$scratch/bin/measure"
export PATH=$scratch/bin:$PATH SESSIONS=$scratch/sessions RUNNER_TEMP=$scratch/temp
export GITHUB_ACTIONS=true GITHUB_API_URL=$here GITHUB_REPOSITORY=us/kernels GITHUB_TOKEN=good GITHUB_EVENT_PATH=$scratch/event.json
forge_reset <<<'{"comments": {}}'

# --- the repository, and the jobs in clones of it ---

jq "{metadata, profile_info, summary}" "$root/samples/history/01/attention-s256/profile.json" \
	>"$scratch/sample.json"
export SAMPLE=$scratch/sample.json
repository origin
git branch -q -M main
"$rooflog" init >/dev/null 2>&1
printf '[gate]\n\trerun = measure out/again --kernel={{kernel}}\n' >>.rooflog/config
printf 'out/\n*.md\n*.html\n*.svg\n' >.gitignore
day=1
changed() { # SUBJECT KERNEL=FACTOR...: a commit of the entered branch
	local subject=$1 pair
	shift
	for pair; do
		sed -i "/^${pair%%=*} /d" truth
		[ -z "${pair#*=}" ] || echo "${pair%%=*} ${pair#*=}" >>truth
	done
	git add -A
	commit "$subject" "$(date -u -d "2026-03-01 + $day days" +%Y-%m-%dT09:00:00Z)"
}
touch truth
changed "three kernels" attention=1 layernorm=0.4 softmax=0.3
export ROOFLOG_STORE=$scratch/runs.db

# A fresh clone of a branch, with the profiles of its newest commit in out/profiles.
clone() { # BRANCH
	rm -rf "$scratch/job" "$RUNNER_TEMP"
	mkdir "$RUNNER_TEMP"
	git clone -q --branch "$1" "$scratch/origin" "$scratch/job"
	cd "$scratch/job" || exit 2
	SOURCE_DATE_EPOCH=$(($(git log -1 --format=%ct) + 3600))
	measure out/profiles
}

steps() { # FILE...: as one step of a job; status, and what it printed in said
	status=0
	cat "$@" >"$scratch/step"
	said=$(bash "$scratch/step" 2>&1 </dev/null) || status=$?
}

page() { # FILE: it is kept under the name of the night or of the pull request
	[ -z "${CI_PAGES-}" ] || cp "$1" "$CI_PAGES/$2"
}

night() { # STATUS WORDS...: the job of tonight; the first line of its page, and words of the page
	local wanted=$1 word
	shift
	clone main
	steps "$scratch/night.1"
	equal "night $day: $said" "$status" "$wanted"
	for word; do
		check "night $day: \"$word\" in: $(cat nightly.md)" grep -qF -- "$word" nightly.md
	done
	page nightly.md "night-$day.md"
	page nightly.html "night-$day.html"
	cd "$scratch/origin" || exit 2
	day=$((day + 1))
}

pull() { # NAME STATUS WORDS...: the jobs of a pull request, and words of its only comment
	local name=$1 wanted=$2 word
	shift 2
	git checkout -q main # the default branch of what is cloned
	clone "$name"
	SOURCE_DATE_EPOCH=$((SOURCE_DATE_EPOCH + 60)) GITHUB_STEP_SUMMARY=$scratch/summary.md \
		steps "$scratch/pull.1"
	equal "$name: $said" "$status" "$wanted"
	requested "$(git rev-parse HEAD)"
	steps "$scratch/pull.2"
	equal "$name: its comment: $said" "$status" 0
	for word; do
		check "$name: \"$word\" in: $(cat "$RUNNER_TEMP/comment.md")" grep -qF -- "$word" "$RUNNER_TEMP/comment.md"
	done
	equal "$name: one comment, the newest" "$(forge_state | jq -r '.comments["7"][].body')" "$(cat "$RUNNER_TEMP/comment.md")"
	page "$RUNNER_TEMP/comment.md" "$name-$day.md"
	cd "$scratch/origin" || exit 2
}

# --- twelve nights ---

night 0 'Baseline recorded'
changed "a comment"
night 0
changed "another comment"
night 0

git checkout -q -b slow
changed "attention reads its keys twice" attention=1.25
pull slow 1 'slower'
git checkout -q slow
changed "attention reads them once again" attention=1
pull slow 0
git checkout -q main
git merge -q --no-commit --no-ff slow 2>/dev/null
changed "Merge branch slow"
night 0
changed "docs"
night 0
changed "more docs"
night 0

changed "layernorm in fp32" layernorm=0.48
night 0 'No new regression tonight; 1 unclear' 'layernorm'
changed "a test"
night 1 '# 1 new regression tonight' 'layernorm' 'Gate: fail.'
changed "layernorm as it was" layernorm=0.4
night 0 'recovered'

changed "softmax has a better name" softmax= softmax_online=0.3
night 1 'missing'
run mv softmax softmax_online
equal "mv: $err" "$status" 0
changed "typo"
night 0

# A pull request that brings files with the names of the outputs, and profiles that are refused: its job
# ends with an error, takes none of them for its own, and writes no comment.
git checkout -q -b hostile
mkdir -p temp
echo '{"command": "touch taken"}' >again.jsonl
echo '### rooflog: pass' >comment.md
git add -f again.jsonl comment.md
changed "outputs" attention=1e30
comments=$(forge_state | jq -c .comments)
git checkout -q main
clone hostile
GITHUB_STEP_SUMMARY=$scratch/summary.md steps "$scratch/pull.1"
equal "hostile: $said" "$status" 2
check "hostile: nothing is taken" test ! -e taken
steps "$scratch/pull.2"
check "hostile: there is no comment: $said" test "$status" != 0
equal "hostile: and none is written" "$(forge_state | jq -c .comments)" "$comments"
cd "$scratch/origin" || exit 2

changed "a last one"
clone main
SOURCE_DATE_EPOCH=$((SOURCE_DATE_EPOCH - 60))
sed -i 's/^attention .*/attention 3/' truth
measure out/wrong
run ingest --commit HEAD out/wrong/attention
equal "a wrong run: $err" "$status" 0
cd "$scratch/origin" || exit 2
run rm --commit HEAD
equal "rm: $err" "$status" 0
night 0

clone main
steps "$scratch/week.1"
equal "week: $said" "$status" 0
mender=$(git log --format=%h --abbrev=10 --grep 'layernorm as it was')
check "weekly: $(cat weekly.md)" grep -qF "made good by $mender" weekly.md
page weekly.md weekly.md
finish
