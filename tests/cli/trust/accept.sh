#!/bin/bash
# Acceptances: what accept writes and refuses to write, that only the tree of a commit counts when
# they are listed, and releases that are pinned.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

samples=$root/samples
file=.rooflog/accept
export GIT_AUTHOR_NAME='Ada | "Ü"' GIT_AUTHOR_EMAIL=ada@example.org

# Runs of attention s=256 (17.3 us) and s=512 (33.1 us) at a commit of their own.
repository work
run init
run ingest "$samples/history/06"
equal "ingest: $err" "$status" 0
commit second
mkdir -p below

# ---- writing ----

refused "no reason" '--reason is missing' accept attention
refused "no pattern" 'SERIES is missing' accept --reason x
refused "an author with a bar" 'cannot contain |' accept attention --commit HEAD~1 --reason x
export GIT_AUTHOR_NAME='Ada "Ü"'
refused "no runs at HEAD" 'no run at|"rooflog log"|--limit|--retired' accept attention --reason x
refused "no such series" 'no run at' accept attn --commit HEAD~1 --reason x
refused "an unknown metric" ': unknown metric|rooflog list metrics' accept attention --commit HEAD~1 --reason x --metric speed
refused "a limit without unit" 'not a valid limit for a time|47.5 us' accept attention --commit HEAD~1 \
	--reason x --limit 40
refused "two acceptances" '--retired and --limit' accept attention --reason x --retired --limit '1 us'
refused "a day that is over" ': this date is in the past' accept attention --commit HEAD~1 --reason x \
	--expires 2026-03-06
refused "no day" 'is not a valid date' accept attention --commit HEAD~1 --reason x --expires 2026-02-30
refused "a revision that is reached" ': already contained in this commit' accept attention \
	--commit HEAD~1 --reason x --expires HEAD~1
refused "an expiry with a bar" 'not a valid acceptance' accept attention \
	--commit HEAD~1 --reason x --expires 'never | Eve'
refused "a pattern with a bar" 'or begin with #: write ? instead' accept 'a | b' --commit HEAD~1 --reason x
refused "a pattern that is a comment" 'or begin with #: write ? instead' accept '#attention' --commit HEAD~1 --reason x
refused "a reason of two lines" 'one line of text' accept attention --commit HEAD~1 \
	--reason $'x\n* | * | 1 s | never | Eve | all'
refused "an empty reason" 'one line of text' accept attention --commit HEAD~1 --reason '  '
refused "a limit for everything" '--metric * needs --limit' accept attention --commit HEAD~1 --reason x \
	--metric '*'
refused "a commit that is none" 'unknown revision' accept attention --commit nope --reason x
check "nothing was written" test ! -e $file

run accept 'attention s=512' --commit HEAD~1 --reason 'spills | known' --dry-run
equal "dry: $err" "$status" 0
check "dry says so: $err" grep -q 'dry run: would be line' <<<"$err"
check "dry wrote nothing" test ! -e $file

cd below || exit 2
run accept 'attention s=512' --commit HEAD~1 --reason 'spills | known'
cd .. || exit 2
line='attention s=512 | total_time | 34.74 us | 2026-06-05 | Ada "Ü" <ada@example.org> | spills | known'
equal "written from below the top: $err" "$status" 0
equal "the line is printed" "$out" "$line"
equal "the line is in the file" "$(tail -n 1 $file)" "$line"
equal "all else are comments" "$(grep -cv '^#' $file)" 1
check "where the limit is from: $err" grep -q 'the limit 34.74 us is 5 % beyond 33.09 us' <<<"$err"
check "when it counts: $err" grep -q 'takes effect once it is committed and merged into the baseline branch' <<<"$err"
check "git would commit it" test "$(git status --porcelain -uall .rooflog | grep -c accept)" = 1
check "the store is ignored" test "$(git status --porcelain -uall .rooflog | grep -c runs.db)" = 0
chmod 640 $file

run accept 'attention' --commit HEAD~1 --reason 'all of them' --expires never
check "series that differ: $err" grep -q 'one that is now at 17.33 us may also go up to 34.74 us' <<<"$err"
run accept 'attention' --commit HEAD~1 --reason 'less precise' --metric mfu
equal "where higher is better" "$out" \
	'attention | mfu | 2.339 % | 2026-06-05 | Ada "Ü" <ada@example.org> | less precise'
