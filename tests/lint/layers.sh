#!/bin/bash
# Includes point one way (ARCHITECTURE.md, "Layers"): base <- model <- ingest | db | vcs | render <-
# cli. Siblings never meet, and each outside library is included in one folder only.
set -eu
# shellcheck source=tests/lint/lib.sh
. tests/lint/lib.sh

# Folders that a folder may include from.
allowed() {
	case $1 in
	base) echo ' base ' ;;
	model) echo ' base model ' ;;
	ingest | db | vcs | render) echo " base model $1 " ;;
	cli) echo " $layers " ;;
	esac
}

# Sets home to the one folder that may include an outside header; to nothing for headers of the C library.
find_home() {
	case $1 in
	cjson/* | cJSON* | sqlite3*) home=base ;;
	zlib.h | zstd*.h | isa-l/*) home=ingest ;;
	libpq* | postgres*) home=db ;;
	git2.h | git2/*) home=vcs ;;
	cairo* | cmark* | pango* | ft2build.h | freetype* | fontconfig*) home=render ;;
	check.h) home=tests ;;
	*) home= ;;
	esac
}

# SQLite has two users: db keeps the store, and ingest/container/sqlite_file reads databases that profilers write.
may_use() { # HEADER FILE
	[ "$1" != base/system/library_sqlite.h ] || case $2 in
	base/system/library_sqlite.c | db/* | ingest/container/sqlite_file.c) ;;
	*) false ;;
	esac
}

check_include() { # WHERE FOLDER INCLUDED
	local name=${3#?}
	name=${name%?}
	case $3 in
	\"*/*)
		case $may in
		*" ${name%%/*} "*) ;;
		*) fail "$1" "$2/ must not include $name" ;;
		esac
		[ -f "$name" ] || fail "$1" "no such file: $name"
		may_use "$name" "${1%:*}" || fail "$1" "SQLite is for db/ and ingest/container/sqlite_file.c"
		;;
	\"*) fail "$1" "write the folder too: \"$2/$name\"" ;;
	*)
		find_home "$name"
		[ -z "$home" ] || [ "$home" = "$2" ] ||
			fail "$1" "<$name> belongs to $home/ and is included in $2/"
		;;
	esac
}

for folder in $layers; do
	may=$(allowed "$folder")
	while IFS=: read -r file line included; do
		[ -z "$file" ] || check_include "$file:$line" "$folder" "$included"
	done < <(c_files "$folder" | xargs -r grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' |
		sed -E 's/#[[:space:]]*include[[:space:]]*//; s/:[[:space:]]+/:/')
done
finish
