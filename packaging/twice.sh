#!/usr/bin/env bash
# usage: twice.sh FOLDER
# Builds the release of this commit twice below FOLDER, in clones at different places, with the user's cache and with an empty one,
# and compares the bytes. PLATFORMS is that of release.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
at=$(realpath "$1")
empty=$at/cache
for clone in one another/one; do
	rm -rf "${at:?}/$clone" && mkdir -p "$at/$clone"
	git clone --quiet --no-hardlinks . "$at/$clone/tierscope"
done
rm -rf "$empty" # of a build that was cut off
"$at/one/tierscope/packaging/release.sh" >"$at/one/release.log"
GOCACHE=$empty "$at/another/one/tierscope/packaging/release.sh" >"$at/another/one/release.log"
rm -rf "$empty"
sums=tierscope/dist/release/SHA256SUMS
diff "$at/one/$sums" "$at/another/one/$sums"
echo "two builds: the same $(wc -l <"$at/one/$sums") files"
