#!/usr/bin/env bash
# usage: check.sh FOLDER
# Builds the release of this commit twice, in clones at different places and with caches of their own, and
# compares the bytes. Then it installs the .deb in a fresh Debian, opens a sample in the window and
# with tierctl, takes the package away again, and fails if a file is left. As root; FOLDER gets the Debian and
# pictures of the window (window.xwd). PLATFORMS is that of release.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
at=$(realpath "$1")
# shellcheck source=../assets/build/debian.sh
. assets/build/debian.sh

for clone in one another/one; do
	rm -rf "${at:?}/$clone" && mkdir -p "$at/$clone"
	git clone --quiet --no-hardlinks . "$at/$clone/tierscope"
	GOCACHE=$at/$clone/cache "$at/$clone/tierscope/packaging/release.sh" >"$at/$clone/release.log"
	rm -rf "$at/$clone/cache"
done
first=$at/one/tierscope/dist/release
diff "$first/SHA256SUMS" "$at/another/one/tierscope/dist/release/SHA256SUMS"
echo "two builds: the same $(wc -l <"$first/SHA256SUMS") files"

root=$at/installed
debian "$root"
inside "$root" root "apt-get -qq update && apt-get -qq install -y --no-install-recommends xvfb xauth x11-utils x11-apps && useradd -m analyst" >"$at/display.log" 2>&1
cp "$first"/tierscope*.deb "$root/root/tierscope.deb"
cat >"$root/home/analyst/open" <<'SH'
set -eu
sample=/usr/lib/tierscope/samples/cache.tier
tierctl check "$sample"
tierscope "$sample" >window.log 2>&1 &
for _ in $(seq 240); do
	if xwininfo -root -tree | grep -q '"cache .*Tierscope"'; then break; fi
	kill -0 $! # it still runs
	sleep 0.5
done
xwininfo -root -tree | grep '"cache .*Tierscope"'
sleep 5 # until it is drawn: for the picture only
xwd -root -silent -out window.xwd
kill $!
SH
# files of the system, without the caches and logs of apt and dpkg, and what users keep.
files() {
	(cd "$root" && find bin boot etc lib* opt root sbin srv usr var -path var/cache -prune -o -path var/log -prune -o -path var/lib/apt -prune -o \
		-path var/lib/dpkg -prune -o -print | sort)
}
files >"$at/before"
inside "$root" root "apt-get -qq install -y --no-install-recommends ./tierscope.deb" >"$at/install.log" 2>&1
inside "$root" analyst "LC_ALL=C.UTF-8 xvfb-run -a -s '-screen 0 1400x900x24' bash open"
cp "$root/home/analyst/window.xwd" "$at/"
inside "$root" root "apt-get -qq purge -y --auto-remove tierscope" >"$at/remove.log" 2>&1
files >"$at/after"
left=$(comm -13 "$at/before" "$at/after")
if [ -n "$left" ]; then
	printf "left behind:\n%s\n" "$left" >&2
	exit 1
fi
echo "installed, opened, removed: nothing is left"
