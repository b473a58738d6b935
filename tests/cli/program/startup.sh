#!/bin/bash
# What a process maps: a library comes in when something in it is needed (base/system/library.h), and not
# before. The dynamic linker tells of every file it maps. A library that is missing is told of where
# it is needed, and nowhere else.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# Files that come with each library, those it depends on included.
declare -A company=(
	[libgit2]='libgit2|libmbedtls|libgnutls|libssl|libssh2'
	[pango]='libpango|libglib|libgobject|libharfbuzz|libfribidi'
	[cairo]='libcairo|libpixman|libpng|libfontconfig|libfreetype|libX11|libxcb'
	[cmark]='libcmark'
	[isal]='libisal'
	[zstd]='libzstd'
	[sqlite]='libsqlite3'
)

# Runs rooflog; the names of what it maps, without those of the programs it starts, are in $mapped.
traced() {
	rm -f "$scratch"/trace.*
	(
		echo "$BASHPID" >"$scratch/pid"
		export LD_DEBUG=files LD_DEBUG_OUTPUT=$scratch/trace
		exec "$rooflog" "$@"
	) >"$scratch/.out" 2>"$scratch/.err" </dev/null
	status=$?
	err=$(cat "$scratch/.err")
	mapped=$(sed -n 's/^.*file=\([^ ]*\) .*generating link map.*$/\1/p' \
		"$scratch/trace.$(cat "$scratch/pid")" | sed 's,.*/,,')
}

# Which library the present system opens: its first file.
file_of() { # LIBRARY
	grep -E "^(${company[$1]})" <<<"$mapped" | head -n 1
}

