#!/bin/bash
# The pictures of docs/about/gallery.md are those that its commands draw, in light and in dark; each kind of chart is
# there. GOLDEN_UPDATE=1 redraws those of docs/images/gallery.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
page=$root/docs/about/gallery.md

awk '/^```/ { inside = $0 == "```console"; next } inside && sub(/^\$ /, "")' "$page" >"$scratch/commands"
check "there are commands" test -s "$scratch/commands"
sh samples/history.sh "$scratch/light" 1 6 >"$scratch/log" 2>&1
equal "the history: $(tail -n 2 "$scratch/log")" "$?" 0
ln -s "$root/samples" "$scratch/light/samples"
cp -r "$scratch/light" "$scratch/dark"

# Runs the commands of the page by a program that has OPTIONS.
play() { # FOLDER OPTIONS
	mkdir -p "$scratch/bin-$1"
	printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$rooflog" "$2" >"$scratch/bin-$1/rooflog"
	chmod +x "$scratch/bin-$1/rooflog"
	while IFS= read -r line; do
		(cd "$scratch/$1" && PATH=$scratch/bin-$1:$PATH bash -c "$line") >"$scratch/log" 2>&1 </dev/null
		equal "$1: $line: $(tail -n 2 "$scratch/log")" "$?" 0
	done <"$scratch/commands"
}
play light ''
play dark '-c chart.dark=true'

# "src" or "srcset" of each picture, and the folder where it was drawn.
while read -r picture folder; do
	name=$(basename "$picture" .svg)
	drawn=$scratch/$folder/${name%-dark}.svg kept=$root/docs/about/$picture
	if [ "${GOLDEN_UPDATE:-}" = 1 ] && [[ $picture == ../images/gallery/* ]]; then
		mkdir -p "$(dirname "$kept")"
		cp "$drawn" "$kept"
	fi
	check "$picture is what its command draws" cmp "$drawn" "$kept"
done < <(sed -n 's/.* src="\([^"]*\)".*/\1 light/p; s/.* srcset="\([^"]*\)".*/\1 dark/p' "$page")
for chart in $("$rooflog" list kinds --json | jq -r '.kinds[] | select(.written_by == "chart").kind') fusion buckets; do
	check "$chart is in the gallery" grep -qE "src=\"[^\"]*/$chart\.svg\"" "$page"
done
for picture in docs/images/gallery/*; do
	check "$picture is in the gallery" grep -qF "\"../${picture#docs/}\"" "$page"
done
finish
