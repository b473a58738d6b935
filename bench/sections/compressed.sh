#!/bin/bash
# Section "compressed": packed profiles, beside the library that unpacks them alone
# (bench/tools/inflate.c), which nothing can be faster than.

# shellcheck disable=SC2154 # bench/lib.sh assigns what is not assigned here
compressed_rounds=7

compressed_sizes() { # in MB
	echo 200 ${large:+1000}
}

prepare_compressed() {
	local size packed
	# shellcheck disable=SC2046 # a list of words
	compile inflate bench/tools/inflate.c $(pkg-config --libs libisal zlib libzstd)
	# shellcheck disable=SC2046
	compile read_input bench/tools/read_input.c build/release/librooflog_ingest.a \
		build/release/librooflog_base.a $(pkg-config --libs libisal libzstd libcjson) -pthread -lm
	for size in $(compressed_sizes); do
		need_profile "$size" "${size}000000" 1
		packed=$work/$size.json
		[ -e "$packed.gz" ] || gzip -6 -k "$packed"
		[ -e "$packed.zst" ] || zstd -q -3 "$packed"
	done
}

compressed_names() { # KIND
	case $1 in
	gz) echo isal read_1 read_2 rooflog_1 rooflog_2 igzip zlib zcat ;;
	zst) echo zstd read_1 read_2 rooflog_1 rooflog_2 zstd_tool ;;
	esac
}

# Its caller has set `packed`.
timed_compressed() { # NAME
	local command
	case $1 in
	isal | zlib | zstd) command=("$work/inflate" "$1") ;;
	read_*) command=("$work/read_input" "${1#*_}") ;;
	rooflog_*) command=("$rooflog" ingest --quiet --dry-run --jobs "${1#*_}" --set "kernel=k,dtype=bf16") ;;
	igzip) command=(igzip -dc) ;;
	zcat) command=(zcat) ;;
	zstd_tool) command=(zstd -dcq) ;;
	esac
	"$measure" 1 "${command[@]}" "$packed" 2>"$work/messages" || die "$1: $(cat "$work/messages")"
}

# shellcheck disable=SC2016 # Markdown
compressed_title() { # NAME
	case $1 in
	isal) echo 'ISA-L alone' ;;
	zlib) echo 'zlib alone' ;;
	zstd) echo 'libzstd alone' ;;
	read_*) echo "input of rooflog, --jobs ${1#*_}, nobody looks at the bytes" ;;
	rooflog_*) echo "\`rooflog ingest --jobs ${1#*_}\`" ;;
	igzip) echo '`igzip -dc`' ;;
	zcat) echo '`zcat`' ;;
	zstd_tool) echo '`zstd -dc`' ;;
	esac
}

compressed_row() { # SIZE KIND NAME
	local file least
	file=$(measured "compressed.$1.$2" "$3")
	least=$(measured "compressed.$1.$2" isal)
	[ "$2" = gz ] || least=$(measured "compressed.$1.$2" zstd)
	row "$1 MB as .$2" "$(compressed_title "$3")" "$(cpu_ms "$file")" "$(wall_ms "$file")" \
		"$(peak_mib "$file")" "$(ratio "$file" "$least" 2)" "$(ratio "$file" "$least")"
}

bench_compressed() {
	local size kind packed name names
	cat <<'TEXT'
## Reading packed profiles

`gzip -6` and `zstd -3`; the other programs write to `/dev/null`. The ratios are to the library: ISA-L or libzstd, alone in a
process that throws the bytes away (`bench/tools/inflate.c`). What `--jobs 2` adds to it in wall time is what the overlap lacks.

| file | program | CPU ms | wall ms | peak MiB | wall / library | CPU / library |
|---|---|---|---|---|---|---|
TEXT
	for size in $(compressed_sizes); do
		for kind in gz zst; do
			packed=$work/$size.json.$kind
			names=$(compressed_names "$kind")
			# shellcheck disable=SC2086 # a list of words
			take_turns "$compressed_rounds" "compressed.$size.$kind" timed_compressed $names
			for name in $names; do
				compressed_row "$size" "$kind" "$name"
			done
		done
	done
}
