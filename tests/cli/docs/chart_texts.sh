#!/bin/bash
# The texts of charts, as a browser sets them: in a wide font and in the one that it chooses, none leaves its picture
# or meets another.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

chromium=$(command -v chromium) || {
	echo "skipped: no chromium"
	exit 0
}

page() { # STYLE SVG...
	echo "<!DOCTYPE html><meta charset=\"utf-8\"><style>$1</style>"
	shift
	for svg; do
		echo "<div id=\"$svg\">$(cat "$svg")</div>"
	done
	echo "<pre id=\"found\"></pre>"
	echo "<script>$(cat tests/browser/chart_texts.js)</script>"
}

for style in '' 'svg { font-family: "DejaVu Sans" }'; do
	page "$style" tests/golden/charts/*/*.svg docs/images/*.svg >"$scratch/page.html"
	"$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" \
		--dump-dom "file://$scratch/page.html" 2>/dev/null |
		awk '/<pre id="found">/ { on = 1 } on; on && /<\/pre>/ { exit }' |
		sed 's/<[^>]*>//g' >"$scratch/found"
	check "the browser looked at the texts" grep -qE '^looked at [1-9][0-9]{3} texts$' "$scratch/found"
	equal "texts that have no room ($style)" "$(grep -v '^looked at ' "$scratch/found")" ""
done
finish
