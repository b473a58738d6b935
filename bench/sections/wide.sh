#!/bin/bash
# Section "wide": what a pull request waits for when a commit has 10,000 series.

# shellcheck source=bench/lib.sh
. bench/lib.sh

prepare_wide() {
	need_store wide 10000 12
}

timed_wide() { # NAME
	(
		cd "$work/wide"
		case $1 in
		python) "$measure" 1 "$python" "$OLDPWD/bench/peers/peer_store.py" .rooflog/runs.db ;;
		gate) measure_verdict "$rooflog" gate ;;
		comment) measure_verdict "$rooflog" gate --as "$1" ;;
		esac
	) 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# shellcheck disable=SC2016 # Markdown
wide_title() {
	case $1 in
	python) echo python ;;
	gate) echo '`gate`' ;;
	comment) echo '`gate --as comment`' ;;
	esac
}

bench_wide() {
	local name file
	cat <<'TEXT'
## A wide commit

10,000 series under 12 commits, one run each. python is `bench/peers/peer_store.py`, which reads the same numbers and compares
each with its median on record.

| command | CPU ms | from, to | wall ms | peak MiB | CPU / python |
|---|---|---|---|---|---|
TEXT
	take_turns "$rounds" wide timed_wide python gate comment
	for name in python gate comment; do
		file=$(measured wide "$name")
		row "$(wide_title "$name")" "$(cpu_ms "$file")" "$(cpu_range "$file")" \
			"$(wall_ms "$file")" "$(peak_mib "$file")" \
			"$(ratio "$file" "$(measured wide python)")"
	done
}
