#!/bin/bash
# Power fails while a store is written: at any write, with any part of what was not synced on the disk, the
# store is sound and has all that was acknowledged. POWER_IMAGES: disks to try of each scenario; 0: all.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
case $(readlink -f "$rooflog") in
*/asan/* | */fuzz/*)
	echo "skipped: the sanitizer's library has to be the first one, before the recorder"
	exit 0
	;;
esac
preload=$scratch/record_writes.so
cc -shared -fPIC -O1 -D_GNU_SOURCE -o "$preload" tests/cli/faults/record_writes.c -ldl || exit 1
check "power loss" python3 tests/cli/faults/power_loss.py "$rooflog" "$preload" "${POWER_IMAGES:-20}"
finish
