#!/bin/bash
# rooflog run --against: a program whose times are known, in two work trees, through the real command.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository against

# The program prints the time of its work tree with a jitter that alternates, and counts its calls.
# Calls of a control (7th and 8th of eight) are those of the base.
cat >bench.sh <<'PROGRAM'
#!/bin/bash
n=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo "$n" >"$COUNT"
jitter=$(((n * 7919 % 11) - 5))
[ -z "${CONTROL:-}" ] || [ $((n % 8)) != 0 ] || jitter=$((jitter + CONTROL))
for name in $(ls kernels); do
	[ -z "${rows:-}" ] || rows=$rows,
	rows="${rows:-}{\"name\":\"$name\",\"run_type\":\"iteration\",\"real_time\":$(($(cat "kernels/$name") + jitter)),\"cpu_time\":1,\"time_unit\":\"ns\",\"iterations\":9}"
done
echo "{\"context\":{},\"benchmarks\":[$rows]}"
PROGRAM
chmod +x bench.sh
mkdir kernels
echo 10000 >kernels/mlp
echo '.rooflog/*.db*
out/' >.gitignore
git add -A && git commit -qm base
base=$(git rev-parse HEAD)
export COUNT=$scratch/count

against() { # ARGS...: a session without warm-ups
	rm -f "$COUNT"
	run run --warmup 0 --against "$base" "$@"
}
clean() { # NAME: no second work tree is left
	equal "$1: work trees" "$(git worktree list | wc -l)" 1
	equal "$1: folders" "$(find . -name tree)" ""
}

against -- ./bench.sh
equal "the same twice: $err" "$status" 0
check "is the same: $out" grep -q '^same: mlp, ' <<<"$out"
clean "the same"
echo 10300 >kernels/mlp
against -- ./bench.sh
equal "3 % slower, not committed: $err" "$status" 1
check "is slower: $out" grep -qE '^slower: mlp, \+(2\.9|3\.0)[0-9] % \(' <<<"$out"
check "of changes that are not committed" grep -q 'with uncommitted changes' <<<"$out"
equal "after 9 pairs and 3 controls" "$(cat "$COUNT")" 24
git commit -qam slower
against --fail-on none -- ./bench.sh
equal "which need not fail: $err" "$status" 0
equal "both commits have runs" "$(run log >/dev/null && grep -oE '\b[0-9a-f]{10}\b' <<<"$out" | sort -u | wc -l)" 2
echo 9000 >kernels/mlp && git commit -qam faster
against --json -- ./bench.sh
equal "faster: $err" "$status $(jq -r .result <<<"$out")" "0 faster"
equal "with its effect" "$(jq '.series[0].effect * 1000 | round' <<<"$out")" -100
equal "and interval" "$(jq '.series[0] | .effect_low <= .effect and .effect <= .effect_high and .p < 0.004' <<<"$out")" true
check "a document of at most 4 kB: $(wc -c <<<"$out")" [ "$(wc -c <<<"$out")" -le 4096 ]
printf '%s' "$out" >document.json
check "as its schema has it" python3 -m jsonschema -i document.json "$root/docs/schema/measure/paired-1.schema.json"
rm document.json

# --- more than one series ---

echo 500000 >kernels/gemm
against -- ./bench.sh
check "what only one side has: $out" grep -q '^only here: gemm$' <<<"$out"
git add -A && git commit -qm gemm
base=$(git rev-parse HEAD)
echo 9500 >kernels/mlp
against --json -- ./bench.sh
equal "two series, one slower: $err" "$status $(jq -c '[.series[] | [.name, .verdict]]' <<<"$out")" \
	'1 [["mlp","slower"],["gemm","same"]]'
equal "share the errors, so 9 pairs do not decide" "$(jq '.pairs > 9' <<<"$out")" true
git checkout -q kernels

# --- nothing is shown ---

echo 9200 >kernels/mlp && git commit -qam two
stored=$(run list runs >/dev/null && wc -l <<<"$out")
CONTROL=400 against --json -- ./bench.sh
equal "a base that differs from itself: $err" "$status $(jq -r '.series[] | select(.name == "mlp").verdict' <<<"$out")" "0 unfit"
equal "is not stored" "$(run list runs >/dev/null && wc -l <<<"$out")" "$stored"
CONTROL=400 against --fail-on unfit -- ./bench.sh
equal "can fail: $err" "$status" 1
check "is explained: $out" grep -q 'The base differs from itself' <<<"$out"
against --budget 1s --fail-on unclear --build 'sleep 2' -- sh -c 'sleep .2; ./bench.sh'
equal "the budget begins with the processes: $err" "$status $(head -n 1 <<<"$out")" "1 unclear: 2 series"
check "says how many it takes: $out" grep -q 'Judged is from 9 pairs on' <<<"$out"
against --check 'exit 3' -- ./bench.sh
equal "a wrong result: $err" "$status" 1
check "is not measured: $out" grep -q '^incorrect$' <<<"$out"
check "at all" [ ! -e "$COUNT" ]

