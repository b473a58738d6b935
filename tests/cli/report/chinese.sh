#!/bin/bash
# What people read in Chinese, by --language zh or [project] language: reports, comments, nights, weeks,
# charts, show, log, gate and analyze. Documents for programs stay English.
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

# --- texts of the other commands ---
# speaks NAME: the last output is Chinese: no English words but names, no blank before a percent.
speaks() {
	sed -E 's/\b[0-9a-f]{8,}\b//g' "$scratch/.out" >text.txt
	equal "$1: status $status: $err" "$(words text.txt | grep -vxE 'alpha|default|night|sqrt|total|prefill|matmul|vLLM|infinicore|infinilm|silu|always|never|smart|Iluvatar|MetaX|NVIDIA|batch|token')" ""
	equal "$1: percents" "$(grep -cE '[0-9] %' text.txt)" 0
	check "$1: it is there" grep -qP '\p{Han}' text.txt
}
# The JSON of a command is the same in every language.
one_json() { # ARGS...
	local chinese
	run "$@" --json
	chinese=$out
	run "$@" --json -c project.language=en
	check "JSON of $1" test -n "$out"
	equal "JSON of $*" "$chinese" "$out"
}

repository histories
configure '[project]\n\tlanguage = zh\n'
nights 24
series attention '0.1 * e * (i > 15 ? 1.1 : 1)'
series mlp '0.05 * e'
measured
commit last 2026-03-27T09:00:00Z
series attention 0.125 26
measured 1
run log
check "runs: $out" grep -qE '^运行 +提交 +日期 +算子 +耗时$' <<<"$out"
speaks "a list of runs"
one_json log -n 3
run log attention
check "a history: $out" grep -qE '^  .* 总耗时，99\.[0-9]+ 至 125\.0 us，26 个提交$' <<<"$out"
check "its titles" grep -qE '^  提交 +日期 +us  9.* 变化$' <<<"$out"
check "its change" grep -qE '▲ \+(9|10)\.[0-9]+%（\+.* 至 \+.*%）' <<<"$out"
equal "columns are aligned" "$(grep -cE '^  [0-9a-f]{10}  2026-03-[0-9]{2}  +[0-9.]+  ' <<<"$out")" 26
speaks "a history"
one_json log attention
run log --view series
check "lines: $out" grep -qE '^序列 +历史 +最新 +' <<<"$out"
speaks "a line per series"
run gate
check "no blank between Chinese" grep -qE '^[0-9a-f]{10} 对比最近的已测祖先提交$' <<<"$out"
run gate --explain attention
check "an explanation: $out" grep -qE '^  原因 +超出噪声' <<<"$out"
for text in '^历史：25 个已测提交，其中最近一次变化以来 10 个（\*）$' '^     提交 +日期 +运行数 +数值 +单位 s$' \
	'^检验：ln\(数值\)；此提交的运行：全部$' '^  基线均值 +[0-9.]+ us，标准误差 ' '^  变化幅度 +\+1[0-9.]+%，95% 置信区间' \
	'^差异须通过的检查$' '^  规则 +“default”（参与判定）：内核 \*，越低越好，'; do
	check "explained: $text" grep -qE "$text" <<<"$out"
done
speaks "an explanation"
one_json gate --explain attention
for kind in contract devlog; do
	run report --as $kind
	check "$kind: $out" grep -qE '^(## 分析结果: |\*\*性能\*\*)' <<<"$out"
	run report --as $kind --language en
	check "$kind in English" grep -qE '^(## Profile: |\*\*Performance\*\*)' <<<"$out"
done
run gate -o contract=contract.md
check "a contract of the gate" grep -q '^## 分析结果: ' contract.md
equal "no blank before a percent of it" "$(grep -c '[0-9] %' contract.md)" 0
run gate --selftest
check "a self-test: $out" grep -q '项参与判定的比较逐项模拟变慢 25%：检出' <<<"$out"
equal "no English of it is left" "$(grep -cE 'detected|smallest|series|[0-9] %' <<<"$out")" 0
run gate --selftest --json
equal "its JSON is English" "$(grep -cP '[\x{4e00}-\x{9fff}]' <<<"$out")" 0
run devlog attention.md --new=第一版
check "a new log: $err" grep -qx '## 开发日志' attention.md
printf '# attention\n\n## Development log\n' >english.md
run devlog english.md --new=second --kernel attention
check "a log has its language: $err" grep -q '^\*\*Performance\*\*' english.md
run chart trend -o trend.svg
check "a trend's axis: $err" grep -qF '>总耗时，µs<' trend.svg
run report
check "a report's table" grep -qF '| 结论与原因 |' <<<"$out"
run mv attention flash
run log --view edits
check "edits: $out" grep -qE '^日期 +命令 +操作 +运行数 +提交 +算子$' <<<"$out"
check "what they did" grep -qE ' mv +重命名 ' <<<"$out"

