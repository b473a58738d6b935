#!/bin/bash
# Runs and gates in every kind of repository: sub-directory, worktree, detached HEAD, bare, shallow,
# dirty; and the history across branches.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

fast=$root/samples/history/04/attention-s512 slow=$root/samples/history/05/attention-s512

# The noise between commits of these short records, and no second measurement; then rows.
shared='[gate]\nnoise = 0.1 %%\nconfirm = false\n'
rows() { # TEXT: as for printf
	# shellcheck disable=SC2059 # a format is meant
	printf "$shared$1"
}
settle() {
	configure "$shared"
}

repository plain
settle
run ingest "$fast"
equal "ingest: $err" "$status" 0
verdict "first run ever" 4 "baseline recorded"
verdict "first run ever, allowed" 0 "baseline recorded" --fail-on default
verdict "no data at HEAD~0 is judged, not green" 4 "baseline recorded" HEAD

# A gap without data, then a regression: the age of the baseline is told.
commit second
commit third
verdict "nothing ingested at HEAD" 2 "has no measurements: ingest its profiles first"
run ingest "$slow"
verdict "regression" 1 "fail: 1 of 1 series"
check "age of the baseline: $out" grep -q '2 commits back' <<<"$out"
verdict "a limit in the configuration" 0 "pass" --config <(rows '[rule "t"]\nrelative = 20 %%\n')
verdict "both limits must be exceeded" 0 "pass" \
	--config <(rows '[rule "t"]\nabsolute = 1 ms\nrelative = 1 %%\n')
verdict "another metric" 1 "fail: 1 of 1 series worse" --config <(rows '[rule "t"]\nmetric = mfu\n')
verdict "kernels that match nothing" 4 "no baseline" \
	--config <(rows '[rule "t"]\nkernel = other*\n')
check "an idle row is told: $err" grep -q 'rule "t" (kernel other\*) matches no series' <<<"$err"
verdict "a bare 5 is no 5 %" 2 "write 5 %" --config <(rows '[rule "t"]\nrelative = 5\n')
verdict "rows are told apart" 1 " tight " \
	--config <(rows '[rule "loose"]\nrelative = 90 %%\n[rule "tight"]\nrelative = 1 %%\n')

# Named baselines and revisions.
run baseline set good HEAD~2
equal "baseline set: $err" "$status" 0
verdict "the candidate itself" 2 "is the commit under test itself" --against HEAD
verdict "a commit that is only an ancestor" 2 "has no measurements: ingest its profiles first" HEAD~1
run baseline set HEAD HEAD~2
equal "a baseline called HEAD" "$status" 2
run baseline set "$(git rev-parse --abbrev-ref HEAD)" HEAD~2
equal "a baseline called like the branch: $err" "$status" 0
refused "a baseline and a branch" "is a baseline|and a branch|rename the baseline" gate "$(git rev-parse --abbrev-ref HEAD)"
verdict "the branch" 1 "fail: 1 of 1 series slower" "refs/heads/$(git rev-parse --abbrev-ref HEAD)"
check "age from the candidate" \
	test "$("$rooflog" gate --against good --json | jq '.gate.comparisons[0].baseline.age_commits')" = 2
verdict "named baseline" 1 "fail: 1 of 1 series slower" --against good
verdict "revision" 1 "fail: 1 of 1 series slower" --against HEAD~1
run baseline rm good
verdict "forgotten baseline" 2 "good" --against good

# Missing and new series.
commit fourth
run ingest "$root/samples/history/04/attention-s256"
verdict "missing series" 5 "missing"
verdict "missing series, allowed: the new one alone decides nothing" 0 "incomplete: 1 of 2 series missing" \
	--fail-on regression
verdict "missing series, as a failure: the word stays" 5 "incomplete: 1 of 2 series missing" --fail-on missing
run ingest "$slow"
verdict "one commit fast, one slow: nobody knows which is usual" 3 "1 unclear, 1 new"

