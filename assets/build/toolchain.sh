#!/usr/bin/env bash
# usage: toolchain.sh GO
# Sees to a Go toolchain that can build this module. Without any Go, or with one that is
# too old to fetch another, it installs Debian's package (of the backports, if the
# release's own is too old). Any Go from 1.21 on fetches the version that go.mod asks
# for by itself.
set -euo pipefail
go=$1
need=$(awk '$1 == "go" {print $2}' go.mod)
first=1.21 # the first that fetches toolchains

# install puts Debian's Go into PATH. Backports are used for this one package only;
# the sources of the system stay as they are.
install() {
	local as_root=() sources candidate
	command -v apt-get >/dev/null || return 1
	if [ "$(id -u)" != 0 ]; then
		sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; } || return 1
		as_root=(sudo)
	fi
	sources=$(mktemp -d)
	cp -a /etc/apt/sources.list /etc/apt/sources.list.d/. "$sources" 2>/dev/null || true
	[ ! -e "$sources/sources.list" ] || mv "$sources/sources.list" "$sources/release.list"
	local apt=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$sources" -o APT::Get::List-Cleanup=0)
	chmod -R a+rX "$sources"
	echo "installing Go from Debian's packages"
	"${as_root[@]}" apt-get "${apt[@]}" update
	candidate=$(apt-cache "${apt[@]}" policy golang-go | awk '$1 == "Candidate:" {sub(/^[0-9]+:/, "", $2); print $2}')
	local release=()
	if ! dpkg --compare-versions "${candidate:-0}" ge $first; then
		local codename
		codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
		[ -f /usr/share/keyrings/debian-archive-keyring.gpg ] && [ -n "$codename" ] || return 1
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $codename-backports main" >"$sources/backports.list"
		release=(-t "$codename-backports")
		"${as_root[@]}" apt-get "${apt[@]}" update
	fi
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${apt[@]}" install -y --no-install-recommends \
		"${release[@]}" golang-go ca-certificates >/dev/null
	rm -rf "$sources"
	hash -r
	command -v "$go" >/dev/null
}

# version prints that of the Go in PATH; nothing if there is none.
version() {
	GOTOOLCHAIN=local "$go" env GOVERSION 2>/dev/null | sed 's/^go//'
}
fetches() { printf '%s\n' "$first" "${1:-0}" | sort -VC; }

have=$(version || true)
if ! fetches "$have" && [ "$go" = go ] && install; then have=$(version || true); fi
if [ -z "$have" ]; then
	echo "Go $need or later is needed and \"$go\" was not found in PATH." >&2
	echo "Install it from https://go.dev/dl/ (or set GO=/path/to/go) and try again." >&2
	exit 1
fi
if ! fetches "$have"; then
	echo "Go $have is too old: this module needs Go $need or later. Install it from https://go.dev/dl/ and try again." >&2
	exit 1
fi
if ! "$go" version >/dev/null; then
	echo "Go $have (of this machine) cannot build this module, which needs Go $need or later, and could not fetch it." >&2
	echo "Install it from https://go.dev/dl/ and try again." >&2
	exit 1
fi
