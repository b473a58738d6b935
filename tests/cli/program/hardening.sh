#!/bin/bash
# The program has the hardening that its build asked for (cmake/RooflogHardening.cmake). What the toolchain
# lacks, or a sanitizer replaces, is printed and skipped.
# shellcheck disable=SC2317,SC2034 # checks call functions, and these read variables by name
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

asked=${BUILD_DIR:?}/hardening.txt
segments=$(readelf -lW "$rooflog") dynamic=$(readelf -dW "$rooflog") notes=$(readelf -nW "$rooflog")
symbols=$(readelf --dyn-syms -W "$rooflog" | awk '{print $8}')
objdump -d --no-show-raw-insn "$rooflog" >"$scratch/code"

has() { # VARIABLE PATTERN
	grep -qE -- "$2" <<<"${!1}"
}

in_code() { # PATTERN COUNT: at least so many instructions
	[ "$(grep -cE -- "$1" "$scratch/code")" -ge "$2" ]
}

# The note says that all of the program has it, the C library's start files included. Where these lack
# it, every function that can be called by its address begins with a landing pad nonetheless.
branches() {
	case $(uname -m) in
	x86_64)
		if readelf -nW "$("${CC:-cc}" -print-file-name=Scrt1.o)" | grep -q IBT; then
			check "branches: a note of IBT and SHSTK" has notes 'IBT, SHSTK'
		else
			echo "note of IBT and SHSTK: skipped, the C library's start files have none"
		fi
		check "branches: landing pads" in_code '\bendbr64' 500
		;;
	aarch64) check "branches: landing pads" in_code '\b(paciasp|bti)\b' 500 ;;
	esac
}

# Where the frame is larger than a page, each page is touched.
stack_clash() {
	if [ "$(uname -m)" != x86_64 ] || readelf -p .comment "$rooflog" | grep -q clang; then
		echo "stack-clash: skipped, only GCC's probes on x86-64 are told from other stores"
		return
	fi
	check "stack-clash" in_code '\bor[bq] +.0x0,.*%rsp' 10
}

while read -r state name why; do
	case $state:$name in
	off:*) echo "$name: skipped, $why" ;;
	on:pie) check "$name" has segments 'Elf file type is DYN .Position-Independent' ;;
	on:relro) check "$name" has segments '^ *GNU_RELRO' ;;
	on:now) check "$name" has dynamic 'BIND_NOW|Flags:.* NOW' ;;
	on:noexecstack) check "$name" has segments '^ *GNU_STACK .* RW +0x' ;;
	on:stack-protector) check "$name" has symbols '^__stack_chk_fail' ;;
	on:stack-clash) stack_clash ;;
	on:branches) branches ;;
	on:fortify) check "$name" has symbols '^__(memcpy|snprintf|vsnprintf)_chk' ;;
	on:pie-code | on:zero-init) ;; # leave nothing that could be looked for
	*) check "a line of $asked: $state $name" false ;;
	esac
done < <(sed 's/^\(off [^:]*\):/\1/' "$asked")
check "at least five are on" [ "$(grep -c '^on ' "$asked")" -ge 5 ]
check "nothing is writable and executable" [ -z "$(grep -E ' (RWE|WE) ' <<<"$segments")" ]
check "no text relocations" [ -z "$(grep TEXTREL <<<"$dynamic")" ]
finish
