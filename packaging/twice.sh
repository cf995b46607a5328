#!/usr/bin/env bash
# usage: twice.sh FOLDER
# Builds the release of this commit twice below FOLDER, in clones at different places and with caches of their own,
# and compares the bytes. PLATFORMS is that of release.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
at=$(realpath "$1")
for clone in one another/one; do
	rm -rf "${at:?}/$clone" && mkdir -p "$at/$clone"
	git clone --quiet --no-hardlinks . "$at/$clone/tierscope"
	GOCACHE=$at/$clone/cache "$at/$clone/tierscope/packaging/release.sh" >"$at/$clone/release.log"
	rm -rf "$at/$clone/cache"
done
sums=tierscope/dist/release/SHA256SUMS
diff "$at/one/$sums" "$at/another/one/$sums"
echo "two builds: the same $(wc -l <"$at/one/$sums") files"
