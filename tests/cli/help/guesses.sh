#!/bin/bash
# What people type who know other programs: each word works, or the right one is named. Nothing that is
# unknown runs by itself.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository guesses
run ingest --set kernel=attention,dtype=bf16 "$root/samples/history/03"
equal "ingest: $err" "$status" 0

answered() { # LINE ANSWER
	# shellcheck disable=SC2086 # words
	"$rooflog" $1 >"$scratch/.out" 2>"$scratch/.err" </dev/null
	equal "$1: status" $? 2
	equal "$1: nothing is printed" "$(cat "$scratch/.out")" ""
	check "$1 names $2: $(cat "$scratch/.err")" grep -qF -- "$2" "$scratch/.err"
}

while IFS='|' read -r line answer; do
	answered "$line" "$answer"
done <<'END'
gat|did you mean 'gate'?
diff|'compare'
ls|'log'
ls|'list kernels'
history|'log'
runs|'list series'
status|'gate'
check|'doctor'
test|'gate'
judge|'stats judge'
explain|'gate --explain'
delete|'rm'
remove|'rm'
forget|'rm'
undo|'rm --undo'
rename|'mv'
alias|'mv'
plot|'chart'
graph|'chart'
draw|'chart'
pr|'gate -o comment=FILE'
post|'gate -o comment=FILE'
config|'help config'
config|'doctor'
import|'ingest'
merge|'store merge'
export|'report -o FILE'
prune|'store prune'
measure|'run -- PROGRAM'
exec|'run -- PROGRAM'
record|'run -- PROGRAM'
add|'ingest'
benchstat a b|'compare'
ncu x|'run -- PROGRAM'
hyperfine x|'run -- PROGRAM'
roofline|'chart'
view x|'show'
html|'site'
pages|'report -o FILE.html'
web|'site'
serve|'site'
bench|'run -- PROGRAM'
profile|'run -- PROGRAM'
blame|'bisect'
tag|'baseline pin'
pin|'baseline pin'
release|'baseline pin'
ntff|'inspect'
dump|'inspect'
disasm|'inspect'
formats|'list formats'
devices|'list devices'
metrics|'list metrics'
schema|'list schemas'
detect|'stats detect'
buckets|'analyze buckets'
fusion|'analyze fusion'
nightly|'report --as nightly'
weekly|'report --as weekly'
help frobnicate|'frobnicate' is not a command
help gaet|did you mean 'gate'?
help filtres|did you mean 'filters'?
cal|did you mean 'calibrate'?
-v|-V prints the version
gate --format json|--as KIND
gate --write junit=x.xml|-o KIND=FILE
report --html|-o FILE.html
report --markdown|-o FILE.html
gate --base HEAD|--against
gate --baseline HEAD|--against
gate --rerun-list|-o rerun=FILE
site -o out|rooflog site DIR
site --output out|rooflog site DIR
log --limit 5|-n, or --max-count
ingest --params b=1,s=512 x|--set
ingest --device trn2 x|--set
-o|unknown option -o
gate -o|--output [KIND=]FILE
chart trend -o x.jpg|rooflog list kinds
report pr|rooflog report --as comment
report nightly|rooflog report --as nightly
report attentoin|'attentoin'
log HEAD|rooflog show HEAD
help gate extra|unexpected argument: extra
list|formats, devices
rm|RUN
rm attention|rm --all-commits --series 'attention'
completion|bash, zsh or fish
chart|roofline|occupancy
compare HEAD|commit under test itself
disasm x|'inspect'
schemas|'list schemas'
kernels|'list kernels'
log --colour|--color
chart rofline|did you mean 'roofline'?
chart trend.svg|rooflog chart trend -o trend.svg
chart /dev/null|rooflog chart roofline /dev/null
gate --fail-on slower|'slower' is regression here
gate --fail-on missing,unclear|'unclear' is suspect,undecided here
gate --fail-on regresion|did you mean 'regression'
gate --treat suspect=pass|--fail-on
gate --threshold 3|thresholds are rules
gate --tolerance 3|calibrate
show --verbose|show --details
gate --debug|gate --explain
log -o x|write >FILE
log --output x|write >FILE
ingest --dtype bf16 x|--set dtype=
ingest --kernel mlp x|--set
ingest --params b=1 x|--set
gate --fial-on any|did you mean --fail-on?
list format|did you mean 'formats'?
list metrics mfx|did you mean 'mfu'?
list devices h100|did you mean 'h100-sxm'
stats judg|did you mean 'judge'?
baseline remove x|expected list, set, pin or rm
log --metric mfuu|did you mean 'mfu'
log --view serie|did you mean 'series'
log --view histroy|did you mean 'history'
gate --color alwas|did you mean 'always'
inspect -c gate.noise=2% x|inspect uses no configuration
init -c gate.noise=2%|init uses no configuration
baseline -c gate.noise=2%|baseline uses no configuration
list metrics -c gate.noise=2%|list metrics uses no configuration
bisect --metric speed|rooflog list metrics
gate -o coment=x|comment
END

while read -r line; do
	# shellcheck disable=SC2086 # words
	"$rooflog" $line >"$scratch/.out" 2>"$scratch/.err" </dev/null
	equal "$line works: $(cat "$scratch/.err")" $? 0
done <<'END'
-h
gate -h
help gate
help help
-V
--version
--help
version
help
-h gate
log -n 5
log -n5
log attention
log --series attention
log --no-pager
-C . log
show attention
show HEAD
show -k attention
completion bash
chart trend --output -
report --output -
gate --explain attention
gate --color always
gate --json
gate HEAD
gate --params s=*
gate --explain attention s=256
log -5
list formats
list kernels
list series
baseline
baseline list
gate --kernel attention
gate --fail-on regression
report -o -
compare HEAD..HEAD
END
finish
