#!/bin/bash
# A change cannot choose the rules by which it is judged: configuration, acceptances and templates are
# those of the commit that it is compared with, whatever the change does to its own.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# --- a base branch with rules of its own, 30 nights of history, and a change that is 30 % slower ---
export ROOFLOG_STORE=$scratch/base.db
repository base
git branch -q -M main
mkdir -p .rooflog ci elsewhere ours
printf '[gate]\n\tconfirm = false\n[project]\n\tname = ours\n' | tee .rooflog/config >ci/rooflog.config
printf '[gate]\n\tconfirm = false\n\trelative = 1000 %%\n\ttolerance = 1000 %%\n' >ci/lax.config
printf 'the base says {{#gate}}{{verdict}}{{/gate}}\n' >ours/report.mustache
printf 'base index {{#gate}}{{verdict}}{{/gate}}\n' >ours/site-index.html
printf '# nothing yet\n' >.rooflog/accept
git add -f .rooflog/config .rooflog/accept ci ours
commit rules
nights 29 3
git reset -q --hard
series gemm 'e'
series conv 'e'
measured
git update-ref refs/remotes/origin/main HEAD
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
echo >"$scratch/outside.config"
lax=$'[gate]\n\trelative = 1000 %\n\ttolerance = 1000 %\n\tconfirm = false\n'

# Enters a copy of that repository, on a branch of its own.
change() { # NAME
	cp -r "$scratch/base" "$scratch/$1"
	cp "$scratch/base.db" "$scratch/$1.db"
	export ROOFLOG_STORE=$scratch/$1.db
	cd "$scratch/$1" || exit 2
	git checkout -q -b change
}

# Commits what is in the work tree, links and deletions too.
committed() { # [SUBJECT]
	git add -f -A . && git commit -q -m "${1:-change}"
}