# --- where and how ---

mkdir sub && echo 'cd .. && exec ./bench.sh' >sub/there.sh && git add -A && git commit -qm sub
base=HEAD
cd sub || exit 1
against -- sh there.sh
equal "from a folder below: $err" "$status" 0
cd .. || exit 1
clean "a folder below"
printf '#!/bin/sh\ntouch "%s/hooked"\n' "$scratch" >.git/hooks/post-checkout
chmod +x .git/hooks/post-checkout
against --build 'echo built >>log' -- ./bench.sh
equal "both sides are built: $err" "$status $(cat log) $(grep -c '^building' <<<"$err")" "0 built 2"
check "no hook of the repository runs" [ ! -e "$scratch/hooked" ]
rm .git/hooks/post-checkout log
mkdir "$scratch/fake"
cat >"$scratch/fake/ncu" <<END
#!/bin/bash
while [ "\$1" != --export ]; do shift; done
cp "$root/samples/formats/nvidia/ncu-report/sample.ncu-rep" "\$2.ncu-rep"
END
chmod +x "$scratch/fake/ncu"
PATH=$scratch/fake:$PATH against --tool ncu --json -- ./bench.sh
equal "a profiler in two folders: $err" "$status $(jq -c '[.result, .pairs]' <<<"$out")" '0 ["same",9]'

run run --against HEAD --dry-run --build make -- ./bench.sh
equal "a dry run: $err" "${out//????-??-??T*Z*\/tree/TIME/tree}" \
	"check out HEAD in out/profiles/bench.sh/TIME/tree
build     both sides: make
warm up   both sides, 1 x ./bench.sh
measure   both sides in turns, 24 to 96 x ./bench.sh
until     it is decided, at most 600 s"
equal "makes nothing" "$(git worktree list | wc -l)" 1

cp "$root/samples/attention/baseline-s512/profile.json" profile.json
git add -A && git commit -qm profile
against --json --set kernel=attention,dtype=bf16,device=trn2 -- cat profile.json
equal "a profile: $err" "$status $(jq -c '[.result, .here.bottleneck, (.here.findings | length), .here.findings[0].title]' <<<"$out")" \
	'0 ["same","Latency-bound",3,"Overlap the engines"]'
check "a document of at most 4 kB: $(wc -c <<<"$out")" [ "$(wc -c <<<"$out")" -le 4096 ]
against --set kernel=attention,dtype=bf16,device=trn2 -- cat profile.json
check "what to try: $out" grep -q '^to try: Overlap the engines, up to 49.10 % of total time$' <<<"$out"
check "no change is not -0" test -z "$(grep -e '-0.00 %' <<<"$out")"

# A hook of git names the index of the commit that is being made: it stays as it is.
echo staged >staged && git add staged
before=$(git diff --cached | sha256sum)
GIT_INDEX_FILE=$PWD/.git/index GIT_DIR=$PWD/.git against -- ./bench.sh
equal "in a hook: $err" "$status" 0
equal "what is staged stays" "$(git diff --cached | sha256sum)" "$before"
git rm -qf staged

# Kernels of other names are not compared.
git mv kernels/mlp kernels/mlp2 && git mv kernels/gemm kernels/gemm2
against -- ./bench.sh
check "no series on both sides: $out" grep -q '^No series was measured on both sides' <<<"$out"
equal "after the first look" "$(cat "$COUNT")" 24
git mv kernels/mlp2 kernels/mlp && git mv kernels/gemm2 kernels/gemm

# --- what cannot be ---

refused "no such commit" 'unknown revision' run --against nope -- ./bench.sh
refused "a program by its absolute path" 'in both work trees' run --against HEAD -- "$PWD/bench.sh"
refused "a number of repeats" 'without --repeat' run --against HEAD --repeat 3 -- ./bench.sh
refused "a budget of nothing" 'needs --against' run --budget 3m -- ./bench.sh
refused "an unknown result" 'expected a list of' run --against HEAD --fail-on worse -- ./bench.sh
refused "a build that fails" 'building HEAD:|status 4' run --against HEAD --build 'exit 4' -- ./bench.sh
touch new.sh && chmod +x new.sh
refused "a program that only one side has" 'HEAD does not have ./new.sh|--build COMMAND' run --against HEAD -- ./new.sh
clean "after errors"
for signal in INT TERM; do
	timeout -s $signal 1 "$rooflog" run --against HEAD --build 'sleep 30' -- ./bench.sh 2>"$scratch/said"
	ended=$?
	equal "SIG$signal" "$ended" 124
	clean "after SIG$signal: $(cat "$scratch/said")"
done
mkdir "$scratch/outside" && cd "$scratch/outside" || exit 1
refused "no repository" 'not inside a git repository' run --against HEAD -- true
finish