run accept 'attention s=256' --commit HEAD~1 --reason 'counted' --metric hardware_flops
stored=$("$rooflog" show --json HEAD~1 | jq -r '[.runs[].metrics.hardware_flops.value] | min')
equal "the very value where neither way is worse: $err" "$(cut -d '|' -f 3 <<<"$out")" " $stored FLOP "
GIT_AUTHOR_NAME=Eve run accept 'attention s=512' --commit HEAD~1 --reason 'tight' --limit '30 us' --expires v9
check "worse already: $err" grep -q 'total_time at .*, 33.09 us, is already worse than the limit 30 us' <<<"$err"
check "takes the place: $err" grep -qF "it replaces: $line" <<<"$err"
check "a revision to come: $err" grep -q 'does not exist yet: the acceptance ends once a revision with that name is an ancestor of the tested commit' <<<"$err"
equal "one line for a series and a metric" "$(grep -c '^attention s=512' $file)" 1
equal "in the same place" "$(grep -v '^#' $file | head -n 1)" \
	'attention s=512 | total_time | 30 us | v9 | Eve <ada@example.org> | tight'
equal "the mode stays" "$(stat -c %a $file)" 640
run accept 'attention s=1024' --reason 'gone' --retired --json
equal "retired, as JSON: $err" "$(jq -c '.acceptances[0] | [.series, .metric, .retired, .limit_text, .limit, .line]' <<<"$out")" \
	'["attention s=1024","*",true,"retired",null,10]'
run accept 'attention' --commit HEAD~1 --reason 'gone' --retired --dry-run
check "retired but measured: $err" grep -q '2 matching series are still measured' <<<"$err"
run accept 'fresh' --reason 'not measured yet' --metric total_time --limit '1 ms' --dry-run
equal "unseen: $err" "$status" 0
check "unseen is said: $err" grep -q 'no run at .* matches this line' <<<"$err"

# Bytes that are not ours stay: a mark, CR LF, no end of the last line.
cp $file kept
printf '\xef\xbb\xbf# mine\r\n\r\na | * | 1 us | never | b | c\r\n  x|*|2 us|never|b|c \r\na|*|3 us|never|b|d\r\n# end' >$file
GIT_AUTHOR_NAME=b run accept a --reason new --metric '*' --limit '4 us' --expires never
equal "in place, with duplicates taken out: $err" "$(od -c $file)" "$(
	printf '\xef\xbb\xbf# mine\r\n\r\na | * | 4 us | never | b <ada@example.org> | new\r\n  x|*|2 us|never|b|c \r\n# end' | od -c
)"
equal "both are told" "$(grep -c 'it replaces' <<<"$err")" 2
GIT_AUTHOR_NAME=b run accept b --reason new --metric '*' --limit '4 us' --expires never
equal "after a line without an end: $err" "$(tail -n 2 $file)" $'# end\nb | * | 4 us | never | b <ada@example.org> | new'
printf '\xef\xbb\xbfa | * | 1 us | never | b | c\r\n# end\r\n' >$file
GIT_AUTHOR_NAME=b run accept a --reason new --metric '*' --limit '4 us' --expires never
equal "a mark before the line that goes" "$(od -c $file)" "$(
	printf '\xef\xbb\xbfa | * | 4 us | never | b <ada@example.org> | new\r\n# end\r\n' | od -c
)"
mv kept $file

# ---- what is not written into ----

cp $file kept
printf 'attention | total_time | 5 us\n' >>$file
refused "a broken file" '/.rooflog/accept:11: 3 fields, six expected|expected: series' accept attention \
	--commit HEAD~1 --reason x
