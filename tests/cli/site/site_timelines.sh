#!/bin/bash
# Timelines on a site: pages of the latest runs whose files are still there; no site fails for want of
# one.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository kernels
for name in one two three; do
	python3 "$root/tests/cli/viewer/viewer.py" make "$name.json" 100
	run ingest --set "kernel=$name,dtype=bf16" "$name.json"
	equal "ingest $name: $err" "$status" 0
done
run site out
equal "a site: $err" "$status" 0
equal "has a page for each, and their list" "$(find out/t -name '*.html' | wc -l)" 4
for page in out/t/s*.html; do
	check "$page runs its own script only" grep -q "default-src &#39;none&#39;; style-src &#39;sha256-" "$page"
	check "$page leads back" grep -q '<a href="../k/' "$page"
done
check "kernels lead to theirs" grep -q '<a href="../t/s[0-9a-f]*.html">Open its timeline</a>' out/k/one-*.html
check "so does the first page" grep -q '<a href="t/index.html">Timelines</a>' out/index.html
equal "the list leads to all" "$(grep -o 'href="s[0-9a-f]*.html"' out/t/index.html | sort -u | wc -l)" 3
mkdir below && cd below || exit 2
run site ../from-below
equal "a site written from a folder below: $err" "$(find ../from-below/t -name 's*.html' | wc -l)" 3
cd ..
run site limited --timelines 1
equal "as many as are wanted: $err" "$(find limited/t -name 's*.html' | wc -l)" 1
check "says what it leaves out" grep -q 'Not looked at: 2 series beyond the limit of' limited/t/index.html
run site none --timelines 0
equal "or none" "$(find none/t -name '*.html' | wc -l)" 0
check "which nothing leads to" test "$(grep -c Timelines none/index.html)" = 0
rm one.json && mkfifo two.json.pipe && mv two.json.pipe two.json
run site out
equal "files that are gone are no error: $err" "$status" 0
equal "their pages go with them" "$(find out/t -name 's*.html' | wc -l)" 1
check "and the list says so" grep -q 'Without one: 2 series whose file is gone or has no events' out/t/index.html
check "no kernel leads to what is not there" test "$(grep -c 'Open its timeline' out/k/one-*.html)" = 0

# --- the latest run next to its baseline ---

repository pairs
viewer() {
	python3 "$root/tests/cli/viewer/viewer.py" "$@"
}
viewer make before.json 300
viewer late before.json after.json
run ingest --set kernel=mlp,dtype=bf16 before.json
commit second
run ingest --set kernel=mlp,dtype=bf16 after.json
equal "ingest: $err" "$status" 0
first=$(git rev-parse HEAD~1 | cut -c1-10) second=$(git rev-parse HEAD | cut -c1-10)
run site out
equal "a site of two commits: $err" "$status" 0
pair=$(find out/t -name 's*-against.html') alone=$(find out/t -name 's*[0-9a-f].html')
check "has a page of both runs: $(ls out/t)" test -f "$pair" -a -f "$alone"
check "which names both" grep -q "<dt>Before</dt><dd><bdi>$first: .*</bdi>" "$pair"
check "and matches their parts" grep -q '"matches":\[\[' "$pair"
check "it runs its own script only" grep -q "default-src &#39;none&#39;; style-src &#39;sha256-" "$pair"
check "it leads to the page of one run" grep -qF "href=\"$(basename "$alone")\">Only $second</a>" "$pair"
check "and that one to it" grep -qF "href=\"$(basename "$pair")\">Against $first</a>" "$alone"
check "so does the kernel" grep -qF "<a href=\"../t/$(basename "$pair")\">Against <code>$first</code></a>" out/k/mlp-*.html
check "and the list" grep -qF "<a href=\"../t/$(basename "$pair")\">Against <code>$first</code></a>" out/t/index.html
check "nothing is left out" test "$(grep -c 'events are not on this page\|has room for' "$pair")" = 0
if command -v node >/dev/null; then
	check "every link leads somewhere" node "$root/tests/browser/links.mjs" out
fi
cp -r out shown
mv before.json kept.json
run site out
equal "without the file of the baseline there is one page" "$(find out/t -name 's*.html')" "$alone"
equal "to which the kernel leads alone" "$(grep -c Against out/k/mlp-*.html)" 0
mv kept.json before.json

commit third
viewer make many.json 30000
viewer late many.json late.json
run ingest --set kernel=many,dtype=bf16 many.json
commit fourth
run ingest --set kernel=many,dtype=bf16 late.json
run site out
pair=$(grep -o 's[0-9a-f]*-against.html' out/k/many-*.html | head -1)
check "a large pair stays small: $(stat -c %s "out/t/$pair") bytes" test "$(stat -c %s "out/t/$pair")" -lt 2000000
check "and says what it leaves out" grep -q "22,000 of 42,000 events are not on this page" "out/t/$pair"
check "and where that is" grep -q "rooflog compare $(git rev-parse HEAD~1 | cut -c1-10) $(git rev-parse HEAD | cut -c1-10) SERIES -o FILE.html has room for three times as many" "out/t/$pair"

commit fifth
cp before.json same.json
run ingest --set kernel=same,dtype=bf16 same.json
commit sixth
run ingest --set kernel=same,dtype=bf16 same.json
run site out
check "a file is not next to itself" test "$(grep -c Against out/k/same-*.html)" = 0
check "but there it is" grep -q 'Open its timeline' out/k/same-*.html
browsers
check "pages for everyone" node "$root/tests/browser/audit.mjs" "$modules" shown/t/{index,s*}.html
finish
