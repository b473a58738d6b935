#!/bin/bash
# What is written for machines holds before the parsers and rules of its format (exported.py): the
# golden files, a gate over hostile names, a first commit, real documents. And the rules notice.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

export PYTHONDONTWRITEBYTECODE=1
# Debian's own, which has the packages of packages.txt.
python=/usr/bin/python3
formats=$(sed -n 's/^EXPORTER(\([a-z]*\),.*/\1/p' render/export/exporters.def | paste -sd" ")

# The schema is that of the xUnit plugin of Jenkins, whose licence (MIT) is in the file.
junit_schema() { # FILE...
	xmllint --noout --schema "$root/tests/cli/report/schema/junit-10.xsd" "$@" 2>&1
}

junit_valid() { # FILE...
	local told
	told=$(junit_schema "$@") || true
	equal "JUnit's schema" "$(grep -v 'validates$' <<<"$told")" ""
}

valid() { # DOCUMENT FILE... [-- DOCUMENT FILE...]...
	local told
	told=$("$python" "$root/tests/cli/report/exported.py" "$@" 2>&1)
	equal "$1: what parsers say" "$?,$told" "0,"
}

# --- golden files ---
groups=()
for name in gate names empty nothing passed; do
	groups+=("tests/golden/exporters/$name/document.json")
	for format in $formats json; do
		groups+=("tests/golden/exporters/$name/document.$format")
	done
	groups+=(--)
done
for name in nightly runs empty; do
	groups+=("tests/golden/report/$name/document.json" "tests/golden/report/$name/document.json" --)
done
valid "${groups[@]}" tests/golden/exporters/names/document.json tests/golden/exporters/names/each.github -- \
	tests/golden/report/runs/document.json tests/golden/report/runs/document.openmetrics