# Commits, and measures gemm 30 % slower, under NAME, and conv as ever. The configuration that ingest
# reads is ours, unless ARGS say so: a change may have made its own unreadable.
slower() { # [NAME [ARGS...]]
	commit slower 2026-04-10T09:00:00Z
	printf 'op,gpu,value\n%s,h100-sxm,1.3\nconv,h100-sxm,1.001\n' "${1:-gemm}" |
		sed "/^none,/d" >"$scratch/measurements.csv"
	shift
	[ $# -gt 0 ] || set -- --config "$scratch/outside.config"
	SOURCE_DATE_EPOCH=1772874300 run ingest --commit HEAD --columns kernel=op,device=gpu,time=value:ms \
		"$@" "$scratch/measurements.csv"
	equal "ingest: $err" "$status" 0
	rm "$scratch/measurements.csv"
}

# The gate fails the change, and says about the configuration what is expected.
fails() { # NAME WORDS ARGS...
	local name=$1 words=$2 against
	shift 2
	for against in merge-base merge-base:origin/main nearest window best; do
		run gate --against "$against" "$@"
		equal "$name, $against: status of $out$err" "$status" 1
		check "$name, $against: slower in $out" grep -qE '^. slower +gemm' <<<"$out"
		[ -z "$words" ] || check "$name, $against: \"$words\" in $out" grep -qF -- "$words" <<<"$out"
	done
}
differs='takes effect once it is merged, or with --trust-work-tree'
invalid='that of the work tree is invalid: .rooflog/config is not a readable regular file'

change honest
slower
fails "as it is" ''
check "and nothing is said of a configuration that is the same: $out" [ -z "$(grep configuration <<<"$out")" ]

# --- what a change writes into .rooflog/config ---
attempt() { # NAME TEXT
	change "$1"
	# shellcheck disable=SC2059 # the text is a format
	printf "$2" >.rooflog/config
	committed
	slower
	fails "$1" "${3-$differs}"
}
attempt lax-limits "${lax//%/%%}"
attempt informational '[gate]\n\tconfirm = false\n[rule "all"]\n\trole = context\n'
attempt absolute-limit '[rule "all"]\n\tmetric = total_time\n\tat-most = 3600 s\n'
attempt refined '[gate]\n\tconfirm = false\n[rule "mine"]\n\trefines = default\n\tkernel = gemm\n\trelative = 1000 %%\n\ttolerance = 1000 %%\n'
attempt confirmed '[gate]\n\tconfirm = true\n\tfail-on = regression\n'
attempt runs '[gate]\n\truns = 1000\n\tfail-on = regression\n'
attempt other-kernels '[rule "one"]\n\tkernel = conv\n'
attempt nonsense '[gates]\n\ta = b\n' 'that of the work tree is invalid: .rooflog/config:2: unknown section [gates]'
# What is quoted from it is one line, and text.
change quoted
printf '[gate]\n\tkernal = "a\\n::error::x\\npass: all is well\\n@someone <b>"\n' >.rooflog/config
committed
slower
fails quoted 'that of the work tree is invalid: .rooflog/config:2: [gate] kernal = a ::error::x pass: all is well @someone <b>: unknown key'
run gate --as comment
check "nor does it reach the comment: $out" [ -z "$(grep -E '^::|^pass|@someone|<b>' <<<"$out")" ]
run gate --as github
check "nor the annotations: $out" [ -z "$(grep -E '^::error::x|^pass' <<<"$out")" ]
attempt together '[gate]\n\tconfirm = false\n\ttogether = 1 %%\n\tfail-on = regression\n'
attempt project '[gate]\n\tconfirm = false\n[project]\n\tname = theirs\n\tcharts = https://evil.example/\n'
equal "whose comment it is" "$("$rooflog" gate --as comment | grep -o '<!-- rooflog:[a-z]*')" '<!-- rooflog:ours'
check "no picture of theirs" [ -z "$("$rooflog" gate --as comment --output c.md >/dev/null; grep -h evil c.md)" ]

# What only computes is the base's, too: peaks of devices, formulas of work.
change figures
printf '[gate]\n\tconfirm = false\n[device "h100-sxm"]\n\tbf16 = 1 TFLOP/s\n[work "gemm"]\n\tflops = 1e12\n' \
	>.rooflog/config
committed
slower
fails figures "$differs"
run gate --as md --against merge-base
check "formulas of the change do not reach a report" [ -z "$(grep -i algorithmic <<<"$out")" ]
run gate --as md --against merge-base --trust-work-tree
check "though they would: $out" grep -qi algorithmic <<<"$out"
# What the configuration of the change calls the tool does not count either: the series stays as it is.
change tool-class
printf '[gate]\n\tconfirm = false\n[tool "table"]\n\tas = other\n' >.rooflog/config
committed
slower gemm --quiet
for against in merge-base nearest; do
	verdict "another tool class, $against" 1 '1 slower' --against $against
done

# --- acceptances ---
line='gemm | total_time | 9 ms | never | me | because I say so'
change accepted
echo "$line" >>.rooflog/accept
committed
slower
fails "an acceptance of the change" ''
change accepted-first
echo "$line" >>.rooflog/accept
committed
commit between
slower
fails "an acceptance two commits before" ''
change accepted-here
slower
echo "$line" >>.rooflog/accept
fails "an acceptance of the work tree" ''

# --- the file is not a file any more ---
change deleted
git rm -q .rooflog/config
committed
slower
fails deleted 'has none, which takes effect once it is merged'
change renamed
git mv .rooflog/config .rooflog/config.old
committed
slower
fails renamed 'has none'
change directory
rm .rooflog/config && mkdir .rooflog/config && echo x >.rooflog/config/x
committed
slower
fails directory "$invalid"
change link
ln -sf ../ci/lax.config .rooflog/config
committed
slower
fails link "$invalid"
change link-outside
ln -sf /dev/zero .rooflog/config
committed
slower
fails link-outside "$invalid"
change pipe
slower
rm .rooflog/config && mkfifo .rooflog/config
fails "a pipe in the work tree" "$invalid"
change folder-is-a-file
git rm -q -r .rooflog && echo x >.rooflog
committed
slower
fails folder-is-a-file 'has none'
change folder-is-a-link
git mv .rooflog old && printf %s "$lax" >elsewhere/config && ln -s elsewhere .rooflog
committed
slower
fails folder-is-a-link "$invalid"
change folder-is-a-submodule
git rm -q -r .rooflog
git -c protocol.file.allow=always submodule --quiet add "$scratch/base/.git" .rooflog >/dev/null 2>&1
committed
slower
fails folder-is-a-submodule 'has none'

# --- the folder that the job works in becomes a submodule with a history of its own ---
git init -q -b main "$scratch/lax"
(
	cd "$scratch/lax" || exit 2
	mkdir .rooflog
	printf '[gate]\n\tfail-on = none\n[rule "x"]\n\tfail-on = none\n\tmetric = total_time\n\tat-most = 1 s\n' \
		>.rooflog/config
	git add -A
	commit lax
)
change within-a-submodule
git -c protocol.file.allow=always submodule --quiet add "$scratch/lax" bench >/dev/null 2>&1
git add -A
committed
cd bench || exit 2
git commit -q --allow-empty -m b
slower
words='this is a submodule of|run the gate in that repository|GIT_DIR='
for against in merge-base nearest window best; do
	refused "a submodule, $against" "$words" gate --against "$against"
done
run report --as comment
check "a comment on it: $out" grep -qF 'Nothing could be compared' <<<"$out"
check "and why: $err" grep -qF 'this is a submodule of' <<<"$err"
GIT_DIR=$(git rev-parse --absolute-git-dir) run gate
equal "a submodule that the caller names: $err" "$status" 0
run gate --trust-work-tree
equal "a submodule to try out: $err" "$status" 0
run log
equal "what judges nothing is not refused: $err" "$status" 0
cd .. || exit 2

# --- a file of ours in the work tree: --config and --template ---
change named
printf %s "$lax" >ci/rooflog.config
printf 'theirs {{#gate}}pass{{/gate}}\n' >ours/report.mustache
committed
slower
fails named "$differs" --config ci/rooflog.config
fails named-otherwise "$differs" --config ./ci/../ci//rooflog.config
fails named-absolutely "$differs" --config "$PWD/ci/rooflog.config"
ln -s "$PWD" "$scratch/way"
fails named-by-a-link "$differs" --config "$scratch/way/ci/rooflog.config"
cd ours || exit 2
fails named-from-below "$differs" --config ../ci/rooflog.config
cd .. || exit 2
run report --template ours/report.mustache
equal "a template of the base: $err" "$out" 'the base says regression'
check "and this is said: $err" grep -qF 'ours/report.mustache' <<<"$err"
run report --template ours/report.mustache --trust-work-tree
equal "a template of the work tree, when asked for: $err" "$out" 'theirs pass'
change named-link
ln -sf lax.config ci/rooflog.config
ln -sf /etc/passwd ours/report.mustache
committed
slower
fails named-link "is not a readable regular file" --config ci/rooflog.config
run report --template ours/report.mustache
equal "a template that became a link: $err" "$out" 'the base says regression'
change named-folder-link
git mv ci there && ln -s there ci && cp there/lax.config there/rooflog.config
committed
slower
fails named-folder-link "is not a readable regular file" --config ci/rooflog.config
ln -s "$PWD/ci/rooflog.config" "$scratch/outer.config"
refused "a link from outside into the work tree" 'is a link into the work tree' gate --config "$scratch/outer.config"
refused "no such file, here or there" 'ci/none.config' gate --config ci/none.config
change named-new
printf %s "$lax" >ci/new.config
committed
slower
run gate --exit-code --config ci/new.config
check "a file that the base does not have: $out" grep -qF 'built-in defaults, because' <<<"$out"
equal "is not used" "$status" 3
printf %s "$lax" >"$scratch/lax.config"
verdict "a file outside of the work tree is the caller's word" 0 '2 unchanged' --config "$scratch/lax.config"
refused "a template that the base does not have" 'ours/new.mustache' report --template ours/new.mustache
change named-site
echo theirs >ours/site-index.html
committed
slower
run site "$scratch/pages" --templates ours
equal "pages of the base: $err" "$(cat "$scratch/pages/index.html")" 'base index regression'

# --- which commit is the base? ---
# A branch or a tag that is called like what the main branch is looked for by.
for name in heads/origin/HEAD heads/origin/main heads/origin/master tags/origin/main tags/origin/HEAD tags/main heads/refs/remotes/origin/main; do
	change "called-${name//\//-}"
	printf %s "$lax" >.rooflog/config
	echo "$line" >>.rooflog/accept
	committed
	slower
	git update-ref "refs/$name" HEAD
	fails "$name" "$differs"
done
# A branch called HEAD that was pushed, and comes with all others: the real origin/HEAD is symbolic.
change pushed-head
printf %s "$lax" >.rooflog/config
echo "$line" >>.rooflog/accept
committed
slower
git symbolic-ref --delete refs/remotes/origin/HEAD
git update-ref refs/remotes/origin/HEAD HEAD
fails pushed-head "$differs"
git pack-refs --all
fails pushed-head-packed "$differs"
# A history of its own has no common commit with the main branch: the main branch's rules count.
change orphan
git checkout -q --orphan alone
printf %s "$lax" >.rooflog/config
printf '[gate]\n\tfail-on = none\n' >>.rooflog/config
committed
slower
run gate
check "an orphan is not let off, but compared with the main branch's tip: $status $out$err" [ "$status" = 1 ]
# A commit that was merged, but never was what the branch pointed to: its rules were never the branch's.
change through-a-merge
printf %s "$lax" >.rooflog/config
committed 'lax'
lax_commit=$(git rev-parse HEAD)
git revert --no-edit HEAD >/dev/null
git checkout -q main
git merge -q --no-ff -m 'merge' change
git update-ref refs/remotes/origin/main HEAD
git checkout -q -b next "$lax_commit"
slower
for against in merge-base nearest; do
	run gate --against $against
	equal "a base within a merged branch, $against: $out$err" "$status" 1
done
# Attributes, mailmap and replacements are the change's or the clone's, and change nothing.
change attributes
printf %s "$lax" >.rooflog/config
printf '* text eol=crlf ident export-subst\n.rooflog/config filter=x\n' >.gitattributes
echo 'a <a@example.org> <b@example.org>' >.mailmap
committed
slower
git replace -f "$(git rev-parse origin/main:.rooflog/config)" "$(git rev-parse HEAD:.rooflog/config)"
git replace -f "$(git rev-parse origin/main)" "$(git rev-parse HEAD~1)"
fails attributes "$differs"
# A shallow clone does not show the common commit: then it is the tip of the main branch whose rules count.
change long
printf %s "$lax" >.rooflog/config
committed
for ((i = 0; i < 12; i++)); do commit "step $i"; done
slower
git init -q "$scratch/short"
cd "$scratch/short" || exit 2
git fetch -q --depth 5 "file://$scratch/long" '+refs/heads/change:refs/heads/change' '+refs/heads/main:refs/remotes/origin/main'
git checkout -q change
run gate
equal "a cut history: $out$err" "$status" 1
check "says so: $out" grep -qF "$differs" <<<"$out"

# --- what no rule can see: the work itself ---
change renamed-kernel
slower gemm2
verdict "a kernel under a new name: the old one is missing" 5 '1 missing'
change not-measured
slower none
verdict "a profile that is not there" 5 '1 missing'

# --- every output says whose rules decided ---
change told
printf %s "$lax" >.rooflog/config
committed
slower
told=".rooflog/config of $(git rev-parse --short=10 origin/main); that of $(git rev-parse --short=10 HEAD) $differs"
says() { # NAME ARGS...
	run "${@:2}"
	check "$1 says so: $out$err" grep -qF -- "${told//-/}" < <(tr -d '\\-' <<<"$out$err" | tr '\n' ' ' | tr -s ' ')
}
for format in text md html json comment summary github junit sarif csv jsonl gitlab openmetrics badge; do
	says "gate --as $format" gate --as $format
done
says "the explanation" gate --explain gemm
says "the explanation as JSON" gate --explain gemm --json
says "the self-test" gate --selftest
says "the self-test as JSON" gate --selftest --json
says "the list of what to measure again" gate -o rerun=-
for kind in report comment summary 'nightly --against window' 'weekly --against window' csv \
	'html --against window'; do
	# shellcheck disable=SC2086 # a list of words
	says "report --as $kind" report --as $kind
done
for format in text md json; do
	says "compare --as $format" compare HEAD~2 HEAD --as $format
done
says "a chart" chart trend --output trend.svg
run site "$scratch/told-pages"
check "the site says so: $err $(grep -i config "$scratch/told-pages/index.html")" grep -qF "$told" "$scratch/told-pages/index.html"
run gate --json
equal "as data" "$(jq -c '.gate.configuration | [.source, .path, .commit, .found, .differs, .text != null]' <<<"$out")" \
	"[\"commit\",\".rooflog/config\",\"$(git rev-parse origin/main)\",true,true,true]"
run gate --json --trust-work-tree
equal "as data, when the work tree is trusted" "$(jq -c '.gate.configuration | [.source, .commit, .found, .differs]' <<<"$out")" \
	'["work-tree",null,true,false]'
run gate --json --config "$scratch/lax.config"
equal "as data, of a file" "$(jq -c '.gate.configuration | [.source, .path, .commit, .text]' <<<"$out")" \
	"[\"file\",\"$scratch/lax.config\",null,null]"

# --- somebody new edits the configuration, and asks at once ---
repository fresh
export ROOFLOG_STORE=$scratch/fresh.db
run init
check "init says what to do with it: $err" grep -qF 'commit it' <<<"$err"
commit second 2026-03-02T09:00:00Z
series gemm 'i == 1 ? 1 : 1.02'
measured
printf '[gate]\n\tfail-on = undecided\n' >.rooflog/config
verdict "an edit that is not committed" 3 'configuration: the built-in defaults, because'
check "when it counts: $out" grep -qF 'that of the work tree takes effect once it is committed, for the commits after that, or with --trust-work-tree' <<<"$out"
run gate
equal "before it counts" "$status" 0
run gate --trust-work-tree
equal "is tried out: $out" "$status" 1
git add .rooflog/config && git commit -q --amend -m second
SOURCE_DATE_EPOCH=1772874300 run ingest --commit HEAD --columns kernel=op,device=gpu,time=value:ms <(printf 'op,gpu,value\ngemm,h100-sxm,1.02\n')
verdict "the commit that brings it" 3 "that of $(git rev-parse --short=10 HEAD) takes effect for the commits after it"
commit third 2026-03-03T09:00:00Z
series gemm '1.03' 3
measured 9
run gate
equal "the commits after it: $out" "$status" 1
check "have nothing to be said: $out" [ -z "$(grep configuration <<<"$out")" ]

# --- --trust-work-tree, and what is merged ---
change trusting
printf %s "$lax" >.rooflog/config
slower
verdict "the work tree's, when asked for" 0 '2 unchanged' --trust-work-tree
check "which is said: $out" grep -qF '(--trust-work-tree)' <<<"$out"
printf '[gate]\n\tconfirm = false\n' >.rooflog/config
echo "$line" >>.rooflog/accept
verdict "its acceptances, too" 0 '1 slower (accepted)' --trust-work-tree
git checkout -q .rooflog/accept
printf %s "$lax" >.rooflog/config
committed
slower
git checkout -q main && git merge -q --ff-only change
verdict "what is on a local branch only is not merged" 1 "$differs" --against window
git update-ref refs/remotes/origin/main HEAD
verdict "what is merged counts for the night" 0 '2 unchanged' --against window
# --- a repository that cannot be opened has no say, and neither has what lies beside it ---
change unopened
mkdir -p theirs
printf %s "$lax" | tee theirs/rooflog.config >.rooflog/config
echo 'theirs' >theirs/report.mustache
committed
slower
head=$(git rev-parse HEAD)
unopened() { # NAME: the gate fails and says why, whatever it is told
	local name=$1 options
	for options in '' '--config theirs/rooflog.config' '--against window' '--against best'; do
		# shellcheck disable=SC2086 # a list of words
		run gate $options "$head"
		equal "$name, $options: status of $out$err" "$status" 2
		check "$name, $options: what to do, in $err" grep -qF 'make the repository accessible to git (owner, safe.directory), or' <<<"$err"
	done
	# The way of a report with a template, whose file is refused as well.
	run report --template theirs/report.mustache "$head"
	equal "$name: status of a report, $out$err" "$status" 2
	check "$name: nothing of theirs in $out" [ -z "$(grep theirs <<<"$out")" ]
}
if [ "$(id -u)" = 0 ]; then
	chown -R 12345 .
	unopened "a repository of somebody else"
	check "which git would not open, in $err" grep -qiE 'owner|safe.directory' <<<"$err"
	chown -R 0 .
fi
mv .git/HEAD "$scratch/HEAD"
unopened "a repository that is broken"
verdict "a work tree that is trusted all the same" 0 'unchanged' --trust-work-tree --config theirs/rooflog.config "$head"
mv "$scratch/HEAD" .git/HEAD
verdict "the same repository when it opens" 1 "1 slower" "$head"
# Without any repository the store knows the configuration of the base.
repository with-rules
git branch -q -M main
mkdir .rooflog
printf '[gate]\n\tconfirm = false\n\trelative = 50 %%\n' >.rooflog/config
git add -f .rooflog && commit rules
nights 12 3
export ROOFLOG_STORE=$scratch/with-rules.db
series gemm 'i > 13 ? 1.2 : e'
measured
head=$(git rev-parse HEAD)
verdict "in its repository" 0 unchanged "$head"
mkdir "$scratch/nowhere" && cd "$scratch/nowhere" || exit 2
verdict "outside of any repository" 0 unchanged "$head"

# --- --trust-work-tree holds where there is nothing to compare with ---
change trusted-cut
printf '[project]\n\tname = theirs\n' >.rooflog/config
echo 'project of theirs' >ours/new.mustache
committed
slower
run report --against merge-base:nowhere --trust-work-tree --template ours/new.mustache
equal "a template of the work tree: $err" "$out" 'project of theirs'
run report --against merge-base:nowhere --template ours/new.mustache
equal "and not without: $err" "$status" 2

# --- a file that the work tree lacks is not one that differs ---
change template-gone
git rm -q ours/report.mustache
committed
slower
run report --template ours/report.mustache
equal "the base's template" "$out" 'the base says regression'
check "the work tree has none, in $err" grep -qF 'the work tree has none, which applies' <<<"$err"
finish
