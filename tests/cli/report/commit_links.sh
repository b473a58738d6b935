#!/bin/bash
# Commits in reports and pages link to their pages on the web: by [project] url, else by the remote.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository links
git branch -M main
nights 30
series mlp '(i > 27 ? 130 : 100) * e'
series conv '50 * e'
measured 0
git reset -q --hard
oid=$(git rev-parse HEAD)
short=${oid:0:10}

# Writes every kind that names commits.
publish() {
	rm -rf out pages && mkdir out
	run report --against window -o out/report.html -o out/report.md -o json=out/report.json \
		-o nightly=out/nightly.html -o nightly=out/nightly.md -o weekly=out/weekly.html -o weekly=out/weekly.md
	equal "report: $err" "$status" 0
	run site pages
	equal "site: $err" "$status" 0
}

linked() { # NAME PREFIX: of each file
	local file
	for file in report nightly weekly; do
		check "$1: $file.html" grep -qF "<a href=\"$2$oid\"><code>$short</code></a>" "out/$file.html"
		check "$1: $file.md" grep -qF "[$short]($2$oid)" "out/$file.md"
	done
	equal "$1: document" "$(jq -r .commit_url out/report.json)" "$2"
	check "$1: page of the commit" grep -qF "<a href=\"$2$oid\"><code>$oid</code></a>" "pages/c/$oid.html"
}

unlinked() { # NAME
	check "$1: no link to a commit" test -z "$(grep -rlE '<a href="https?:|\]\(https?:' out pages)"
	equal "$1: document" "$(jq 'has("commit_url")' out/report.json)" false
}

publish
unlinked "no remote"
git remote add origin https://ada:hunter2@github.com/ada/kernels.git
publish
linked "remote" https://github.com/ada/kernels/commit/
check "secrets stay" test -z "$(grep -rl hunter2 out pages)"
git remote set-url origin ssh://git@example.org/srv/kernels.git
publish
unlinked "a host that may have no pages"
git remote set-url origin "$scratch/kernels.git"
publish
unlinked "a folder"

configure '[project]\n\turl = https://gitlab.example.org/team/kernels/\n'
publish
linked "configured" https://gitlab.example.org/team/kernels/-/commit/
configured=()

# A file is no commit.
run report "$root/samples/summary.json" -c project.url=https://github.com/ada/kernels -o out/file.html -o out/file.md
equal "report of a file: $err" "$status" 0
check "no link of a file: $err" test -z "$(grep -hE '<a href="https?:|\]\(https?:' out/file.html out/file.md)"

# What the command line gives is checked as well.
for url in "javascript:alert(1)" "https://github.com" 'https://github.com/o/"n"' ""; do
	refused "url $url" "project.url=|expected the URL of the repository on the web" report -c "project.url=$url" -o out/x.md
done

finish
