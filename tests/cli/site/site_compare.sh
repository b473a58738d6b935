#!/bin/bash
# The site's page that compares two commits: its numbers are those of `rooflog compare A B`, on an
# invented history and on a real one, its files stay small, and it does in a browser what people do.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# Writes the comparison of two commits of the repository, counted from the first, into NAME.
compare() { # FROM TO NAME
	local all
	mapfile -t all < <(git rev-list --first-parent --reverse HEAD)
	run compare "${all[$1]}" "${all[$2]}" --json
	echo "$out" >"$3"
	check "$3 is a comparison: $err" grep -q '"compare"' "$3"
}

repository site
nights 59
series steady '10 * e'
series slower '(i < 30 ? 1 : 1.2) * e'
series faster '(i < 30 ? 2 : 1.7) * e'
series twice '(i < 20 ? 1 : i < 40 ? 1.5 : 1.1) * e'
series noisy '3 * (1 + (e - 1) * 12)'
series small '(i < 45 ? 1 : 1.02) * e'
series unvaried '(i < 30 ? 4 : 5)'
series modes '(i % 3 ? 2 : 2.4) * e'
series gaps 'i % 4 ? "" : 7 * e'
series fresh '5 * e' 52
series stopped '4 * e' 1 35
GPU=a100 series other '5 * e' 10
# shellcheck disable=SC2016 # backquotes are meant
hostile='"<script>window.hacked=1</script>|`x` & ""y""'$'\u202e''"'
series hostile '(i < 30 ? 3 : 4) * e'
sed -i -e '/,gaps,.*,$/d' -e "s#,hostile,#,${hostile//&/\\&},#" "$scratch/measurements.csv"
measured 0
run site pages
equal "status: $err" "$status" 0
check "what was measured once is in one file" test -e pages/data/v-0.js -a ! -e pages/data/v-1.js
check "hostile names are text" test -z "$(grep -F '<script>window' pages/compare.html)"
check "commits are compared with the one before" grep -q 'compare.html#[0-9a-f]\{10\}\.\.[0-9a-f]\{10\}"' \
	"pages/c/$(git rev-parse HEAD).html"

command -v node >/dev/null || {
	echo "skipped: no node"
	finish
}
compare 25 28 steady.json
compare 18 35 step.json
compare 26 55 far.json
compare 36 58 back.json
compare 58 59 newest.json
check "the page's numbers are the program's" node "$root/tests/browser/agreement.mjs" pages 0 steady.json step.json far.json back.json newest.json

check "every link leads somewhere" node "$root/tests/browser/links.mjs" pages
cp -r pages "$scratch/pages"

# The values of many series take several files, none of them large.
commit again 2026-05-01T09:00:00Z
for at in {0..30}; do
	seq 1200 | sed "s/.*/$(git rev-parse "HEAD~$at"),many&,&/"
done >rows
sed -i '1i commit,op,value' rows
run ingest --history --columns commit,kernel=op,time=value:ms --set device=h100-sxm rows
equal "many series: $err" "$status" 0
run site many
check "the values are in several files" test -e many/data/v-1.js
check "none is large: $(wc -c many/data/v-*.js)" test -z "$(find many/data -name 'v-*.js' -size +500k)"

# A real history, replayed into a repository with a commit for each of its commits.
if [ -e "$root/../shared/data" ]; then
	cd "$root" || exit 2
	python3 bench/verdicts/replay.py --rooflog "$rooflog" --history tensordict --last 1 --work "$scratch" \
		--json "$scratch/figures.json" >"$scratch/said"
	check "a real history is replayed: $(tail -n 3 "$scratch/said")" test -d "$scratch/tensordict"
	cd "$scratch/tensordict" || exit 2
	count=$(git rev-list --count HEAD)
	for from in 20 30 40; do compare "$from" $((from + 10)) "real$from.json"; done
	compare $((count - 12)) $((count - 1)) newest.json
	run site pages
	equal "its site: $err" "$status" 0
	check "its numbers are the program's" node "$root/tests/browser/agreement.mjs" pages 0.05 real*.json newest.json
else
	echo "skipped: no ../shared/data"
fi

# --- in a browser ---

browsers
cd "$scratch" || exit 2
check "the page in a browser" node "$root/tests/browser/compare.mjs" pages "$modules"
check "the page for everyone" node "$root/tests/browser/audit.mjs" "$modules" pages/compare.html
finish
