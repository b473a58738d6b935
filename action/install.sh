#!/bin/bash
# Installs the release $VERSION of rooflog for the steps that follow: downloads its tarball, and compares it with the
# SHA-256 in releases.txt, which came with the action.
set -eu
here=$(dirname "$0")
releases=$here/releases.txt
architecture=$(uname -m)
if [ "$(uname -s)" != Linux ]; then
	echo "::error::rooflog runs on Linux; this runner has $(uname -s)"
	exit 2
fi
wanted=${VERSION:-latest}
read -r version sum address <<<"$(awk -v wanted="${wanted#v}" -v architecture="$architecture" '
	!/^#/ && $2 == architecture && (wanted == "latest" || $1 == wanted) { found = $1 " " $3 " " $4 } END { print found }' "$releases")"
if [ -z "${version:-}" ]; then
	echo "::error::no release $wanted for $architecture in action/releases.txt of this version of the action"
	exit 2
fi
name=rooflog-$version-$architecture-linux
folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/rooflog.XXXXXX")
curl -fsSL --retry 3 --proto '=https,file' -o "$folder/$name.tar.gz" "$address/$name.tar.gz"
if ! echo "$sum  $folder/$name.tar.gz" | sha256sum --quiet -c -; then
	echo "::error::$address/$name.tar.gz is not what action/releases.txt names: it is not installed"
	exit 2
fi
tar -C "$folder" -xzf "$folder/$name.tar.gz"
"$folder/$name/bin/rooflog" version | head -n 1
echo "$folder/$name/bin" >>"$GITHUB_PATH"