junit_valid tests/golden/exporters/*/*.junit
sed 's/<testcase/<test/; s/testcase>/test>/' tests/golden/exporters/gate/document.junit >"$scratch/broken.junit"
check "another element in JUnit is noticed" grep -q 'fails to validate' <<<"$(junit_schema "$scratch/broken.junit")"
told=$("$python" tests/cli/report/exported.py --mutations tests/golden/exporters 2>&1)
equal "rules that never fail are none: $told" "$?" 0

# --- a gate over hostile names, through the whole program ---
repository names
nights 19
"$python" - >table.csv <<'END'
import csv, subprocess, sys
names = ["plain", "=1+1", "-2", "+3", "@sum", "a,b", 'quo"ted', "it's", "]]>", "<b>&amp;", "::error::x", "%0A", "{0}",
         "[a](b)", "back\\slash", "a|b", "漢字 🏎️", "x" * 500, "# EOF", "a:b", "a;b"]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow("commit,op,gpu,ms".split(","))
commits = subprocess.check_output(["git", "rev-list", "--reverse", "HEAD"], text=True).split()
for number, name in enumerate(names):
    for i, commit in enumerate(commits):
        level = 1 + number % 3 / 4 if commit == commits[-1] else 1
        out.writerow([commit, name, "h100-sxm", level + 0.001 * (i * 7 % 5)])
END
run ingest --quiet --columns commit,kernel=op,device=gpu,time=ms:ms table.csv
equal "ingest: $err" "$status" 0
# Few of so many would move alike by chance; one measurement is enough here.
configure '[gate]\ntogether = 100 %%\nconfirm = false\n'
writes=(-o json=gate.json)
files=(gate.json)
for format in $formats; do
	writes+=(-o "$format=gate.$format")
	files+=("gate.$format")
done
run gate "${writes[@]}" --fail-on regression
equal "the exit status is the gate's: $out$err" "$status $(jq .gate.exit_status gate.json)" "1 1"
equal "regressions" "$(jq .gate.counts.regressed gate.json)" 14
valid gate.json "${files[@]}"
junit_valid gate.junit
run report --json --output report.json
run report --as openmetrics --output report.openmetrics
run report --as comment --against nearest --json --output comment.json
run report --as nightly --json --output nightly.json
check "what a kind adds is there" test "$(jq -s '.[0].gate.shown.bad.count > 0 and
	.[1].gate.comparisons[0].trend.commits == 20' comment.json nightly.json)" = true
valid report.json report.json report.openmetrics -- comment.json comment.json -- nightly.json nightly.json
# Records of the HUD are read back.
run report --as hud --output report.jsonl
run ingest --dry-run --json report.jsonl
equal "what the HUD's records say: $err" "$(jq -c '[.runs[] | .metric_rows[] | select(.key == "total_time").value] | add' <<<"$out")" \
	"$(jq -c '[.runs[].metrics.total_time.value] | add' report.json)"
# Readers shorten long names.
identity='[.runs[] | select(.kernel | length < 200) | [.kernel, .variant, .params_text, .dtype, .device, .instance_type]] | sort'
equal "of what work they are" "$(jq -c "$identity" <<<"$out")" "$(jq -c "$identity" report.json)"
# Without a dtype, a dtype is not made up; where the run was is read back.
printf 'op,ms,where\nk,1.5,p5.48xlarge\n' >where.csv
run report where.csv --as hud --set device=h100-sxm --columns 'kernel=op,time=ms:ms,instance_type=where' -o nowhere.jsonl
run ingest --dry-run --json nowhere.jsonl
equal "a run without a dtype: $err" "$(jq -c '.runs[] | [.kernel, .dtype, .params_text, .instance_type]' <<<"$out")" \
	'["k",null,"","p5.48xlarge"]'
check "all metrics of the runs: $(grep -c TYPE report.openmetrics)" grep -q '^rooflog_total_time_seconds{series=' report.openmetrics

# --- what nights, weeks, two commits and comments add, with something in each of their lists ---
repository nights
nights 59
series jumps 'e * (i > 58 ? 1.2 : 1)'
series mends 'e * (i > 42 && i <= 59 ? 1.2 : 1)'
series was_bad 'e * (i > 45 ? 1.3 : 1)'
series skips 'i == 44 || i == 45 ? "" : e * (i > 43 ? 1.2 : 1)'
series tonight 'e * (i == 60 ? 1.4 : 1)'
series better 'e * (i > 59 ? 0.8 : 1)'
series creeps 'e * (1 + i * 0.001)'
series known 'e * (i > 50 ? 1.3 : 1)'
series older 'e * (i > 59 ? "" : 1)' 1 58
series older e 60
for number in {1..14}; do
	series "lost$number" e 1 59
done
series gone e 1 50
GPU=a100 series young e 59
measured
run report --as nightly --json --output nightly.json
run gate -o compare=compare.json
run report --as comment --against window --json --output comment.json
run accept known --reason 'we know'
git add -f .rooflog/accept
commit accepted 2026-05-01T09:00:00Z
for name in jumps was_bad skips; do
	series "$name" '1.25 * e' 61
done
series mends e 61
series tonight '1.4 * e' 61
series better '0.8 * e' 61
series creeps 'e * (1 + i * 0.001)' 61
series known '1.3 * e' 61
series older e 61
series sudden 'e * (i > 60 ? 1.4 : 1)'
measured 200
run report --as weekly --since 2026-04-10 --json --output weekly.json
run report --as weekly --json --output older.json
configure '[gate]\nconfirm = false\n'
run report --as weekly --json --output newest.json
documents=()
for name in nightly weekly older newest compare comment; do
	documents+=("$name.json" "$name.json" --)
done
valid "${documents[@]}"
# A list that is empty proves nothing.
equal "lists of the night" "$(jq -c '.night | keys' nightly.json)" \
	'["also","answer","before","coverage","coverage_text","drifts","fixed","headline","improved","missing","newly","open","quiet","stale","steady","still","still_bad","suspect","unclear_count","undecided","worst","zh"]'
equal "lists of the week" "$(jq -sc '[.[].week | keys[]] | unique' weekly.json older.json newest.json)" \
	'["accepted","accepted_count","answer","commits","count","moves","newly","older","open","since","worst"]'
equal "comparisons of two commits" "$(jq -c '.compare | keys' compare.json)" '["baseline","blocks","candidate","common","older"]'
equal "rows that are shown" "$(jq '.gate.shown | .bad.count > 0 and (.sizes | length) > 0' comment.json)" true

# --- a first commit: the gate says so; a report compares with nothing ---
repository first
run ingest --quiet "$root/samples/attention" "$root/samples/mlp" "$root/samples/contract"
equal "ingest: $err" "$status" 0
run gate --exit-code "${writes[@]}"
equal "no baseline" "$status" 4
valid gate.json "${files[@]}"
for format in csv junit sarif gitlab github jsonl; do
	refused "report --as $format" "$format reports gate results|nothing was compared" report --as "$format"
done
run report --json --output report.json
for format in openmetrics badge; do
	run report --as "$format" --output "report.$format"
	equal "report --as $format: $err" "$status" 0
done
valid report.json report.json report.openmetrics report.badge
finish
