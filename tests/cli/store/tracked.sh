#!/bin/bash
# A store that git tracks is refused, also when it is named: it comes with the branch of a change.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository tracked
run ingest "$root/samples/history/04/attention-s512"
equal "git sees nothing of a store that ingest makes, but its configuration" "$(git status --short --untracked-files=all)" "?? .rooflog/config"
run init
equal "what is to be committed: $err" "$(git status --short -uall)" "?? .rooflog/config"
rm .rooflog/config
run gate --fail-on regression
equal "a store beside .git: $err" "$status" 0
for version in 2 4; do
	git update-index --index-version "$version"
	git add -f .rooflog/runs.db
	for words in "gate" "log" "log --store .rooflog/runs.db" "ingest $root/samples/mlp" "doctor"; do
		# shellcheck disable=SC2086 # words
		run $words
		equal "index $version: $words: status" "$status" "$([ "$words" = doctor ] && echo 1 || echo 2)"
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
check "a submodule: $err" grep -q 'the store is in a repository inside this one, so' <<<"$err"
rm -rf .rooflog/.git
run log
equal "a folder again: $err" "$status" 0
git worktree add -q ../linked
cd ../linked || exit 2
git -C ../tracked add -f .rooflog/runs.db
run log
equal "tracked in the main work tree: $err" "$status" 2
# A file is tracked under its whole name, in every version of the index and with every hash.
csv=$root/samples/prefill.csv
for format in sha1 sha256; do
	git init -q --object-format=$format "../names-$format"
	cd "../names-$format" || exit 2
	mkdir -p sub/res res sub/aaa sub/zzz "sub/$(printf 'n%.0s' {1..200})"
	for folder in . sub/res res sub/aaa sub/zzz sub/n*; do cp "$csv" "$folder/r.csv"; done
	# git tracks all but two; folders long and short change what a compressed name drops
	touch before later
	git add before later sub/res sub/aaa sub/n*
	git commit -qm names
	for version in 2 3 4; do
		git update-index --index-version $version
		# an entry that is only intended has further flags
		[ $version = 3 ] && git add -N sub/zzz/r.csv
		for file in sub/res/r.csv sub/aaa/r.csv sub/n*/r.csv; do
			run ingest --set dtype=fp16,device=inf2 "$file"
			check "$format, index $version, $file is tracked: $err" grep -qF "git tracks $file" <<<"$err"
		done
		for file in res/r.csv r.csv; do
			run ingest --set dtype=fp16,device=inf2 "$file"
			equal "$format, index $version, $file is not tracked: $err" "$status:$(grep -c tracks <<<"$err")" 0:0
		done
	done
done
finish
