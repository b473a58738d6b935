#!/bin/bash
# The documentation site: all links and anchors of all pages lead somewhere, each page is reached from the start and leads back,
# nothing is loaded from elsewhere, twice gives the same bytes; in Chromium no page is wider than a small window.
# Faults that are planted are found.
# shellcheck disable=SC2317 # check calls functions by name
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
for program in cmark-gfm mandoc python3; do
	command -v "$program" >/dev/null || { echo "skipped: no $program"; finish; }
done

manual=$scratch/manual
"$(dirname "$rooflog")/manual" . "$manual"
equal "manual pages are made" $? 0
build() { # FOLDER [TOP]
	(cd "${2:-.}" && python3 docs/site/build.py "$1" "$manual") >"$scratch/log" 2>&1
}
not() { # COMMAND ARGS...
	! "$@"
}
check "is built" build "$scratch/site"
check "is built again over itself" build "$scratch/site"
export TZ=Asia/Tokyo PYTHONHASHSEED=7
LC_ALL=C check "is built elsewhere" build "$scratch/again"
check "has the same bytes each time" diff -r "$scratch/site" "$scratch/again"
mkdir "$scratch/mine"
touch "$scratch/mine/letter"
check "does not replace a folder of others" not build "$scratch/mine"
check "which stays" test -e "$scratch/mine/letter"

good() { # SITE
	python3 tests/cli/docs/pages.py "$1" docs/site/pages.txt >"$scratch/found"
}
check "pages are as they should be" good "$scratch/site"
cat "$scratch/found"

# Each fault is found in a copy.
planted() { # FAULT PAGE SED
	rm -rf "$scratch/copy"
	cp -r "$scratch/site" "$scratch/copy"
	sed -i "$3" "$scratch/copy/$2"
	check "$1: is planted" not cmp -s "$scratch/site/$2" "$scratch/copy/$2"
	good "$scratch/copy"
	check "$1: is found, in $(cat "$scratch/found")" grep -qF "FAILED: $2: $1" "$scratch/found"
}
page=docs/user/ci.html
planted "a dead link" $page 's|href="verdicts.html"|href="verdict.html"|'
planted "a dead anchor" $page 's|#what-is-the-ci-systems-matter"|#what"|'
planted "no way back" $page 's|\.\./\.\./index\.html|site.html|g'
planted "a path of a machine" $page 's|</main>|/opt/rooflog/ci.yml</main>|'
planted "loads from elsewhere" $page 's|</main>|<img src="https://example.org/x.png"></main>|'
planted "loads what is not there" docs/user/charts.html 's|roofline.svg|roof.svg|'
planted "a script" $page 's|</main>|<script src="x.js"></script></main>|'
planted "a link of another kind" $page 's|</main>|<a href="javascript:x">x</a></main>|'
planted "not UTF-8" $page 's|</main>|\xff</main>|'
planted "an anchor twice" $page 's|</main>|<p id="every-week"></p></main>|'
planted "0 elements h1" $page 's|<h1.*</h1>||'
planted "loads something" style.css 's|^body {|@import "x.css"; body {|'
planted "next leads to" $page 's|rel="next" href="[^"]*"|rel="next" href="ci.html"|'
planted "has the title of" $page 's|<title>.*</title>|<title>Charts - rooflog</title>|'
rm -rf "$scratch/copy"
cp -r "$scratch/site" "$scratch/copy"
grep -rlZ 'glossary\.html' "$scratch/copy" --include='*.html' | xargs -0 sed -i 's|"[^"]*glossary\.html[^"]*"|"#"|g'
good "$scratch/copy"
check "a page without a way to it" grep -qF "docs/glossary.html: cannot be reached from the start" "$scratch/found"

# What the program that builds refuses.
mkdir "$scratch/top"
cp -r ./*.md CMakeLists.txt LICENSE action action.yml bench docs samples "$scratch/top"
refuses() { # NAME MESSAGE PAGE TEXT
	cp "$scratch/top/$3" "$scratch/kept"
	printf '%s\n' "$4" >>"$scratch/top/$3"
	check "$1" not build "$scratch/x" "$scratch/top"
	check "$1: $(cat "$scratch/log")" grep -qF "$2" "$scratch/log"
	cp "$scratch/kept" "$scratch/top/$3"
}
refuses "a link to nothing" "docs/glossary.md: no such file: none.md" docs/glossary.md '[x](none.md)'
refuses "an anchor to nothing" "docs/glossary.md: no such heading: team.md#none" docs/glossary.md '[x](team.md#none)'
refuses "a page that is not there" "no such page: docs/none.md" docs/site/pages.txt docs/none.md
echo '# New' >"$scratch/top/docs/about/new.md"
refuses "a page in no group" "docs/about/new.md is in no group" docs/glossary.md ''

browsers
check "in Chromium" node tests/browser/docs.mjs "$modules" "$scratch/site"
finish
