#!/bin/bash
# What is read as a file of settings is a file: pipes, devices, sockets and directories are refused at once,
# with words. Profiles may be pipes.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository pipes
git config user.name a
run ingest --commit HEAD "$root/samples/mlp"
equal "ingest: $err" "$status" 0
mkfifo pipe
mkdir folder
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'

# Ends at once with status 2, and says what the file is.
says() { # NAME WORDS ARGS...
	local name=$1 words=$2
	shift 2
	status=0
	timeout 10 "$rooflog" "$@" >"$scratch/.out" 2>"$scratch/.err" </dev/null || status=$?
	err=$(cat "$scratch/.err")
	equal "$name: status, $err" "$status" 2
	check "$name: \"$words\" in: $err" grep -qF -- "$words" <<<"$err"
}

kinds=("pipe|a named pipe" "folder|a directory" "socket|a socket" "/dev/zero|a device" "/dev/tty|a device")
for row in "${kinds[@]}"; do
	file=${row%%|*} what=${row#*|}
	says "--config $file" "cannot read $file: it is $what, not a file" gate --config "$file"
	path=$file
	[ "${file:0:1}" = / ] || path=./$file
	says "--template $file" "it is $what, not a file" report --template "$path"
	says "devlog $file" "it is $what, not a file" devlog --kernel '*' "$path"
	says "--store $file" "not a file" log --store "$path"
	[ "${file:0:1}" = / ] && continue
	mkdir -p templates && rm -rf templates/* && cp -a "$file" templates/style.css
	says "a template of a site, $file" "it is $what, not a file" site --trust-work-tree --templates templates site
	for name in config accept; do
		rm -rf ".rooflog/$name" && cp -a "$file" ".rooflog/$name"
		case $name in
		config) says ".rooflog/config, $file" "it is $what, not a file" gate ;;
		accept) says ".rooflog/accept, $file" "make it a regular file" accept --reason r --limit '47.5 us' '*' ;;
		esac
		rm -rf ".rooflog/$name"
	done
	rm -rf profiles && cp -r "$root/samples/mlp" profiles && rm -f profiles/params.json
	profile=$(find profiles -type f | head -n 1)
	cp -a "$file" profiles/params.json
	says "params.json, $file" "it is $what, not a file" ingest --commit HEAD "$profile"
done
rm -rf profiles
equal "no site" "$(ls -d site .site* 2>/dev/null)" ""

# What the caller opens is a file to it.
run gate --config <(printf '[gate]\nnonsense = 1\n')
check "a configuration by process substitution: $err" grep -q nonsense <<<"$err"
run gate --config /dev/null
check "no configuration: $err" test "$status" != 2
printf '[gate]\nnonsense = 1\n' | "$rooflog" gate --config /dev/stdin 2>"$scratch/.err"
check "a configuration on standard input" grep -q nonsense "$scratch/.err"
"$rooflog" gate --config /dev/stdin 2>"$scratch/.err" <<<$'[gate]\nnonsense = 1'
check "as a here-string" grep -q nonsense "$scratch/.err"
printf 'op,gpu,ms\ngemm,h100-sxm,1\n' >"$scratch/rows.csv"
map=kernel=op,device=gpu,time=ms:ms
for way in /dev/stdin -; do
	"$rooflog" ingest --commit HEAD --columns "$map" $way <"$scratch/rows.csv" >/dev/null 2>"$scratch/.err"
	equal "a profile from $way: $(cat "$scratch/.err")" "$?" 0
	sed '' "$scratch/rows.csv" | "$rooflog" ingest --commit HEAD --columns "$map" $way >/dev/null 2>"$scratch/.err"
	equal "a profile piped to $way: $(cat "$scratch/.err")" "$?" 0
done
run ingest --commit HEAD --columns "$map" <(cat "$scratch/rows.csv")
equal "a profile by process substitution: $err" "$status" 0
cat "$scratch/rows.csv" >pipe &
run ingest --commit HEAD --columns "$map" pipe
equal "a profile from a named pipe: $err" "$status" 0
wait
finish
