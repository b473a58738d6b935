#!/bin/bash
# The programs that the benchmark measures rooflog against: those that can be built and run here give
# the same answer about a small profile, wherever its summary is, and a comparison that fails is seen.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

export BENCH_FOLDER=$scratch/bench BENCH_ROOFLOG=$rooflog
# The quick ones to build.
export BENCH_PEERS="python jq cjson yajl node"
cc -std=c11 -D_GNU_SOURCE -O2 -include base/banned.h -I. -o "$scratch/generate" bench/tools/generate.c \
	bench/tools/schedule.c || exit 1

for place in first last; do
	"$scratch/generate" --summary "$place" 1000000 7 >"$scratch/$place.json"
	told=$(bash bench/peers/agree.sh "$scratch/$place.json" 2>&1)
	equal "summary $place: $told" $? 0
	echo "$told"
	for peer in python jq cjson; do
		check "$peer is compared: $told" grep -qx "$peer: agrees" <<<"$told"
	done
done

# same_answer.awk lets the last digit of a timeline differ, and nothing else.
compared() { # NAME SEDSCRIPT same|different
	local result=different
	sed "$2" "$scratch/bench/answer" >"$scratch/changed"
	awk -v slack=1 -f bench/peers/json/same_answer.awk "$scratch/bench/answer" "$scratch/changed" && result=same
	equal "$1" "$result" "$3"
}

printf '%s\n' 'engine a 5' 'opcode M 1 5' 'timeline a 10 20' >"$scratch/bench/answer"
compared 'equal answers' '' same
compared 'the last digit of a timeline' 's/ 20$/ 21/' same
compared 'more than that' 's/ 20$/ 22/' different
compared 'another time' 's/^engine a 5/engine a 6/' different
compared 'another name' 's/M/N/' different
compared 'a line less' 2d different
compared 'a line more' p different
compared 'a part less' 's/ 20$//' different
compared 'nothing' d different
finish
