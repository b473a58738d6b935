#!/bin/bash
# Only cli/ prints, exits, and touches clock, environment, locale and terminal. Elsewhere errors
# are values and texts go into a strbuf. (_exit stays allowed: a forked child has no other end.)
# base/system/process.c runs other programs: the child's environment and its deadline are its business.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

printing='v?f?printf|v?dprintf|f?puts|f?putc|putchar|perror|p?psignal'
ending='exit|quick_exit|atexit'
outside='time|clock|clock_gettime|gettimeofday|localtime|localtime_r|getenv|secure_getenv|setenv|putenv|setlocale|isatty|ioctl'

# shellcheck disable=SC2046,SC2086 # lists of words
while IFS=: read -r file line text; do
	[ -z "$line" ] || fail "$file:$line" "only cli/ may do this: ${text##*$'\t'}"
done < <(code_of $(c_files $library_layers | grep -vxF base/system/process.c) |
	grep -E "[:0-9]*:(.*[^A-Za-z0-9_.>])?($printing|$ending|$outside)[[:space:]]*\(" || true)
finish
