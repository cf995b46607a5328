#!/usr/bin/env bash
# usage: packages.sh PACKAGE...
# Installs the Debian packages that are missing, as root or with sudo. Without
# apt or without the right to use it, it says what to install and goes on:
# another system may have the same libraries under other names.
set -euo pipefail
# The names that dpkg knows as installed; without dpkg, none.
installed() { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p'; }
mapfile -t missing < <(printf '%s\n' "$@" | grep -vxF -f <(installed "$@"))
[ ${#missing[@]} -gt 0 ] || exit 0
if ! command -v apt-get >/dev/null; then
	echo "note: this is not a Debian system; needed are the equivalents of: ${missing[*]}" >&2
	exit 0
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
	if ! sudo -n true 2>/dev/null && ! { [ -t 0 ] && command -v sudo >/dev/null; }; then
		echo "note: not root and no sudo; install these packages if the build fails: ${missing[*]}" >&2
		exit 0
	fi
	as_root=(sudo)
fi
echo "installing Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get -qq update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
