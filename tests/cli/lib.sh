# Shared by the command-line tests: a scratch directory, throw-away repositories, checks that say
# what they expected. Tests run in the source root with ROOFLOG naming the program.
# shellcheck shell=bash

export root=$PWD
rooflog=${ROOFLOG:?the program to test}
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null NO_COLOR=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@example.org SOURCE_DATE_EPOCH=1772874000
unset ROOFLOG_STORE
failures=0 checks=0 configured=()

# Makes a repository with one commit and enters it. No configuration is given from here on.
repository() { # NAME
	configured=()
	mkdir -p "$scratch/$1"
	cd "$scratch/$1" || exit 2
	# For tests/cli/server/server_suite.sh.
	[ -z "${ON_SERVER:-}" ] || export ROOFLOG_STORE="$ON_SERVER#${scratch##*.}-$1"
	git init -q .
	commit first
}

commit() { # SUBJECT
	GIT_AUTHOR_DATE=${2:-2026-03-01T09:00:00Z} GIT_COMMITTER_DATE=${2:-2026-03-01T09:00:00Z} \
		git commit -q --allow-empty -m "$1"
}

check() { # NAME COMMAND...: the command succeeds
	local name=$1
	shift
	checks=$((checks + 1))
	if ! "$@"; then
		echo "FAILED: $name: $*" >&2 # callers send the output of COMMAND elsewhere
		failures=$((failures + 1))
	fi
}

equal() { # NAME ACTUAL EXPECTED
	checks=$((checks + 1))
	if [ "$2" != "$3" ]; then
		printf 'FAILED: %s\n  expected: %s\n  actual:   %s\n' "$1" "$3" "$2"
		failures=$((failures + 1))
	fi
}

# The configuration of what is run from here on. It lies outside of the work tree, where it is the
# caller's word; what lies within it counts once it is merged (trust.sh).
configure() { # TEXT: as for printf
	# shellcheck disable=SC2059 # a format is meant
	printf "$1" >"$scratch/config"
	configured=(--config "$scratch/config")
}

# Runs rooflog: exit status in $status, both streams in $out and $err.
run() { # COMMAND ARGS...
	status=0
	"$rooflog" "${configured[@]}" "$@" >"$scratch/.out" 2>"$scratch/.err" </dev/null || status=$?
	out=$(cat "$scratch/.out")
	err=$(cat "$scratch/.err")
}

# The command fails with status 2, its message contains each TEXT, and the store is as before.
refused() { # NAME TEXTS(separated by |) ARGS...
	local name=$1 texts=$2 before after text
	shift 2
	before=$(store_sum)
	run "$@"
	after=$(store_sum)
	equal "$name: status" "$status" 2
	equal "$name: store" "$after" "$before"
	equal "$name: nothing on stdout" "$out" ""
	while IFS= read -r text; do
		check "$name: \"$text\" in: $err" grep -qiF -- "$text" <<<"$err"
	done < <(tr '|' '\n' <<<"$texts")
}

as_schema() { # NAME SCHEMA(below docs/schema) <DOCUMENT
	check "$1 is as the schema says" python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(sys.stdin), json.load(open(sys.argv[1])),
	cls=jsonschema.Draft202012Validator)' "$root/docs/schema/$2"
}

# Sets modules, the folder of DuckDB, for tests/duckdb/sql.mjs. Ends the test as skipped where node or npm is absent, or
# if sanitizers are being run.
duckdb_or_finish() {
	local status=0
	if [ -n "${SANITIZED:-}" ] || ! command -v node >/dev/null; then
		echo "skipped: DuckDB"
		finish
	fi
	modules=$BUILD_DIR/duckdb
	"$root/tests/browser/install.sh" "$modules" "$root/tests/duckdb" || status=$?
	if [ "$status" = 3 ]; then
		echo "skipped: DuckDB: no npm, or its registry cannot be reached"
		finish
	fi
	check "the packages of tests/duckdb are installed" test "$status" = 0
}

# Sets modules, the folder of what the scripts of tests/browser need, and exports CHROMIUM and FIREFOX. Ends the test as
# skipped where node, Chromium or npm is absent, or if sanitizers are being run; Firefox may be absent.
browsers() {
	if [ -n "${SANITIZED:-}" ]; then
		echo "skipped: browsers, which see what the program writes without sanitizers"
		finish
	fi
	export CHROMIUM FIREFOX
	CHROMIUM=$(command -v chromium) FIREFOX=$(command -v firefox-esr)
	local missing='' program status=0
	for program in node chromium npm; do
		command -v "$program" >/dev/null || missing+=" $program"
	done
	modules=${BUILD_DIR:?the build folder}/browser
	if [ -z "$missing" ]; then
		"$root/tests/browser/install.sh" "$modules" || status=$?
		[ "$status" != 3 ] || missing=" the registry of npm"
	fi
	if [ -n "$missing" ]; then
		echo "skipped: no$missing"
		finish
	fi
	check "the packages of tests/browser are installed" test "$status" = 0
	[ "$status" = 0 ] || finish
}

