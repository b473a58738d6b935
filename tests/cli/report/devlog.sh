#!/bin/bash
# The development log: entries chosen and added, what a person wrote kept, both languages, the diff;
# the forms as reports. docs/user/devlog.md is run by docs_console.sh; the slots are in unit/check_devlog.
# shellcheck disable=SC2016 # Markdown
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository devlog
commit 'Attention: "fuse" `exp` | *sum*'
run ingest "$root/samples/attention"
equal "ingest: $err" "$status" 0
cp "$root"/samples/devlog/*.md .
select=(--kernel attention --variant fused --params s=512)

# The diff is what would be written, also where the file has CRLF or no final newline.
patched() { # NAME FILE OPTIONS...
	local name=$1 file=$2
	shift 2
	cp "$file" kept.md
	run devlog "$file" "${select[@]}" "$@" --dry-run
	equal "$name: dry run: $err" "$status" 0
	check "$name: the dry run writes nothing" cmp -s "$file" kept.md
	cp "$scratch/.out" change.diff
	if command -v patch >"$scratch/.which"; then
		check "$name: patch takes the diff" patch --binary -s -p0 -i change.diff
	else
		check "$name: git takes the diff" git apply -p0 change.diff
	fi
	mv "$file" patched.md
	cp kept.md "$file"
	run devlog "$file" "${select[@]}" "$@"
	equal "$name: $err" "$status" 0
	check "$name: the diff is the change" cmp "$file" patched.md
	case " $* " in *" --entry 9 "*) return ;; esac
	run devlog "$file" "${select[@]}" "$@" --dry-run
	equal "$name: twice is once" "$out" ""
	check "$name: and says so: $err" grep -q 'nothing to change' <<<"$err"
}
patched english attention.md
check "what it says" grep -q '^| Duration  ' attention.md
check "a person's insight is there" grep -q 'longest chain' attention.md
patched "an older entry" attention.md --entry v1
check "human issues stay" grep -q 'example.org/issues/12' attention.md
equal "the issues of V1 are a person's" "$(grep -c 'rooflog .*proposed;' attention.md)" 2
sed 's/$/\r/' "$root/samples/devlog/attention.md" >crlf.md
patched crlf crlf.md
equal "every line end is CRLF" "$(grep -c -v "$(printf '\r')$" crlf.md)" 0
printf '# A\n\n## Development log\n\n### V3: x' >bare.md
patched "no final newline" bare.md
check "still none" test -n "$(tail -c 1 bare.md)"
patched chinese attention-zh.md
check "its words" grep -q '^| 耗时 ' attention-zh.md
check "its person" grep -q '这一点由人写下，不会被改动' attention-zh.md
run devlog attention-zh.md "${select[@]}" --language en --dry-run
check "another language if asked for" grep -q '^+\*\*Performance\*\*' <<<"$out"

# New entries.
printf '# New\n' >new.md
patched "a first entry" new.md --new
check "the section" grep -qx '## Development log' new.md
check "the subject is text: $(grep '^###' new.md)" grep -qF '### V1: Attention: "fuse" \`exp\` \| \*sum\*' new.md
patched "a second" new.md --new='by hand `x`'
patched "a third" new.md --new --entry 9 --language zh
equal "their order" "$(grep -o '^### V[0-9]*' new.md | tr '\n' ' ')" "### V1 ### V2 ### V9 "
check "own words are Markdown" grep -qxF '### V2: by hand `x`' new.md
run devlog new.md "in a word" --new "${select[@]}"
check "the words may follow the file: $err" grep -q 'added "V10: in a word"' <<<"$err"
patched "newest first" attention-zh.md --new=新
equal "its place" "$(grep -o '^### V[0-9]*' attention-zh.md | tr '\n' ' ')" "### V3 ### V2 ### V1 "

run devlog attention-zh.md "${select[@]}" --new=新 --dry-run --color always
equal "an entry that is there is not added again" "$out" ""
commit 'Attention: "fuse" `exp` | *sum*'
run ingest "$root/samples/attention"
run devlog attention-zh.md "${select[@]}" --new=新 --dry-run --color always
check "another commit of this name gets one, in green" grep -qF "$(printf '\033[32m+### V4: 新')" <<<"$out"

# What cannot be done says what to do and changes nothing.
cp attention.md kept.md
refused "no such entry" 'no entry V7 in the development log; the latest is V2' devlog attention.md "${select[@]}" --entry V7
refused "no number" ': expected an entry number such as V5' devlog attention.md "${select[@]}" --entry five
refused "an entry again" 'has an entry "V2' devlog attention.md "${select[@]}" --entry 2 --new
refused "no language" '--language fr: expected en or zh' devlog attention.md "${select[@]}" --language fr
refused "two lines" 'one line of text' devlog attention.md "${select[@]}" --new="$(printf 'a\nb')"
refused "several variants" '--device and --tool:|baseline|fused|(neuron-profile)' devlog attention.md --kernel attention
refused "no such tool" "has tool 'ncu'; tools there: neuron-profile" devlog attention.md "${select[@]}" --tool ncu
refused "parameters are checked whatever runs there are" '--params: expected NAME=VALUE' devlog attention.md --kernel nosuch --params garbage
printf '{{#runs}}{{#devlog}}{{{heading}}}\n\n{{{table}}}\n\n**Bottleneck**: mine{{/devlog}}{{/runs}}' >own.md
refused "no heading" '### V3: <what changed>' devlog attention.md "${select[@]}" --new --template ./own.md
check "the log is untouched" cmp attention.md kept.md
run devlog attention.md "${select[@]}" --template ./own.md
equal "own template: $err" "$status" 0
check "its words" grep -qx '\*\*Bottleneck\*\*: mine' attention.md
equal "what it does not propose stays" "$(grep -c 'rooflog .*proposed;' attention.md)" 2

# Several shapes stand in one table, a row each.
printf '## Development log\n\n### V1: a\n\n**Issues**:\n- todo\n' >shapes.md
run devlog shapes.md --kernel attention --variant fused
equal "several shapes: $err" "$status" 0
equal "what they share is in the heading" "$(grep -c '^\*\*Performance\*\* (trn2, bfloat16, b=1, d=128, h=2):$' shapes.md)" 1
equal "a row each, the smallest first" "$(sed -nE 's/^\| ([0-9]+) .*/\1/p' shapes.md | xargs)" "256 512"
equal "with a column of the change" "$(grep -c '^| s .*| Duration .*| vs Previous .*| MFU ' shapes.md)" 1
check "bounds by shape" grep -q '^\*\*Bottleneck\*\*: .*(s=.*)' shapes.md
check "problems by shape" grep -q '^- s=512: ' shapes.md
cp shapes.md kept.md
run devlog shapes.md --kernel attention --variant fused
check "twice is once" cmp shapes.md kept.md

