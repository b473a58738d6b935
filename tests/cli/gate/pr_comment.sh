#!/bin/bash
# The comment on a pull request: what it says in its first line, golden files of it and of the job's
# summary, its pictures, its marker, its empty states, a template of the user's own, hostile names.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
golden=$root/tests/golden/comment

# The file as it is here, and nothing in it that only a machine of today knows.
golden() { # FILE
	if [ -n "${GOLDEN_UPDATE:-}" ]; then
		mkdir -p "$golden" && sed 's/<sub>rooflog [0-9][0-9.]*/<sub>rooflog VERSION/' "$1" >"$golden/$1"
	fi
	sed 's/<sub>rooflog [0-9][0-9.]*/<sub>rooflog VERSION/' "$1" >.shown
	check "$1" diff -u "$golden/$1" .shown
}

first_line() { # NAME FILE EXPECTED
	equal "$1" "$(head -n 1 "$2")" "$3"
}

# --- a pull request of one commit, on a branch two commits behind its last data ---
repository pull
git branch -M main
nights 29
series mlp '100 * e'
series conv '50 * e'
series attention '20 * e'
series gone '10 * e'
series '"<script>x</script> @someone #12 a|b`c"' '5 * e'
measured
git reset -q --hard
nights 2 31
git checkout -q -b feature
GIT_COMMITTER_DATE=2026-04-03T09:00:00Z commit 'Fuse | the norm for @reviewer, see #7' 2026-04-03T09:00:00Z
for minutes in 1 60; do # another session, and so another measurement
	series mlp "(107.3 + $minutes / 100) * e" 33
	series conv "(45 + $minutes / 100) * e" 33
	series attention "(20 + $minutes / 1000) * e" 33
	series fresh "(10 + $minutes / 1000) * e" 33
	series '"<script>x</script> @someone #12 a|b`c"' "(5.6 + $minutes / 1000) * e" 33
	measured $minutes
done
run gate --against merge-base -o comment=comment.md -o summary=summary.md
equal "its status is the gate's: $err" "$status" 1
golden comment.md
golden summary.md
first_line "the answer" comment.md '### ❌ 2 of 6 series slower, confirmed: \<script\>x\</script\> @&#8203;someone #&#8203;12 a\|b\`c +12.8 % (4.99 → 5.63 ms)'
check "what to do" grep -qF '**To merge:** fix them or accept them (rooflog accept SERIES).' comment.md
equal "the marker" "$(tail -n 1 comment.md)" "<!-- rooflog:default:$(git rev-parse HEAD) -->"

"$rooflog" report --as comment --output report.md
check "the report is the gate's" cmp comment.md report.md

# --- whose it is ---
run report -c project.name=kernels/trn2 --as comment
check "a project in the marker" grep -qF "<!-- rooflog:kernels/trn2:$(git rev-parse HEAD) -->" <<<"$out"
configure '[project]\n\tname = from-config\n'
run gate --against merge-base --as comment
check "from the configuration" grep -qF '<!-- rooflog:from-config:' <<<"$out"
run gate -c project.name=own --against merge-base --as comment
check "the option wins" grep -qF '<!-- rooflog:own:' <<<"$out"
for name in 'a--b' '-->' 'a b' '' 'a-'; do
	refused "project \"$name\"" '-c project.name=|expected a name' report --as comment -c project.name="$name"
done
for url in 'x.org' 'javascript:a' 'https://x"onload=' 'https://x y' 'https://<x'; do
	refused "URL \"$url\"" '-c project.charts=|expected a URL' gate -c project.charts="$url"
done
configure '[project]\n\tcharts = nowhere\n'
refused "URL in the configuration" 'config:2|expected a URL' gate
configure '[project]\n\tcolour = red\n'
refused "unknown key" 'config:2|available: name, url, site, charts, releases, language' gate
configured=()

# --- a template of the user's own ---
printf '{{#gate}}{{verdict}} {{shown.bad.count}}{{#shown.bad.comparisons}} {{change_text}}{{/shown.bad.comparisons}}\n{{/gate}}' >"$scratch/own.md"
run report --as comment --template "$scratch/own.md"
equal "a template of one's own: $err" "$out" "regression 3 +12.82 % +8.23 % unknown"

