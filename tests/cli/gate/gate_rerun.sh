#!/bin/bash
# gate -o rerun=FILE: what to measure again, for machines; with commands that no name can break out of;
# and the measurement that confirms or clears.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,variant=impl,dtype=type,device=gpu,param:m=m,time=ms:ms

history() { # COUNT: commits on the branch that is entered
	for i in $(seq "$1"); do
		printf 'commit refs/heads/many\ncommitter a <a@example.org> %d +0000\ndata 2\nc\n\n' \
			$((1772874000 + i * 86400))
	done | git fast-import --quiet
	git checkout -q many
}

measure() { # WHEN FROM TO KERNEL=...: a measurement of its own of the commits after FROM up to TO
	local when=$1 range=${2:+$2..}$3
	shift 3
	git rev-list --reverse "$range" | python3 "$root/tests/cli/gate/gate_record.py" "$@" >table.csv
	SOURCE_DATE_EPOCH=$when run ingest --quiet --history --columns "$map" table.csv
	equal "ingest: $err" "$status" 0
}

list() { # FILTER: of each line
	jq -c "$1" list.jsonl
}

repository record
history 30
measure 1779000000 "" HEAD~1 bad=1:0.004 noisy=2:0.03 fine=3:0.005
measure 1779000001 HEAD~4 HEAD~1 young=1:0.02
measure 1779000002 HEAD~1 HEAD bad=1.2:0.004:1@0:3 noisy=2.03:0.001 fine=3:0.005 young=1:0.01 new=1:0.01
run gate --exit-code -o rerun=list.jsonl
equal "suspect: $err" "$status" 3
check "the text says how many: $out" grep -q '^to measure again: . series' <<<"$out"
equal "as many as are listed" "$(sed -n 's/^to measure again: \([0-9]*\) series.*/\1/p' <<<"$out")" "$(wc -l <list.jsonl)"
equal "what looks bad is first, with as many runs as it had" \
	"$(list '[.kernel, .verdict, .metric, .measurements, .runs, .params, .dtype, .device, .tool]' | head -n 1)" \
	'["bad","suspect","total_time",1,3,{"m":"64"},"bf16","h100-sxm","table"]'
equal "both commits" "$(list '[.candidate_commit, .baseline_commit]' | head -n 1)" \
	"$(printf '["%s","%s"]' "$(git rev-parse HEAD)" "$(git rev-parse HEAD~1)")"
equal "without a template no command" "$(list 'has("command")' | sort -u)" false
equal "what measurements cannot decide is not listed" "$(list 'select(.kernel == "new" or .kernel == "fine")')" ""
# Noise of 20 %: no number of measurements, nor of commits, would.
printf '[rule "all"]\nkernel = young\nnoise = 20 %%\n' >"$scratch/hopeless"
run gate --config "$scratch/hopeless" -o rerun=list.jsonl
check "undecided: $out" grep -q 'reduce the noise, or raise the tolerance in the rule' <<<"$out"
equal "so nothing is to be measured" "$(wc -l <list.jsonl)" 0
check "and nothing is said" bash -c "! grep -q 'to measure again' '$scratch/.out'"

run gate --exit-code -o rerun=-
equal "on standard output: $err" "$(jq -r .kernel <<<"$out" | head -n 1)" bad
equal "the status is the gate's" "$status" 3
refused "two documents in one file" '-o text=both.txt and -o rerun=./both.txt would both write to ./both.txt' \
	gate --output both.txt -o rerun=./both.txt
refused "two reports in one file" '-o junit=./a.xml and -o summary=a.xml would both write to a.xml' \
	gate -o junit=./a.xml -o summary=a.xml
refused "a report and the list" '-o rerun=both.txt and -o junit=both.txt would both' \
	gate -o rerun=both.txt -o junit=both.txt
check "nothing is written" test ! -e a.xml -a ! -e both.txt
run gate --exit-code -o junit=/dev/null -o summary=/dev/null
equal "what keeps nothing may be named twice: $err" "$status" 3
refused "two documents on one stream" 'only one document can go to standard output: write the others to files' gate -o rerun=- --json
run gate -o rerun=- -o gate.json
equal "one in a file" "$(jq -r .gate.verdict gate.json) $(jq -r .kernel <<<"$out" | head -n 1)" "suspect bad"

