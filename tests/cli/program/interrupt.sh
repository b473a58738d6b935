#!/bin/bash
# Who interrupts ingest, while it reads or while it writes, finds the store as it was, and a clean line.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
case $(readlink -f "$rooflog") in
*/asan/* | */fuzz/*) preload= ;; # the sanitizer's library has to be the first one
*)
	preload=$scratch/interrupt.so
	cc -shared -fPIC -O1 -D_GNU_SOURCE -o "$preload" tests/cli/program/interrupt_write.c || exit 1
	;;
esac
repository interrupt
cp "$root/samples/formats/neuron/neuron-profile-json/sample.json" whole.json
sed 's/"total_time":4.5e-05/"total_time":4.6e-05/' whole.json >other.json
run ingest --set kernel=mlp,dtype=bf16 whole.json
equal "the first run: $err" "$status" 0
check "interruptions" python3 "$root/tests/cli/program/interrupt.py" "$rooflog" whole.json other.json "$preload"
finish