# --- links: to the site and to the repository where both are known, else none ---
run gate --against merge-base --as comment
equal "no address, no link: $out" "$(grep -c '](' <<<"$out")" 0
run gate --against merge-base --as comment -c project.site=https://perf.example/kernels -c project.url=https://github.com/ada/kernels
check "a series has its page: $out" grep -qE \
	'^\| ❌ \[mlp\]\(https://perf\.example/kernels/k/mlp-[0-9a-f]{10}\.html#s[0-9a-f]{10}\) \|' <<<"$out"
check "a commit has its page" grep -qE '^\[[0-9a-f]{10}\]\(https://github\.com/ada/kernels/commit/[0-9a-f]{40}\) vs\. \[' <<<"$out"
check "both have their comparison" grep -qE '\[full comparison\]\(https://perf\.example/kernels/compare\.html#[0-9a-f]{10}\.\.[0-9a-f]{10}\)$' <<<"$out"

# --- nothing compared ---
repository empty
series mlp '100 * e'
measured
run gate --exit-code --as comment
equal "no baseline: status" "$status" 4
check "nothing compared: $out" grep -qF '### 🆕 Baseline recorded: 1 series, nothing to compare with yet' <<<"$out"
run report --as comment --against nearest --output -
equal "a report says it as well: $err" "$status" 0
check "nothing compared: $out" grep -qF '### 🆕 Baseline recorded: 1 series, nothing to compare with yet' <<<"$out"
check "which fails nothing" grep -q 'This does not fail the check\.$' <<<"$out"
check "with its series" grep -q '^| mlp | .* ms | unknown |' <<<"$out"

# A limit is judged without any baseline.
mkdir -p .rooflog
configure '[rule "x"]\n\tmetric = total_time\n\tat-most = 1 s\n'
run gate --as comment
equal "a limit: $err" "$status" 0
check "is against what was asked for: $out" grep -q ' vs. nearest measured ancestor · 1 unchanged (within limit)$' <<<"$out"

# --- the comment says what the gate failed for: the new series, not the one that is undecided ---
lists='[.gate.shown.bad.comparisons[].kernel], [.gate.shown.folded[].name]'
repository treated
git branch -M main
series mlp '100 * e'
nights 3
series mlp '100 * e' 2
measured
git reset -q --hard
nights 1 31
series mlp '102 * e' 5
series fresh '10 * e' 5
measured
run report --as comment --against nearest --json
equal "as a rule it is folded: $err" "$(jq -c "$lists" <<<"$out" | paste -sd' ')" '[] ["undecided","new"]'
run gate --fail-on default,new --as comment
equal "a new series fails: $err" "$status" 1
first_line "and is said to" "$scratch/.out" '### ❌ 1 of 2 series new: fresh'
check "and why" grep -qF '**To merge:** the verdict "new" fails here (--fail-on, or fail-on in the configuration).' <<<"$out"
mkdir -p .rooflog
configure '[gate]\n\tfail-on = new\n'
run report --as comment --against nearest --json
equal "and is never folded: $err" "$(jq -c "$lists" <<<"$out" | paste -sd' ')" '["fresh"] ["undecided"]'
configured=()

# --- a baseline that is no ancestor: how far back it is, nobody knows ---
git checkout -q -b other HEAD~2
commit otherside 2026-06-03T09:00:00Z
series mlp '101 * e' 4
measured 50
run gate --against main --as comment
check "its age in days alone: $out" grep -qF 'The baseline is 64 days old. Everything' <<<"$out"
run report --against main
check "no empty age of the gate's: $out" grep -qE '^- Baseline \(main .*\): .*[0-9]Z$' <<<"$out"
check "nor of the run's: $out" grep -qE '^- Compared with: [^,]* \(main .*\)$' <<<"$out"
run report --against main --as html
equal "nor on a page: $err" "$(grep -cE ', *(</small>|</p>)' <<<"$out")" 0

# --- in a window a suspect waits, and so keeps nothing from passing ---
repository window
nights 29
series waits 'e * (i == 30 ? 1.4 : 1)'
series quiet e
measured
run gate --against window --as comment
equal "a suspect waits: $err" "$status" 0
run report --as comment --against window --json
equal "and is folded" "$(jq -c "$lists" <<<"$out" | paste -sd' ')" '[] ["suspect","unchanged"]'

