#!/bin/bash
# Histories that name their commits: each result lands under its own, those whose commit is not here
# are skipped with the reason, told once for thousands of results of one commit.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository history
for i in 1 2 3; do
	commit "step $i" "2026-03-0${i}T09:00:00Z"
done
mapfile -t oids < <(git rev-list --reverse HEAD)

entry() { # OID VALUE: an entry of github-action-benchmark
	printf '{"commit":{"id":"%s"},"date":1,"tool":"go","benches":[{"name":"gemm","unit":"ns/op","value":%s,"range":"± 1"}]}' "$1" "$2"
}

absent=$(printf '%040d' 7)
printf 'window.BENCHMARK_DATA = {"entries":{"Go":[%s,%s,%s,%s]}};\n' \
	"$(entry "${oids[1]}" 300)" "$(entry "$absent" 250)" "$(entry "${oids[2]}" 200)" \
	"$(entry "${oids[3]}" 100)" >data.js
run ingest data.js
equal "a history is read: $err" "$status" 0
check "what is not here is skipped: $err" grep -qF "$absent" <<<"$out$err"
check "three of four are stored: $out$err" grep -qF '3 runs stored' <<<"$out$err"
run log --json
equal "each run has its own commit" "$(jq -r '.runs[] | "\(.commit.oid // .commit) \(.metrics.host_time.value + 0)"' \
	<<<"$out" | awk '{ print $NF }' | sort -g | paste -sd' ')" "1e-07 2e-07 3e-07"
run ingest --commit HEAD data.js
equal "a commit of one's own contradicts: $err" "$status" 2
run ingest data.js
check "nothing is stored twice: $out$err" grep -qF '0 runs stored, 3 duplicates' <<<"$out$err"

# asv names one commit a file.
printf '{"commit_hash":"%s","env_name":"py","params":{"machine":"m"},"results":{"time_x":0.5}}' \
	"${oids[2]}" >asv.json
run ingest --history asv.json
check "asv is stored: $out$err" grep -qF '1 run stored' <<<"$out$err"
printf '{"commit_hash":"%s","env_name":"py","params":{"machine":"m"},"results":{"time_x":0.5}}' \
	"$absent" >asv.json
refused "asv: a commit that is not here" ": none of the named commits is in this repository|$absent" ingest asv.json

# Ten thousand results of one absent commit are looked up once.
jq -n --arg absent "$absent" --arg here "${oids[1]}" '{entries: {Go: [
	{commit: {id: $absent}, date: 1, tool: "go", benches: [range(10000) |
		{name: "b\(.)", unit: "ns/op", value: 1}]},
	{commit: {id: $here}, date: 1, tool: "go", benches: [{name: "b", unit: "ns/op", value: 1}]}]}}' \
	>many.json
run ingest --history many.json
check "many results: $out$err" grep -qF '1 run stored' <<<"$out$err"
check "what is left out is counted: $err" grep -qF 'skipped 10000 of 10001 runs' <<<"$err"

# An id that a whole repository does not have is not put to git again; a partial clone may fetch it.
real_git=$(command -v git)
mkdir "$scratch/bin"
printf '#!/bin/sh\necho "$*" >>"%s"\nexec "%s" "$@"\n' "$scratch/asked" "$real_git" \
	>"$scratch/bin/git"
chmod +x "$scratch/bin/git"
asked() {
	: >"$scratch/asked"
	PATH=$scratch/bin:$PATH run ingest --history many.json
	grep -cF "$absent" "$scratch/asked"
}
equal "git is not asked" "$(asked)" 0
git config remote.origin.promisor true
equal "git is asked once in a partial clone" "$(asked)" 1

# Runs that cannot be derived are not listed.
mkdir -p .rooflog
printf '[nonsense]\nx = 1\n' >.rooflog/config
for form in "" --json; do
	# shellcheck disable=SC2086 # no word, or one
	run log $form
	equal "an invalid configuration $form: status" "$status" 2
	check "an invalid configuration $form: $err" grep -q 'unknown section' <<<"$err"
	check "an invalid configuration $form: $out" [ "${#out}" -lt 3 ]
done
finish
