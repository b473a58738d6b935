#!/bin/bash
# Every relative link of a page (Markdown, and src, srcset and href of HTML) leads to a file, and its
# anchor to a heading there. Samples, templates and golden files are no pages of the project. The tests
# that docs/security.md names exist.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

# LINE TARGET of each link outside of code.
links_of() {
	awk '
	/^[ \t]*(```|~~~)/ { code = !code; next }
	code { next }
	{
		gsub(/`[^`]*`/, "")
		while (match($0, /\]\([^) ]+|(src|srcset|href)="[^" ]+/)) {
			target = substr($0, RSTART, RLENGTH)
			sub(/^(\]\(|[a-z]+=")/, "", target)
			print NR, target
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$1"
}

# The anchors that a forge gives to the headings of a page.
anchors_of() {
	awk '
	/^[ \t]*(```|~~~)/ { code = !code; next }
	!code && /^#+ / {
		name = tolower($0)
		sub(/^#+ +/, "", name)
		gsub(/[][!-,.\/:-@\\^`{-~]/, "", name)
		gsub(/ /, "-", name)
		print count[name] ? name "-" count[name] : name
		count[name]++
	}' "$1"
}

links=0
while IFS= read -r page; do
	while read -r line target; do
		case $target in *:*) continue ;; esac
		links=$((links + 1))
		path=${target%%#*}
		file=$page
		[ -z "$path" ] || file=$(dirname "$page")/$path
		if [ ! -e "$file" ]; then
			fail "$page:$line" "no such file: $target"
		elif [ "$path" != "$target" ] && ! anchors_of "$file" | grep -qxF -- "${target#*#}"; then
			fail "$page:$line" "no such heading: $target"
		fi
	done < <(links_of "$page")
done < <(project_files -name '*.md' ! -path './samples/*/*' ! -path './templates/*' ! -path './tests/*')
# shellcheck disable=SC2016 # Markdown
while IFS=: read -r line file; do
	[ -e "${file//\`/}" ] || fail "docs/security.md:$line" "no such test: $file"
done < <(grep -no '`tests/[^`]*`' docs/security.md)
echo "$links links"
finish
