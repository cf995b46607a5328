#!/usr/bin/env bash
# usage: installed.sh DEB FOLDER
# Installs the package in a fresh Debian below FOLDER, opens a sample with tierctl and in the window, takes the
# package away again, and fails if a file is left. As root; FOLDER/window.xwd is what was seen.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$2"
deb=$(realpath "$1") at=$(realpath "$2")
# shellcheck source=../assets/build/debian.sh
. assets/build/debian.sh
root=$at/installed
debian "$root"
inside "$root" root "apt-get -qq update && apt-get -qq install -y --no-install-recommends xvfb xauth x11-utils x11-apps && useradd -m analyst" >"$at/display.log" 2>&1
cp "$deb" "$root/root/tierscope.deb"
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
