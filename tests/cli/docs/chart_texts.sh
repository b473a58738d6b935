#!/bin/bash
# The texts of charts, as a browser sets them: in each common font that is installed and in the one that it chooses, none
# leaves its picture or meets another, and none is smaller than 11 px.
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

# Arimo is as wide as Arial, Nimbus Sans as Helvetica.
fonts() {
	echo
	fc-list : family | tr ',' '\n' | sort -u |
		grep -xE 'DejaVu Sans|Liberation Sans|Noto Sans|Arial|Arimo|Nimbus Sans|Helvetica|Roboto|Segoe UI'
}

for font in 'DejaVu Sans' 'Liberation Sans' 'Noto Sans'; do
	fonts | grep -qx "$font" || echo "skipped: no $font"
done
check "a font of the table of widths is installed" test "$(fonts | wc -l)" -gt 1
while read -r font; do
	page "${font:+svg, svg text { font-family: \"$font\" !important }}" tests/golden/charts/*/*.svg docs/images/*.svg \
		>"$scratch/page.html"
	"$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" \
		--dump-dom "file://$scratch/page.html" 2>/dev/null |
		awk '/<pre id="found">/ { on = 1 } on; on && /<\/pre>/ { exit }' |
		sed 's/<[^>]*>//g' >"$scratch/found"
	check "the browser looked at the texts" grep -qE '^looked at [1-9][0-9]{3} texts$' "$scratch/found"
	equal "texts that have no room (${font:-font of the browser})" "$(grep -v '^looked at ' "$scratch/found")" ""
done < <(fonts)

for svg in tests/golden/charts/*/*.svg docs/images/*.svg; do
	smallest=$(grep -oE 'font-size="[0-9.]+"' "$svg" | grep -oE '[0-9.]+' | sort -n | head -n 1)
	check "$svg: texts of $smallest px" awk -v size="$smallest" 'BEGIN { exit !(size >= 11) }'
done
finish
