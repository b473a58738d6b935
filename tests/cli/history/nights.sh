#!/bin/bash
# Nights with commits that were not measured, with several commits, and with two machines in turns: the
# right commit or the right range is named, in the right night, and nothing else ever is (nights.py).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

for story in "commits without data" "three a night, the first one's" "three a night, the second one's" \
	"three a night, the third one's" "three a night, one measured" "two devices" "two instances" \
	"two machines under one name"; do
	mkdir "$scratch/$story"
	said=$(python3 "$root/tests/cli/history/nights.py" "$rooflog" "$scratch/$story" "$story" 2>&1)
	equal "$story: $said" "$?" 0
done
finish
