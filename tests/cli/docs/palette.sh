#!/bin/bash
# Pages and pictures have one palette: a style sheet gives a color of render/scene/palette.def its values, light
# and dark, and names no other colors but those of texts on fills (--on-...) and of what is no engine (--other).
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

palette=$(sed -n 's/^TOKEN([a-z0-9_]*, \([a-z0-9-]*\), 0x\([0-9a-f]*\), 0x\([0-9a-f]*\)).*/\1 #\2 #\3/p' \
	render/scene/palette.def)

# "FILE:LINE light|dark NAME COLOR" for each variable that is a color.
variables() {
	awk 'FNR == 1 { scheme = "light" }
		/prefers-color-scheme: dark/ { scheme = "dark" }
		/^}/ { scheme = "light" }
		{
			for (rest = $0; match(rest, /--[a-z0-9-]+: #[0-9a-f]+/); rest = substr(rest, RSTART + RLENGTH)) {
				split(substr(rest, RSTART + 2, RLENGTH - 2), pair, ": ")
				print FILENAME ":" FNR, scheme, pair[1], pair[2]
			}
		}' "$@"
}

mapfile -t sheets < <(project_files -path './templates/*' -name '*.css'; project_files -path './docs/site/*' -name '*.css')
compared=0
while read -r where scheme name color; do
	case $name in on-* | other) continue ;; esac
	wanted=$(awk -v name="$name" -v column="$([ "$scheme" = light ] && echo 2 || echo 3)" \
		'$1 == name { print $column }' <<<"$palette")
	[ "$color" = "$wanted" ] ||
		fail "$where" "--$name ($scheme) is $color, in render/scene/palette.def ${wanted:-missing}"
	compared=$((compared + 1))
done < <(variables "${sheets[@]}")
[ "$compared" -ge 40 ] || fail templates "only $compared colors found"
while IFS= read -r line; do
	fail "${line%%:*}" "a color without a name: ${line#*:}"
done < <(grep -nHE '[ (:]#[0-9a-f]{3,8}\b' "${sheets[@]}" |
	sed -E 's/--[a-z0-9-]+: #[0-9a-f]+;?//g' | grep -E '[ (:]#[0-9a-f]{3,8}\b' || true)
finish