# Own layouts: markers in a file that is no log, or in the entry.
printf 'Today\n<!-- rooflog:begin table -->\nold\n<!-- rooflog:end -->\n\n```\n<!-- rooflog:begin table -->\n```\n\n<!-- rooflog:begin bottleneck -->\n<!-- rooflog:end -->\nend' >layout.md
run devlog layout.md "${select[@]}"
equal "marked parts: $err" "$status $(grep -c '^| Duration ' layout.md) $(grep -c '^Latency-bound' layout.md) $(grep -c '^old$' layout.md)" "0 1 1 0"
equal "code is left alone, and the end" "$(grep -c '^<!-- rooflog:begin table -->$' layout.md) $(tail -c 3 layout.md)" "2 end"
run devlog layout.md "${select[@]}"
check "twice is once: $err" grep -q 'nothing to change in 2 marked parts' <<<"$err"
run devlog layout.md "${select[@]}" --language zh --dry-run
check "in Chinese" grep -q '^+| 耗时 ' <<<"$out"
sed 's/begin bottleneck/begin bottle/' layout.md >bad.md
refused "an unknown part" 'bad.md: line|<!-- rooflog:begin bottle -->: this name is unknown; known are performance' devlog bad.md "${select[@]}"
printf 'a\n\n<!-- rooflog:begin table -->\n\nb\n' >bad.md
refused "no end" 'bad.md: line 3, <!-- rooflog:begin table -->: no <!-- rooflog:end --> follows' devlog bad.md "${select[@]}"
printf '## Development log\n\n### V1: old\n\n<!-- rooflog:begin table -->\nkept\n<!-- rooflog:end -->\n\n### V2: new\n\n<!-- rooflog:begin table -->\n<!-- rooflog:end -->\n\n**Issues**:\n- todo\n' >entry.md
run devlog entry.md "${select[@]}"
equal "of the newest entry alone: $err" "$(grep -c '^kept$' entry.md) $(grep -c '^| Duration ' entry.md) $(grep -c '^- todo$' entry.md)" "1 1 1"

