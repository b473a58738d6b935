#!/bin/bash
# -V, --version and version say what to report with a problem: the commit that the program was built from, the
# compiler, and each library with its version or that it is missing.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

run version
equal "version: status, $err" "$status" 0
check "the version comes first: $out" grep -qx 'rooflog [0-9.]*' <<<"${out%%$'\n'*}"
for part in compiler instructions libraries sqlite3 libgit2 pangocairo cmark-gfm libzstd libcjson; do
	check "$part in: $out" grep -qE "^ *$part:? ?" <<<"$out"
done
check "the version of a library: $out" grep -qE '^  sqlite3 +3\.[0-9.]+ ' <<<"$out"
for spelling in -V --version; do
	equal "$spelling is version" "$("$rooflog" $spelling)" "$out"
done
if git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; then
	check "the commit: $out" grep -qE '^commit: [0-9a-f]{10}$' <<<"$out"
fi
check "version -h is its page" grep -q '^usage: rooflog version' <("$rooflog" version -h)
check "help version is it, too" cmp <("$rooflog" version -h) <("$rooflog" help version)
refused "an argument" 'unexpected argument: frob' version frob

"$rooflog" version --json >"$scratch/version.json"
check "--json is as the schema says" python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])),
	cls=jsonschema.Draft202012Validator)' "$scratch/version.json" "$root/docs/schema/version-1.schema.json"
equal "--json has the version" "rooflog $(jq -r .version "$scratch/version.json")" "$("$rooflog" -V | head -n 1)"

# A library that cannot be loaded is said to be missing, and all else is said, too.
missing=$(jq -r '.libraries[] | select(.name == "libzstd") | .file' "$scratch/version.json")
mkdir "$scratch/lib" && : >"$scratch/lib/$missing"
LD_LIBRARY_PATH=$scratch/lib run version
equal "without a library: status, $err" "$status" 0
check "without a library: $out" grep -qE '^  libzstd +missing .*Debian package libzstd' <<<"$out"
finish
