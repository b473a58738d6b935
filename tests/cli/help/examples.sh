#!/bin/bash
# Every example on a page of help is run, in a repository that has what they name, and ends as its
# command ends when it did its work.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
export SOURCE_DATE_EPOCH=1796083200 # 2026-12-01
PATH=$(dirname "$rooflog"):$PATH

# Forty days up to the end of November 2026, the last one on a branch; attention gets 12 % slower on one of them.
mkdir "$scratch/repo" && cd "$scratch/repo" || exit 1
git init -q -b main .
mkdir -p docs/templates attention out/profiles out/again
# shellcheck disable=SC2016 # Markdown
printf '# Attention\n\n## Development log\n\n### V3: spill K\n\n**Location**: `kernels/attention.py`\n' >docs/attention.md
echo '{{#series}}{{name}}{{/series}}' >docs/templates/site-index.html
printf 'profile:\n\t@true\n' >Makefile
rows=$scratch/rows.csv
echo commit,op,impl,type,gpu,b,s,value >"$rows"
for ((day = 0; day < 40; day++)); do
	[ "$day" != 39 ] || git checkout -q -b my-branch
	echo "$day" >notes
	git add .
	when=$((1792584000 + day * 86400))
	GIT_AUTHOR_DATE="$when +0000" GIT_COMMITTER_DATE="$when +0000" git commit -q -m "night $day"
	oid=$(git rev-parse HEAD)
	awk -v oid="$oid" -v day="$day" 'BEGIN {
		srand(day + 7)
		step = day > 25 ? 1.12 : 1
		for (s = 256; s <= 1024; s *= 2)
			printf "%s,attention,fused,bf16,trn2,1,%d,%.6f\n", oid, s, s / 100 * step * (1 + rand() / 200)
		printf "%s,attention,plain,bf16,trn2,1,512,%.6f\n", oid, 7 * (1 + rand() / 200)
		printf "%s,mlp,,bf16,trn2,1,128,%.6f\n", oid, 2 * (1 + rand() / 200)
	}' >>"$rows"
done
awk -v oid="$oid" 'BEGIN {
	print oid ",attention,old,bf16,trn2,1,512,8.1\n" oid ",flash_fwd,,bf16,trn2,1,512,4.2"
	print oid ",scratch,,bf16,trn2,1,1,1.5\n" oid ",old_norm,,bf16,trn2,1,1,1.6\n" oid ",mlp,,bf16,a100-sxm-80gb,1,128,1.1"
	for (s = 64; s <= 512; s *= 2)
		print oid ",prefill,,bf16,trn2,1," s "," s / 50
}' >>"$rows"
git tag v1.2 HEAD~20
ingest() {
	"$rooflog" ingest -q "$@" >/dev/null 2>"$scratch/.err" || echo "FAILED: ingest $*: $(cat "$scratch/.err")"
}
ingest --history --columns commit=commit,kernel=op,variant=impl,dtype=type,device=gpu,param:b=b,param:s=s,time=value:ms "$rows"
ingest --commit HEAD --set dtype=fp16,device=a100-sxm-80gb "$root/samples/formats/fusion/fusion-profile/sample-shapes.json"
"$rooflog" ingest -q --set device=trn2 "$root"/samples/history/05 >/dev/null 2>&1
"$rooflog" baseline pin v1.2 2>/dev/null
"$rooflog" baseline pin v1.0 HEAD~30 2>/dev/null

