# Fresh Debians, for scripts that source this: they run as root and set at to a folder, which gets
# gigabytes. MIRROR and SUITE say which Debian; CACHE is a folder in which they share what Go has built, each
# user by itself: without it each builds everything, as somebody who comes first does.
mirror=${MIRROR:-http://deb.debian.org/debian} suite=${SUITE:-bookworm}

# inside ROOT USER COMMAND runs a shell command in a Debian, without a network if offline is set. Mounts and
# processes end with it; the command is not the first one, which an X server would not tell that it is ready.
inside() {
	local net=()
	[ -z "${offline:-}" ] || net=(--net)
	unshare --mount --pid --fork --kill-child "${net[@]}" bash -euc '
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		mount --rbind /sys "$1/sys"
		mount -t tmpfs -o mode=1777 tmp "$1/dev/shm"
		[ "$4" = online ] || ip link set lo up
		home=$(chroot "$1" getent passwd "$2" | cut -d: -f6)
		if [ -n "$5" ]; then
			mkdir -p "$5/$2" "$1$home/.cache/go-build"
			chown --reference="$1$home" "$5/$2" "$1$home/.cache" "$1$home/.cache/go-build"
			mount --bind "$5/$2" "$1$home/.cache/go-build"
		fi
		exec chroot --userspec="$2" "$1" env -i HOME="$home" USER="$2" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			TERM=dumb LANG=C.UTF-8 bash -c "cd && $3; exit"' inside "$1" "$2" "$3" "${offline:-online}" "${CACHE:-}" </dev/null
}

# debian ROOT makes one with git and make, and what this machine knows of its network: resolver and
# local certificates. It keeps a copy to make the next one of.
debian() {
	local base=$at/base
	if [ ! -e "$base/done" ]; then
		rm -rf --one-file-system "$base"
		debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$base" "$mirror" >"$at/debootstrap.log"
		cp -L /etc/resolv.conf "$base/etc/resolv.conf"
		cp -a /usr/local/share/ca-certificates/. "$base/usr/local/share/ca-certificates/"
		inside "$base" root update-ca-certificates >"$at/certificates.log"
		rm -f "$base"/var/cache/apt/archives/*.deb
		touch "$base/done"
	fi
	rm -rf --one-file-system "$1"
	cp -a --reflink=auto "$base" "$1"
}
