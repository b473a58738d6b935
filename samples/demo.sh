#!/bin/sh
# usage: ROOFLOG=PROGRAM sh samples/demo.sh DIRECTORY
# A demonstration in one minute: a throw-away repository with an invented kernel in six commits, the
# fifth of which is slower. Everything is written below DIRECTORY, which must not exist.
set -eu
: "${ROOFLOG:?the program to use}"
samples=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/out"
out=$(cd "$1/out" && pwd)
repository=$(cd "$1" && pwd)/repository

# show COMMAND...: prints a command as a person would type it, and runs it in the repository.
show() {
	printf '\n$ rooflog'
	printf ' %s' "$@"
	printf '\n'
	(cd "$repository" && "$ROOFLOG" "$@")
}

# expect STATUS COMMAND...: like show, and insists on the exit status.
expect() {
	wanted=$1 status=0
	shift
	show "$@" || status=$?
	if [ "$status" != "$wanted" ]; then
		echo "demo: exit status $status instead of $wanted: rooflog $*" >&2
		exit 1
	fi
	printf '(exit status %d)\n' "$status"
}

echo "A kernel in five commits, each profiled three times at two sizes:"
sh "$samples/history.sh" "$repository" 1 5
ln -s "$samples" "$repository/samples"
echo /samples >>"$repository/.git/info/exclude"
expect 0 show

printf '\nThe last commit spills. The gate compares it with the commits before it, and asks for a second\n'
printf 'measurement of what looks slower:\n'
expect 1 gate
printf '\nA second measurement, on another day, agrees with the first:\n'
expect 0 ingest "$samples/history/05-again"
expect 1 gate
expect 0 report --as md --output "$out/regression.md"
expect 0 report --as html --output "$out/regression.html"

printf '\nThe sixth commit, on a branch of its own, fixes it:\n'
git -C "$repository" switch -q -c repair
sh "$samples/history.sh" "$repository" 6 6
expect 0 gate
expect 0 log -n 12

expect 0 devlog docs/kernels/attention.md --params s=512
expect 0 chart roofline --output "$out/roofline.svg"
expect 0 chart occupancy --output "$out/occupancy.svg"
expect 0 report --as html --output "$out/report.html"

for file in regression.md regression.html roofline.svg occupancy.svg report.html; do
	[ -s "$out/$file" ] || { echo "demo: $out/$file was not written" >&2; exit 1; }
done
cat <<END

demo: passed. The gate suspected commit 5, failed it once it was measured again, and passed commit 6.
Look at
  $out/report.html        the report
  $out/regression.md      the report of a pull request with that commit
  $out/roofline.svg       how far the kernels are from their rooflines
  $out/occupancy.svg      how busy the engines were over time
  $repository             the repository, with docs/kernels/attention.md filled in
END