printf 'op,b,s,us\nattention,1,512,100\nattention,8,1,20\n' >a.csv
sed 's/,100/,110/' a.csv >b.csv
configure '[project]\n\tlanguage = zh\n[scenario "prefill"]\n\tseries = * s>128\n'
run show --set device=h200,dtype=bf16 --columns kernel=op,time=us:us,param:b=b,param:s=s a.csv b.csv
check "the time of a scenario: $out" grep -qE '^prefill，2 次运行 +未知$' <<<"$out"
check "titles of a table" grep -qE '^运行 +文件 +耗时' <<<"$out"
speaks "runs in a table"

# --- analyses ---
sizes=(--set "dtype=fp16,device=inf2")
run analyze buckets "${sizes[@]}" "$root/samples/prefill.csv" --count 3
check "buckets: $out" grep -qE '^方案 +覆盖 +耗时 +浪费 +填充 +桶$' <<<"$out"
check "a plan" grep -qE '^至多 3 个桶的最优方案 +100\.0%' <<<"$out"
speaks "buckets"
one_json analyze buckets "${sizes[@]}" "$root/samples/prefill.csv" --count 3
awk 'BEGIN { print "kernel,b,s,us"; for (b = 1; b <= 8; b *= 2) for (s = 128; s <= 1024; s += 128) if (b * s < 8192) print "pre," b "," s "," b * s * .01 + 5 }' >pairs.csv
run analyze buckets "${sizes[@]}" --over b,s --columns kernel,param:b=b,param:s=s,time=us:us pairs.csv
check "pairs: $out" grep -qF '32 对中已测 31 对；其余采用更大的一对的耗时' <<<"$out"
speaks "buckets of pairs"
fusion=$root/samples/formats/fusion
shapes=$fusion/fusion-profile/sample-shapes.json
times=(--set "dtype=fp16,device=a100-sxm-80gb")
run analyze fusion "${times[@]}" "$shapes"
check "fusion: $out" grep -qE '^形状 +融合前 +融合后 +加速比 +置信区间 +判定$' <<<"$out"
check "a decision" grep -qF '待定：在噪声范围内' <<<"$out"
check "counts" grep -qxF '融合 2/4，不融合 0/4，待定 1/4，未知 1/4' <<<"$out"
speaks "fusion"
one_json analyze fusion "${times[@]}" "$shapes"
run analyze fusion "${times[@]}" "$shapes" -o scheduler=profile_result.json
equal "the scheduler's file" "$(jq -r 'keys | join(" ")' profile_result.json)" "fused unfused"
run analyze fusion "${times[@]}" "$shapes" --shape 4x60x1024
check "shapes: $out" grep -qF '  融合前     17.00 us，最近的形状：[8, 1, 1024] 占 100.0%' <<<"$out"
speaks "shapes"
run analyze fusion "${times[@]}" "$fusion/fusion-e2e/sample.json" --strategies
check "strategies: $out" grep -qE '加速比 +实测最快$' <<<"$out"
speaks "strategies"
run ingest --commit HEAD "${times[@]}" "$shapes"
run analyze fusion --coverage
check "coverage: $out" grep -qE '^平台 +算子 +隐藏层大小 +已测 +可插值 +缺失$' <<<"$out"
speaks "coverage"

run show "$profile" --source /./ --slowest 3
check "source lines: $out" grep -qE '^名称 +次数 +耗时 +占比 +FLOP +运行$' <<<"$out"
check "their whole" grep -qxF '占比的分母：该运行除等待指令 EVENT_SEMAPHORE 外的全部指令的耗时。' <<<"$out"
check "the slowest" grep -qE '^[0-9]+ 条指令中最长的 3 条' <<<"$out"
run show --set dtype=bf16,device=h100-sxm "$root/samples/formats/nvidia/ncu-source/sample-cuda-sass.csv" --source /./
check "samples: $out" grep -qE '^名称 +采样 +占比 +主要停顿 +执行 +多余 +源码' <<<"$out"
run show "$root/samples/formats/nvidia/nsys-sqlite/sample-streams.sqlite" --launches
check "launches: $out" grep -qE '^  算子 +12.00 us（47.06%），其中并发 2.000 us（占 16.67%）$' <<<"$out"
check "gaps" grep -qE '^ +空闲 +时刻 +前一项 +后一项$' <<<"$out"
one_json show "$root/samples/formats/nvidia/nsys-sqlite/sample-streams.sqlite" --launches
finish