# A row that asks for more runs says how many are lacking.
printf '[rule "all"]\nkernel = fine\nruns = 5\n' >"$scratch/more.config"
run gate --config "$scratch/more.config" -o rerun=list.jsonl
equal "four more: $out" "$(list '[.kernel, .verdict, .runs]')" '["fine","undecided",4]'
# A row for context asks for nothing.
printf '[rule "all"]\nrole = context\n' >"$scratch/context"
run gate --config "$scratch/context" -o rerun=list.jsonl
equal "context" "$(wc -l <list.jsonl)" 0
# One line a series, whatever number of rows.
printf '[rule "a"]\nkernel = bad\n[rule "b"]\nkernel = bad\nalpha = 0.001\n' >"$scratch/twice"
run gate --config "$scratch/twice" -o rerun=list.jsonl
equal "two rows, one line" "$(list '[.kernel, [.because[].row]]')" '["bad",["a","b"]]'

# The second measurement confirms, or clears.
measure 1779000003 HEAD~1 HEAD bad=1.21:0.004:1@0:3
run gate -o rerun=list.jsonl
equal "confirmed: $out" "$status" 1
equal "and no longer listed" "$(list 'select(.kernel == "bad")')" ""

# --- commands ---
repository commands
history 20
python3 - >names <<'END'
print("\n".join(["plain", "a b", "it's", "$(touch pwned)", "`touch pwned`", "x; touch pwned", "'; touch pwned; '",
                 '" && touch pwned; "', "back\\slash\\", "--rm", "*", "~root", "a&b|c>d", "{{commit}}", "é漢"]))
END
python3 - >table.csv <<'END'
import csv, subprocess, sys
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow("commit,op,impl,type,gpu,m,ms".split(","))
commits = subprocess.check_output(["git", "rev-list", "--reverse", "HEAD"], text=True).split()
for number, name in enumerate(open("names", encoding="utf-8").read().split("\n")[:-1]):
    for i, commit in enumerate(commits):
        level = 1.5 if commit == commits[-1] and number != 0 else 1
        out.writerow([commit, name, "v1", "bf16", "h100-sxm", "64", level + 0.001 * (i * 7 % 5)])
    out.writerow([commits[-1], name, "v1", "bf16", "h100-sxm", "64", 1.5])
END
run ingest --quiet --history --columns "$map" table.csv
equal "ingest: $err" "$status" 0
# Few of so many would move alike by chance; here they are told apart.
cat >"$scratch/config" <<'END'
[gate]
together = 100 %
rerun = "printf '%s\\n' --kernel={{kernel}} m={{params.m}} {{commit}} {{runs}}"
END
run gate --config "$scratch/config" -o rerun=list.jsonl
equal "all are suspects: $err$(head -n 2 <<<"$out")" "$(list 'select(.verdict == "suspect")' | wc -l)" "$(wc -l <names)"
while IFS= read -r line; do
	name=$(jq -r .kernel <<<"$line")
	ran=$(sh -c "$(jq -r .command <<<"$line")")
	runs=$(jq -r .runs <<<"$line")
	equal "the shell sees the name: $name" "$ran" "$(printf '%s\n' "--kernel=$name" m=64 "$(git rev-parse HEAD)" "$runs")"
	ran=$(sh -c "$(jq -r .baseline_command <<<"$line")" | sed -n 3p)
	equal "the baseline's commit: $name" "$ran" "$(git rev-parse HEAD~1)"
	ran=$(jq -c '.words[2:] | .[-3:]' <<<"$line")
	equal "the words, without a shell: $name" "$(jq -c '.words[2]' <<<"$line")$ran" \
		"$(jq -cn --arg name "--kernel=$name" '$name')$(jq -cn --arg c "$(git rev-parse HEAD)" --arg n "$runs" '["m=64", $c, $n]')"
done <list.jsonl
check "nothing else ran" test ! -e pwned

