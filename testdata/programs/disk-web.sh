#!/usr/bin/env bash
# The experiment of Tarvo & Reiss (2014, §5.2) on a disk-bound server: tornado, or Tomcat with
# SERVER=tomcat (§5.3; programs/java/tomcat/StaticServer.java says what it needs), or tinyhttpd in C, serves thousands of
# distinct files from a slow disk with an arm and a queue of its own; the model is made from one run,
# then response times are predicted and measured for other pools and rates. Needs root. What has been
# measured is kept in $WORK (default .cache/disk-web): the same command goes on where it stopped;
# KEEP=1 also keeps the model and only measures what is missing. QUIET is a command that runs others
# while the machine is quiet, and may end them early: then they are tried again. The result is
# testdata/accuracy/disk-web.json (SUBJECT, TITLE, AREA and LOAD name another one) and the tables of docs;
# RECORD= leaves both as they are. MEASURED is a table that has been measured of the same server. DISK are flags of tools/slowdisk that describe another disk, RATE is
# that of the recorded run, WARMUP the time before each work phase.
#
#   testdata/programs/disk-web.sh                  a reduced grid, in less than 10 minutes
#   LEARN=30s DURATION=20s WORKERS=2,4,6,8 RATES=10..130/10 … disk-web.sh
#                                                  the papers' 52 configurations, about 30 minutes
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/disk-web}")
WORKERS=${WORKERS:-2,4,8} RATES=${RATES:-20,50,70,100}
FILES=60000 QUIET=${QUIET:-} # so many that hardly a page is read twice: a cache that fills in the course of a run is no part of the model
mkdir -p "$WORK"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl
state=$WORK/slow
trap 'tools/slowdisk/down.sh "$state"' EXIT
# An inode fills a block, and the file system reads no others ahead: a stat() of a file must not bring
# in those of its neighbours, or the hits of the cache grow with the time that passed.
export MKFS="-I 4096 -N $((FILES + 4000))" MOUNT=inode_readahead_blks=0
# shellcheck disable=SC2086 # words
tools/slowdisk/up.sh "$state" 2048 none on -order sstf ${DISK:--dist hdd} >/dev/null
device=$(cat "$state/device")
mkdir "$state/fs/page"
awk -v n=$FILES -v dir="$state/fs/page" 'BEGIN {
	for (page = " "; length(page) < 12288;) page = page page
	for (i = 0; i < n; i++) { name = dir "/" i ".html"; printf "%s", substr(page, 1, 4096 + (i * 7919) % 8192) >name; close(name) }
}'
sync
# Before every run the disk's own file system is mounted anew, which empties its caches and nobody
# else's; then the directory is read, as it will be for ever once the server has run for long.
cat >"$state/prepare" <<PREPARE
kill -USR1 $(cat "$state/pid")
umount '$state/fs' && mount -o noatime,$MOUNT '$device' '$state/fs' && ls -f '$state/fs/page' >/dev/null
'$PWD/tools/slowdisk/slow.sh' '$state'
PREPARE
case ${SERVER:-tornado} in
tornado)
	workers=workers target=go
	program=("$PWD/testdata/programs/go/tornado" -- -workers 4 -root "$state/fs" -json)
	;;
tinyhttpd | tinyhttpd-probes)
	workers=threads target=native
	gcc -O2 -pthread $([ $SERVER = tinyhttpd ] || echo -DPROBES) -Ianalysis/native testdata/programs/c/tinyhttpd.c -o "$WORK/tinyhttpd"
	program=("$WORK/tinyhttpd" -- -threads 4 -root "$state/fs")
	;;
tomcat)
	workers=threads target=java jars=/usr/share/java
	path=$WORK/classes:$jars/tomcat10-embed-core.jar:$jars/tomcat10-annotations-api.jar:$jars/itext.jar
	javac -cp "$path" -d "$WORK/classes" testdata/programs/java/tomcat/StaticServer.java
	program=(-- java -Dthreads=4 -Dport=8080 -Droot="$state/fs" -cp "$path" StaticServer)
	;;
*)
	echo "SERVER is $SERVER; give tornado, tinyhttpd, tinyhttpd-probes or tomcat" >&2
	exit 2
	;;
esac
project=$WORK/web.tier
if [ -z "${KEEP:-}" ]; then
	rm -rf "$project"
	$QUIET "$TIERCTL" analyze -q --out "$project" --prepare "sh '$state/prepare'" --load-url http://127.0.0.1:8080 --load-target "/page/%d.html:$FILES" \
		--load-rate "${RATE:-40}/s" --load-reconnect --load-warmup "${WARMUP:-2s}" --load-duration "${LEARN:-14s}" \
		--target $target "${program[@]}"
fi
# Runs during which the hypervisor took more than 5 % of the machine's CPU time were not runs of this
# disk: they are made again, at most once.
stolen() { awk -F, '$5 == "steal" && $8 > 0.05 { print $1 }' "$project/measured/measured.csv"; }
again=1
if [ -n "${MEASURED:-}" ]; then
	mkdir -p "$project/measured"
	cp "$MEASURED" "$project/measured/measured.csv"
else
	for attempt in $(seq 30); do
		if ! $QUIET "$TIERCTL" measure -q --model "$project" --load-duration "${DURATION:-10s}" --grid "$workers=$WORKERS" --grid "rate=$RATES" \
			--repeats "${REPEATS:-1}" --priority "${PRIORITY-rt}"; then
			echo "attempt $attempt to measure ended early" >&2
			continue
		fi
		runs=$(stolen)
		if [ -z "$runs" ] || [ $((again--)) = 0 ]; then break; fi
		echo "measured again, for CPU time was stolen: ${runs//$'\n'/ }" >&2
		awk -F, -v runs="$runs" 'BEGIN { n = split(runs, r, "\n"); for (i = 1; i <= n; i++) drop[r[i]] } !($1 in drop)' "$project/measured/measured.csv" >"$WORK/kept.csv"
		mv "$WORK/kept.csv" "$project/measured/measured.csv"
	done
fi
[ -n "${RECORD-yes}" ] || exit 0
"$TIERCTL" validate -q --metric R --metric X --metric U --metric E --format json "$project" >"$WORK/web.json"
"$TIERCTL" accuracy record -q --subject "${SUBJECT:-disk-web}" --title "${TITLE:-Web server on a slow disk}" --area "${AREA:-disk-web}" --project "$project" \
	--load "${LOAD:-}" --commit "$(git describe --always --dirty 2>/dev/null || true)" testdata/accuracy <"$WORK/web.json"
"$TIERCTL" accuracy pages -q testdata/accuracy docs
# Figure 6 of Tarvo & Reiss: response times over the rate, a line for every number of threads.
"$TIERCTL" sweep -q --axis "$workers=$WORKERS" --axis "rate=$RATES" --duration "${DURATION:-10s}" --warmup 2s --reps 30 --force "$project" >/dev/null
"$TIERCTL" plot "$project" --metric 'R class/task mean' --over rate --by $workers --log-y --out "$WORK/figure6.svg" --title "Web server on a slow disk"
