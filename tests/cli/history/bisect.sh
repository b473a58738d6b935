#!/bin/bash
# rooflog bisect on a real repository with noisy measurements: the range of a change, commits without
# data, merges, the loop with --next, and a real `git bisect run`.
# shellcheck disable=SC2016 # jq has variables of its own
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# Measures what is checked out: the work tree says how slow the kernel is, the counter gives the
# noise (1 %) and the time of the session.
cat >"$scratch/measure.sh" <<-'SCRIPT'
	measure() { # [SERIES FACTOR]
		local session
		session=$(($(cat "$scratch/sessions" 2>/dev/null || echo 0) + 1))
		echo "$session" >"$scratch/sessions"
		awk -v seed="$session" -v ms="$(cat speed)" -v op="${1:-gemm}" -v factor="${2:-1}" 'BEGIN {
			state = seed * 7919 # the rand() of some awks cannot be repeated
			for (i = -12; i < 12; i++) {
				state = state * 16807 % 2147483647
				sum += i < 0 ? 0 : state / 2147483647
			}
			print "op,ms"
			printf "%s,%.7f\n", op, ms * factor * (1 + 0.01 * (sum - 6))
		}' >"$scratch/time.csv"
		SOURCE_DATE_EPOCH=$((1772874000 + session * 60)) "$rooflog" ingest --quiet --commit HEAD \
			--columns kernel=op,time=ms:ms "$scratch/time.csv" >/dev/null
	}
SCRIPT
# shellcheck source=/dev/null
. "$scratch/measure.sh"

clock=0
step() { # SUBJECT [SPEED]
	clock=$((clock + 3600))
	if [ -n "${2:-}" ]; then echo "$2" >speed; fi
	echo "$1" >>notes
	git add speed notes
	GIT_AUTHOR_DATE="$((1772000000 + clock)) +0000" \
		GIT_COMMITTER_DATE="$((1772800000 + clock)) +0000" git commit -q -m "$1"
}

# Fourteen measured commits, twenty that nobody measured with a side branch of six among them, and
# eight measured ones. The fourth commit of the side branch makes the kernel 7 % slower.
repository repo
printf '/.rooflog\n' >.git/info/exclude
git branch -M main
step base 10.0
for i in $(seq 14); do
	step "old $i"
	measure
done
good=$(git rev-parse HEAD)
for i in $(seq 5); do step "quiet $i"; done
git checkout -q -b side HEAD~2
for i in 1 2 3; do step "side $i"; done
step "side 4: simpler tiles" 10.7
culprit=$(git rev-parse HEAD)
for i in 5 6; do step "side $i"; done
git checkout -q main
clock=$((clock + 3600))
# The notes of both sides differ: keep ours, take the speed of the side.
git merge -q --no-ff -s ours --no-commit side >/dev/null 2>&1
git checkout -q side -- speed
echo merged >>notes
git add notes
GIT_AUTHOR_DATE="$((1772000000 + clock)) +0000" GIT_COMMITTER_DATE="$((1772800000 + clock)) +0000" \
	git commit -q -m "merge of side"
for i in $(seq 6 10); do step "quiet $i"; done
commit "nothing at all" "$((1772800000 + clock + 60)) +0000"
for i in $(seq 8); do
	step "new $i"
	measure
done
bad=$(git rev-parse HEAD~7)
cp .rooflog/runs.db "$scratch/start.db"
cp "$scratch/sessions" "$scratch/start.sessions"

run bisect
equal "a report: $err" "$status" 0
check "levels: $out" grep -qE 'gemm.*total_time: (9\.9|10)[0-9.]* ms -> 10\.[67][0-9]* ms, \+[67]\.' <<<"$out"
check "the old end" grep -qF "last good   ${good:0:10}" <<<"$out"
check "the new end" grep -qF "first bad   ${bad:0:10}" <<<"$out"
check "its size: $out" grep -qF '19 candidate commits, 6 from merged branches (|); 18 not measured' <<<"$out"
check "the culprit's line" grep -qE "^ +5\.[0-9] %  \| ${culprit:0:10}  2026-02-..  +--  +0  side 4: simpler tiles" <<<"$out"
check "what cannot be it" grep -qE '^same code  .*nothing at all' <<<"$out"
check "how many measurements" grep -qE '^  expected effort: [4-7] measurements until one commit exceeds 95.0 %' <<<"$out"
first=$out
run bisect
equal "the same again" "$out" "$first"
run bisect --json gemm
check "as JSON: $out" jq -e --arg culprit "$culprit" '.metric == "total_time" and .worse and
	(.commits | length) == 19 and .commits_without_data == 18 and .effect > 0.06 and
	.effect_low < .effect and .effect < .effect_high and (.decided | not) and .cause == null and
	([.commits[].cause] | add - 1 | fabs) < 1e-9 and .sessions_for_error == 2 and
	(.commits[] | select(.oid == $culprit) | .side and .value == null and .sessions == 0 and
		.subject == "side 4: simpler tiles" and (.authored | startswith("2026-02-")))' \
	<<<"$out" >/dev/null