template() { # TEMPLATE
	local escaped=${1//\\/\\\\}
	printf '[gate]\nrerun = "%s"\n' "${escaped//\"/\\\"}" >"$scratch/config"
}
template './bench --kernel={{kernel}} {{params.nosuch}}'
run gate --config "$scratch/config" -o rerun=list.jsonl
equal "a parameter that the series has not" "$(list '[.command, .command_fault]' | sort -u)" \
	'[null,"{{params.nosuch}} is undefined for this series"]'
template './bench {{kernel}}'
run gate --config "$scratch/config" -o rerun=list.jsonl
check "a name that would be an option" test \
	"$(list 'select(.kernel == "--rm") | [.command, .command_fault[:28]]')" = '[null,"{{kernel}} is not a plain na"]'
equal "as a word of its own only a plain name fits" \
	"$(list 'select(.command != null) | .kernel' | sort | tr -d '\n')" '"plain"'
while IFS='|' read -r name form words; do
	template "$form"
	refused "$name" "$words" gate --config "$scratch/config" -o rerun=list.jsonl
done <<'END'
within double quotes|bench "{{kernel}}"|inside quotes
within single quotes|bench '{{kernel}}'|inside quotes
after a dollar|bench ${{kernel}}|after $
after a backslash|bench \{{kernel}}|after $
in backquotes|bench `echo {{kernel}}`|one command without shell syntax expected: quote `
arithmetic|bench $(({{runs}}))|nothing is expanded
a place that is none|bench --kernel={{kernal}}|available: {{kernel}}
a place without end|bench {{kernel|unclosed placeholder
a quote without end|bench {{kernel}} '|unterminated quote
a comment|make #{{kernel}}|one command without shell syntax expected: quote #
a comment after a word|bench # {{kernel}}|one command without shell syntax expected: quote #
two commands|cd x; bench {{kernel}}|one command without shell syntax expected: quote ;
two commands, one after the other|cd x && bench {{kernel}}|one command without shell syntax expected: quote &
a redirection|bench {{kernel}} >log|one command without shell syntax expected: quote >
a pattern|bench *.cu {{kernel}}|one command without shell syntax expected: quote *
a tilde|~/bench {{kernel}}|one command without shell syntax expected: quote ~
braces|bench {a,b} {{kernel}}|one command without shell syntax expected: quote {
a variable|bench $HOME {{kernel}}|nothing is expanded
a variable in quotes|bench "$HOME" {{kernel}}|nothing is expanded
nothing|  |no command
a value as the program|{{kernel}} --run|must not name the program
an assignment|KERNEL={{kernel}} bench|begin with env
an assignment and a variable|a={{kernel}}; eval "$a"|one command without shell syntax expected: quote ;
eval|eval {{kernel}}|runs an argument as code
source|source {{kernel}}|runs an argument as code
a dot|. {{kernel}}|could be a program that the first word runs
sh -c|sh -c {{kernel}}|runs an argument as code
sh -c with more text|/bin/sh -c 'echo x' {{kernel}}|runs an argument as code
letters of options|bash -xec {{kernel}}|runs an argument as code
without a space|bash -c{{kernel}}|runs an argument as code
in quotes|'s'"h" -c --kernel={{kernel}}|runs an argument as code
after env|env A=b sh -c --kernel={{kernel}}|runs an argument as code
env -S|env -S {{kernel}}|runs an argument as code
after sudo|sudo -u me python3 -c --kernel={{kernel}}|runs an argument as code
perl|perl -wE {{kernel}}|runs an argument as code
node|node --eval={{kernel}}|runs an argument as code
awk|gawk {{kernel}} file|runs an argument as code
a script by a value|sh -x {{kernel}}|could be a program that the first word runs
a module by a value|python3 -m {{kernel}}|could be a program that the first word runs
sudo|sudo {{kernel}}|could be a program that the first word runs
timeout|timeout 60 {{kernel}}|could be a program that the first word runs
xargs|xargs -n 1 {{kernel}}|could be a program that the first word runs
find|find . -exec {{kernel}} +|could be a program that the first word runs
ssh|ssh host {{kernel}}|could be a program that the first word runs
a bracket|bench --k=[1] {{kernel}}|one command without shell syntax expected: quote [
a parenthesis|bench x) {{kernel}}|one command without shell syntax expected: quote )
an option of a shell with an argument|bash -o pipefail -c {{kernel}}|runs an argument as code
letters of an option with an argument|bash -euo pipefail -c --k={{kernel}}|runs an argument as code
an option with a plus|bash +x -c --k={{kernel}}|runs an argument as code
an option of Python with an argument|python3 -W ignore -c {{kernel}}|runs an argument as code
a version|/opt/bin/python3.12 -W ignore -c K={{kernel}}|runs an argument as code
an option of Perl with an argument|perl -I lib -e {{kernel}}|runs an argument as code
an option of Node with an argument|node -r x -e {{kernel}}|runs an argument as code
Julia|julia --project=. -e {{kernel}}|runs an argument as code
R|Rscript --vanilla -e K={{kernel}}|runs an argument as code
sed|sed -n K={{kernel}} file|runs an argument as code
a debugger|gdb -batch -ex K={{kernel}} ./bench|runs an argument as code
a shell after a profiler|ncu -o r bash -c K={{kernel}}|runs an argument as code
a shell after another profiler|nsys profile -o r sh -c K={{kernel}}|runs an argument as code
a shell after rocprofv3|rocprofv3 --stats -- sh -c K={{kernel}}|runs an argument as code
a shell after perf|perf stat -e cycles sh -c K={{kernel}}|runs an argument as code
Python after torchrun|torchrun --no-python python3 -c K={{kernel}}|runs an argument as code
Python after uv|uv run python -c K={{kernel}}|runs an argument as code
a shell in a pod|kubectl exec pod -- sh -c K={{kernel}}|runs an argument as code
a shell after what nobody knows|anything --goes sh -c K={{kernel}}|runs an argument as code
a line in a job|sbatch --wrap={{kernel}}|runs an argument as code
a line far away|gcloud compute ssh host --command={{kernel}}|runs an argument as code
a long option|python3 -u node --eval={{kernel}}|runs an argument as code
a program after a profiler|ncu {{kernel}}|could be a program that the first word runs
a script after torchrun|torchrun {{kernel}}|could be a program that the first word runs
a program by its option|nsys profile --stats true {{kernel}}|could be a program that the first word runs
a recipe|just {{kernel}}|could be a program that the first word runs
a target|make {{kernel}}|could be a program that the first word runs
an absolute program|/usr/bin/timeout 60 {{kernel}}|could be a program that the first word runs
a module that runs code|python3 -m timeit {{kernel}}|could be a program that the first word runs
a part of a program's name|timeout 60 bin/{{kernel}}|a value is a word of its own or follows =
a program here|env ./{{kernel}}|a value is a word of its own or follows =
a part of a script's name|bash scripts/{{kernel}}.sh|a value is a word of its own or follows =
a part of a name with =|timeout 60 bin/a={{kernel}}|a value is a word of its own or follows =
an option without =|./bench -k{{kernel}}|a value is a word of its own or follows =
END

printf '[gate]\nrerun = "bench {{kernel}}\\nrm x"\n' >"$scratch/config"
refused "two lines" "it is one line" gate --config "$scratch/config" -o rerun=list.jsonl

# What passes a value on to a shell gets plain ones only; make would run $(shell ...) in a variable.
printf 'all:\n\t@echo %s\n' "\$(KERNEL)" >Makefile
for form in 'make -s KERNEL={{kernel}}' 'ssh host ./bench --kernel={{kernel}}' 'nice ssh host ./bench --kernel={{kernel}}' \
	'just bench KERNEL={{kernel}}' 'sbatch --export=K={{kernel}} job.sh' './bench --out=results/{{kernel}}.csv' 'sh ./bench.sh {{kernel}}'; do
	template "$form"
	run gate --config "$scratch/config" -o rerun=list.jsonl
	equal "$form: plain names" "$(list 'select(.command != null) | .kernel' | sort | tr -d '\n')" '"plain"'
	check "$form: the others" test \
		"$(list 'select(.kernel | contains("(touch")) | .command_fault')" = \
		'"{{kernel}} is not a plain name (letters, digits and _ . , : + -), which is all that fits there: write --option={{...}}, or call a script instead"'
done
template 'make -s KERNEL={{kernel}}'
run gate --config "$scratch/config" -o rerun=list.jsonl
for command in $(list 'select(.command != null) | .command | @base64' | tr -d '"'); do
	sh -c "$(base64 -d <<<"$command")" >/dev/null
done
check "make ran nothing else" test ! -e pwned
# What stays one word is not refused.
while IFS='|' read -r form words; do
	template "$form"
	run gate --config "$scratch/config" -o rerun=list.jsonl
	equal "$form: $err" "$(list 'select(.kernel == "a b") | .words')" "$words"
	name=$(list 'select(.kernel == "a b") | .command' | jq -r .)
	equal "$form: the shell's words" "$(sh -c "printf '%s|' $name" | cat)" "$(jq -r '.[] + "|"' <<<"$words" | tr -d '\n')"
done <<'END'
./bench --kernel={{kernel}}|["./bench","--kernel=a b"]
bench	--kernel={{ kernel }}.{{dtype}}  x|["bench","--kernel=a b.bf16","x"]
'my bench' "a \"b\" \\ c" 'd$e' f\ g h#i '' k={{kernel}}|["my bench","a \"b\" \\ c","d$e","f g","h#i","","k=a b"]
sh ./bench.sh --kernel={{kernel}} {{dtype}}|["sh","./bench.sh","--kernel=a b","bf16"]
python3 bench.py -c K={{kernel}}|["python3","bench.py","-c","K=a b"]
python3 -m bench --kernel={{kernel}} -m{{measurements}}|["python3","-m","bench","--kernel=a b","-m1"]
python3 -u bench.py --run-all --p={{kernel}}|["python3","-u","bench.py","--run-all","--p=a b"]
sudo nice -n 5 ./bench --kernel={{kernel}}|["sudo","nice","-n","5","./bench","--kernel=a b"]
ncu -o report ./bench --kernel={{kernel}}|["ncu","-o","report","./bench","--kernel=a b"]
find . -name run.sh -exec ./bench --kernel={{kernel}} +|["find",".","-name","run.sh","-exec","./bench","--kernel=a b","+"]
./bench-flash -c --kernel={{kernel}} {{params.m}}|["./bench-flash","-c","--kernel=a b","64"]
env K={{kernel}} ./bench|["env","K=a b","./bench"]
END

# What a person would read otherwise than the shell.
sed -i "s/plain/rtl$(printf '\342\200\256')live/" table.csv
sed -i 's/,1\.5$/,2/' table.csv
run ingest --quiet --history --columns "$map" table.csv
equal "ingest of another name: $err" "$status" 0
template 'bench --kernel={{kernel}}'
printf 'together = 100 %%\n' >>"$scratch/config"
run gate --config "$scratch/config" -o rerun=list.jsonl
equal "a name that turns the text: $out" \
	"$(list 'select(.kernel | startswith("rtl")) | [.command, .command_fault]')" \
	'[null,"{{kernel}} has characters in it that do not show, or that pass for others"]'

# --- gate --rerun ---

repository again
history 12
measure 1779000000 "" HEAD~1 steady=1:0.004 slow=2:0.004
measure 1779000001 HEAD~1 HEAD steady=1:0.004 slow=2.5:0.004
# Measures a kernel, as FACTOR says, and stores it.
cat >"$scratch/measures" <<'END_OF_AGAIN'
#!/bin/bash
set -eu
echo "$*" >>"$CALLS"
[ "$FACTOR" != fails ] || exit 7
[ "$FACTOR" != nothing ] || exit 0
rows=$(for repeat in 1 2 3; do echo "${1#--kernel=},v1,bf16,h100-sxm,64,$FACTOR$repeat"; done)
printf 'op,impl,type,gpu,m,ms\n%s\n' "$rows" >again.csv
"$ROOFLOG" ingest --commit HEAD --columns "${MAP#commit,}" again.csv
END_OF_AGAIN
chmod +x "$scratch/measures"
export CALLS=$scratch/rerun-calls ROOFLOG=$rooflog MAP=$map SOURCE_DATE_EPOCH=1779000100
run gate --rerun
equal "without a command: $err" "$status $(grep -c -- '--rerun needs \[gate\] rerun' <<<"$err")" "2 1"
printf '[gate]\n\trerun = %s --kernel={{kernel}}\n' "$scratch/measures" >"$scratch/config"
cp .rooflog/runs.db "$scratch/before.db"
FACTOR=2.50 run gate --rerun --config "$scratch/config"
equal "the slowdown is confirmed: $err" "$status" 1
check "slower: $out" grep -q '^fail: 1 of 2 series slower, confirmed: slow' <<<"$out"
equal "only what is suspect is measured" "$(sort -u "$CALLS")" "--kernel=slow"
check "which is said" grep -q "^measuring again, 1 of [0-9]*: $scratch/measures --kernel=slow\$" <<<"$err"
calls=$(wc -l <"$CALLS")
FACTOR=2.50 run gate --rerun --config "$scratch/config"
equal "what is confirmed is not measured again: $out" "$status $(wc -l <"$CALLS")" "1 $calls"
cp "$scratch/before.db" .rooflog/runs.db
FACTOR=2.00 run gate --rerun --config "$scratch/config"
equal "or cleared: $out" "$status" 0
cp "$scratch/before.db" .rooflog/runs.db
FACTOR=fails run gate --rerun --config "$scratch/config"
equal "a command that fails: $err" "$status $(grep -c 'ended with status 7' <<<"$err")" "2 1"
FACTOR=nothing run gate --rerun --config "$scratch/config"
equal "a command that stores nothing: $err" "$status $(grep -c 'no new run was stored' <<<"$err")" "2 1"
equal "the store is as it was" "$(run log --json >/dev/null && jq '.runs | length' <<<"$out")" \
	"$(run log --store "$scratch/before.db" --json >/dev/null && jq '.runs | length' <<<"$out")"
echo changed >tracked && git add tracked
FACTOR=2.50 run gate --rerun --config "$scratch/config"
equal "changes would be measured as the commit: $err" "$status $(grep -c 'uncommitted changes of the work tree' <<<"$err")" "2 1"
git reset -q --hard
git commit -q --allow-empty -m later
FACTOR=2.50 run gate HEAD~1 --rerun --config "$scratch/config"
equal "and so would another commit: $err" "$status $(grep -c 'measures the work tree, which is at' <<<"$err")" "2 1"
finish
