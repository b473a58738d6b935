#!/bin/bash
# Pages of reports, nights and weeks, and a comment as HTML, of names without blanks: pictures are drawn for wide and
# for narrow screens, and in real browsers nothing is small or hidden sideways.
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

long=$(printf 'long_name_%.0s' {1..14})
repository pages
cp -r "$root/samples/attention/fused-s512" kept
sed "s/\"attention\"/\"$long\"/" kept/params.json >params.json && mv params.json kept
printf '*\n' >.git/info/exclude
"$rooflog" init >/dev/null 2>&1
nights 24
commit "$long$long" 2026-03-26T09:00:00Z
nights 6 27
commit "$long$long" 2026-04-02T09:00:00Z
series "$long" 'e * (i > 31 ? 1.3 : 1)'
series "early_$long" 'e * (i > 25 ? 1.3 : 1)'
series "steady_$long" e
series "gone_$long" e 1 20
measured 0
run ingest kept
equal "ingest: $err" "$status" 0
for kind in report nightly weekly; do
	since=()
	[ $kind != weekly ] || since=(--since 2026-03-20)
	run report --as "$kind" --against window "${since[@]}" -o "$scratch/$kind.html"
	equal "$kind: $err" "$status" 0
done

equal 'a wide and a narrow picture each' "$(grep -oE '<svg [^>]* width="[0-9]+"' "$scratch/report.html" |
	grep -oE '[0-9]+"$' | sort | uniq -c | tr -s ' \n' ' ')" ' 2 346" 2 820" '
check 'in the colors of the page' bash -c "! grep -q '=\"#' '$scratch/report.html'"
browsers
check 'pages for everyone' node "$root/tests/browser/audit.mjs" "$modules" "$scratch"/{report,nightly,weekly}.html
finish