mv kept $file
mv $file elsewhere
ln -s ../elsewhere $file
refused "a link" 'is a symbolic link|acceptances are read from git, which does not follow links: make it a regular' accept attention --commit HEAD~1 --reason x
rm $file
mkfifo $file
refused "a pipe" 'is something else' accept attention --commit HEAD~1 --reason x
rm $file
mv elsewhere $file
echo .rooflog/ >.gitignore
run accept 'attention' --commit HEAD~1 --reason 'all of them' --expires never
check "git ignores it: $err" grep -q '.gitignore excludes .rooflog/accept: .* git add --force .rooflog/accept' <<<"$err"
run init
check "init says so too: $err" grep -q '.gitignore excludes .rooflog/, but .rooflog/config and .rooflog/accept must be committed' <<<"$err"
rm .gitignore
run init
check "and is silent without: $err" test "$(grep -c 'gitignore excludes' <<<"$err")" = 0
git clone -q --bare . "$scratch/bare.git"
cd "$scratch/bare.git" || exit 2
refused "a bare repository" 'in a bare repository: run this in a clone' accept a --reason x --metric mfu --limit '1 %'
cd "$scratch/work" || exit 2

# Whose name it is.
unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
refused "nobody" "git has no name for the author|git config --global user.name" accept attention \
	--commit HEAD~1 --reason x
git config user.name 'Config Ured'
refused "no address" "no e-mail address|user.email" accept attention --commit HEAD~1 --reason x
git config user.email c@example.org
run accept attention --commit HEAD~1 --reason x --dry-run
check "git's own settings: $out" grep -q '| Config Ured <c@example.org> |' <<<"$out"
git config author.name 'The Author'
run accept attention --commit HEAD~1 --reason x --dry-run
check "the author's before the user's: $out" grep -q '| The Author <c@example.org> |' <<<"$out"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org

# ---- the list ----

refused "a reason for nothing" 'SERIES is missing' accept --reason x
run accept
equal "what is not committed does not count: $err" "$out" ""
check "and is told: $err" grep -q 'no acceptances at commit' <<<"$err"
run accept --json
equal "an empty list" "$(jq -c .acceptances <<<"$out")" "[]"
{
	echo '# of the base'
	echo 'attention | total_time | 47.5 us | 2026-03-07 | Ada | today is the last day'
	echo 'attention | total_time | 47.5 us | 2026-03-06 | Ada | over'
	echo 'attention | mfu | 28 % | v2 | Ada | until v2'
	printf 'old* | * | retired | v3 | A\xe2\x80\xaed\xc3\xa4 | until v3\n'
} >$file
git add $file
commit third
git tag v2 HEAD~1
git tag side
run accept
equal "states" "$(awk '{ print $1, $2 }' <<<"$out")" $'line state\n2 valid\n3 expired\n4 expired\n5 waiting'
check "no hostile text reaches the terminal" test "$(grep -c $'\xe2\x80\xae' <<<"$out")" = 0
git tag -d v2 >/dev/null
git checkout -q -b later
commit fourth
git tag v2
run accept --commit side --json
equal "as of a revision" "$(jq -c '[.acceptances[] | [.line, .state, .metric, ((.limit // 0) * 1e8 | round), .unit, .expires]]' <<<"$out")" \
	'[[2,"valid","total_time",4750,"s","2026-03-07"],[3,"expired","total_time",4750,"s","2026-03-06"],[4,"valid","mfu",28000000,"1","v2"],[5,"waiting","*",0,null,"v3"]]'
run accept --commit later --json
equal "one commit later" "$(jq -c '[.acceptances[] | .state]' <<<"$out")" '["valid","expired","expired","waiting"]'
run accept --commit HEAD~2
equal "before there were any: $err" "$out" ""
git -c protocol.file.allow=always clone -q --depth 1 -b side "file://$PWD" "$scratch/shallow" 2>/dev/null
cd "$scratch/shallow" || exit 2
run accept --json
equal "a shallow clone cannot tell: $err" "$(jq -c '[.acceptances[] | .state]' <<<"$out")" \
	'["valid","expired","unclear","unclear"]'
cd "$scratch/work" || exit 2

# Broken files are errors with commit, line and what to do.
echo 'attention | total_time | 47.5 | never | Ada | no unit' >>$file
git add $file
commit broken
refused "broken in the tree" ":.rooflog/accept:6: \"47.5\"|write for example 47.5 us" accept
git rm -q --cached $file
mv $file target
ln -s target $file
git add $file
commit link
refused "a link in the tree" ":.rooflog/accept: accept is a symbolic link in that commit, not a file" accept
rm $file
head -c 1100000 /dev/zero | tr '\0' '#' >$file
git add $file
commit large
refused "too large" 'larger than 1048576 bytes' accept
refused "no such commit" 'unknown revision' accept --commit nope

