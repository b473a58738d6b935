#!/bin/bash
# What docs/about/compatibility.md calls stable is still there: each line of tests/golden/stable.txt is a command, an option,
# a key of the configuration, a format, a kind of output, a metric with its unit, or a member of a JSON document with its
# type. GOLDEN_UPDATE=1 adds what is new; it takes nothing away, which only an editor does, with an entry in the changelog.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
export LC_ALL=C
golden=$root/tests/golden/stable.txt

listed() { # WHAT FILTER
	"$rooflog" list "$1" --json | jq -r "$2"
}
present() {
	# shellcheck disable=SC2016 # jq's variables
	listed commands '.commands[] | "command \(.command)", (.command as $command | .options | split(" ")[] | select(. != "") |
		"option \($command) \(.)")'
	listed formats '.formats[] | "format \(.format)"'
	listed kinds '.kinds[] | "kind \(.kind)"'
	listed metrics '.metrics[] | "metric \(.metric) \(.unit) \(.better)"'
	local section
	for section in gate rule project device work tool alias scenario epoch run bisect fusion chart; do
		{ "$rooflog" list devices -c "$section.unheard=1"; "$rooflog" list devices -c "$section.a.unheard=1"; } 2>&1 |
			sed -n 's/.*available: //p' | sed 's/a dtype ([^)]*), //' | tr -s ', ' '\n' | sed "s/^/key $section./"
	done
	local schema
	while IFS= read -r schema; do
		jq -r 'def kind: .type // .["$ref"] // .const // .enum // "any" | tostring;
			. as $all | (.["$id"] | rtrimstr(".schema.json")) as $id | paths(objects) as $path | select($path[-2] == "properties") |
			"member \($id) \($path | map(tostring) | join(".")) \(getpath($path) | kind)" +
			(if getpath($path[:-2]).required // [] | index($path[-1]) then " always" else "" end)' "$schema"
	done < <(find docs/schema -name '*.schema.json')
}
present | sort -u >"$scratch/present"
for kind in command option format kind metric key member; do
	check "there is a $kind" grep -q "^$kind " "$scratch/present"
done
if [ "${GOLDEN_UPDATE:-}" = 1 ]; then
	touch "$golden"
	sort -u "$scratch/present" "$golden" >"$scratch/all"
	cp "$scratch/all" "$golden"
fi
equal "what is gone or has changed (docs/about/compatibility.md)" "$(comm -13 "$scratch/present" "$golden")" ""
equal "what is new (GOLDEN_UPDATE=1 adds it)" "$(comm -23 "$scratch/present" "$golden")" ""

# What earlier versions wrote is read: a folder for each of them.
for written in "$root"/tests/golden/written/*; do
	version=${written##*/}
	repository "reads-$version"
	run store import --store imported.db "$written/runs.jsonl"
	equal "$version: an export: $err" "$status" 0
	run store export --store imported.db -o again.jsonl
	check "$version: all of it" cmp again.jsonl "$written/runs.jsonl"
	mkdir -p .rooflog
	cp "$written/accept" .rooflog/
	git add -f .rooflog/accept
	commit accept
	run ingest --quiet "$root/samples/mlp"
	run accept --json
	equal "$version: acceptances: $err" "$(jq -c '[.acceptances[] | [.series, .metric, (if .retired then "retired" else .limit_text end), .expires, .author, .reason]]' <<<"$out")" \
		"$(grep -v '^#' "$written/accept" | jq -Rc '[split(" | ") | .[:5] + [.[5:] | join(" | ")]]' | jq -sc add)"
	run list devices --config "$written/config"
	equal "$version: a configuration: $err" "$status" 0
done
check "of one version at least" test -n "${version:-}"
finish
