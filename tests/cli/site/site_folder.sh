#!/bin/bash
# Where rooflog site writes and what it leaves behind: new folders, empty ones that cannot be
# replaced, failures on the way, templates that cannot be read.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository folder
nights 2
series alone '10 * e'
measured 0

run site pages
check "one of a thing is one: $err" grep -q '^pages/index.html: 1 kernel, 1 series; ' <<<"$err"
check "on the page, too" grep -q '1 series of 1 kernel over 3 commits' pages/index.html

# --- empty folders that no other can take the place of ---

mkdir here linked mount
ln -s "$PWD/linked" "$scratch/link"
cd here || exit 2
run site .
equal "where one stands: $err" "$status" 0
cd .. || exit 2
check "is filled" diff -r here pages
run site "$scratch/link"
equal "a link to one: $err" "$status" 0
check "stays a link" test -L "$scratch/link"
check "and what it leads to is filled" diff -r linked pages
run site "$scratch/link"
check "the second time nothing is written: $err" grep -q ' 0 of them new or changed' <<<"$err"

# --- what fails on the way ---

templates=$scratch/templates
mkdir "$templates"
echo '{{#series}}' >"$templates"/site-index.html
refused "a broken template" 'site-index.html' site --templates "$templates" mount
equal "an empty folder is empty again" "$(ls -A mount)" ""
refused "the same where there is none" 'site-index.html' site --templates "$templates" new
equal "leaves nothing behind" "$(find . -maxdepth 1 -name 'new*')" ""
mkdir pages/.keep
refused "the same over a site" 'site-index.html' site --templates "$templates" pages
check "which stays" diff -r -x .keep pages here

# --- templates that cannot be read ---

for name in site-index.html site-foot.html site.css site.js; do
	rm -rf "$templates"
	mkdir -p "$templates/$name"
	refused "$name is a folder" "templates/$name" site --templates "$templates" new
	equal "$name: nothing is left" "$(find . -maxdepth 1 -name 'new*')" ""
done
rm -rf "$templates"
mkdir "$templates"
: >"$templates"/site-foot.html
run site --templates "$templates" bare
equal "an empty one is one: $err" "$status" 0
check "and takes the place of ours" bash -c "! grep -rq '<footer>' bare/c"
finish
