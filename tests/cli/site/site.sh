#!/bin/bash
# rooflog site: what is written, that it stays the same, that nothing else is overwritten, that no
# name gets into a page as anything but text; then the pages in a real browser (tests/browser).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository site
nights 39
series steady '10 * e'
series step '(i < 20 ? 1 : 1.3) * e'
series worse '(i < 40 ? 6 : 9) * e'
i=1 && series gap 'i <= 12 || i > 28 ? 2 * e : "" '
for i in {1..65}; do series "many$i" "$i * e" 38; done
series hostile '3 * e' 20
GPU=a100 series other '5 * e' 15
series stopped '4 * e' 1 25
# shellcheck disable=SC2016 # backquotes are meant
hostile='"<script>window.hacked=1</script>|`x` & ""y""'$'\u202e''"'
sed -i -e '/,gap,.*,$/d' -e "s#,hostile,#,${hostile//&/\\&},#" "$scratch/measurements.csv"
measured 0
echo commit,op,M,value >wide.csv
for i in {1..40}; do echo "$(git rev-parse HEAD),wide,$i,$i" >>wide.csv; done
run ingest --columns commit,kernel=op,param:M,time=value:ms --set device=a100-sxm-80gb wide.csv
equal "a kernel of many sizes: $err" "$status" 0
git tag v1.0 "$(git rev-list --first-parent --reverse HEAD | sed -n 20p)"
cp -r "$root"/samples/history/06 profiles
run ingest --commit HEAD profiles
equal "profiles: $err" "$status" 0

for night in 1 39; do
	for size in 1 2; do
		[ "$night" = 39 ] && [ "$size" = 1 ] ||
			echo "$(git rev-list --first-parent --reverse HEAD | sed -n "${night}p"),some,$size,2"
	done
done | sed '1i commit,op,s,value' >some.csv
run ingest --history --columns commit,kernel=op,param:s,time=value:ms --set device=a100-sxm-80gb some.csv
equal "a kernel of which one size stopped: $err" "$status" 0

run site pages
equal "status: $err" "$status" 0
check "says what it wrote: $err" grep -q '^pages/index.html: 75 kernels, 116 series, 2 timelines; [0-9]* files' <<<"$err"
equal "no temporary folder is left" "$(find . -maxdepth 1 -name 'pages*' | sort)" ./pages
stopped=$(sed -n 's/<[^>]*>//g; s/.* \([0-9a-f]*\) night 25 · compared with \([0-9a-f]*\), 1 commit back$/\1 \2/p' pages/k/stopped-*.html)
check "what stopped is compared with the commit before it, not with itself: $stopped" \
	test "${stopped% *}" != "${stopped#* }" -a "$stopped"
run gate
equal "the first page counts the series that the gate counts" "$(grep -o '<h1>.*</h1>' pages/index.html | grep -o 'of [0-9]* series')" \
	"$(grep -o -m1 'of [0-9]* series' <<<"$out")"
check "what stopped arriving is apart" grep -qzP '(?s)class="switch" aria-label="Series of this kernel">.*<b>s=2</b>.*</ul>\n<details class="stopped-series">\n<summary>1 series stopped arriving</summary>.*<b>s=1</b>' pages/k/some-*.html
cp -r pages "$scratch/first"
run site pages
check "nothing is written twice: $err" grep -q ' 0 of them new or changed' <<<"$err"
run site again
check "the same from scratch" diff -r pages again
touch pages/CNAME
echo broken >pages/index.html
echo old >pages/k/gone-0123456789.html
sed -i 's#"files": \[#&"k/gone-0123456789.html", "../site/again/index.html", "CNAME",#' pages/rooflog-site.json
run site pages
check "what is no longer there goes" test ! -e pages/k/gone-0123456789.html
check "other files stay" test -e pages/CNAME
check "also those outside" test -e again/index.html
rm pages/CNAME
check "brought up to date" diff -r pages again

