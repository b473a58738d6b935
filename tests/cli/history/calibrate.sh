#!/bin/bash
# calibrate: what is said of a made history, what is written into the configuration and what is not
# touched there, and that the gate then judges every series once.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sh samples/nights.sh "$scratch/nights" || exit 2
cd "$scratch/nights" || exit 2
columns=commit,kernel=op,param:m,time=us:us
run ingest --columns "$columns" nights.csv
equal "ingest: $err" "$status" 0

# shellcheck disable=SC2317 # called by check
holds() { # JQ-FILTER
	jq -e "$1" <<<"$out" >/dev/null
}
field() { # JQ-FILTER: of the last --json
	jq -r "$1" <<<"$out"
}

run calibrate --json
equal "json: $err" "$status" 0
equal "commits and series" "$(field '[.commits, (.series | length), (.kernels | length)] | @tsv')" \
	"$(printf '200\t7\t4')"
equal "a call for each commit, but the first and the newest" "$(field .calls)" 195
equal "nights are seven a week" "$(field '.calls_a_week | round')" 7
equal "one change was found, where one is" \
	"$(field '[.series[] | select(.changes > 0) | .name] | @csv')" '"gemm m=256"'
equal "shapes" "$(field '[.kernels[] | .shape] | sort | @csv')" '"outliers","plain","two modes","unknown"'
check "noise of gemm is near 0.6 %" holds '[.series[] | select(.name | startswith("gemm")) | .noise | . > 0.0045 and . < 0.0075] | all'
check "nothing is flagged more often than is wished" holds '.week_with_chosen.false_alarms <= 1'
check "what is unknown is null" holds '.variance_within_commits == null and (.series[] | select(.name == "young m=1") | .noise == null)'
equal "young needs three more commits" \
	"$(field '.series[] | select(.name == "young m=1") | .missing_commits')" 3
check "a slowdown that shows is larger than the noise and smaller than ten times it" holds '[.series[] | select(.shape == "plain") | .shows_with_chosen / .noise | . > 1 and . < 10] | all'
flagged=$(field .as_it_is.flagged)
gemm='.kernels[] | select(.kernel == "gemm") | .with_chosen.flagged'
many=$(field "$gemm")
run calibrate --false-alarms 0.05 --json
check "fewer are wished, fewer are flagged" test "$(field "$gemm")" -lt "$many"
equal "what is, does not depend on what is wished" "$(field .as_it_is.flagged)" "$flagged"
run calibrate --false-alarms 1/night --json
equal "a night is a call" "$(field '.wished.a_call | . * 1000 | round')" 1000
run calibrate --false-alarms 0.25/gate --gates 40 --json
equal "per call" "$(field '[.wished.a_call, .calls_a_week] | @csv')" 0.25,40
run calibrate --rule 'g*' --rule 'so*' --json
equal "patterns" "$(field '[.kernels[] | .kernel, .series] | @csv')" '"g*",4,"so*",1'

run calibrate
check "the text names the rate" grep -q '^Current: .* false alarms in 1,165 judged comparisons' <<<"$out"
check "and what is not known" grep -q 'Noise of young m=1 since its last change is unknown: 3 more commits' <<<"$out"
equal "nothing is written unless asked" "$(grep -c calibrate .rooflog/config)" 0

# The file: every byte outside the markers stays.
mkdir -p .rooflog
printf '# ours; %s\r\n[gate]\n\trerun = make {{kernel}} # "x"\n\n[rule "time"]\n\tconfirm = false' 'é' >.rooflog/config
cp .rooflog/config before
run calibrate --write
equal "write: $err" "$status" 0
check "says where" grep -q 'wrote [23] rules to .*config' <<<"$err"
check "what was there is there" cmp -n "$(stat -c %s before)" before .rooflog/config
check "when, and from how many" grep -q '^# By rooflog calibrate --write, 2026-03-07, from 200 commits' .rooflog/config
check "the rows refine the row that judges" grep -q 'refines = "time"' .rooflog/config
run calibrate --write --quiet # the rows of the first time change what short records say
cp .rooflog/config once
run calibrate --write --quiet
check "again: the same rows" cmp once .rooflog/config
printf '\n[device "mine"]\n\tbandwidth = 1 GB/s\n' >>.rooflog/config
run calibrate --write --false-alarms 0.05 --quiet
check "what stands behind stays" grep -q 'bandwidth = 1 GB/s' .rooflog/config
equal "one block" "$(grep -c '^# calibrate: ' .rooflog/config)" 2
check "and is another" test "$(grep -c 'alpha = ' .rooflog/config)" -ge 1
run doctor
check "doctor reads it: $out" grep -q 'thresholds of rule time for gemm' <<<"$out"
run gate --json
equal "every series is judged once" "$(jq '[.gate.comparisons[] | .series] | length' <<<"$out")" 7

