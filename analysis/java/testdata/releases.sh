#!/usr/bin/env bash
# Runs the tests of this package on other releases of Java, each in a Debian of its own that debootstrap makes:
#
#   sudo analysis/java/testdata/releases.sh FOLDER            11, 21 and 25; 17 is Debian 12's own
#   sudo analysis/java/testdata/releases.sh FOLDER trixie 25  one
#
# FOLDER takes 1.5 GB and is used again.
set -euo pipefail
here=$(cd "$(dirname "$0")/../../.." && pwd)
folder=$(realpath -m "$1")
mirror=${MIRROR:-http://deb.debian.org/debian}
tests=$folder/java.test

run() ( # SUITE RELEASE; a shell of its own, so that nothing stays mounted when it fails
  local root=$folder/$1 jdk=openjdk-$2-jdk-headless
  [ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$1" "$root" "$mirror"
  for m in proc dev/shm; do mkdir -p "$root/$m"; done
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
  mkdir -p "$root$here"
  mountpoint -q "$root$here" || mount --bind "$here" "$root$here"
  trap 'umount "'"$root$here"'" "'"$root"'/dev/shm" "'"$root"'/proc"' EXIT
  chroot "$root" dpkg -s "$jdk" >/dev/null 2>&1 || chroot "$root" sh -c "apt-get update -q && apt-get install -qy --no-install-recommends $jdk"
  cp "$tests" "$root/java.test"
  chroot "$root" env PATH="$(dirname "$(chroot "$root" sh -c "ls -d /usr/lib/jvm/java-$2-openjdk-*/bin/javac")"):/usr/bin:/bin" HOME=/root \
    sh -c "java -version && cd '$here/analysis/java' && /java.test -test.timeout 10m"
)

mkdir -p "$folder"
(cd "$here" && CGO_ENABLED=0 "${GO:-go}" test -c -o "$tests" ./analysis/java)
if [ $# -eq 3 ]; then
  run "$2" "$3"
else
  run bullseye 11
  run trixie 21
  run trixie 25
fi
