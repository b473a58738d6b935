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
failures=0 checks=0

# Makes a repository with one commit and enters it.
repository() { # NAME
	mkdir -p "$scratch/$1"
	cd "$scratch/$1" || exit 2
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
		echo "FAILED: $name: $*"
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

# Runs rooflog: exit status in $status, both streams in $out and $err.
run() {
	status=0
	"$rooflog" "$@" >"$scratch/.out" 2>"$scratch/.err" </dev/null || status=$?
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

store_sum() {
	if [ -e .rooflog/runs.db ]; then sha256sum <.rooflog/runs.db; else echo none; fi
}

finish() {
	echo "$((checks - failures)) passed, $failures failed"
	[ "$failures" = 0 ]
	exit
}
