#!/bin/bash
# Runs the ```console blocks of README.md and of all pages in docs/ and compares what they print.
#
# In a block a line "$ COMMAND" is run (lines "> ..." continue it) and the lines up to the next
# command are what it must print, stdout and stderr together. "..." there stands for any text, over
# lines too. A block after the line <!-- not run --> is left alone. The blocks of one page run one
# after another in a repository of its own, the six commits of samples/history.sh, with samples/ in
# it; its path reads /home/ada/kernels. A page with the line <!-- a new repository --> begins in one of
# a single commit, in which rooflog was never used, with the profiles of its kernel in out/; one with
# <!-- the repository of the demo --> in that of samples/demo.sh.
# GOLDEN_UPDATE=1 writes what was printed into the page.
set -eu

root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/home"
ln -s "${ROOFLOG:?the program to test}" "$scratch/bin/rooflog"
export HOME=$scratch/home PATH=$scratch/bin:$PATH NO_COLOR=1 TZ=UTC SOURCE_DATE_EPOCH=1772874000
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
blocks=0 commands=0 failures=0

# A repository of one commit, and what the profiler wrote: before a change, after it, and once more.
make_new() { # DIRECTORY
	export GIT_AUTHOR_NAME='Ada Kern' GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME='Ada Kern' GIT_COMMITTER_EMAIL=ada@example.org
	export GIT_AUTHOR_DATE=2026-03-05T09:00:00+0000 GIT_COMMITTER_DATE=2026-03-05T09:00:00+0000
	mkdir -p "$1/kernels" "$1/out"
	git -C "$1" init -q
	git -C "$1" symbolic-ref HEAD refs/heads/main
	printf 'out/\n' >"$1/.gitignore"
	echo 'VERSION = 4' >"$1/kernels/attention.py"
	git -C "$1" add .
	git -C "$1" commit -q -m 'Attention: comment the schedule'
	cp -r "$root/samples/history/04" "$1/out/before"
	cp -r "$root/samples/history/05" "$1/out/after"
	cp -r "$root/samples/history/05-again" "$1/out/again"
}

make_demo() { # DIRECTORY
	sh samples/demo.sh "$scratch/demo" >"$scratch/log" 2>&1 || {
		cat "$scratch/log"
		echo "docs_console: samples/demo.sh failed"
		exit 1
	}
	mkdir -p "$scratch/pages"
	mv "$scratch/demo/repository" "$1"
}

# Makes the repository of one page, a copy of the one that the first call makes.
directory=
make_repository() { # PAGE
	if [ ! -d "$scratch/repository" ]; then
		sh samples/history.sh "$scratch/repository" 1 6 >"$scratch/log" 2>&1 || {
			cat "$scratch/log"
			echo "docs_console: samples/history.sh failed"
			exit 1
		}
	fi
	directory=$scratch/pages/${1//\//_}
	if [ ! -d "$directory" ] && grep -qx '<!-- a new repository -->' "$1"; then
		make_new "$directory"
	elif [ ! -d "$directory" ] && grep -qx '<!-- the repository of the demo -->' "$1"; then
		make_demo "$directory"
	elif [ ! -d "$directory" ]; then
		mkdir -p "$scratch/pages"
		cp -r "$scratch/repository" "$directory"
		cp -r "$root/samples" "$directory/samples"
	fi
}

# Whether the printed text fits the expected one, in which "..." stands for anything.
fits() { # PRINTED EXPECTED
	local pattern
	pattern=$(printf '%s' "$2" | sed -e 's/[^A-Za-z0-9 ]/\\&/g' -e 's/\\\.\\\.\\\./*/g')
	# shellcheck disable=SC2053 # a pattern is meant
	[[ $1 == $pattern ]]
}

# Runs one command and puts its text into the page under construction.
run_command() { # PAGE LINE COMMAND EXPECTED STATUS-BEFORE
	local printed status=0
	make_repository "$1"
	commands=$((commands + 1))
	printed=$(cd "$directory" && bash -c "(exit $5); $3" 2>&1 </dev/null |
		sed -e 's/[[:space:]]*$//' -e "s|$directory|/home/ada/kernels|g"
		exit "${PIPESTATUS[0]}") || status=$?
	if fits "$printed" "$4"; then
		printed=$4
	elif [ -z "${GOLDEN_UPDATE:-}" ]; then
		failures=$((failures + 1))
		echo "$1:$2: $3"
		diff -u --label documented --label printed <(echo "$4") <(echo "$printed") || true
	fi
	[ -z "$printed" ] || printf '%s\n' "$printed" >>"$scratch/page"
	return "$status"
}

# One block: its lines are in block[], the first at line number $2 of the page.
run_block() { # PAGE LINE
	local index=0 status=0 command expected number
	while [ "$index" -lt "${#block[@]}" ]; do
		if [[ ${block[index]} != '$ '* ]]; then
			echo "$1:$(($2 + index)): a block starts with a command: \$ ..."
			failures=$((failures + 1))
			return
		fi
		command=${block[index]#'$ '} expected='' number=$(($2 + index))
		printf '%s\n' "${block[index]}" >>"$scratch/page"
		index=$((index + 1))
		while [[ ${block[index]-} == '> '* ]]; do
			command+=$'\n'${block[index]#'> '}
			printf '%s\n' "${block[index]}" >>"$scratch/page"
			index=$((index + 1))
		done
		while [ "$index" -lt "${#block[@]}" ] && [[ ${block[index]} != '$ '* ]]; do
			expected+=${expected:+$'\n'}${block[index]}
			index=$((index + 1))
		done
		local before=$status
		status=0
		run_command "$1" "$number" "$command" "$expected" "$before" || status=$?
	done
}

# shellcheck disable=SC2094 # the page is written after it was read
check_page() { # PAGE
	local line number=0 inside='' skip='' start=0
	block=()
	: >"$scratch/page"
	while IFS= read -r line || [ -n "$line" ]; do
		number=$((number + 1))
		if [ -n "$inside" ] && [ "$line" != '```' ]; then
			block+=("$line")
			continue
		fi
		if [ -n "$inside" ]; then
			blocks=$((blocks + 1)) inside=''
			run_block "$1" "$start"
		elif [ "$line" = '```console' ] && [ -z "$skip" ]; then
			inside=yes block=() start=$((number + 1))
		fi
		[ -z "$line" ] || skip=''
		[ "$line" != '<!-- not run -->' ] || skip=yes
		printf '%s\n' "$line" >>"$scratch/page"
	done <"$1"
	if [ -n "${GOLDEN_UPDATE:-}" ] && ! cmp -s "$scratch/page" "$1"; then
		cp "$scratch/page" "$1"
		echo "docs_console: updated $1"
	fi
}

for page in README.md docs/*.md docs/*/*.md; do
	[ ! -f "$page" ] || check_page "$page"
done
printf 'docs_console: %d blocks, %d commands, %d failures\n' "$blocks" "$commands" "$failures"
[ "$failures" = 0 ]