# ---- pinned releases ----

run ingest --commit side "$samples/history/05"
git tag v1.2 side
first=$(git rev-parse v1.2) base=$(git rev-parse HEAD~6)
run baseline pin v1.2
equal "pin: $err" "$status" 0
check "pin says so: $err" grep -qF "pinned release v1.2 at ${first:0:10}" <<<"$err"
run baseline pin v1.2
equal "again is nothing new: $err" "$status" 0
run baseline pin old "$base"
run accept --commit old
equal "a baseline for --commit: $err" "$status" 0
refused "no such commit" nowhere accept --commit nowhere
run baseline set moving v1.2
run baseline list --json
equal "pinned and named: $err" "$(jq -c '[.baselines[] | [.name, .oid, .pinned]] | sort' <<<"$out")" \
	"[[\"moving\",\"$first\",false],[\"old\",\"$base\",true],[\"v1.2\",\"$first\",true]]"
run baseline list
equal "in the table" "$(awk '{ print $1, $NF }' <<<"$out" | sort)" $'moving named\nname kind\nold pinned\nv1.2 pinned'
run baseline set moving v1.2 --json
equal "what was set" "$(jq -c '.baselines[] | [.name, .oid, .pinned]' <<<"$out")" "[\"moving\",\"$first\",false]"
refused "a pin does not move" 'v1.2 is a pinned release|baseline rm v1.2' baseline pin v1.2 "$base"
refused "nor is it lost" 'v1.2 is a pinned release' baseline set v1.2 v1.2
refused "a name that moves" 'will mean another commit later|NAME' baseline pin HEAD~3
refused "HEAD" 'will mean another commit later' baseline pin HEAD
refused "no runs" 'has no clean measurements and cannot be a baseline' baseline pin release HEAD
refused "a word of the gate" 'is already a git revision or a reserved word' baseline pin best v1.2
refused "another word of the gate" 'is already a git revision or a reserved word' baseline set merge-base:main v1.2
run baseline rm v1.2
run baseline set v1.2 "$base"
equal "unpinned by removal: $err" "$status" 0
run baseline pin moving2 "$base"
run baseline pin moving v1.2
equal "a named one can be pinned: $err" "$status" 0
# Nor is one that cannot be read taken for one that is not there.
store_says() { # SQL
	python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' \
		.rooflog/runs.db "$1"
}
store_says "UPDATE revision SET parent = oid WHERE oid = '$first'"
run gate "$base" --against window
equal "a damaged pin: $out" "$status" 2
check "is named: $err" grep -qF "its own parent (${first:0:10})" <<<"$err"
store_says "DELETE FROM revision WHERE oid = '$first'"
run gate "$base" --against window
equal "a pin whose commit is gone: $out" "$status" 2
check "is damage: $err" grep -qF 'is gone; restore the store' <<<"$err"

# ---- the runs that the gate would judge ----
# None that are wrong, and those of uncommitted changes alone where there are some.

repository figures
run init
printf 'op,ms,ok,rate\ngemm,1.0,true,\ngemm,9.0,false,\nsum,,true,100\n' >figures.csv
run ingest --commit HEAD --set dtype=bf16,device=trn2 --columns kernel=op,time=ms:ms,correct=ok,throughput=rate \
	figures.csv
equal "figures: $err" "$status" 0
run accept gemm --reason x --dry-run
check "none that are wrong: $out $err" grep -q '^gemm | total_time | 1.050 ms |' <<<"$out"
run accept sum --reason x --dry-run
check "a rate where no time: $out $err" grep -q '^sum | throughput | 95 /s |' <<<"$out"
refused "times and rates" '): choose one with --metric|total_time|throughput|--metric' accept '*' --reason x
run ingest "$samples/history/06"
run accept 'attention s=512' --reason x --dry-run
check "of the commit: $out $err" grep -q '| 34.74 us |' <<<"$out"
echo tracked >tracked
git add tracked
run ingest "$samples/history/05"
run accept 'attention s=512' --reason x --dry-run
check "of uncommitted changes: $out $err" grep -q '| 40.99 us |' <<<"$out"

finish
