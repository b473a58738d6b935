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
finish