# Another device is incomparable, not faster.
commit fifth
sed 's/trn2\.3xlarge/trn2.48xlarge/' "$root/samples/mlp/profile.json" >other.json
run ingest --commit HEAD~1 "$root/samples/mlp"
run ingest --set kernel=mlp,variant=nkilib,dtype=bf16,b=1,s=128,h=1024,i=512 other.json
run ingest "$slow"
run ingest "$root/samples/history/04/attention-s256"
verdict "another instance type" 5 "1 missing (other setup)"
check "which differs: $out" grep -q 'instance type: trn2.3xlarge, here trn2.48xlarge' <<<"$out"

repository beside
settle
run ingest "$fast"
commit second
run ingest "$fast"
run ingest "$root/samples/history/04/attention-s256"
verdict "new beside unchanged" 0 "1 new, 1 unchanged"
check "which is new: $out" grep -qE '^. new +attention s=256 ' <<<"$out"

# Uncommitted changes: a candidate, never a baseline.
repository dirty
settle
echo 1 >file
git add file
commit with-file
echo 2 >file
run ingest "$fast"
check "dirty is told: $err" grep -q 'uncommitted changes' <<<"$err"
run log
check "dirty is marked: $out" grep -q '+ ' <<<"$out"
git checkout -q file
commit next
run ingest "$slow"
verdict "dirty runs are no baseline" 4 "baseline recorded"
echo 3 >file
run ingest "$fast"
verdict "uncommitted changes against their commit" 0 "1 faster"
check "dirty in the JSON" \
	test "$("$rooflog" gate --json | jq '.gate.candidate.dirty, .gate.comparisons[0].candidate.samples')" = \
	"$(printf 'true\n3')"
run baseline set pin HEAD~1
equal "dirty runs cannot be pinned" "$status" 2
git checkout -q file

# The runs of another branch are never those of HEAD.
repository branches
settle
branch=$(git symbolic-ref --short HEAD)
run ingest "$fast"
git checkout -q -b feature
commit feature-1
run ingest "$slow"
git checkout -q "$branch"
commit second
run show --json
equal "nearest ancestor of HEAD, not the latest commit" \
	"$(jq -r '.runs[0].commit.subject' <<<"$out")" first
git checkout -q --orphan alone
git commit -q --allow-empty -m alone
run show
equal "no runs at all below HEAD: $err" "$status" 2
git checkout -q "$branch"
printf '# M\n\n## Development log\n\n### V1: x\n\ntext\n' >mlp.md
cp mlp.md before.md
run devlog mlp.md
equal "the file names another kernel: $err" "$status" 2
check "its log is untouched" cmp mlp.md before.md

# params.json belongs to its directory, not to a neighbour's profiles.
mkdir -p here there
cp "$root/samples/mlp/profile.json" "$root/samples/mlp/params.json" here
jq -c '.summary[0].total_time = 5e-5' here/profile.json >there/profile.json
cd here || exit 2
refused "params.json of a neighbour" "there/profile.json does not say its kernel" \
	ingest profile.json ../there/profile.json
refused "control characters in names" "control character" \
	ingest --set "$(printf 'z=\033[31m')" profile.json
cd .. || exit 2

# Nothing that a terminal obeys gets through.
commit "$(printf 'evil \033[31mred')"
run ingest "$slow"
run gate
check "no escape sequence: $out" test -z "$(grep -F "$(printf '\033')" <<<"$out$err")"
commit after
run ingest "$fast"
run gate HEAD
check "no escape sequence in reasons" test -z "$(grep -F "$(printf '\033')" <<<"$out$err")"

