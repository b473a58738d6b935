#!/bin/bash
# Files in the place of stored runs, where there is neither a repository nor a store.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

mkdir "$scratch/anywhere"
cd "$scratch/anywhere" || exit 2
cp -r "$root/samples/mlp" "$root/samples/history" .

# --- show ---

run show mlp/profile.json
equal "a file: $err" "$status" 0
check "its figures: $out" grep -qE '^  MFU +5\.657 %' <<<"$out"
check "its parameters, from params.json: $out" grep -q '^mlp nkilib, bf16, b=1' <<<"$out"
check "its name: $out" grep -qE '^  file +mlp/profile\.json$' <<<"$out"
check "no run that is not stored: $out" grep -qE '^  device +trn2' <<<"$out"
equal "no run that is not stored" "$(grep -cE '^  (run|commit) ' <<<"$out")" 0
equal "nothing was made" "$(find . -name '.rooflog' | wc -l)" 0
cp "$scratch/.out" card.txt
"$rooflog" show - --set kernel=mlp <mlp/profile.json >"$scratch/.out"
check "standard input" grep -qE '^  file +standard input$' "$scratch/.out"
run show mlp/
check "a folder" diff <(sed 's/^  file .*//' card.txt) <(sed 's/^  file .*//' "$scratch/.out")
run show mlp/profile.json --json
check "the document names the file" jq -e '.runs | length == 1 and
	all(.[]; .commit == {"file": "mlp/profile.json", "short": "mlp/profile.json"} and (has("id") | not))' <<<"$out" >/dev/null

# Alone a file leaves open what a params.json says beside it, and it is asked for at once.
cp mlp/profile.json alone.json
run show alone.json
equal "a file without facts" "$status" 0
check "what it leaves open: $err" grep -qF 'alone.json does not say its kernel and dtype: --set kernel=NAME,dtype=bf16 states them' <<<"$err"
check "it is unknown: $out" grep -q '^unknown' <<<"$out"
run show alone.json --set kernel=mlp --set 'dtype=bf16,s=128'
equal "nothing is asked: $err" "$err" ""
check "what was stated: $out" grep -q '^mlp, bf16, s=128$' <<<"$out"
run show history/04/ history/05/ --kernel 'att*'
check "several files are told apart: $out" grep -qE '^run +file +time' <<<"$out"
equal "each run is shown" "$(grep -c '^attention' <<<"$out")" 12
run show --opcode 'MAT*' mlp/profile.json
check "instructions: $out" grep -q '^MATMUL' <<<"$out"

# --- compare ---

run compare history/04/ history/05/
equal "two folders: $err" "$status" 0
check "what got slower: $out" grep -qE 'attention s=512 .*\+18\.' <<<"$out"
check "what did not: $out" grep -qE 'attention s=256 .*unchanged|attention s=256 .*~' <<<"$out"
check "why: $out" grep -qE '^attention s=512: \+.*HBM traffic 2\.5x more' <<<"$out"
check "sides by what their paths do not share: $out" grep -qE '^baseline  04/? ?$' <<<"$out"
equal "no configuration is spoken of" "$(grep -c configuration <<<"$out")" 0
run compare history/04/ history/05/ --json
check "the document names both" jq -e '.compare | .baseline.commit.file == "history/04/" and
	.candidate.commit.file == "history/05/"' <<<"$out" >/dev/null
check "a pair needs no hint: $err" test -z "$(grep 'on both sides' <<<"$err")"
cp -r "$root/samples/mlp-neuronxcc" .
run compare mlp/ mlp-neuronxcc/
equal "nothing to compare but configurations" "$err" "no series is on both sides; by variant: rooflog compare --by variant mlp/ mlp-neuronxcc/"
check "a file is no commit: $out" grep -q 'mlp nkilib missing: measured at the baseline, but not here$' <<<"$out"
run compare --by variant mlp/ mlp-neuronxcc/
check "as the hint says: $out" grep -q 'neuronxcc .*1\.150x$' <<<"$out"
run compare mlp/ history/04/
equal "other kernels" "$err" "no series is on both sides"
run compare history/04/ history/05/ --as md
check "as Markdown: $out" grep -q '^- Candidate: history/05/$' <<<"$out"
run compare --by s history/04/
check "sizes of one folder: $out" grep -qE '^ +256 .* 1\.913x$' <<<"$out"
refused "three files" 'expected at most two sides, got 3' compare history/04/ mlp/ mlp/
refused "a file alone has nothing to be compared with" 'not inside a git repository' compare mlp/profile.json
refused "but another file" 'hint: two files work anywhere: rooflog compare before.json after.json' compare mlp/profile.json

# --- report and chart ---

run report --output page.html mlp/profile.json
equal "a page: $err" "$status" 0
check "it names the file" grep -q '<h1>Performance of mlp/profile.json</h1>' page.html
run report mlp/profile.json
equal "no commit is spoken of" "$(grep -c '^- Commit' <<<"$out")" 0
run report --as contract mlp/profile.json
check "the contract: $out" grep -q '^## Profile: mlp nkilib' <<<"$out"
refused "a night" 'nightly reports changes' report --as nightly mlp/profile.json
refused "a comment" 'comment is about a commit, not about files' report --as comment mlp/profile.json
refused "a reference" '--against is about a commit, not about files' report --against HEAD mlp/profile.json
run chart roofline --output roofline.svg -o occupancy=occupancy.svg mlp/profile.json
equal "charts: $err" "$status" 0
check "both are there" test -s roofline.svg -a -s occupancy.svg
refused "a history" 'the chart trend is of stored runs' chart trend --output trend.svg mlp/profile.json

# --- words that are no files ---

refused "no such file" 'none.json: no such file' show none.json
refused "no repository" 'a file works anywhere: rooflog show profile.json' show
refused "a bare word is no path" 'write ./mlp' show mlp
run show ./mlp
equal "but this is: $err" "$status" 0
refused "what no file has" "nothing in these files is called 'attn'" show mlp/profile.json attn
refused "no profile" 'unsupported format' show history/../page.html

# --- in a repository ---

repository files
cp -r "$root/samples/history" "$root/samples/mlp" "$scratch/"
for night in 03 04; do
	commit "$night"
	run ingest "$scratch/history/$night"
	equal "ingest $night: $err" "$status" 0
done
before=$(sha256sum .rooflog/runs.db)
run compare HEAD "$scratch/history/05/"
check "a commit and a folder: $out" grep -qE '39\.04 ± 0\.1% +\+18\.' <<<"$out"
cp "$scratch/.out" named.txt
run compare "$scratch/history/05/"
check "HEAD is the default" cmp -s named.txt "$scratch/.out"
run compare "$scratch/history/05/" HEAD
check "the other way round: $out" grep -qE ' -15\.[0-9]+ % .*faster' <<<"$out"
equal "the store stays as it was" "$(sha256sum .rooflog/runs.db)" "$before"
run log --json
equal "and has no run of a file" "$(jq '.runs | length' <<<"$out")" 12

cp "$scratch/mlp/profile.json" v1.2
git tag v1.2
refused "a file and a tag" "'v1.2' is a file and a tag|hint: write ./v1.2 or commit:v1.2" show v1.2
run show ./v1.2 --set kernel=mlp
equal "the file: $err" "$status" 0

finish
