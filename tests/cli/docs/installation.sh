#!/bin/bash
# What is installed works wherever it lies, and is gone after `uninstall`; the Debian package is as Debian wants it, and
# the same each time.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

[ -z "${SANITIZED:-}" ] || { echo "skipped: packages are made of the plain program"; finish; }
umask 022

# --- cmake --install ---
mkdir "$scratch/before"
cmake --install "$BUILD_DIR" --prefix "$scratch/before" >"$scratch/log" 2>&1
equal "installs: $(tail -n 3 "$scratch/log")" "$?" 0
mv "$scratch/before" "$scratch/moved"
installed=$scratch/moved
repository empty
check "the moved program runs" env -i PATH=/usr/bin:/bin "$installed/bin/rooflog" ingest --quiet "$root/samples/mlp"
check "nothing names the place where it was built" test -z "$(grep -rlF "$BUILD_DIR" "$installed/share")"
check "its page" mandoc -T lint -W error "$installed/share/man/man1/rooflog-gate.1"
# shellcheck disable=SC2016 # bash expands it
equal "bash completes" "$(bash -c '. "$0"; PATH=$1:$PATH; COMP_WORDS=(rooflog ga); COMP_CWORD=1
	$(complete -p rooflog | sed "s/.*-F \([^ ]*\).*/\1/"); echo "${COMPREPLY[*]}"' \
	"$installed/share/bash-completion/completions/rooflog" "$installed/bin")" gate
for file in doc/rooflog/copyright doc/rooflog/SKILL.md rooflog/schema/runs-1.schema.json fish/vendor_completions.d/rooflog.fish \
	zsh/site-functions/_rooflog; do
	check "$file" test -s "$installed/share/$file"
done
check "templates" test -n "$(find "$installed/share/rooflog/templates" -name '*.html')"

# --- uninstall ---
cp "$BUILD_DIR/install_manifest.txt" "$scratch/manifest"
mkdir "$scratch/before"
cmake --install "$BUILD_DIR" --prefix "$scratch/before" >"$scratch/log" 2>&1
touch "$scratch/before/share/mine"
cmake --build "$BUILD_DIR" --target uninstall >"$scratch/log" 2>&1
equal "uninstalls: $(tail -n 3 "$scratch/log")" "$?" 0
equal "what is left" "$(find "$scratch/before" -type f)" "$scratch/before/share/mine"
equal "no folder is left" "$(find "$scratch/before" -type d | wc -l)" 2
cmake --build "$BUILD_DIR" --target uninstall >"$scratch/log" 2>&1
check "twice says so" grep -q 'nothing was installed from this build' <<<"$(tr -s ' \n' ' ' <"$scratch/log")"

# --- the Debian package ---
command -v dpkg-deb >/dev/null || { echo "skipped: no dpkg-deb"; finish; }
package() { # FOLDER
	SOURCE_DATE_EPOCH=1772874000 cpack -G DEB --config "$BUILD_DIR/CPackConfig.cmake" -B "$1" >"$scratch/log" 2>&1 || tail -n 5 "$scratch/log"
}
package "$scratch/one"
sleep 1
(export TZ=Asia/Tokyo LC_ALL=C && package "$scratch/two")
deb=$(echo "$scratch"/one/*.deb)
equal "twice the same" "$(sha256sum <"$deb")" "$(sha256sum <"$scratch"/two/*.deb)"
needs=$(dpkg-deb -f "$deb" Depends)
for library in libc6 libcjson1 libsqlite3-0; do
	check "needs $library: $needs" grep -q "$library" <<<"$needs"
done
welcome=$(dpkg-deb -f "$deb" Recommends)
for library in libgit2 libpango libpq5 libzstd1; do
	check "welcomes $library: $welcome" grep -q "$library" <<<"$welcome"
done
dpkg-deb -x "$deb" "$scratch/unpacked"
check "the unpacked program runs" "$scratch/unpacked/usr/bin/rooflog" list metrics >/dev/null
check "its pages are compressed" test -s "$scratch/unpacked/usr/share/man/man1/rooflog-gate.1.gz"
if command -v lintian >/dev/null; then
	equal "lintian" "$(lintian --allow-root "$deb" 2>&1)" ""
else
	echo "skipped: no lintian"
fi
finish