# Sub-directories and worktrees share the store; HEAD is the worktree's own.
repository main
settle
mkdir -p deep/er
run ingest "$fast"
cd deep/er || exit 2
run log
equal "sub-directory: lines" "$(wc -l <<<"$out")" 6
cd "$scratch/main" || exit 2
git worktree add -q ../linked -b linked
cd ../linked || exit 2
commit in-worktree
run ingest "$slow"
equal "worktree: no store of its own" "$(ls -d .rooflog 2>/dev/null)" ""
verdict "worktree" 1 "fail: 1 of 1 series slower"
git checkout -q --detach
verdict "detached HEAD" 1 "fail: 1 of 1 series slower"

# A bare repository has no work tree to be dirty.
git clone -q --bare "$scratch/main" "$scratch/bare.git" 2>/dev/null
cd "$scratch/bare.git" || exit 2
run ingest --commit main "$fast"
[ "$status" = 0 ] || run ingest --commit master "$fast"
equal "bare: $err" "$status" 0

# A merge: the nearest first-parent ancestor counts.
repository merges
settle
branch=$(git symbolic-ref --short HEAD)
run ingest "$fast"
git checkout -q -b topic
commit topic-1
run ingest "$slow"
git checkout -q "$branch"
commit mainline
git merge -q --no-ff -m merge topic
run ingest "$fast"
verdict "merge: compared with the main line" 0 "1 unchanged"
check "merge: two commits back in JSON" \
	test "$("$rooflog" gate --json | jq '.gate.comparisons[0].baseline.age_commits')" = 2

# A shallow clone stores what it measured, and refuses to guess what the cut hides.
cd "$scratch" || exit 2
git clone -q --depth 1 "file://$scratch/main" shallow
cd shallow || exit 2
settle
git fetch -q --depth 1 origin linked
git checkout -q FETCH_HEAD
run ingest "$slow"
equal "shallow ingest: $err" "$status" 0
check "shallow ingest warns: $err" grep -q 'git fetch --unshallow' <<<"$err"
verdict "shallow gate" 2 "git fetch --unshallow"
run report
equal "shallow report: the runs without the gate, $err" "$status" 0
check "shallow report warns: $err" grep -q 'git fetch --unshallow' <<<"$err"
git fetch -q --unshallow
run ingest "$slow"
run ingest --commit HEAD~1 "$fast"
verdict "no longer shallow" 1 "fail: 1 of 1 series slower"

# Outside any repository.
cd / || exit 2
refused "no repository" "repository" log
run ingest --dry-run "$root/samples/mlp"
equal "dry run outside a repository: $err" "$status" 0
run log --store "$scratch/main/.rooflog/runs.db"
equal "a store by name: $err" "$status" 0
# A tree with everything in it: all or nothing, or what can be read.
repository tree
mkdir -p out/a out/b
cp "$root"/samples/mlp/*.json out/a
cp "$root"/samples/summary.txt out/b/summary.txt
head -c 300 "$root"/samples/mlp/profile.json >out/b/cut.json
echo hello >out/notes.txt
echo hallo >out/other.txt
refused "a broken file in a tree" 'out/b/cut.json' ingest --set kernel=k,dtype=bf16 out
run ingest --keep-going --set kernel=k,dtype=bf16 out
equal "what can be read is stored: $err" "$status" 0
check "the broken file is named: $err" grep -q 'skipped out/b/cut.json: model_info' <<<"$err"
check "other files too: $err" grep -q 'skipped out/notes.txt: ' <<<"$err"
check "the table of formats: $out" grep -qE '^neuron-summary-text +1 +1 +0$' <<<"$out"
check "the count: $err" grep -q '3 files read: 2 runs stored, 0 duplicates, 3 skipped' <<<"$err"
for jobs in 1 2 16; do
	run ingest --keep-going --set kernel=k,dtype=bf16 --jobs $jobs out
	check "$jobs at once: known: $err" grep -q '3 files read: 0 runs stored, 2 duplicates' <<<"$err"
done
refused "no threads" 'jobs 0' ingest --jobs 0 out
run ingest --keep-going --set kernel=k out/b --json
check "what is incomplete is skipped too: $err" grep -q 'no profiles found in out/b' <<<"$err"

finish