mkdir full
echo mine >full/notes.txt
refused "a folder of somebody else" 'full is not empty and not a rooflog site|rooflog-site.json' site full
equal "which stays as it was" "$(ls full)" notes.txt
echo '{"schema": "other"}' >full/rooflog-site.json
refused "a manifest of somebody else" 'is not empty and not a rooflog site' site full
refused "a file" 'is a file' site full/notes.txt
refused "no argument" 'expected: site FOLDER' site
refused "templates that are not there" 'is not a folder' site --templates nowhere new
templates=$scratch/templates
mkdir "$templates" empty
echo '{{#series}}{{name}};{{/series}}' >"$templates"/site-index.html
run site --templates "$templates" empty
check "a template of the user's" grep -q ';step;\|^step;' empty/index.html
echo '{{#series}}' >"$templates"/site-index.html
refused "a broken template" 'site-index.html' site --templates "$templates" new
equal "leaves nothing behind" "$(find . -maxdepth 1 -name 'new*')" ""

check "hostile names are text" test -z "$(grep -rlF '<script>window' --include='*.html' pages)"
check "and are there" grep -qF '&lt;script&gt;window.hacked=1' pages/index.html
equal "file names are harmless" "$(find pages -name '*[!a-zA-Z0-9/.-]*')" ""
step=$(ls pages/k/step-*.html)
check "the change of level is found" grep -q '+30\.[0-9]* %\|+29\.[0-9]* %' "$step"
by=$(git rev-list --first-parent --reverse HEAD | sed -n 20p)
check "with the commit that brought it" grep -q "href=\"../c/$by.html\"" "$step"
check "the commit has its release" grep -q '<span class="tag">v1.0</span>' "pages/c/$by.html"
check "in the list, too" grep -q '<span class="tag">v1.0</span>' pages/commits.html
check "which tells of it" grep -q '▲&#160;slower' "pages/c/$by.html"
wide=$(ls pages/k/wide-*.html)
equal "all sizes have a tile" "$(grep -c '<li[^>]*><a href="#s[0-9a-f]*"><b>' "$wide")" 40
check "the index stays small: $(stat -c %s pages/index.html) bytes" test "$(stat -c %s pages/index.html)" -lt 150000
check "authors are those of git" grep -q '"a"\],\{0,1\}$' pages/data/commits.js
equal "the worst have a section" "$(grep -c '<section class="series" id="s' "$wide")" 12
check "which is said" grep -q 'the 12 worst of 40 series' "$wide"
run site other "$by"
check "of another commit: $err" grep -q '^other/index.html: [0-9]* kernels' <<<"$err"
check "the latest commit says what its gate does" grep -q 'data-verdict=.*>all series<' \
	"pages/c/$(git rev-parse HEAD).html"
check "older ones do not" bash -c "! grep -q '>all series<' pages/c/$by.html"
check "only what was known then" test ! -e "other/c/$(git rev-parse HEAD).html"

# A page of each kind. The last digits of logarithms differ between machines.
golden() { # NAME PAGE
	local page=$root/tests/golden/site/$1.html
	sed -e "s#$scratch#.#g" -e 's#\( data-s="-\{0,1\}[0-9]*\.[0-9]\{8\}\)[0-9]*#\1#g' \
		-e 's#<footer>rooflog [^ <]*#<footer>rooflog VERSION#' "other/$2" >now.html
	[ -z "${GOLDEN_UPDATE:-}" ] || { mkdir -p "${page%/*}" && cp now.html "$page"; }
	check "as in tests/golden/site/$1.html" diff -u "$page" now.html
}
golden index index.html
golden commits commits.html
golden commit "c/$by.html"
golden kernel "k/${step##*/}"

# --- in a browser ---

command -v node >/dev/null || {
	echo "skipped: no node"
	finish
}
check "every link leads somewhere" node "$root/tests/browser/links.mjs" pages
commit empty 2026-04-20T09:00:00Z
echo changed >file && git add file
run ingest profiles
check "a changed work tree: $err" grep -q 'uncommitted changes' <<<"$err"
run site changed
check "is said" grep -q 'with uncommitted changes' changed/index.html
check "and every link leads somewhere" node "$root/tests/browser/links.mjs" changed
browsers
check "pages in a browser" node "$root/tests/browser/site.mjs" pages "$modules" ${PICTURES:+"$PICTURES"}
check "pages for everyone" node "$root/tests/browser/audit.mjs" "$modules" pages/{index,commits}.html \
	pages/k/{step,attention,gap}-*.html "pages/c/$by.html"
finish
