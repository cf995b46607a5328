#!/usr/bin/env bash
# Takes the slow disk of up.sh STATE down again, whatever of it there is.
state=$(realpath -m "$1")
if [ -e "$state/pid" ]; then kill -USR1 "$(cat "$state/pid")" 2>/dev/null; fi
if mountpoint -q "$state/fs"; then umount "$state/fs" || umount -l "$state/fs"; fi
if [ -e "$state/device" ]; then losetup -d "$(cat "$state/device")"; fi
if [ -e "$state/pid" ]; then
	pid=$(cat "$state/pid")
	kill -TERM "$pid" 2>/dev/null
	for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep .1; done
fi
if mountpoint -q "$state/mnt"; then umount -l "$state/mnt"; fi
rm -f "$state/pid" "$state/device" "$state/image" "$state/log"
true