# What stands in the file decides.
printf '[rule "s"]\n\trefines = default\n\tkernel = softmax\n\trelative = 50 %%\n' >strict
run calibrate --config strict --json
check "strict rows flag less" test "$(field .as_it_is.flagged)" -lt "$flagged"

printf '# calibrate: end\n# calibrate: begin\n' >.rooflog/config
cp .rooflog/config before
run calibrate --write
equal "marks in the wrong order" "$status" 2
check "and why: $err" grep -q 'must appear once and in this order' <<<"$err"
check "the file is untouched" cmp before .rooflog/config
printf '# calibrate: begin\n[rule "mine"]\n# calibrate: begin\n# calibrate: end\n' >.rooflog/config
cp .rooflog/config before
run calibrate --write
equal "a mark that comes twice" "$status" 2
check "rows between two beginnings are somebody's" cmp before .rooflog/config
printf '# calibrate: begin\n[rule "calibrated default: gemm"]\n\trefines = default\n' >.rooflog/config
run calibrate --write
equal "a mark without the other" "$status" 2
printf '[rule "calibrated default: gemm"]\n\trefines = default\n\tkernel = gemm\n' >.rooflog/config
run calibrate --write
equal "a name that is taken" "$status" 2
check "and which: $err" grep -q 'outside the markers' <<<"$err"

config_is_refused() { # NAME TEXT CONTENT
	printf '%b' "$3" >.rooflog/config
	refused "$1" "$2" calibrate
}
config_is_refused "a row that is not there" 'refines "times"|, but no rule of that name is judged: name another' \
	'[rule "time"]\n[rule "a"]\n\trefines = times\n[rule "time"]\n\truns = 1\n'
config_is_refused "a row that refines one that refines" ', but no rule of that name is judged: name another' \
	'[rule "a"]\n\trefines = b\n[rule "b"]\n\trefines = a\n'
config_is_refused "more than parameters" 'config:3|metric|set it in the refined rule' \
	'[rule "a"]\n\trefines = default\n\tmetric = mfu\n'
config_is_refused "refines for all" 'allowed only in a rule' '[gate]\n\trefines = default\n'
rm .rooflog/config

refused "no number" '--false-alarms none|above 0' calibrate --false-alarms none
refused "no time" '--false-alarms 1/year: expected a number|week, night or gate' calibrate --false-alarms 1/year
refused "no such kernel" '--rule x* matches no compared series' calibrate --rule 'x*'
refused "two commits" 'takes one commit, not 2' calibrate HEAD HEAD

# A second session of the newest thirty commits: what differs there is no change of the code.
export SOURCE_DATE_EPOCH=1772960400
awk -F, -v OFS=, 'NR == 1 || $2 == "gemm" { if (NR > 1) $4 *= NR % 2 ? 1.004 : 0.997; print }' nights.csv |
	(head -1 && tail -120) >again.csv
run ingest --history --columns "$columns" again.csv
equal "a second session: $err" "$status" 0
run calibrate --json
check "noise of sessions is known: $(field .variance_within_commits)" holds '.variance_within_commits > 0.02 and .variance_within_commits <= 1'
equal "of thirty commits" \
	"$(field '[.series[] | select(.name | startswith("gemm")) | .commits_in_sessions] | unique | @csv')" 30
run calibrate
check "and said" grep -q '^Variance (4 series with repeated sessions)' <<<"$out"

# On a terminal nothing is wider than it.
terminals=1
python3 -c 'import pty; pty.openpty()' 2>/dev/null || terminals=
[ "$terminals" ] || echo "skipped: this machine makes no terminals"
for words in ${terminals:+calibrate 'bisect gemm'}; do
	# shellcheck disable=SC2086
	wide=$(LC_ALL=C COLUMNS=80 python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$rooflog" $words |
		tr -d '\r' | awk '{ lines++ } length > 80 { wide = wide "\n" $0 } END { print (lines < 10) wide }')
	equal "80 columns of $words" "$wide" 0
done

# Where the history does not say s call rate is unknown: give.
repository single
printf 'commit,op,us\n%s,gemm,5\n' "$(git rev-parse HEAD)" >one.csv
run ingest --columns commit,kernel=op,time=us:us one.csv
refused "no rate" 's call rate is unknown: give|--gates N' calibrate
run calibrate --false-alarms 1/gate --json
equal "nothing was judged" "$(field '[.calls, .week_as_it_is.false_alarms] | @csv')" 0,
repository empty
run calibrate
equal "no store" "$status" 2

finish
