#!/usr/bin/env bash
# Judges models of disks on slow disks whose service law is known: each is estimated from a
# load of 4 threads, then closed loops of 1 to 16 threads are predicted and measured. Needs
# root. Prints what tierctl disk try says of each, and leaves it in $WORK (default .cache/disk).
#
#   testdata/programs/disk.sh                      all: 3 laws × FIFO, BFQ, NCQ × 1 and 2 servers, about 40 min
#   CASES="hdd:bfq:1 exp:fifo:2" … disk.sh         some of them
#   QUIET=/path/to/command … disk.sh               runs each measurement under that command
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/disk}")
QUIET=${QUIET:-}
LEARN=${LEARN:-30} SECONDS_EACH=${SECONDS_EACH:-20}
mkdir -p "$WORK"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl
[ -x "$WORK/slow/slowdisk" ] || { mkdir -p "$WORK/slow"; (cd tools/slowdisk && CGO_ENABLED=0 go build -o "$WORK/slow/slowdisk" .); }
down() { tools/slowdisk/down.sh "$WORK/slow"; }
trap down EXIT

all=
for law in const exp hdd; do for queue in fifo bfq ncq; do for servers in 1 2; do all+=" $law:$queue:$servers"; done; done; done

for case in ${CASES:-$all}; do
	IFS=: read -r law queue servers <<<"$case"
	case $queue in
	fifo) scheduler=none direct=on order=fifo ;;
	bfq) scheduler=bfq direct=on order=fifo ;;
	ncq) scheduler=none direct=on order=sstf ;;
	esac
	tools/slowdisk/up.sh "$WORK/slow" 1024 "$scheduler" "$direct" -dist "$law" -order "$order" -k "$servers" >/dev/null
	dd if=/dev/zero of="$WORK/slow/fs/data" bs=1M count=900 status=none
	sync
	pid=$(cat "$WORK/slow/pid")
	tools/slowdisk/slow.sh "$WORK/slow"
	# shellcheck disable=SC2086 # a command and its arguments
	$QUIET "$TIERCTL" disk try --learn "$LEARN" --seconds "$SECONDS_EACH" --real-time --truth "$WORK/slow/log" --device "$pid" --id "$law-$queue-$servers" \
		--out "$WORK/$law-$queue-$servers.json" "$WORK/slow/fs" >"$WORK/$law-$queue-$servers.txt" 2>"$WORK/$law-$queue-$servers.err" || cat "$WORK/$law-$queue-$servers.err"
	down
	echo "== $law law, $queue, $servers server(s)"
	cat "$WORK/$law-$queue-$servers.txt"
done