ROOFLOG=$rooflog sh samples/history.sh "$scratch/startup" 1 6 >"$scratch/history.log" 2>&1 || exit 1
cd "$scratch/startup" || exit 1
profiles=$root/samples/history/06
mkdir packed && cp "$profiles"/attention-s256/*.json packed
gzip -k packed/profile.json && zstd -q packed/profile.json && mv packed/profile.json packed/plain.json
devlog='devlog docs/kernels/attention.md --kernel attention --params s=256 --dry-run'

# Libraries that must not be mapped, libraries that must be, the command.
while IFS='|' read -r without with command; do
	# shellcheck disable=SC2086 # lists of words
	traced $command
	equal "$command: $err" "$status" 0
	check "$command: the linker tells of libc in: $mapped" grep -q '^libc\.so' <<<"$mapped"
	for library in $without; do
		equal "$command maps no $library" "$(file_of "$library")" ""
	done
	for library in $with; do
		check "$command maps $library" [ -n "$(file_of "$library")" ]
		declare "file_$library=$(file_of "$library")"
	done
done <<END
|libgit2 pango cairo cmark isal zstd sqlite|--version
libgit2 pango cairo cmark isal zstd sqlite||--help
libgit2 pango cairo cmark isal zstd sqlite||list formats
libgit2 pango cairo cmark isal zstd sqlite||gate --help
libgit2 pango cairo cmark isal zstd||gate
libgit2 pango cairo cmark isal zstd||compare HEAD~1 HEAD
libgit2 pango cairo cmark isal zstd||gate --against HEAD^^
libgit2 pango cairo cmark isal zstd|sqlite|log
libgit2 pango cairo cmark isal zstd||show
libgit2 pango cairo cmark isal zstd sqlite||ingest --dry-run packed/plain.json
libgit2 pango cairo cmark zstd||ingest --commit HEAD $profiles
pango cairo cmark|libgit2|ingest $profiles
libgit2 pango cairo cmark isal zstd||chart trend --output trend.svg
cmark|pango cairo|chart trend --output trend.png
cmark|pango cairo|chart trend --output trend.pdf
pango cairo|cmark|$devlog
pango cairo cmark zstd|isal|ingest --dry-run packed/profile.json.gz
pango cairo cmark isal|zstd|ingest --dry-run packed/profile.json.zst
END

# A file of the right name that is no library is as good as none.
without() { # FILE
	rm -rf "$scratch/broken"
	mkdir "$scratch/broken"
	: >"$scratch/broken/$1"
	export LD_LIBRARY_PATH=$scratch/broken
}

for library in pango cairo; do
	file=file_$library
	without "${!file:?}"
	for format in png pdf; do
		run chart trend --output "none.$format"
		equal "$format without $library: status" "$status" 2
		check "$format without $library: $err" grep -qE \
			"^rooflog chart: .*${!file}: .* \(Debian package libpangocairo-1.0-0\); without it charts can only be SVG$" <<<"$err"
		check "$format without $library: no file" [ ! -e "none.$format" ]
	done
	run chart trend --output again.svg
	equal "SVG without $library: $err" "$status" 0
	check "SVG without $library: the same" cmp trend.svg again.svg
done
unset LD_LIBRARY_PATH

# Nor can anything be written without a font.
cat >"$scratch/fonts.conf" <<'END'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig></fontconfig>
END
export FONTCONFIG_FILE=$scratch/fonts.conf
for format in png pdf; do
	run chart trend --output "none.$format"
	equal "$format without a font: status" "$status" 2
	equal "$format without a font" "$err" "rooflog chart: no font is installed, which ${format^^} needs (Debian package fonts-dejavu-core); SVG does not"
	check "$format without a font: no file" [ ! -e "none.$format" ]
done
unset FONTCONFIG_FILE

without "${file_cmark:?}"
# shellcheck disable=SC2086 # a list of words
run $devlog
equal "devlog without cmark-gfm: status" "$status" 2
check "devlog without cmark-gfm: $err" grep -qE \
	"$file_cmark: .* \(Debian package libcmark-gfm.*\); without it no Markdown can be read$" <<<"$err"

without "${file_libgit2:?}"
run doctor
equal "doctor without libgit2: $err" "$status" 0
check "doctor without libgit2: $out" grep -qE \
	"git backend +git \(.*$file_libgit2: .* \(Debian package libgit2.*\); without it only the git program can answer\)$" <<<"$out"
status=0
err=$(PATH='' "$rooflog" ingest "$profiles" 2>&1 >/dev/null) || status=$?
equal "neither libgit2 nor git: status" "$status" 2
check "neither libgit2 nor git: $err" grep -qE "$file_libgit2: .*; the program git is not installed" <<<"$err"
unset LD_LIBRARY_PATH

while read -r library suffix package; do
	file=file_$library
	without "${!file:?}"
	run ingest --dry-run "packed/profile.json.$suffix"
	equal ".$suffix without $library: status" "$status" 2
	check ".$suffix without $library: $err" grep -qE "^rooflog ingest: packed/profile.json.$suffix: .*${!file}: .* \\(Debian package $package\\); without it \\.$suffix files cannot be read$" <<<"$err"
	run ingest --dry-run packed/plain.json
	equal "plain files without $library: $err" "$status" 0
	unset LD_LIBRARY_PATH
done <<END
isal gz libisal[0-9]+
zstd zst libzstd[0-9]+
END

without "${file_sqlite:?}"
run log
equal "log without SQLite: status" "$status" 2
check "log without SQLite: $err" grep -qE "^rooflog log: .*$file_sqlite: .* \(Debian package libsqlite3-[0-9]+\); without it stores and profiler databases cannot be read$" <<<"$err"
unset LD_LIBRARY_PATH

# A commit that changes nothing has no patch: the git program need not be asked for its id.
mkdir "$scratch/programs"
printf '#!/bin/sh\necho "$*" >>%s/calls\nexec %s "$@"\n' "$scratch" "$(command -v git)" >"$scratch/programs/git"
chmod +x "$scratch/programs/git"
git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m 'Nothing' || exit 1
(PATH=$scratch/programs:$PATH && git --version && run ingest "$profiles" && exit "$status") >"$scratch/version"
equal "ingest under a commit that changes nothing: status" $? 0
equal "programs that it starts, after the first call" "$(cat "$scratch/calls")" --version

finish
