#!/bin/bash
# Section "commands": what ingest, gate, log and chart cost as whole processes.

# shellcheck source=bench/lib.sh
. bench/lib.sh

command_names='true version one hundred gate log roofline-svg roofline-png occupancy-svg occupancy-png'

# The store of an empty history is kept aside, to be filled again in every round.
prepare_commands() {
	local seed
	need_profile 1 1000000 1
	for seed in {101..200}; do
		need_profile "small/$seed" 20000 "$seed" 2>/dev/null
	done
	need_repository
	cp -r "$repository" "$work/fresh"
	rm -r "$work/fresh/.rooflog"
	(cd "$work/fresh" && "$rooflog" init >/dev/null 2>&1)
	cp "$work/fresh/.rooflog/runs.db" "$work/empty.db"
}

# shellcheck disable=SC2016 # Markdown
command_title() {
	case $1 in
	true) echo '`true`, an empty process' ;;
	version) echo '`rooflog --version`' ;;
	one) echo '`ingest` of 1 profile of 1 MB into an empty store' ;;
	hundred) echo '`ingest` of 100 profiles of 22 kB into an empty store' ;;
	gate) echo '`gate`, 2 series, 50 commits, 300 runs' ;;
	log) echo '`log` of the same store' ;;
	*) echo "\`chart ${1%-*}\`, 6 runs, ${1#*-}" ;;
	esac
}

timed_command() { # NAME
	local history=$repository
	case $1 in one | hundred)
		history=$work/fresh
		cp "$work/empty.db" "$history/.rooflog/runs.db"
		;;
	esac
	(
		cd "$history"
		case $1 in
		true) "$measure" 1 true ;;
		version) "$measure" 1 "$rooflog" --version ;;
		one) "$measure" 1 "$rooflog" ingest --quiet --set kernel=k,dtype=bf16 "$work/1.json" ;;
		hundred) "$measure" 1 "$rooflog" ingest --quiet --set kernel=k,dtype=bf16 "$work/small" ;;
		gate | log) "$measure" 1 "$rooflog" "$1" ;;
		*) "$measure" 1 "$rooflog" chart "${1%-*}" --output "$work/${1%-*}.${1#*-}" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# The commands must have done what their titles say.
check_commands() {
	local stored
	timed_command hundred >/dev/null
	stored=$(cd "$work/fresh" && "$rooflog" log --json | jq '.runs | length')
	[ "$stored" = 100 ] || die "$stored runs of 100 were stored"
	stored=$(cd "$repository" && "$rooflog" log --json | jq '.runs | length')
	[ "$stored" = 300 ] || die "the history has $stored runs instead of 300"
}

bench_commands() {
	local name file
	cat <<'TEXT'
## Whole commands

| command | CPU ms | from, to | wall ms | peak MiB | CPU / true |
|---|---|---|---|---|---|
TEXT
	check_commands
	# shellcheck disable=SC2086 # a list of words
	take_turns $((3 * rounds)) commands timed_command $command_names
	for name in $command_names; do
		file=$(measured commands "$name")
		row "$(command_title "$name")" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(wall_ms "$file")" "$(peak_mib "$file")" \
			"$(ratio "$file" "$(measured commands true)")"
	done
	cat <<'TEXT'

* `gate` sees 50 commits of which the last 45 have the same profiles. The git work (finding the
  ancestors) is included; a repository of real size costs more.
* `ingest` into a store includes the wait for the disk in its wall time, not in its CPU time.
* The peak of a process includes the libraries it maps; `rooflog --version` shows that floor.
TEXT
}