# --run is that loop, in a copy of the repository, and returns to where it began.
mkdir "$scratch/searching"
cp "$scratch/sessions" "$scratch/searching"
cp -a "$scratch/repo" "$scratch/searched"
searching="scratch=$scratch/searching rooflog=$rooflog; . $scratch/measure.sh"
cd "$scratch/searched" || exit 1
printf '#!/bin/sh\ntouch "%s/hooked"\n' "$scratch" >.git/hooks/post-checkout
chmod +x .git/hooks/post-checkout
run bisect gemm --run "$searching; measure"
check "no hook of the repository runs" [ ! -e "$scratch/hooked" ]
rm .git/hooks/post-checkout
equal "--run: $err" "$status" 0
check "--run finds the cause: $out" grep -qE "^cause found \(probability 9[5-9]\.[0-9] %\): $culprit" <<<"$out"
check "--run measures few: $err" [ "$(grep -c '^measuring ' <<<"$err")" -le 10 ]
equal "--run returns to the branch" "$(git symbolic-ref --short HEAD)" main
run bisect gemm --run 'echo never; exit 1'
equal "found already: nothing is measured, $err" "$status $(grep -c never <<<"$err")" "0 0"
equal "--run leaves no change" "$(git status --porcelain)" ""
cd "$scratch" && rm -rf searched && cp -a repo searched && cd searched || exit 1
refused "a command that fails" 'ended with status 7' bisect gemm --run 'exit 7'
equal "after a failure: the branch" "$(git symbolic-ref --short HEAD)" main
refused "a command that ingests nothing" 'stored no new run' bisect gemm --run true
timeout -s INT 1 "$rooflog" bisect gemm --run 'sleep 30' 2>/dev/null
equal "after Ctrl-C: the branch" "$? $(git symbolic-ref --short HEAD)" "124 main"
echo changed >>notes
refused "a change that is not committed" 'uncommitted changes' bisect gemm --run true
refused "two ways" 'choose one' bisect --run true --next
cd "$scratch/repo" || exit 1

# The loop of the manual.
loop() {
	local oid probes=0
	while oid=$("$rooflog" bisect --next --bad main 2>"$scratch/.next"); do
		git checkout -q "$oid" || break
		measure
		probes=$((probes + 1))
		[ "$probes" -lt 60 ] || break
	done
	"$rooflog" bisect --next --bad main >"$scratch/.out" 2>"$scratch/.err"
	status=$?
	git checkout -q main
	measured=$probes
}
loop
equal "the loop ends: $(cat "$scratch/.err")" "$status" 1
check "with the culprit" grep -qF "$culprit  side 4: simpler tiles" "$scratch/.err"
equal "and nothing on standard output" "$(cat "$scratch/.out")" ""
check "after few measurements: $measured" [ "$measured" -le 10 ]
echo "loop: $measured measurements for 18 commits without data"
run bisect
check "the report says it: $out" grep -qE "^cause found \(probability 9[5-9]\.[0-9] %\): $culprit" <<<"$out"
run bisect --json
[ "$status" = 0 ] || out=null
check "and the document" jq -e --arg culprit "$culprit" '.decided and .cause == $culprit and
	.next == null and .expected_measurements == 0' <<<"$out" >/dev/null

git checkout -q main~11
measure
git checkout -q main
run bisect --json
check "what is looked for stays what it was" jq -e --arg good "$good" --arg bad "$bad" \
	'.good.oid == $good and .bad.oid == $bad and (.commits | length) == 19' <<<"$out"

