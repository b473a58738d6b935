#!/bin/bash
# What an argument means: a file, a run, a commit or a part of SERIES; what is found twice, not at all or
# is of another kind is an error that says what to write.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# The whole message, a line for each |.
says() { # NAME MESSAGE ARGS...
	local name=$1 message=$2
	shift 2
	run "$@"
	equal "$name: status" "$status" 2
	equal "$name: nothing on stdout" "$out" ""
	equal "$name" "$(grep -vE ' states (it|them)$' <<<"$err" | paste -sd'|')" "$message"
}

# A commit on HEAD whose id begins with four digits.
commit_like() { # DIGITS
	python3 - "$1" "$(git rev-parse 'HEAD^{tree}')" "$(git rev-parse HEAD)" <<'END'
import hashlib, sys
digits, tree, parent = sys.argv[1:]
for number in range(1 << 22):
    body = (f"tree {tree}\nparent {parent}\nauthor a <a@example.org> 1772874000 +0000\n"
            f"committer a <a@example.org> 1772874000 +0000\n\nalike {number}\n").encode()
    if hashlib.sha1(b"commit %d\0" % len(body) + body).hexdigest().startswith(digits):
        sys.stdout.buffer.write(body)
        break
END
}

table() { # ROWS, below the header
	printf 'op,type,gpu,impl,s,time\n%s' "$1" >"$scratch/table.csv"
	run ingest --commit HEAD --columns kernel=op,dtype=type,device=gpu,variant=impl,param:s=s,time=time:ms "$scratch/table.csv"
	equal "ingest: $err" "$status" 0
}

repository words
both=$'attention,bf16,trn2,fused,512,1.0\nattention,bf16,trn2,fused,256,0.6\nattention,bf16,trn2,plain,512,1.4\n'
table "$both"
first=$(git rev-parse --short=10 HEAD)
commit second 2026-03-02T09:00:00Z
table "$both"$'mlp,bf16,trn2,,128,2.0\nop[0],fp32,h100-sxm,,64,3.0\n'
second=$(git rev-parse --short=10 HEAD)
id=$("$rooflog" log --json -k mlp | jq -r '.runs[0].id')
printf 'op,ms\ngemm,2.5\n' >table.csv
cp table.csv v1.2
mkdir -p profiles out
cp table.csv out/x.csv
columns=(--columns "kernel=op,time=ms:ms")

# --- what is found ---

names() { jq -r '[.runs[] | "\(.kernel) \(.variant // "") \(.params[] | select(.name == "s") | .value)"] | sort | join(",")' <<<"$out"; }
means() { # WORDS NAMES
	# shellcheck disable=SC2086 # words
	run show --json $1
	equal "show $1: $err" "$(names)" "$2"
}
means "mlp" "mlp  128"
means "attention s=512 fused" "attention fused 512"
means "fused attention HEAD~1 s=256" ""
means "attention HEAD~1 s=256" "attention fused 256"
means "series:attention plain" "attention plain 512"
means "att* plain bf16 trn2" "attention plain 512"
means "op[0]" "op[0]  64"
means "commit:HEAD~1 plain attention" ""
means "run:${id:0:8}" "mlp  128"
means "${id:0:4}" "mlp  128"
means "${id:0:8} $("$rooflog" log --json -k 'op*' | jq -r '.runs[0].id' | cut -c-8)" "mlp  128,op[0]  64"
run show --json 'attention (fused, s=512)'
equal "a name with all its marks" "$(names)" "attention fused 512"
run show --json "$("$rooflog" show --json mlp | jq -r '.runs[0].series')"
equal "a key: $err" "$(names)" "mlp  128"
run baseline set good HEAD~1
run show --json good plain
equal "a baseline is a commit, and a word alone begins with the kernel" "$status" 2
run show --json good '*' plain
equal "any kernel: $err" "$(names)" "attention plain 512"
run show --json "${columns[@]}" out/x.csv gemm
equal "series of a file: $err" "$(jq -r '.runs[].kernel' <<<"$out")" gemm
run log attention plain --json
equal "a history: $err" "$(jq -c '[.series[] | [.name, (.points | length)]]' <<<"$out")" '[["attention plain bf16 s=512",2]]'
run gate --explain attention plain --json
equal "explained: $err" "$(jq -r '.explained[].name' <<<"$out")" "attention plain bf16 trn2 s=512"

# --- sides ---

sides() { jq -r '"\(.compare.baseline.name) \(.compare.candidate.name)"' <<<"$out"; }
compares() { # ARGS SIDES
	# shellcheck disable=SC2086 # words
	run compare --json $1
	equal "compare $1: $err" "$status $(sides)" "0 $2"
}
compares "" "$first HEAD"
compares "HEAD~1" "HEAD~1 HEAD"
compares "HEAD~1 HEAD attention" "HEAD~1 HEAD"
compares "HEAD~1..HEAD" "HEAD~1 HEAD"
compares "good attention s=256" "good HEAD"
compares "${id:0:6} ${id:0:8}" "${id:0:6} ${id:0:8}"
compares "out/x.csv --columns kernel=op,time=ms:ms" "HEAD out/x.csv"
run compare HEAD~1 attention s=256
check "two lines name both sides: $out" test "$(head -2 <<<"$out" | awk '{ print $1, $2 }' | paste -sd,)" = "baseline HEAD~1,candidate HEAD"

# --- errors ---

