#!/bin/bash
# The programs of bench/peers/json: what each needs, how it is started, whether it answers as rooflog does.

# shellcheck source=bench/lib.sh
. bench/lib.sh

# Fast ones first: on the largest profiles only these are measured.
# shellcheck disable=SC2034 # read by the sections
peer_names='simdjson rapidjson yajl duckdb cjson ijson python pandas node jq'

# shellcheck disable=SC2016,SC2034 # Markdown; read by the sections
declare -A peer_titles=(
	[cat]='`cat`' [rooflog]=rooflog [simdjson]='simdjson On-Demand' [rapidjson]='RapidJSON SAX'
	[yajl]=yajl [duckdb]=DuckDB [cjson]=cJSON [ijson]='Python ijson' [python]='Python json'
	[pandas]='Python json and pandas' [node]='node JSON.parse' [jq]=jq
)
# shellcheck disable=SC2034 # read by the sections
declare -A peer_packages=(
	[simdjson]='libsimdjson-dev and a C++ compiler' [rapidjson]='rapidjson-dev and a C++ compiler'
	[yajl]=libyajl-dev [duckdb]="npm's @duckdb/node-api" [cjson]=libcjson-dev [ijson]=python3-ijson
	[python]=python3 [pandas]=python3-pandas [node]=nodejs [jq]=jq
)
declare -A peer_pythons=()
duckdb_folder=build/bench-npm

# The first of the Pythons here that has a module.
python_with() { # MODULE
	local candidate
	for candidate in "$python" /usr/bin/python3; do
		if "$candidate" -c "import $1" 2>/dev/null; then
			echo "$candidate"
			return
		fi
	done
	return 1
}

# For this very processor, with all that the compiler can do; rooflog is built for any.
compile_peer() { # NAME SOURCE LIBRARY...
	local name=$1 source=$2
	local flags=(-O3 -march=native -DNDEBUG -Wall -Wextra -I.)
	shift 2
	[ -e "$work/answer.o" ] || "$(c_compiler)" -std=c11 -D_GNU_SOURCE "${flags[@]}" -c \
		bench/peers/json/answer.c -o "$work/answer.o"
	case $source in
	*.c) "$(c_compiler)" -std=c11 -D_GNU_SOURCE "${flags[@]}" "$source" "$work/answer.o" "$@" -lm \
		-o "$work/peer_$name" ;;
	*) c++ -std=c++17 "${flags[@]}" "$source" "$work/answer.o" "$@" -lm -o "$work/peer_$name" ;;
	esac
}

has_header() { # LANGUAGE HEADER
	local compiler=c++
	[ "$1" = c++ ] || compiler=$(c_compiler)
	command -v "$compiler" >/dev/null &&
		echo "#include <$2>" | "$compiler" -x "$1" -fsyntax-only - 2>/dev/null
}

# From the registry that npm is set up for; kept between runs.
install_duckdb() {
	cmp -s bench/peers/json/package.json "$duckdb_folder/installed.json" && return
	command -v npm >/dev/null || return
	mkdir -p "$duckdb_folder"
	cp bench/peers/json/package.json "$duckdb_folder"
	(cd "$duckdb_folder" && npm install --ignore-scripts --no-audit --no-fund --no-package-lock \
		--fetch-retries=1) >"$work/npm.log" 2>&1 || return
	cp bench/peers/json/package.json "$duckdb_folder/installed.json"
}

# Builds a peer where that is needed; false when it is not installed. What is installed and does
# not compile ends the benchmark.
prepare_peer() { # NAME
	case $1 in
	simdjson)
		has_header c++ simdjson.h || return
		compile_peer simdjson bench/peers/json/peer_simdjson.cpp -lsimdjson
		;;
	rapidjson)
		has_header c++ rapidjson/reader.h || return
		compile_peer rapidjson bench/peers/json/peer_rapidjson.cpp
		;;
	yajl)
		has_header c yajl/yajl_parse.h || return
		compile_peer yajl bench/peers/json/peer_yajl.c -lyajl
		;;
	cjson)
		has_header c cjson/cJSON.h || return
		compile_peer cjson bench/peers/json/peer_cjson.c -lcjson
		;;
	duckdb)
		[ -e "$duckdb_folder/installed.json" ] && command -v node >/dev/null || return
		export NODE_PATH=$PWD/$duckdb_folder/node_modules
		;;
	ijson) peer_pythons[ijson]=$(python_with ijson.backends.yajl2_c) || return ;;
	pandas) peer_pythons[pandas]=$(python_with pandas) || return ;;
	python) peer_pythons[python]=$python ;;
	node | jq) command -v "$1" >/dev/null || return ;;
	esac || die "$1 does not compile"
}

# Sets the array `command`.
peer_command() { # NAME FILE
	case $1 in
	cat) command=(cat "$2") ;;
	rooflog) command=("$rooflog" ingest --quiet --dry-run --jobs 1 --set "kernel=k,dtype=bf16" "$2") ;;
	python) command=("${peer_pythons[$1]}" bench/peers/json/peer.py "$2") ;;
	ijson | pandas) command=("${peer_pythons[$1]}" "bench/peers/json/peer_$1.py" "$2") ;;
	node) command=(node bench/peers/json/peer.mjs "$2") ;;
	duckdb) command=(node bench/peers/json/peer_duckdb.mjs "$2") ;;
	jq) command=(jq -r -f bench/peers/json/peer.jq "$2") ;;
	*) command=("$work/peer_$1" "$2") ;;
	esac
}

# rooflog's answer about a profile, in $work/answer; it must have nothing to warn of.
rooflog_answer() { # FILE
	"$rooflog" ingest --dry-run --json --set kernel=k,dtype=bf16 "$1" 2>"$work/messages" \
		>"$work/answer.json" || die "rooflog fails: $(cat "$work/messages")"
	! grep -q warning "$work/messages" || die "rooflog warns: $(cat "$work/messages")"
	[ "$(jq '.runs[0].warnings | length' "$work/answer.json")" = 0 ] || die "the run has warnings"
	jq -r -f bench/peers/json/answer.jq "$work/answer.json" >"$work/answer"
}

# How a peer does with a profile about which rooflog was asked before: "agrees", or why it is not
# measured.
# Of the largest profiles rooflog keeps the oldest intervals as sums of bins, so that a part of its
# timeline may be off by 0.01; all else is exact.
peer_agrees() { # NAME FILE
	local command slack=1
	[ "$(stat -c %s "$2")" -lt 1500000000 ] || slack=100
	peer_command "$1" "$2"
	if ! "${command[@]}" >"$work/answer.$1" 2>"$work/messages.$1"; then
		echo 'fails on this file'
	elif ! awk -v slack="$slack" -f bench/peers/json/same_answer.awk "$work/answer" "$work/answer.$1"; then
		echo 'answers differently'
	else
		echo agrees
	fi
}
