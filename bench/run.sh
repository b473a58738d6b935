#!/bin/bash
# usage: bench/run.sh [--large] [SECTION...]  (by way of ./dev bench, which builds the program first)
# Measures build/release/rooflog in build/bench and writes bench/RESULTS.md. The programs take turns
# in every round, and each is compared with its neighbours of the same round; --large adds what takes
# minutes and gigabytes. Without SECTION, all of them; what is not measured again keeps its text.
set -euo pipefail
cd -P "$(dirname "$0")/.."
export LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null PYTHONDONTWRITEBYTECODE=1

# In the order of RESULTS.md: bench/sections/NAME.sh has bench_NAME, which prints the section from its heading
# on, and may have prepare_NAME, which makes what bench_NAME needs in $work.
sections='reading files compressed traces containers commands history wide scale store server site charts'

# shellcheck source=bench/lib.sh
. bench/lib.sh
for section in $sections; do
	# shellcheck source=/dev/null
	. "bench/sections/$section.sh"
done

# The libraries that the peers use.
debian_versions() {
	dpkg-query -W -f '${db:Status-Abbrev}${Package} ${Version}, ' libsimdjson-dev rapidjson-dev libyajl-dev \
		libcjson-dev python3-ijson python3-pandas 2>/dev/null | sed 's/ii  *//g; s/, $//' || true
}

machine_facts() {
	local compiler
	compiler=$(cache_value CMAKE_C_COMPILER)
	cat <<TEXT
| processor | $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1) |
| memory | $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo) |
| system | $(uname -sr | sed 's/-.*//'), $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release) |
| compiler | $("$compiler" --version | head -n 1), $(cache_value CMAKE_C_FLAGS_RELEASE) |
| others | $("$python" --version), node $(node --version 2>/dev/null || echo missing), $(jq --version), $(debian_versions) |
TEXT
}

commit() {
	git rev-parse --short=10 HEAD
	git diff --quiet HEAD -- . ':!bench/RESULTS.md' || echo '(and changes on top)'
}

load() {
	cut -d ' ' -f 1 /proc/loadavg
}

measure_section() { # NAME
	local before started
	before=$(load)
	started=$SECONDS
	say "== $1"
	[ "$(type -t "prepare_$1")" != function ] || "prepare_$1"
	"bench_$1" >"$work/table"
	{
		echo "<!-- section $1 -->"
		cat "$work/table"
		echo
		echo "Measured on $(date -u +%F) at commit $(commit | paste -sd ' '), in" \
			"$((SECONDS - started)) s; load average $before before, $(load) after."
		echo
	} >"$work/sections/$1.md"
}

# Figures of another machine are not kept beside those of this one.
keep_old_sections() {
	local name
	machine_facts | while IFS= read -r line; do
		grep -qxF "$line" bench/RESULTS.md || return 1
	done || return 0
	for name in $sections; do
		sed -n "/^<!-- section $name -->\$/,/^Measured on /p" bench/RESULTS.md \
			>"$work/sections/$name.md"
		[ ! -s "$work/sections/$name.md" ] || echo >>"$work/sections/$name.md"
	done
}

write_results() {
	local name
	{
		cat <<TEXT
# Benchmarks

Written by \`./dev bench\`; do not edit.

| | |
|---|---|
| rooflog | $("$rooflog" --version | head -n 1) |
$(machine_facts)

TEXT
		for name in $sections; do
			[ ! -e "$work/sections/$name.md" ] || cat "$work/sections/$name.md"
		done
		remarks
	} >"$work/RESULTS.md"
	mv "$work/RESULTS.md" bench/RESULTS.md
	[ ! -s "$work/sections/reading.md" ] || python3 bench/tools/chart.py bench/RESULTS.md bench/results
}

remarks() {
	cat <<'TEXT'
## How to read this

Figures are medians over the rounds, of whole processes, with the files in the page cache. CPU is
user plus system time. The programs take turns, and a ratio is the median of the ratios within the
rounds: on a machine that does other things too, ratios mean more than milliseconds, and wall times
mean least.

* `cat` only copies in the kernel. Its own cost doubles and halves with the pieces that the page cache
  keeps a file in, and with what else the machine does, so ratios to it swing most; those to rooflog
  are steadier.
* Each section says when it was measured, and at which commit; all of them were measured on the machine
  in the table above.

## Again

```
./dev bench
./dev bench --large
./dev bench reading commands
```

The first needs 6 GB in `build/bench`, the second 9 GB. Inputs depend on nothing but their size
and seed, so other machines measure the same bytes.
TEXT
}

wanted=''
for word; do
	if [ "$word" = --large ]; then
		# shellcheck disable=SC2034 # read by the sections
		large=yes
	elif [[ " $sections " = *" $word "* ]]; then
		wanted="$wanted $word"
	else
		say "unknown argument \"$word\"; there are --large, $sections"
		exit 2
	fi
done
[ -x "$rooflog" ] || die "build the program first: ./dev build"
rm -rf "$work"
mkdir -p "$times" "$work/sections"
compile measure bench/tools/measure.c
[ -z "$wanted" ] || keep_old_sections
for section in ${wanted:-$sections}; do
	measure_section "$section"
	write_results
done
cat bench/RESULTS.md