# A file that does not exist.
refused "no file" 'cannot open fresh/attention.md' devlog fresh/attention.md "${select[@]}"
mkdir fresh
run devlog fresh/attention.md "${select[@]}" --new=first
equal "made by --new: $err" "$status $(grep '^#' fresh/attention.md | tr '\n' '|')" "0 # attention|## Development log|### V1: first|"

# Of clean runs and runs of a changed work tree, the clean ones.
echo 1 >tracked
git add tracked
commit tracked
run ingest "$root/samples/mlp"
run devlog mlp.md --new=clean
cp mlp.md clean.md
echo 2 >tracked
sed 's/"total_time": *4.5256596e-05/"total_time":4.6e-05/' "$root/samples/mlp/profile.json" >profile.json
cp "$root/samples/mlp/params.json" .
run ingest profile.json
equal "runs of both kinds: $err" "$("$rooflog" log --json --kernel mlp | jq -c "[.runs[].commit.dirty] | sort")" "[false,true]"
rm mlp.md
run devlog mlp.md --new=clean
equal "the clean ones are chosen: $err" "$status" 0
check "and it is said: $err" grep -q 'with uncommitted changes are skipped' <<<"$err"
check "nothing else" cmp mlp.md clean.md
git checkout -q tracked

# A hostile name is text, not a heading, a part or a comment of ours.
printf '{"kernel":"**Issues**:\\u202e <!-- x --> | `y`","dtype":"bf16","device":"trn2"}\n' >params.json
cp "$root/samples/mlp/profile.json" .
run ingest profile.json
equal "hostile: $err" "$status" 0
printf '## Development log\n\n### V1: a\n\n**Issues**:\n- todo\n' >hostile.md
run devlog hostile.md --kernel '*Issues*'
equal "hostile: $err" "$status" 0
equal "one heading of issues" "$(grep -c '^\*\*Issues' hostile.md)" 1

# The contract: stages that overlap are rows, not a sum.
repository stages
cp -r "$root/samples/contract/out" .
run ingest out
run report --as contract
equal "a contract a tool, with its name" "$(grep '^## Profile: ' <<<"$out" | sort | tr '\n' '|')" "## Profile: mla_var6_plus v4 (annotation-report)|## Profile: mla_var6_plus v4 (event)|"
equal "a row a stage" "$(grep -c '^| attention *| 380\|^| absorb ' <<<"$out")" 2
check "no sum" test -z "$(grep '441\.7\|441\.8' <<<"$out")"
check "of the longest: $out" grep -q 'Root cause: attention is the longest stage' <<<"$out"
equal "how it is tiled and tuned" "$(grep -c "^| attention | Bm=64, Bn=128, .*3 tried, 1 failed; best 380.5 us, median 391.4 us, worst 402.2 us; chosen: the best; Bm=64, Bn=128: 380.5 us" <<<"$out")" 2
check "no stage among the parameters" test -z "$(grep '| stage ' <<<"$out")"
check "the form's headings" grep -qx '### Top 3 Opportunities (ranked by estimated impact)' <<<"$out"
run report --as contract --language zh
check "in Chinese" grep -qx '| 阶段      | 耗时(微秒) | TC%   | DRAM% | Occ%  | 瓶颈类型 | 核心问题 .*|' <<<"$out"
equal "no English word of the form" "$(grep -cE 'Stage|Profile:|Root cause|bound' <<<"$out")" 0
run report --as devlog --language zh
equal "a block a kernel and tool" "$(grep -c '^\*\*性能\*\*' <<<"$out")" 2
run report --as summary --language zh
equal "a summary in Chinese: $err" "$(grep -c '^### .*个序列' <<<"$out")" 1
refused "a language of a template" '--language works only with built-in templates in Markdown or HTML' report --as contract --language zh --template ./x.md
finish
