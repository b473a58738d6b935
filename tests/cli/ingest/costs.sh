#!/bin/bash
# What would make an ingest run for hours or fill the memory: thousands of folders, companions and
# devices and series, names that search history, files that unpack without end.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
columns=kernel=op,device=gpu,time=value:ms
repository costs

# Each in a minute, also on a busy machine; what is quadratic takes many.
soon() { # NAME ARGS...: the status of ingest
	local name=$1
	shift
	status=0
	timeout 60 "$rooflog" ingest --quiet --dry-run --json --commit HEAD "$@" >"$scratch/.out" 2>"$scratch/.err" </dev/null ||
		status=$?
	check "$name ends: $(cat "$scratch/.err")" test "$status" != 124
}

python3 - <<'END'
import json
import os
for i in range(5000):
    os.makedirs(f"folders/d{i}/in")
    with open(f"folders/d{i}/timings.json", "w") as file:
        json.dump({"kernel": f"k{i}", "dtype": "bf16", "device": "trn2", "host_time": "4 ms"}, file)
    with open(f"folders/d{i}/params.json", "w") as file:
        json.dump({"kernel": f"k{i}", "s": i}, file)
    with open(f"folders/d{i}/in/m.csv", "w") as file:
        file.write("op,gpu,value\nx,h100-sxm,1\n")
END
soon "5,000 folders" --columns $columns folders
equal "each with its params.json: $(head -c 300 "$scratch/.err")" \
	"$(jq -c '[.runs[] | select(.kernel == "k4711") | [.format, (.params[] | .value)]] | sort' "$scratch/.out")" \
	'[["table","4711"],["timings","4711"]]'
rm -r folders

# Runs of one content, ingested a second time at their commit.
python3 - <<'END'
import os
os.mkdir("alike")
for i in range(16000):
    with open(f"alike/{i}.csv", "w") as file:
        file.write(f"op,gpu,value\na{i},h100-sxm,1\n")
END
for turn in once twice; do
	timeout 60 "$rooflog" ingest --quiet --max-series 16000 --store alike.db --commit HEAD --columns $columns alike >.out 2>&1 </dev/null
	equal "16,000 files alike, $turn: $(head -c 300 .out)" $? 0
done
rm -r alike alike.db .out

# A file of as many series: each looks for a run before it.
python3 -c '
print("op,gpu,value")
for i in range(25000):
    print(f"a{i},h100-sxm,1")' >series.csv
status=0
timeout 60 "$rooflog" show --quiet --columns $columns ./series.csv >"$scratch/.out" 2>&1 </dev/null || status=$?
equal "25,000 series are shown: $(head -c 300 "$scratch/.out")" "$status $(grep -c '^a[0-9]' "$scratch/.out")" "0 25000"
rm series.csv

device() { # NUMBER
	printf '{"devices": [{"name": "d%s", "peak_flops": {"bf16": "1 TFLOP/s"}, "bandwidth": "1 TB/s"}]}\n' "$1"
}
mkdir devices
for i in $(seq 1001); do
	mkdir "devices/$i"
	device "$i" >"devices/$i/devices.json"
done
printf 'op,gpu,value\nk,d7,1\n' >devices/m.csv
soon "more devices than there are" --columns $columns devices
check "they are refused: $(cat "$scratch/.err")" grep -q 'devices: remove those that were not measured' "$scratch/.err"
for i in $(seq 1001); do
	device 7 >"devices/$i/devices.json"
done
soon "the same device in each folder" --columns $columns devices
equal "is one: $(cat "$scratch/.err")" "$status" 0

# A commit by a search through all messages.
for name in ':/first' 'HEAD^{/first}'; do
	printf 'commit,op,gpu,value\n%s,k,h100-sxm,1\n' "$name" >search.csv
	refused "$name" 'a file must name a commit by id, tag or branch, not by a search' ingest --columns commit,$columns search.csv
done
printf 'commit,op,gpu,value\nHEAD,k,h100-sxm,1\n' >head.csv
run ingest --quiet --columns commit,$columns head.csv
equal "a name: $err" "$status" 0

# Files that unpack to more than anyone measured, and one that is not there.
{
	printf 'op,gpu,value\n'
	head -c 200000000 /dev/zero | tr '\0' n
} | gzip >bomb.csv.gz
refused "a cell of 200 MB" 'larger than 67108864 bytes' ingest --commit HEAD --columns $columns bomb.csv.gz
truncate -s 1T sparse.json
refused "a sparse file of 1 TB" 'unsupported format' ingest --commit HEAD sparse.json
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n' >lfs.json
refused "a pointer of Git LFS" 'a pointer of Git LFS|git lfs pull' ingest --commit HEAD lfs.json

# A commit whose subject has no end: of each backend the first 64 KiB, in whole characters.
{
	printf a
	head -c 1500000 /dev/zero | sed 's/\x0/é/g'
} >long
for backend in libgit2 git; do
	git commit -q --allow-empty -F long
	[ $backend = git ] && export GIT_DIR=.git
	run ingest --quiet "$root/samples/mlp"
	unset GIT_DIR
	equal "a long subject: $backend: $err" "$status" 0
	run show --json
	equal "it is cut: $backend" "$(jq -r '.commit.subject' <<<"$out" | tr -d '\n' | wc -c)" 65535
done
# Commits whose header is longer than the 1 MiB that is read of it: they are measured and compared with
# like any other, and so is what follows.
letters=$(head -c 1200000 /dev/zero | tr '\0' x)
long_header() { # NAME TREE PARENTS AUTHOR SIGNATURE
	local backend
	printf 'tree %s\n%sauthor %s <a> 1 +0000\ncommitter a <a> 1 +0000\ngpgsig %s\n\nm\n' \
		"$2" "$3" "$4" "$5" >header
	git reset -q --hard "$(git hash-object -t commit -w --stdin <header)"
	for backend in libgit2 git; do
		[ $backend = git ] && export GIT_DIR=.git
		run ingest --quiet --commit HEAD --set "kernel=$1" "$root/samples/mlp/profile.json"
		equal "$1: $backend: $err" "$status" 0
		commit "after $1, $backend"
		run ingest --quiet --commit HEAD --set "kernel=$1" "$root/samples/mlp/profile.json"
		equal "after it: $backend: $err" "$status" 0
		run gate
		unset GIT_DIR
		check "it is compared with: $backend: $out$err" grep -q unchanged <<<"$out"
	done
}
tree=$(git rev-parse 'HEAD^{tree}')
parent="parent $(git rev-parse HEAD)"$'\n'
long_header signature "$tree" "$parent" a "$letters"
long_header author "$tree" "$parent" "$letters" s
long_header parents "$tree" "$(yes "parent $(git rev-parse HEAD)" | head -n 25000)"$'\n' a s
finish
