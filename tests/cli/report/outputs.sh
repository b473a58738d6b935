#!/bin/bash
# -o and --as: which kind is written where, and that all files are written or none.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository outputs
nights 5
series gemm '1 * e'
measured 0

starts() { # NAME FILE TEXT
	equal "$1" "$(head -c ${#3} "$2")" "$3"
}

# --- the kind: KIND=FILE, --as, the name of the file ---
run report -o night.md -o page.html -o all.json -o rows.csv -o rows.JSONL -o gate.xml -o scan.sarif -o now.prom
equal "by their names: $out$err" "$status" 0
starts "Markdown" night.md '# '
starts "a page" page.html '<!DOCTYPE html>'
equal "the document" "$(jq -r .schema all.json)" rooflog-report/1
starts "a comparison on each line" rows.csv 'series,'
starts "the same as JSON" rows.JSONL '{"'
starts "tests" gate.xml '<?xml'
starts "findings" scan.sarif '{'
starts "values" now.prom '# '
equal "nothing is printed" "$out" ""
run report -o nightly=night -o weekly=week.html -o nightly=night.json
equal "kinds by name: $err" "$status" 0
starts "Markdown unless the name says otherwise" night '# '
starts "a page of the week" week.html '<!DOCTYPE html>'
equal "the night's document" "$(jq 'has("night")' night.json)" true
run report --as nightly -o night.out
starts "--as is for the file" night.out '# '
equal "which is not printed" "$status$out" 0
run report --as weekly -o nightly=night.out
check "or for what is printed: $out" grep -q '^# ' <<<"$out"
run report --as nightly --json
equal "the document of a kind" "$(jq 'has("night")' <<<"$out")" true
run report -o json=-
check "- is standard output" jq -e .schema <<<"$out"
run report -o ./a=b.md
starts "a name with =" a=b.md '# '
run report -o badge=badge.json -o badge=/dev/null
equal "a device takes what it gets: $err" "$status" 0
run report --as csv --as md
check "the last one counts: $out" grep -q '^# ' <<<"$out"