# git bisect run with a script that measures until it is sure.
restart() {
	cp "$scratch/start.db" .rooflog/runs.db
	cp "$scratch/start.sessions" "$scratch/sessions"
}
export rooflog scratch
cat >"$scratch/step.sh" <<-'SCRIPT'
	#!/bin/bash
	. "$scratch/measure.sh"
	for try in 1 2 3 4 5 6; do
		measure || exit 128
		"$rooflog" bisect --run-step "$@"
		status=$?
		[ "$status" = 125 ] || exit "$status"
	done
	exit 125
SCRIPT
bisected() { # NAME OPTIONS...
	local name=$1
	shift
	restart
	git bisect start main "$good" >/dev/null
	git bisect run bash "$scratch/step.sh" "$@" >"$scratch/.bisect" 2>&1
	equal "$name: $(tail -n 3 "$scratch/.bisect")" "$(git rev-parse refs/bisect/bad)" "$culprit"
	git bisect reset >/dev/null 2>&1
	equal "$name: back where it began" "$(git rev-parse --abbrev-ref HEAD)" main
}
bisected "git bisect run, by itself"
check "it says what it saw" grep -qE 'is (bad|good): gemm.*, bad with probability ' "$scratch/.bisect"
bisected "git bisect run, with a range" --good "$good" --bad main gemm

# Steps that cannot tell, and errors: git takes 1 to 127 for bad.
restart
git checkout -q "$culprit"
run bisect --run-step --bad main
equal "no data: $err" "$status $out" "125 "
check "it says so" grep -qF "has no measurement of gemm" <<<"$err"
run bisect --run-step --bad main nowhere
equal "an error: $err" "$status" 128
run bisect --run-step --bad main --frobnicate
equal "a typing mistake: $err" "$status" 128
run bisect --run-step --quiet --bad nobranch
equal "no such commit" "$status" 128
check "told in spite of --quiet: $err" grep -qF 'nobranch' <<<"$err"
run bisect --run-step --next
equal "two ways at once: $err" "$status" 128
run bisect --run-step
equal "the history of what is checked out has no change: $err" "$status" 128
# A value between the levels is uncertain; what one call brings is one session.
mkdir "$scratch/times"
for ms in 10.35 10.36 10.37; do printf 'op,ms\ngemm,%s\n' "$ms" >"$scratch/times/$ms.csv"; done
"$rooflog" ingest --quiet --commit HEAD --columns kernel=op,time=ms:ms "$scratch/times" >/dev/null
run bisect --run-step --bad main
equal "between the levels: $err" "$status" 125
check "measure again" grep -qF 're-measure' <<<"$err"
run bisect --run-step --bad main --json
check "with numbers: $out" jq -e '.step.verdict == "unknown" and .step.sessions == 1 and
	.step.at_new_level > 0.01 and .step.at_new_level < 0.99' <<<"$out" >/dev/null
git checkout -q main

# What is given instead of found.
restart
run bisect --good "$good~1" --bad main -c bisect.error=0.1%
equal "a range: $err" "$status" 0
check "is the range: $out" grep -qF "last good   $(git rev-parse --short=10 "$good~1")" <<<"$out"
check "with its own error" grep -qF 'wrongly in at most 0.1 %' <<<"$out"
refused "half a range" 'the means up to the good commit and from the bad commit on differ by' bisect --good HEAD~3
refused "the wrong way round" '--good must be the older one|older one' bisect --good main --bad "$good"
refused "a revision" 'nowhere' bisect --good nowhere --bad main
refused "a metric" '--metric speed: unknown metric' bisect --metric speed
refused "a derived metric" '): choose a measured metric' bisect --metric mfu
refused "a share" '-c bisect.noise=3: expected a share' bisect -c bisect.noise=3
refused "an error" '-c bisect.error=80%: expected a share such as 2 %, below 50 %' bisect -c bisect.error=80%
refused "an unknown kernel" "nothing is called 'b': no series" bisect b
refused "too small a step" 'less than half of the noise' bisect --good "$good~4" --bad "$good~1" -c bisect.noise=20%
run bisect --metric host_time
equal "no data of a metric: $err" "$status $out" "0 "
run bisect --next --bad "$good"
equal "no change before it: $err" "$status $out" "1 "
check "it says so" grep -qF 'none with a confirmed slowdown' <<<"$err"
run bisect nowhere
check "no such series: $err" grep -qF "nothing is called 'nowhere': no series" <<<"$err"

# A tip that is not in the store yet, and noise that nobody knows.
step "unmeasured tip"
run bisect
equal "a newer HEAD: $err" "$status" 0
repository young
git branch -M main
for i in 10.0 10.1 10.0 11.0; do
	step "at $i" "$i"
	measure
