#!/bin/sh
# usage: sh samples/nights.sh DIRECTORY
# Makes DIRECTORY, a git repository of 200 nightly commits, and in it nights.csv: seven invented
# series measured at each of them. Four sizes of gemm have 0.6 % of noise, one of them became 20 %
# slower at the 121st commit; softmax is now and then much slower for a night; copy has two modes;
# young has five commits. Names, dates, numbers and so the commits' ids are the same everywhere.
set -eu
directory=$1
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
mkdir -p "$directory"
cd "$directory"
git init -q
git symbolic-ref HEAD refs/heads/main
night=0
while [ "$night" -lt 200 ]; do
	printf 'commit refs/heads/main\ncommitter Ada Kern <ada@example.org> %d +0000\ndata %d\n%s\n\n' \
		$((1755594000 + night * 86400)) $((6 + ${#night})) "Night $night"
	night=$((night + 1))
done | git fast-import --quiet
git log --reverse --format=%h main | awk '
function uniform() { seed = (seed * 1103515245 + 12345) % 2147483648; return (seed + 0.5) / 2147483648 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform()) }
function row(commit, kernel, m, us) { printf "%s,%s,%d,%.4f\n", commit, kernel, m, us }
BEGIN { seed = 7; print "commit,op,m,us" }
{
	for (k = 1; k <= 4; k++)
		row($1, "gemm", 128 * k, 100 * k * (NR > 120 && k == 2 ? 1.2 : 1) * exp(0.006 * normal()))
	row($1, "softmax", 128, 50 * exp(0.004 * normal() + (uniform() < 0.03 ? 0.1 + 0.2 * uniform() : 0)))
	row($1, "copy", 128, 20 * exp(0.003 * normal() + (uniform() < 0.3 ? 0.05 : 0)))
	if (NR > 195)
		row($1, "young", 1, 20 * exp(0.003 * normal()))
}' >nights.csv
