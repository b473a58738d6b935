#!/bin/bash
# A store that git tracks is refused, also when it is named: it comes with the branch of a change.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository tracked
run ingest "$root/samples/history/04/attention-s512"
run gate --treat no-baseline=pass
equal "a store beside .git: $err" "$status" 0
for version in 2 4; do
	git update-index --index-version "$version"
	git add -f .rooflog/runs.db
	for words in "gate" "log" "log --store .rooflog/runs.db" "ingest $root/samples/mlp" "doctor"; do
		# shellcheck disable=SC2086 # words
		run $words
		equal "index $version: $words: status" "$status" 2
		check "index $version: $words: $out$err" grep -q 'git tracks the store.*git rm --cached .rooflog/runs.db' <<<"$out$err"
	done
	cp .rooflog/runs.db ../outside.db
	run log --store ../outside.db
	equal "a store elsewhere: $err" "$status" 0
	git rm -q --cached .rooflog/runs.db
	run log
	equal "no longer tracked: $err" "$status" 0
done
for ending in wal journal; do
	: >".rooflog/runs.db-$ending"
	git add -f ".rooflog/runs.db-$ending"
	run gate
	equal "a tracked -$ending: status" "$status" 2
	check "a tracked -$ending: $err" grep -q "git rm --cached .rooflog/runs.db-$ending" <<<"$err"
	git rm -qf ".rooflog/runs.db-$ending"
done
git init -q .rooflog
run gate
equal "a submodule: status" "$status" 2
check "a submodule: $err" grep -q 'a repository within this one' <<<"$err"
rm -rf .rooflog/.git
run log
equal "a folder again: $err" "$status" 0
git worktree add -q ../linked
cd ../linked || exit 2
git -C ../tracked add -f .rooflog/runs.db
run log
equal "tracked in the main work tree: $err" "$status" 2
finish