# --- a server that plays the APIs of GitHub, GitLab and Gitea (tests/cli/publish/forge.py) ---

# Starts it; $here is its address.
forge_begin() {
	python3 "$root/tests/cli/publish/forge.py" serve "$scratch/.port" &
	forge=$!
	trap 'kill $forge; chmod -R u+w "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
	for _ in {1..100}; do [ ! -s "$scratch/.port" ] || break; sleep 0.1; done
	here=http://127.0.0.1:$(cat "$scratch/.port")
}
forge_state() { python3 "$root/tests/cli/publish/forge.py" state "$here"; }
forge_reset() { python3 "$root/tests/cli/publish/forge.py" reset "$here" >/dev/null; } # <STATE

store_sum() {
	if [ -e .rooflog/runs.db ]; then sha256sum <.rooflog/runs.db; else echo none; fi
}

# --- histories for the gate: commits a night apart, measured by a table ---

# Adds COUNT empty commits to the present branch, one a day from day FROM of March 2026 on.
nights() { # COUNT [FROM]
	local branch day
	branch=$(git symbolic-ref HEAD)
	for ((day = ${2:-2}; day < ${2:-2} + $1; day++)); do
		printf 'commit %s\ncommitter a <a@example.org> %d +0000\ndata <<.\nnight %d\n.\n' \
			"$branch" $((1772355600 + (day - 1) * 86400)) "$day"
		[ "$day" != "${2:-2}" ] || printf 'from %s^0\n' "$branch"
	done | git fast-import --quiet
}

# Adds rows to measurements.csv: KERNEL at the first-parent commits FROM to TO of HEAD, the first
# commit being 1. The value is an awk expression of the commit's number i and of e, a factor with
# 0.5 % of noise between commits, always the same for the same kernel and commit. GPU, INSTANCE:
# the columns of these names, h100-sxm and none.
series() { # KERNEL VALUE [FROM [TO]]
	[ -e "$scratch/measurements.csv" ] || echo commit,op,gpu,instance,value >"$scratch/measurements.csv"
	git log --first-parent --reverse --format=%H | awk -v kernel="$1" -v from="${3:-1}" \
		-v to="${4:-1e9}" -v gpu="${GPU-h100-sxm}" -v instance="${INSTANCE-}" '
		function noise(  k, sum) {
			for (k = 0; k < 12; k++) {
				state = (state * 69069 + 12345) % 4294967296
				sum += state / 4294967296
			}
			return sum - 6
		}
		BEGIN { for (k = 1; k <= length(kernel); k++)
			state = state * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789_", substr(kernel, k, 1)) }
		{ i = NR; e = 1 + 0.005 * noise(); value = '"$2"' }
		i >= from && i <= to { printf "%s,%s,%s,%s,%s\n", $1, kernel, gpu, instance,
			value == value + 0 ? sprintf("%.9g", value) : value }' >>"$scratch/measurements.csv"
}

# Ingests those rows as one measurement, MINUTES after the first. METRIC: what the value is.
measured() { # [MINUTES]
	SOURCE_DATE_EPOCH=$((1772874000 + ${1:-0} * 60)) run ingest --history --columns \
		"commit,kernel=op,device=gpu,instance_type=instance,${METRIC:-time=value:ms}" \
		"$scratch/measurements.csv"
	equal "ingest: $err" "$status" 0
	rm "$scratch/measurements.csv"
}

# The gate ends with the fine STATUS and says WORDS.
verdict() { # NAME STATUS WORDS ARGS...
	local name=$1 wanted=$2 words=$3
	shift 3
	run gate --exit-code "$@"
	equal "$name: status of gate, $out$err" "$status" "$wanted"
	check "$name: \"$words\" in: $out$err" grep -qF -- "$words" <<<"$out$err"
}

# What the gate says of a kernel: its verdict and how many commits were compared with; -- none.
of_kernel() { # NAME KERNEL VERDICT COMMITS ARGS...
	local name=$1 kernel=$2 wanted="$3 $4"
	shift 4
	equal "$name: $kernel" "$("$rooflog" gate "${configured[@]}" --json "$@" 2>/dev/null |
		jq -r --arg kernel "$kernel" '.gate.comparisons[] | select(.kernel == $kernel) |
			"\(.verdict) \(.record.commits // "--")"')" "$wanted"
}

finish() {
	echo "$((checks - failures)) passed, $failures failed"
	[ "$failures" = 0 ]
	exit
}
