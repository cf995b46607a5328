#!/usr/bin/env bash
# usage: fresh.sh FOLDER STEPS [VARIANT...]
# Builds this commit in fresh Debians, as somebody does who has just cloned it, each step twice, and prints
# how many minutes and megabytes it took. As root; FOLDER is for the Debians (gigabytes) and
# for what they printed. STEPS: run, test, or both with a comma. VARIANTS, all by default:
#   bare     nothing but git and make
#   old-go   with Debian's golang
#   user     without the right to install anything, but with a Go that fetches others
#   offline  bare, later, without a network
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$1"
at=$(realpath "$1") steps=${2//,/ }
shift 2
# shellcheck source=debian.sh
. assets/build/debian.sh
summary=$at/summary
: >"$summary"

# downloaded ROOT: MB of packages and modules that are there.
downloaded() {
	{ find "$1"/var/cache/apt/archives "$1"/root/go/pkg/mod/cache/download "$1"/home/*/go/pkg/mod/cache/download -type f -printf '%s\n' 2>/dev/null || true; } |
		awk '{ n += $1 } END { printf "%d", n / 1e6 }'
}

# prepare VARIANT: a Debian of its own with a clone in the home of its user.
prepare() {
	local root=$at/$1 home=root
	debian "$root"
	case $1 in
	old-go) inside "$root" root "apt-get -qq update && apt-get -qq install -y golang" ;;
	user)
		echo "deb $mirror $suite-backports main" >"$root/etc/apt/sources.list.d/backports.list"
		inside "$root" root "apt-get -qq update && apt-get -qq install -y --no-install-recommends -t $suite-backports golang-go && useradd -m analyst"
		home=home/analyst
		;;
	esac >"$at/$1-prepare.log" 2>&1
	rm -f "$root"/var/cache/apt/archives/*.deb
	git clone --quiet --no-hardlinks . "$root/$home/tierscope"
	chown -R --reference="$root/$home" "$root/$home/tierscope"
}

for variant in ${*:-bare old-go user offline}; do
	root=$at/$variant who=root offline=
	case $variant in
	user) who=analyst ;;
	offline) root=$at/bare offline=yes ;;
	esac
	[ "$variant" = offline ] || prepare "$variant"
	for step in $steps; do
		for time in first second; do
			had=$(downloaded "$root") began=$SECONDS status=0
			inside "$root" $who "cd tierscope && make $step" >"$at/$variant-$step-$time.log" 2>&1 || status=$?
			printf '%-8s make %-4s %-6s time: %3d min %02d s, %4d MB, exit %d\n' "$variant" "$step" $time \
				$(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) $(($(downloaded "$root") - had)) $status | tee -a "$summary"
		done
	done
done
! grep -qv ', exit 0$' "$summary"