# The files that the examples name.
cp "$root"/samples/history/05/attention-s512/* out/profiles/
cp "$root"/samples/history/06/attention-s256/* out/again/
cp "$root"/samples/history/06/attention-s512/* attention/
cp "$root"/samples/history/05/attention-s512/profile.json before.json
cp "$root"/samples/history/06/attention-s512/profile.json after.json
cp after.json profile.json
python3 "$root/tests/cli/ntff/make_ntff.py" "$scratch" && cp "$scratch/v6.ntff" capture.ntff && cp capture.ntff kernel.ntff
zstd -q capture.ntff
printf '100\n300,2\n' >requests.csv
printf 'sha,op,ms\n%s,extra,3.5\n' "$(git rev-parse HEAD)" >times.csv
cp "$root"/samples/formats/nvidia/ncu-csv/sample-metrics.csv ncu.csv
cp "$root"/samples/formats/nvidia/nsys-sqlite/sample-streams.sqlite nsys.sqlite
awk 'BEGIN { print "index,value"; for (i = 0; i < 60; i++) print i "," (i > 40 ? 11 : 10) + (i * 7 % 5) / 100 }' >latency.csv
awk 'BEGIN { print "series,index,value"; for (i = 0; i < 43; i++) print "a," i "," 10 + (i * 7 % 5) / 100 "\nb," i "," 5 + (i * 3 % 7) / 100 }' >all.csv
id=$("$rooflog" log --json -n 1 | jq -r '.runs[0].id[:8]')

# Programs that the examples measure, and a profiler for them.
mkdir "$scratch/bin"
PATH=$scratch/bin:$PATH
cat >"$scratch/bin/ncu" <<END
#!/bin/sh
while [ "\$1" != --export ]; do shift; done
cp "$root/samples/formats/nvidia/ncu-report/sample.ncu-rep" "\$2.ncu-rep"
END
printf '#!/bin/sh\n' >bench_attention
cp bench_attention test
cat >"$scratch/bin/make" <<'END'
#!/bin/sh
result='{"context":{},"benchmarks":[{"name":"attention","run_type":"iteration","real_time":9,"cpu_time":9,"time_unit":"us","iterations":9}]}'
printf '#!/bin/sh\necho %s\n' "'$result'" >bench_attention
chmod +x bench_attention
END
chmod +x "$scratch/bin/ncu" "$scratch/bin/make" bench_attention test
echo >bench.py

# What comment and notify post to.
forge_begin
HEAD_SHA=$(git rev-parse HEAD) HEAD_REPOSITORY=ada/kernels
export HEAD_SHA HEAD_REPOSITORY ROOFLOG_WEBHOOK=$here/services/hook GITHUB_TOKEN=good GITHUB_ACTIONS=true GITHUB_API_URL=$here
export GITHUB_REPOSITORY=ada/kernels GITHUB_EVENT_PATH=$scratch/event.json
echo '{"pull_request": {"number": 12}}' >"$GITHUB_EVENT_PATH"
jq -n --arg head "$HEAD_SHA" '{requests: [{number: 12, sha: $head, from: "ada/kernels", base: "ada/kernels"}],
	faults: [{on: "POST /services/hook", times: 9, status: 200, body: "ok"}]}' |
	forge_reset

# What an example needs besides.
prepare() { # COMMAND LINE
	case $1 in
	*commit:attention*) git branch attention ;;
	*'rm --undo'*) "$rooflog" rm --all-commits --kernel scratch >/dev/null 2>&1 ;;
	*'store merge'*) "$rooflog" store copy ci-1.db && cp ci-1.db ci-2.db ;;
	*'store copy'*) cp .rooflog/runs.db . ;;
	*'store push'*)
		git init -q --bare "$scratch/shared.git"
		git remote add origin "$scratch/shared.git"
		;;
	*'store import'*) "$rooflog" store export -o runs.jsonl ;;
	*'rooflog comment'* | *'rooflog notify'*) "$rooflog" gate -o comment=comment.md -o brief=night.json >/dev/null 2>&1 ;;
	*devlog*) "$rooflog" rm --commit HEAD --tool table >/dev/null 2>&1 ;;
	'git bisect'*) git bisect start HEAD HEAD~20 >/dev/null 2>&1 ;;
	*zfunc*) mkdir "$HOME/.zfunc" ;;
	*bash-completion*) mkdir -p "$HOME/.local/share/bash-completion/completions" ;;
	*fish*) mkdir -p "$HOME/.config/fish/completions" ;;
	esac
}

# Enters a copy, for what changes the repository or the store.
fresh() {
	rm -rf "$scratch/copy"
	cp -a "$scratch/repo" "$scratch/copy"
	cd "$scratch/copy" || exit 1
}

pages=$("$rooflog" list commands | awk 'NR > 1 { print $1 }' | sort -u)
count=0
while IFS= read -r line; do
	# A remark stands after two blanks or more.
	example=$(sed -E "s/ {2,}.*//; s/d0a75ab4/$id/; s:/path/to/kernels:.:" <<<"$line")
	case $example in
	rooflog\ show\ commit:* | rooflog\ devlog* | rooflog\ store*) fresh ;;
	rooflog\ [slgvh]* | rooflog\ c[ho]* | rooflog\ report*) cd "$scratch/repo" || exit 1 ;;
	*) fresh ;;
	esac
	prepare "$example"
	case $example in
	*'rooflog gate'* | *'rooflog doctor'*) most=1 ;;
	*) most=0 ;;
	esac
	status=0
	eval "$example" >"$scratch/.out" 2>"$scratch/.err" </dev/null || status=$?
	check "$example: status $status: $(head -3 "$scratch/.err")" test "$status" -le "$most"
	count=$((count + 1))
done < <(for page in $pages version arguments filters output options config exit-status help; do
	"$rooflog" help "$page" | sed -n '/^Examples$/,/^$/s/^  //p'
done)
check "there are examples: $count" test "$count" -ge 80
finish