done
run bisect --good HEAD~1 --bad HEAD
equal "too few to know the noise: $err" "$status" 0
check "and what to do" grep -qF -- '-c bisect.noise' <<<"$err"
run bisect --good HEAD~1 --bad HEAD -c bisect.noise=1%
equal "unless it is said: $err" "$status" 0
check "one commit is it: $out" grep -qE '^cause found \(probability 100.0 %\): ' <<<"$out"

# A kernel that is the same, byte by byte, is not the cause; the last argument is its hash.
profile() { # MICROSECONDS HASH
	local session
	session=$(($(cat "$scratch/sessions") + 1))
	echo "$session" >"$scratch/sessions"
	jq --arg time "$1" --arg hash "$2" '.summary[0].total_time = ($time | tonumber / 1e6) |
		.neff_header[0].hash = $hash' "$scratch/profile.json" >"$scratch/one.json"
	SOURCE_DATE_EPOCH=$((1772874000 + session * 60)) "$rooflog" ingest --quiet --commit HEAD \
		--set kernel=attention,dtype=bf16 "$scratch/one.json" >/dev/null
}
gzip -dc "$root/samples/attention-fused-s512.json.gz" >"$scratch/profile.json"
repository bytes
git branch -M main
for i in 1 2 3 4 5 6 7 8; do
	step "old $i" 1
	profile "30.0$((i * 3 % 7))" aaaa
done
good=$(git rev-parse HEAD)
for i in 1 2 3 4 5 6; do step "quiet $i"; done
for i in 1 2 3 4 5 6; do
	step "new $i"
	profile "33.0$((i * 3 % 7))" bbbb
done
git checkout -q HEAD~9
profile 31.5 aaaa
git checkout -q main
run bisect --json
equal "kernel hashes: $err" "$status" 0
check "what lies before the same kernel is excluded" jq -e --arg good "$good" '.good.oid == $good and
	([.commits[] | .cannot] | . == ["same kernel", "same kernel", "same kernel", null, null, null,
		null]) and .commits[2].at_neither_level and .commits[2].sessions == 1 and
	([.commits[:3][].cause] == [0, 0, 0])' <<<"$out"
cp .rooflog/runs.db "$scratch/bytes.db"
rm .rooflog/runs.db
git checkout -q "$good~7"
for i in 1 2 3 4 5 6 7 8; do
	git checkout -q "$good~$((8 - i))"
	profile "30.0$((i * 3 % 7))" aaaa
done
for i in 5 4 3 2 1 0; do
	git checkout -q "main~$i"
	profile "33.0$((i * 3 % 7))" aaaa
done
git checkout -q main
run bisect
check "the same kernel at both ends: $out" grep -qF 'the kernel is identical before and after' \
	<<<"$out"
run bisect --next
equal "nothing to measure: $err" "$status $out" "1 "
run bisect --run-step
equal "nor to decide: $err" "$status" 128

# Where more is better, a fall is worse.
repository rates
git branch -M main
i=0
for rate in 100 101 99 100.5 99.5 100 101 99 90 90.5 89.5 90 91 89; do
	i=$((i + 1))
	step "rate $i" "$rate"
	printf 'op,rate\ngemm,%s\n' "$rate" >"$scratch/rate.csv"
	SOURCE_DATE_EPOCH=$((1772874000 + i * 60)) "$rooflog" ingest --quiet --commit HEAD \
		--columns kernel=op,throughput=rate "$scratch/rate.csv" >/dev/null
done
run bisect --json
equal "rates: $err" "$status" 0
check "a fall: $out" jq -e '.metric == "throughput" and .worse and .effect < -0.08 and .decided and
	(.commits[] | select(.subject == "rate 9") | .cause > 0.95)' <<<"$out"
run bisect --good HEAD --bad HEAD~8
equal "the good one is the older one: $err" "$status" 2

# A shallow clone hides commits, and the program says how to get them.
git clone -q --depth 3 "file://$scratch/repo" "$scratch/shallow"
cd "$scratch/shallow" || exit 2
mkdir .rooflog
cp "$scratch/start.db" .rooflog/runs.db
run bisect --bad "$(git -C "$scratch/repo" rev-parse main~1)"
equal "shallow: $err" "$status" 2
check "the way out: $err" grep -qF 'git fetch --unshallow' <<<"$err"

finish
