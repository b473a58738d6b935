#!/bin/bash
# What people read in Chinese, by --language zh or [project] language: reports, comments, nights, weeks,
# charts, show and gate. Documents for programs stay English.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

profile=$root/samples/mlp/profile.json
repository chinese
run report --language zh "$profile"
equal "a report: $err" "$status" 0
cp "$scratch/.out" zh.md
for text in '# 性能报告：' '- 设备：trn2' '- 瓶颈：延迟受限：MBU 21.03%，' '- 峰值：157.3 TFLOP/s' \
	'| 总耗时 | 45.26 us | -- | -- | 实测 |' '### 引擎' '| 张量 | 20.70 us | 45.74% |' '- 问题：最繁忙的引擎' '  - 建议：'; do
	check "$text" grep -qF -- "$text" zh.md
done
check "no percent after a blank" test "$(grep -cE '[0-9] %' zh.md)" = 0
check "no English heading" test "$(grep -cE '^#+ [A-Z]' zh.md)" = 0
run report "$profile"
check "English by default" grep -qF -- '- Bottleneck: Latency-bound: MBU 21.03 %' <<<"$out"
run report --language zh "$profile" -o zh.html
check "a page: $err" grep -qF '引擎</h3>' zh.html
check "its severities keep their colors" grep -qF 'data-severity="problem">问题<' zh.html
check "its style is as it was" grep -q '^\[data-verdict=improved\]' zh.html

refused "an export" '--language works only with built-in templates in Markdown or HTML' report --language zh --as csv "$profile"
configure '[project]\n\tlanguage = zh\n'
run report "$profile"
equal "by the configuration" "$out" "$(cat zh.md)"
run show "$profile"
check "a card: $out" grep -qE '^  瓶颈 +延迟受限：MBU 21.03%' <<<"$out"
check "a bar" grep -qE '^  张量 +█+.* 45.74%    20.70 us$' <<<"$out"
run show "$profile" --json
check "JSON is English" grep -qF '"title": "Latency-bound"' <<<"$out"
run ingest --commit HEAD "$profile"
commit second
run ingest --commit HEAD --set kernel=mlp,dtype=bf16 "$root/samples/mlp-neuronxcc/profile.json"
run gate
check "the gate's first line: $out" grep -qE '^(通过|待定|不完整|未通过|无基线)' <<<"$out"
check "its table" grep -qE '^结论 +序列' <<<"$out"
run gate --json
check "for programs" grep -qF '"word": "' <<<"$out"
check "in English" test "$(jq -r .gate.word <<<"$out" | LC_ALL=C grep -cE '^[a-z ]+$')" = 1
# words FILE: the English words of a text that are no identifiers; addresses, code and comments are left
# out.
words() {
	# shellcheck disable=SC2016  # the backquotes are those of Markdown
	sed -E 's/<!--.*-->//; s/`[^`]*`//g; s/[a-z_]+=[^ |,]*//g; s/rooflog [a-z]+//g; s/--[a-z-]+( [A-Za-z]+)?//g' "$1" |
		grep -oE '(^|[^A-Za-z_/.-])[A-Za-z]{4,}' | grep -oE '[A-Za-z]{4,}' |
		grep -vxE 'neuronxcc|nkilib|FLOP|TFLOP|bfloat|kernel|attention|fused|rooflog|second|third|SERIES|FILE|rerun|sub|details|summary|trn2|GpSimd|noise|config|tolerance' | sort -u
}
commit third
run ingest --commit HEAD "$profile"
run compare HEAD~2..HEAD
check "two commits: $err" grep -qE '^基线 +HEAD~2 ' <<<"$out"
check "the other one" grep -qE '^待测 +HEAD ' <<<"$out"
check "a block: $out" grep -qF '总耗时，' <<<"$out"
check "its table" grep -qE '^ +HEAD~2 +HEAD +变化 ' <<<"$out"
check "its legend" grep -qF '：先为提交间噪声，后为重复间噪声；n：各自的数量' <<<"$out"
run compare HEAD~2..HEAD --as json
check "for programs" test "$(jq -r '.compare.blocks[0].rows[0].verdict_text' <<<"$out" | LC_ALL=C grep -cE '^[a-z ()]+$')" = 1
run compare HEAD~2..HEAD --as json -o text=both.txt
check "what shares its document" grep -qE '^baseline +HEAD~2 ' both.txt
for kind in comment nightly weekly summary; do
	against=nearest
	[ $kind = nightly ] || [ $kind = weekly ] && against=window
	run report --as $kind --against $against
	equal "$kind: $err" "$status" 0
	cp "$scratch/.out" "$kind.md"
	equal "$kind: no English words" "$(words "$kind.md")" ""
done
check "a comment's first line" grep -qE '^### . .*个序列' comment.md
check "a night's heading" grep -qE '^# 本次|^# .*序列' nightly.md
run gate -o comment=both.md -o junit=both.xml
equal "the comment beside an export is the same" "$(head -1 both.md | grep -cE '序列')" 1
check "the export is English" test "$(LC_ALL=C grep -c '[^ -~]' both.xml)" = 0
run gate -o nightly=night.html --against window
check "the language of the page: $err" grep -qF '<html lang="zh-CN">' night.html
check "its verdict keeps its color" grep -qE 'data-verdict="[a-z ]+">门禁' night.html
run chart roofline -o roof.svg -o occupancy=occupancy.svg
check "axes: $err" grep -qF '>算术强度，FLOP/B<' roof.svg
check "a legend" grep -qF '>适用的屋顶线<' roof.svg
check "engines" grep -qF '>张量<' occupancy.svg
check "no blank before a percent" test "$(grep -cE '[0-9] %' roof.svg)" = 0
run chart trend -o trend.svg
check "a trend: $err" grep -qF '越低越好' trend.svg
configure '[project]\n\tlanguage = fr\n'
run report "$profile"
check "another language: $err" grep -qF 'expected en or zh' <<<"$err"
configure '[project]\n\tlanguage = zh\n'
for time in 1 3; do
	printf 'kernel,ms\nrepeated,%s\n' "$time" >times.csv
	run ingest --commit HEAD --set dtype=bf16,device=trn2 --columns kernel,time=ms:ms times.csv
done
run show repeated
check "repeats: $out" grep -qF '2 次运行的中位数，1.000 ms 至 3.000 ms' <<<"$(tr -s ' \n' ' ' <<<"$out")"
printf 'M,K,N,latency_ms\n128,512,512,1.25\n256,512,512,1.5\n512,512,512,2\n' >sizes.csv
run chart latency --set dtype=fp32,device=inf2 sizes.csv -o sizes.svg
check "an axis: $err" grep -qE '主机耗时，.s' sizes.svg
configured=()
for kind in nightly comment; do
	run report --as $kind --against window --language zh
	check "$kind by the option: $err" grep -qE '^#+ .*序列|^# 本次' <<<"$out"
done
run report --as nightly --language en
check "and English: $err" test "$(LC_ALL=C grep -cE '^# [ -~]+$' <<<"$out")" = 1
finish