git branch attention
says "a branch and a kernel" "rooflog show: 'attention' is a branch and a kernel|hint: write commit:attention or series:attention" show attention
run show --json commit:attention mlp
equal "the branch" "$(names)" "mlp  128"
git branch -q -D attention
git cat-file commit HEAD >/dev/null
alike=$(commit_like "${id:0:4}" | git hash-object -w -t commit --stdin)
says "a run and a commit begin alike" "rooflog show: '${id:0:4}' begins run ${id:0:8} and commit ${alike:0:10}|hint: write more digits, or run:${id:0:4} or commit:${id:0:4}" show "${id:0:4}"
says "too few digits" "rooflog show: '${id:0:2}' is too short: 4 digits at least" show "${id:0:2}"
git tag v1.2
says "a file and a tag" "rooflog compare: 'v1.2' is a file and a tag|hint: write ./v1.2 or commit:v1.2" compare v1.2 HEAD
git tag good
says "a baseline and a tag" "rooflog gate: 'good' is a baseline ($first) and a tag ($second)|hint: write refs/tags/good for the tag, or rename the baseline" gate good
git tag -f good HEAD~1 >/dev/null
run show --json good attention s=256
equal "a baseline and a tag of one commit are one: $err" "$(names)" "attention fused 256"
says "nothing" "rooflog show: nothing is called 'atention': no run, commit or series|hint: the nearest is the kernel attention" show atention
says "a bare word that is a folder" "rooflog show: nothing is called 'profiles': no run, commit or series|hint: for the folder of this name, write ./profiles" show profiles
says "no such path" "rooflog show: out/x.json: no such file" show out/x.json
says "no such path, spelled as one" "rooflog show: ./nowhere: no such file" show ./nowhere
says "a file in the gate" "rooflog gate: out/x.csv is a file; gate judges stored runs|hint: rooflog ingest out/x.csv, or rooflog compare A B for two files" gate out/x.csv
says "files and stored runs" "rooflog show: files and stored runs cannot be mixed|hint: rooflog compare HEAD out/x.csv" show "${columns[@]}" HEAD out/x.csv
says "a kind of report" "rooflog report: nothing is called 'weekly'|hint: rooflog report --as weekly" report weekly
says "two commits" "rooflog gate: two commits: HEAD~1 and v1.2|hint: rooflog gate HEAD~1 --against v1.2" gate HEAD~1 v1.2
says "two commits of one side" "rooflog show: two commits: HEAD~1 and HEAD|hint: rooflog compare HEAD~1 HEAD" show HEAD~1 HEAD
says "a commit in the log" "rooflog log: HEAD~1 is a commit; log lists the runs of all commits|hint: rooflog show HEAD~1" log HEAD~1
says "a commit for rm" "rooflog rm: HEAD is a commit; rm removes stored runs|hint: rooflog rm --commit HEAD" rm HEAD
says "a series for rm" "rooflog rm: mlp is a series; rm removes stored runs|hint: rooflog rm --all-commits --series 'mlp'" rm mlp
says "no such commit" "rooflog show: nothing is called 'nowhere': no commit" show commit:nowhere
says "a run for the gate" "rooflog gate: $id is a run; gate judges stored runs|hint: rooflog show $id" gate "$id"
says "standard input once" "rooflog show: - is standard input, which can be read once" show - -
says "no run of this id" "rooflog show: no run's id begins with 'abcdabcdabcd'" show run:abcdabcdabcd

# --- what [alias] calls a series ---

configure '[alias "flash_fwd"]\n\tas = attention\n'
for command in show log report gate 'gate --explain' 'chart trend -o x.svg' 'compare HEAD~1 HEAD' bisect; do
	# shellcheck disable=SC2086 # words
	run $command flash_fwd
	equal "$command by an old name: $err" "$((status < 2)) $(grep -c 'nothing is called' <<<"$err")" "1 0"
done
run show flash_fwd
check "by the names of today: $out" grep -q 'attention' <<<"$out"
git branch flash_fwd
says "a branch, too" "rooflog gate: 'flash_fwd' is a branch and a part of a series|hint: write commit:flash_fwd or series:flash_fwd" gate flash_fwd
git branch -q -D flash_fwd
configured=()

# --- several runs ---

rows=
for s in $(seq 1 1500); do rows+="many,bf16,trn2,,$s,1.$s"$'\n'; done
table "$rows"
"$rooflog" log --json | jq -r '.runs[].id' | sort >"$scratch/ids"
four=$(cut -c-4 "$scratch/ids" | uniq -d | head -1)
several=$(grep "^$four" "$scratch/ids" | cut -c-8)
run show "$four"
check "several runs: $err" grep -qF "rooflog show: '$four' begins $(wc -l <<<"$several") runs: " <<<"$err"
equal "all are named" "$(sed -n '1s/.*: //p' <<<"$err" | tr -s ', ' '\n' | sort)" "$several"

# --- HEAD without runs ---

commit third 2026-03-03T09:00:00Z
commit fourth 2026-03-04T09:00:00Z
run show mlp
equal "the nearest ancestor: $err" "$status ${err#note: }" "0 HEAD has no runs; showing $second, 2 commits back"
run gate
equal "the gate insists on HEAD" "$status" 2
says "a range is two sides" "rooflog show: HEAD~1..HEAD: no such file|hint: rooflog compare HEAD~1..HEAD" show HEAD~1..HEAD
says "of a list, too" "rooflog log: nothing is called 'main..': no series" log main..
run show s=9999
check "parameters are no series: $err" grep -qF 'hint: a series begins with its kernel; --params selects by parameters alone' <<<"$err"
cd "$scratch" || exit 2
says "no repository" "rooflog show: HEAD: no such file, and not inside a git repository|hint: a file works anywhere: rooflog show profile.json" show HEAD
says "no repository, two sides" "rooflog compare: nosuch: no such file, and not inside a git repository|hint: two files work anywhere: rooflog compare before.json after.json" compare nosuch ./
says "no repository, no file" "rooflog gate: $PWD is not inside a git repository|hint: run inside a repository, or name a store with --store PATH" gate HEAD
finish
