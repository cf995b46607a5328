#!/usr/bin/env bash
# Brings up a slow disk with a file system on it; needs root, /dev/fuse and a free loop device.
#
#   up.sh STATE SIZE_MB SCHEDULER DIRECT [slowdisk flags]
#
# Environment: MKFS are more words for mkfs.ext4, MOUNT more options of mount.
#
# STATE is a folder for everything that belongs to it; the file system is mounted at STATE/fs.
# SCHEDULER is the kernel's: none, mq-deadline, kyber, or bfq, which then hands over one
# request at a time. DIRECT on lets the device have many requests at a time (its own queue),
# off does too, but through the loop driver's. The disk is fast until slow.sh STATE.
set -euo pipefail
state=$(realpath -m "$1") size=$2 scheduler=$3 direct=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$state/mnt" "$state/fs"
[ -x "$state/slowdisk" ] || (cd "$here" && CGO_ENABLED=0 go build -o "$state/slowdisk" .)
rm -f "$state/image" "$state/log"
truncate -s "${size}M" "$state/image"
# Real-time priority: the disk of the model needs no CPU.
chrt -f 50 "$state/slowdisk" -img "$state/image" -mnt "$state/mnt" -log "$state/log" "$@" &
echo $! >"$state/pid"
for _ in $(seq 100); do [ -e "$state/mnt/disk.img" ] && break; sleep .1; done
kill -USR1 "$(cat "$state/pid")"
device=$(losetup -f --show --direct-io="$direct" "$state/mnt/disk.img")
echo "$device" >"$state/device"
queue=/sys/block/$(basename "$device")/queue
echo "$scheduler" >"$queue/scheduler"
echo 128 >"$queue/read_ahead_kb"
echo 0 >"$queue/wbt_lat_usec" 2>/dev/null || true
if [ "$scheduler" = bfq ]; then
	echo 1 >"$queue/iosched/strict_guarantees"
	echo 0 >"$queue/iosched/low_latency"
	echo 0 >"$queue/iosched/slice_idle"
fi
# shellcheck disable=SC2086 # words
mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0,nodiscard ${MKFS:-} "$device"
mount -o "noatime${MOUNT:+,$MOUNT}" "$device" "$state/fs"