# --- what fails is never folded, and the advice is for that ---
repository together
nights 19
for kernel in a b c d e f g; do series $kernel '(i >= 20 ? 1.2 : 1) * e'; done
series x '1 * e'
series y '(i % 5) * e + 1'
measured
lists='[.gate.shown.bad.comparisons[].kernel] | sort | join("")), (.gate.shown.folded | map(.name) | join(",")'
listed() { # NAME EXPECTED FAIL-ON ARGS...
	configure "[gate]\nfail-on = $3\n"
	run report --as comment --json "${@:4}"
	equal "$1: $err" "$(jq -r "($lists)" <<<"$out" | paste -sd' ')" "$2"
}
listed "environment fails" "abcdefg undecided,unchanged" environment --against nearest
listed "undecided, too" "abcdefgy unchanged" undecided,environment --against nearest
listed "undecided is both" "abcdefgy unchanged" undecided --against nearest
equal "the advice is for what fails" "$(jq -r .gate.shown.action <<<"$out")" \
	're-measure the baseline.'
listed "nothing" " environment,undecided,unchanged" none --against nearest
git reset -q --hard
series z '1 * e' 1 18
measured 1
listed "stale" "z environment,undecided,unchanged" stale --against window
equal "its advice" "$(jq -r .gate.shown.action <<<"$out")" \
	'measure the series that stopped, or retire them: rooflog accept SERIES --retired.'
configured=()

# --- pictures, or bars: the fifth step of the samples is slower ---
ROOFLOG=$rooflog sh "$root/samples/history.sh" "$scratch/pictures" 1 5 >/dev/null 2>&1
cd "$scratch/pictures" || exit 2
configure '[gate]\n\tnoise = 1 %%\n\tconfirm = false\n'
run gate -o comment=bars.md --as text
check "engines with bars: $(cat bars.md)" grep -qF 'attention fused, b=1, d=128, h=1, s=512, bf16' bars.md
check "a bar" grep -q '█' bars.md
equal "bars, and no picture beside them" "$(find . -name 'bars-*')" ''
run report --as weekly --output plain.md
equal "a report that shows no picture writes none" "$(find . -name 'plain-*')" ''
run gate -o 'comment=my comment.md' -c project.charts=https://example.org/a
for chart in trend timeline; do
	check "$chart by link: $(cat 'my comment.md')" grep -qF \
		"srcset=\"https://example.org/a/my%20comment-$chart-dark.svg\"><img alt=" 'my comment.md'
	check "$chart is there" test -s "my comment-$chart.svg" -a -s "my comment-$chart-dark.svg"
done
check "a trend for phones" grep -qF '<source media="(max-width: 600px)" srcset="https://example.org/a/my%20comment-trend-narrow.svg">' 'my comment.md'
check "which is narrow" grep -q '<svg [^>]*width="400"' 'my comment-trend-narrow.svg'
equal "no other picture" "$(find . -name 'my comment-*' | grep -cv 'trend\|timeline')" 0
check "no bars beside pictures" test -z "$(grep -F '<summary>Engines' 'my comment.md')"

# --- profiles over some nights, of which the last is slower ---
ROOFLOG=$rooflog sh "$root/samples/history.sh" "$scratch/nights" 1 4 >/dev/null 2>&1
cd "$scratch/nights" || exit 2
for minute in {10..29}; do
	GIT_COMMITTER_DATE="2026-03-04T10:$minute:00+0000" git commit -q --allow-empty -m "At $minute"
	run ingest --commit HEAD \
		"$root/samples/history/04/attention-s512/repeat-$((minute % 2 + 2)).json.gz"
done
ROOFLOG=$rooflog sh "$root/samples/history.sh" "$scratch/nights" 5 5 >/dev/null 2>&1
configure '[gate]\n\tnoise = 1 %%\n\tconfirm = false\n'
run report --as nightly --output night.md
check "why it turned bad: $(cat night.md)" grep -q '^| ▲ attention.*DMA active +' night.md
check "at which commit" grep -q '^| ▲ attention.* [0-9a-f]\{10\}, this commit | ' night.md
run report --as weekly --output week.md
check "no level of its own yet: $(cat week.md)" grep -qx '# 1 new regression at the latest commit' week.md
check "nothing is older" bash -c '! grep -q "Open for longer" week.md'
for kind in nightly weekly; do
	refused "$kind of one step" "reports changes between commits and needs --against window" report --as $kind --against nearest
done
finish
