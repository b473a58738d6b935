#!/bin/bash
# Section "site": making a site of a long history, and opening its pages in a browser.

# shellcheck source=bench/lib.sh
. bench/lib.sh

prepare_site() {
	need_store long 500 2000
}

timed_site() { # NAME
	rm -rf "${work:?}/$1"
	(
		cd "$work/long"
		"$measure" 1 "$rooflog" site --quiet "$work/$1" HEAD~1000
	) 2>"$work/messages" || die "site: $(cat "$work/messages")"
}

# Nothing where there is no browser, or none to steer it with.
site_paints() {
	local name kb middle longest
	command -v node >/dev/null && command -v chromium >/dev/null || return 0
	tests/browser/install.sh "$work" 2>"$work/messages" || return 0
	cat <<TEXT

| page, opened from the disk in Chromium | kB | first paint, ms | longest of five |
|---|---|---|---|
TEXT
	node bench/tools/paint.mjs "$work/site" "$work" | while read -r name kb middle longest; do
		case $name in
		k/*) name='the largest of a kernel' ;;
		c/*) name='the largest of a commit' ;;
		esac
		row "$name" "$kb" "$middle" "$longest"
	done
}

bench_site() {
	local file
	take_turns 3 history timed_site site
	file=$(measured history site)
	cat <<TEXT
## A site

500 series under 1,000 commits: $(find "$work/site" -type f | wc -l) files, $(($(find "$work/site" -type f -printf '%s+')0)) bytes.

| command | CPU ms | from, to | wall ms | peak MiB |
|---|---|---|---|---|
TEXT
	row 'site, into a new folder' "$(cpu_ms "$file")" "$(cpu_range "$file")" "$(wall_ms "$file")" \
		"$(peak_mib "$file")"
	site_paints
}