# --- errors, before anything is read ---
none() { # NAME WORDS ARGS...
	local before
	before=$(ls -A)
	refused "$@"
	equal "$1: nothing is written" "$(ls -A)" "$before"
}
rm -rf ./*
none "a name that says nothing" "unknown kind of output for 'out.dat'|hint: -o KIND=out.dat" report -o x.md -o out.dat
none "an unknown kind" "report writes no kind 'nightl'|did you mean 'nightly'" report --as nightl
none "the same before a file" "did you mean 'nightly'?|./nigtly=x.md" report -o nigtly=x.md
none "a kind of others" "report writes no kind 'text'" report -o x.txt
none "no such page" 'comment is not written as HTML: x.html' report -o comment=x.html
none "nor of a format" 'junit is not written as HTML' report -o junit=x.html
none "two names of one file" 'would both write to' report -o x.md -o contract=./x.md
none "no folder" 'x.md' report -o y.md -o nowhere/x.md
none "standard output twice" 'only one document can go to standard output: write the others to files' report -o md=- -o csv=-
none "twice in another way" 'only one document can go to standard output: write the others to files' report -o md=- -o csv=x.csv --as junit
none "which file?" '--as junit applies to one file without KIND=, but 2 were given' report --as junit -o x.md -o y.md
none "no file" 'a file is missing' report -o csv=
none "JSON of what has none" '--json and --as csv cannot be combined' report --as csv --json
none "JSON of a picture" '--json and --as buckets cannot be combined' analyze buckets --as buckets --json
none "a chart without a file" 'no file is for the chart roofline|add -o roofline.svg' chart roofline -o occupancy=x.svg
none "two references" 'comment compares with merge-base, and nightly with window' report -o comment=c.md -o nightly=n.md
none "a template of a format" 'csv takes no --template' report --template ./x.md -o csv=x.csv
none "a kind as an argument" "nothing is called 'weekly'|hint: rooflog report --as weekly" report weekly
none "a kind that is gone" "report writes no kind 'compare'" report --as compare

# --- the gate prints its table in addition ---
rm -rf ./*
run gate
table=$out
run gate -o table.txt -o page.html -o gate.md -o gate.json -o compare=sides.md -o nightly=night.md --against window
equal "files of the gate: $err" "$status" 0
check "the table: $out" grep -q '^pass: 1 of 1 series unchanged' <<<"$out"
equal "the same in a file" "$(cat table.txt)" "$out"
starts "a page" page.html '<!DOCTYPE html>'
starts "two sides" sides.md '## '
equal "the document" "$(jq -r .gate.verdict gate.json)" pass
for words in '--as badge' '--as badge -o junit=x.xml' '-o badge=-' '-o csv=x.csv -o badge=/dev/stdout --as rerun'; do
	# shellcheck disable=SC2086 # a list of words
	run gate $words
	equal "$words" "$(jq -r .label <<<"$out")" rooflog
done
run gate --as md -o report.out
equal "a kind for the file leaves the table: $err" "$out" "$table"
starts "that is the file" report.out '# '
run gate --as text -o rerun=again.jsonl
equal "the table by its name" "$out" "$table"
none "what only reports take" "gate writes no kind 'roofline'" gate -o roofline=x.svg
none "a picture" "unknown kind of output for 'x.svg'" gate -o x.svg
none "a document beside a self-test" '--selftest writes text or json, not csv' gate --selftest -o x.csv
run gate --explain gemm -o x.csv -o why.json
check "an explanation beside others: $out" grep -q '^gemm' <<<"$out"
equal "also as a file" "$(jq '.explained | length' why.json) $(wc -l <x.csv)" "1 2"

# --- two sides ---
run compare HEAD~1 HEAD -o sides.TXT -o sides.md -o sides.json
equal "sides: $out$err" "$status$out" 0
starts "text" sides.TXT 'baseline'
equal "document" "$(jq 'has("compare")' sides.json)" true
run compare HEAD~1 HEAD --as json -o sides.out
equal "--as for a file" "$(jq 'has("compare")' sides.out)" true
run compare HEAD~1 HEAD --as md
check "Markdown: $out" grep -q '^## ' <<<"$out"
none "a page of events" "the events of the run are in its file" compare HEAD~1 HEAD -o x.html

# --- charts: a distribution needs repeats ---
series gemm '1.001 * e'
measured 60
run chart trend -o trend.svg -o distribution=spread.PNG -o trend=trend.pdf
equal "charts: $out" "$status$out" 0
starts "SVG" trend.svg '<svg'
starts "PDF" trend.pdf '%PDF'
check "PNG" grep -q PNG <(head -c 8 spread.PNG)
run chart trend
equal "SVG for a pipe" "$out" "$(cat trend.svg)"
run chart trend -o - -o distribution=again.png
equal "one printed, one written: $err" "$status $out" "0 $(cat trend.svg)"
none "one chart twice on standard output" 'only one document can go to standard output: write the others to files' chart trend -o - -o distribution=-
none "no picture" "unknown kind of output for 'x.dat'" chart trend -o x.dat
none "Markdown of a chart" "chart writes no kind 'md'" chart trend -o x.md
rm -f ./*

# --- all or none ---
ln -s ../elsewhere link.svg
none "a link" 'link.svg' report -o a.md -o b.json -o csv=link.svg
echo mine >a.md
mkdir a-trend.svg
run report --against window -o b.json -o c.csv -o nightly=a.md
equal "one that cannot be written" "$status" 2
equal "keeps the others away" "$(echo *) $(cat a.md)" 'a-trend.svg a.md link.svg mine'
rmdir a-trend.svg
git add a.md
git commit -qm brought
run report -o a.md
check "what a commit brought makes room: $err" grep -q 'git tracks a.md' <<<"$err"
git checkout -q a.md
echo edited >a.md
refused "but not with edits" 'git tracks a.md, and it differs from HEAD' report -o a.md
equal "they stay" "$(cat a.md)" edited
finish
