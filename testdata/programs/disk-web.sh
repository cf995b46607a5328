#!/usr/bin/env bash
# The experiment of Tarvo & Reiss (2014, §5.2) on a disk-bound server: tornado serves thousands of
# distinct files from a slow disk with an arm and a queue of its own; the model is made from one run,
# then response times are predicted and measured for other pools and rates. Needs root.
#
#   testdata/programs/disk-web.sh                  a reduced grid, in less than 10 minutes
#   WORKERS=2,4,6,8 RATES=10..130/10 … disk-web.sh the papers' 52 configurations
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/disk-web}")
WORKERS=${WORKERS:-2,4,8} RATES=${RATES:-10,30,50,70}
FILES=20000
mkdir -p "$WORK"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl
state=$WORK/slow
trap 'tools/slowdisk/down.sh "$state"' EXIT
tools/slowdisk/up.sh "$state" 1024 none on -dist hdd -order sstf >/dev/null
device=$(cat "$state/device")
# One inode in half a block, so that a stat() of a file does not bring in its neighbours.
umount "$state/fs"
mkfs.ext4 -q -F -O ^has_journal -I 2048 -N 24000 -E lazy_itable_init=0,nodiscard "$device"
mount -o noatime "$device" "$state/fs"
mkdir "$state/fs/page"
for ((i = 0; i < FILES; i++)); do
	head -c $((4096 + (i * 7919) % 8192)) /dev/zero >"$state/fs/page/$i.html"
done
sync
# Before every run the disk's own file system is mounted anew, which empties its caches and nobody else's.
cat >"$state/prepare" <<PREPARE
kill -USR1 $(cat "$state/pid")
umount '$state/fs' && mount -o noatime '$device' '$state/fs' && ls -f '$state/fs/page' >/dev/null
kill -USR2 $(cat "$state/pid")
PREPARE
echo 1 >"/sys/fs/ext4/$(basename "$device")/inode_readahead_blks" 2>/dev/null || true
project=$WORK/web.tier
rm -rf "$project"
"$TIERCTL" analyze --out "$project" --prepare "sh '$state/prepare'" --load-url http://127.0.0.1:8080 --load-target "/page/%d.html:$FILES" \
	--load-rate 35/s --load-reconnect --load-warmup 2s --load-duration "${DURATION:-12s}" \
	"${SUBJECT:-$PWD/testdata/programs/go/tornado}" -- -workers 4 -root "$state/fs" -json
"$TIERCTL" measure -q --model "$project" --grid "workers=$WORKERS" --grid "rate=$RATES" --repeats "${REPEATS:-1}" --priority "${PRIORITY-high}"
"$TIERCTL" validate -q --metric R --metric X --metric U --markdown --title "Web server on a slow disk" "$project" | tee "$WORK/web.md"
