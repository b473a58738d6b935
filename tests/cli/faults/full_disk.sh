#!/bin/bash
# A disk of 1 MiB fills up: ingests that do not fit are refused with status 2 and leave nothing, outputs leave no
# file. Neither do outputs to /dev/full or to a closed descriptor succeed.
set -u
if [ -z "${DISK-}" ]; then # again, in a mount namespace of its own, with a small disk
	disk=$(mktemp -d)
	trap 'rmdir "$disk"' EXIT
	if ! unshare --map-root-user --mount mount -t tmpfs -o size=1m none "$disk" 2>/dev/null; then
		echo "skipped: no disk can be mounted"
		exit 0
	fi
	DISK=$disk unshare --map-root-user --mount bash tests/cli/faults/full_disk.sh
	exit
fi
mount -t tmpfs -o size=1m none "$DISK" || exit 2
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
repository full
store=$DISK/runs.db
PYTHONPATH=$root/tests/cli/faults python3 -c 'import store_state; store_state.benchmark("many.json", 150)'

stored=0 refusals=0
for ((i = 0; i < 12; i++)); do
	run ingest --commit HEAD --set "i=$i" --store "$store" many.json
	case $status in
	0) stored=$((stored + 150)) ;;
	2)
		refusals=$((refusals + 1))
		check "says why: $err" grep -q 'no space left on the disk' <<<"$err"
		equal "nothing is reported as stored" "$out" ""
		;;
	*) equal "status of ingest: $err" "$status" 2 ;;
	esac
done
check "some fit: $stored runs" [ "$stored" -gt 0 ]
check "some do not" [ "$refusals" -gt 0 ]
equal "what is acknowledged is there" "$("$rooflog" log --json --store "$store" | jq '.runs | length')" "$stored"
run doctor --store "$store"
equal "doctor: $out" "$status" 0

dd if=/dev/zero of="$DISK/rest" bs=1k 2>/dev/null
before=$(ls "$DISK")
for command in "report --as md --output" "report --as json --output" "gate -o" "chart trend --output" site; do
	file=$DISK/out.svg
	[ "$command" != "gate -o" ] || file=csv=$file
	# shellcheck disable=SC2086 # a command and its options
	run $command "$file" --store "$store"
	equal "$command on a full disk: $out$err" "$status" 2
	equal "$command leaves nothing" "$(ls "$DISK")" "$before"
done
for command in log gate show report doctor "ingest --dry-run many.json"; do
	# shellcheck disable=SC2086 # a command and its options
	"$rooflog" $command --store "$store" >/dev/full 2>"$scratch/.err"
	equal "$command >/dev/full" "$?" 2
	# shellcheck disable=SC2086
	"$rooflog" $command --store "$store" >&- 2>"$scratch/.err"
	equal "$command >&-" "$?" 2
done

# What a session measures has no room: its folder or a file in it, and the second work tree.
mkdir out && mount --bind "$DISK" out
before=$(store_sum)
for way in "--repeat 2" "--against HEAD"; do
	# shellcheck disable=SC2086 # an option and its value
	run run $way --tool none --store "$store" -- true
	equal "run $way on a full disk: $out" "$status" 2
	check "run $way says why: $err" grep -qi 'no space left' <<<"$err"
	equal "run $way: the store stays as it was" "$(store_sum)" "$before"
	equal "run $way leaves no work tree" "$(git worktree list | wc -l)" 1
done
umount out && rmdir out && rm -rf "$DISK/profiles"

check "the disk grows" mount -o remount,size=16m "$DISK"
run ingest --commit HEAD --set "i=later" --store "$store" many.json
equal "an ingest then: $err" "$status" 0
equal "all is there" "$("$rooflog" log --json --store "$store" | jq '.runs | length')" "$((stored + 150))"
equal "nothing is left next to the store" "$(ls "$DISK")" "rest
runs.db"
finish
