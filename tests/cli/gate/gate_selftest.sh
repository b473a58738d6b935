#!/bin/bash
# gate --selftest: a gate that cannot fail is found out, whatever keeps it from failing.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
map=commit,kernel=op,variant=impl,dtype=type,device=gpu,param:m=m,time=ms:ms

measure() { # WHEN FROM TO KERNEL=...: a measurement of its own of the commits after FROM up to TO
	local when=$1 range=${2:+$2..}$3
	shift 3
	git rev-list --reverse "$range" | python3 "$root/tests/cli/gate/gate_record.py" "$@" >table.csv
	SOURCE_DATE_EPOCH=$when run ingest --quiet --columns "$map" table.csv
	equal "ingest: $err" "$status" 0
}

selftest() { # NAME STATUS ARGS...: leaves the document in $out
	local name=$1 wanted=$2
	shift 2
	run gate --selftest "$@"
	equal "$name, in two statuses: $err" "$status" "$((wanted > 0))"
	run gate --selftest "$@" --json --exit-code
	equal "$name: $err" "$status" "$wanted"
	equal "$name: the document says the same" "$(jq .exit_status <<<"$out")" "$wanted"
}

repository record
for i in $(seq 30); do
	printf 'commit refs/heads/many\ncommitter a <a@example.org> %d +0000\ndata 2\nc\n\n' \
		$((1772874000 + i * 86400))
done | git fast-import --quiet
git checkout -q many && git branch -q -M many "$(git config init.defaultBranch || echo master)"
measure 1779000000 "" HEAD~1 fine=3:0.005 calm=1:0.002 noisy=2:0.08
measure 1779000001 HEAD~1 HEAD fine=3:0.005 calm=1:0.002 noisy=2:0.001 new=1:0.01
before=$(store_sum)

selftest "a quarter is not seen in noise of 8 %" 3
equal "which, and why" \
	"$(jq -c '[.judged, .flagged, .not_judged, (.comparisons[] | select(.flagged | not) | .name, .why_not[:10])]' <<<"$out")" \
	'[3,2,1,"noisy","unclear: n"]'
check "the noisy one sees least" test "$(jq -r '[.comparisons[] | [.smallest, .name]] | max[1]' <<<"$out")" = noisy
equal "nothing is stored" "$(store_sum)" "$before"
selftest "a larger one is seen everywhere" 0 --selftest=200%
equal "all of them" "$(jq -c '[.planted, .judged, .flagged]' <<<"$out")" '[2,3,3]'
selftest "of one in a thousand nobody knows" 3 --selftest=0.1%
equal "none of them" "$(jq .flagged <<<"$out")" 0
# What it calls detectable is: half of that is not seen in all, twice of it is.
calm=$(jq '.comparisons[] | select(.name == "calm") | .smallest' <<<"$out")
selftest "twice of what is detectable" 3 --selftest="$(jq -n "$calm * 2")"
equal "is seen" "$(jq '.comparisons[] | select(.name == "calm") | .flagged' <<<"$out")" true

# What keeps a gate from failing is told.
printf '[rule "time"]\nrole = context\nkernel = calm\n[rule "other"]\nkernel = fine\n' >"$scratch/config"
selftest "context" 0 --config "$scratch/config"
equal "is told and not counted" \
	"$(jq -c '[.judged, .context, (.comparisons[] | select(.context) | .why_not)]' <<<"$out")" \
	'[1,1,"the rule is informational"]'
printf '[rule "time"]\nkernel = calm\nfail-on = regression\n' >"$scratch/config"
selftest "a row that lets suspects pass" 3 --config "$scratch/config"
check "$(jq -c .comparisons <<<"$out")" grep -qF 'unclear (unconfirmed), which fail-on does not list' <<<"$out"
printf '[rule "time"]\nkernel = calm\n' >"$scratch/config"
selftest "--fail-on" 3 --config "$scratch/config" --fail-on regression
selftest "without it" 0 --config "$scratch/config"
printf '[rule "time"]\nkernel = calm\nrelative = 50 %%\n' >"$scratch/config"
selftest "a limit that is too large" 3 --config "$scratch/config"
selftest "and a slowdown that is larger" 0 --config "$scratch/config" --selftest=60%

# Limits: the smallest slowdown that misses them.
printf '[rule "limit"]\nkernel = calm\nmetric = total_time\nat-most = 1.2 ms\n' >"$scratch/config"
cp "$scratch/config" "$scratch/limit.config"
selftest "within the limit" 0 --config "$scratch/config"
equal "by a fifth" "$(jq '.comparisons[0].smallest * 100 | . > 18 and . < 23' <<<"$out")" true
selftest "less" 3 --config "$scratch/config" --selftest=10%

# What people put up with is not seen.
mkdir -p .rooflog
printf 'calm | total_time | 2 ms | never | a | known\n' >.rooflog/accept
git add .rooflog/accept 2>/dev/null || git add -f .rooflog/accept
git commit -q -m accepted
measure 1779000002 HEAD~1 HEAD calm=1:0.002
commit judged 2026-05-01T09:00:00Z
measure 1779000003 HEAD~1 HEAD calm=1:0.002
printf '[rule "time"]\nkernel = calm\n' >"$scratch/config"
selftest "an acceptance up to twice the time" 3 --config "$scratch/config"
equal "is told" "$(jq -r '.comparisons[0].why_not[:18]' <<<"$out")" 'slower (accepted):'
selftest "and what exceeds it" 0 --config "$scratch/config" --selftest=150%

# Nothing judged is never green.
printf '[rule "none"]\nkernel = nothing\n' >"$scratch/config"
selftest "nothing judged" 4 --config "$scratch/config"
run gate --selftest --config "$scratch/config"
check "and says so: $out" grep -q '^nothing to test' <<<"$out"

run gate --selftest HEAD --config "$scratch/limit.config"
equal "the commit is no percentage: $err" "$status" 1
check "80 columns: $out" bash -c "! grep -qE '^.{81}' '$scratch/.out'"
refused "a bare number" 'write 25 % or 0.25' gate --selftest=25
refused "none at all" 'expected a slowdown' gate --selftest=0%
refused "nonsense" 'expected a slowdown' gate --selftest=much
refused "two questions" '--selftest and --explain cannot be combined' gate --selftest --explain '*'
refused "no such format" '--selftest writes text or json' gate --selftest --as md
finish
