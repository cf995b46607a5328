#!/usr/bin/env bash
# usage: [WORK=FOLDER] samples.sh BIN [NAME…]
# Makes the sample projects of the start page, or some of them, each a program of this
# repository: its model by `tierctl analyze` from one run, and measurements of the plain
# program in other configurations by `tierctl measure`. Prints each verdict. Takes one to
# four minutes a sample, fifteen for slow-disk, and wants a quiet machine; as root the runs
# get priority over others. A sample is replaced only by one whose verdict is YES: runs
# that others disturbed are not shipped. With WORK the same command goes on where it was stopped.
set -euo pipefail
bin=$(realpath "$1")
shift
names="$*"
cd "$(dirname "$0")/../.."
priority=$([ "$(id -u)" = 0 ] && echo high || echo "")
programs=./testdata/programs/go
work=${WORK:-}
if [ -z "$work" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
failed=0

# wanted reports whether a sample was asked for.
wanted() { [ -z "$names" ] || grep -qw -- "$1" <<<"$names"; }

# sample NAME "ANALYZE FLAGS" "MEASURE FLAGS" PROGRAM ARGS…
sample() {
	local name=$1 project=$work/$1.tier analyze=$2 measure=$3
	shift 3
	wanted "$name" || return 0
	# shellcheck disable=SC2086 # flags are words
	[ -e "$project/analysis/trust.json" ] || "$bin/tierctl" analyze -q --out "$project" $analyze "$@"
	# shellcheck disable=SC2086
	"$bin/tierctl" measure -q --model "$project" $measure --priority "$priority"
	ship "$name"
}

# ship puts a project into the samples if its measurements confirm its model.
ship() {
	local name=$1 project=$work/$1.tier verdict
	# What the stages leave for taking a study up again is large, and names this machine's folders.
	rm -rf "$project"/analysis/{trace,samples.json,facts.json} "$project"/runs
	grep -rlF -e "$work/" -e "$PWD/" "$project" | xargs -r sed -i "s#$work/##g; s#$PWD/##g"
	stamp "$project/analysis"
	verdict=$("$bin/tierctl" validate -q "$project" | sed -n 1,2p)
	rm -rf "$project"/runs
	printf '%s: %s\n' "$name" "$verdict"
	case $verdict in
	YES*) rm -rf "assets/samples/$name.tier" && mv "$project" "assets/samples/$name.tier" ;;
	*) echo "$name: the sample stays as it was" && failed=1 ;;
	esac
}

# stamp notes in a project that its model was made of the workload as it is now, with other names of folders.
stamp() {
	local hash size
	hash=$(sha256sum <"$1/workload.json" | cut -d' ' -f1) size=$(stat -c %s "$1/workload.json")
	sed -i -E "/\"workload.json\": /s/\{.*\}/{\"bytes\":$size,\"sha256\":\"$hash\"}/" "$1/build.json"
}

# What disturbs one run of a batch program in three spoils no median of four.
batch="--repeats 4 --grid GOMAXPROCS=1,2"
sample renderer "" "$batch --grid workers=1,2,4,8" "$programs/tiles" -- -workers 2 -json
sample cache "" "$batch --grid workers=1,2,4,8" "$programs/cache" -- -workers 2 -json
if command -v javac >/dev/null && wanted montecarlo; then
	javac -g -d "$work/classes" testdata/programs/java/Montecarlo.java
	sample montecarlo "--target java" "--repeats 5 --grid threads=1,2,4,8 --grid cores=1,2" java -- -Dthreads=4 -cp "$work/classes" Montecarlo
fi
# A server that computes for a millisecond, six thousand words a passage, and is busy for a good part of the
# time: one that answers in 0.1 ms, or is idle for 10 ms, shows how long the hypervisor takes to wake a
# processor, and how cold it is then. Nine short runs of each configuration keep their median from what disturbs one or two.
server="--cpus 1 --load-reconnect --load-warmup 500ms --load-duration 4s"
sample web-server "$server --load-url http://127.0.0.1:8091 --load-target /passage?words=6000&seed=%d:1000 --load-rate 200/s" \
	"--repeats 9 --load-warmup 300ms --load-duration 1500ms --grid workers=1,3,5 --grid rate=100,200,300" "$programs/docserver" -- -addr 127.0.0.1:8091 -workers 3 -json
# The papers' 52 configurations of a web server (Tarvo & Reiss 2014, §5.2) on a disk twice as
# fast as theirs, so that five seconds have as many requests as ten have there.
if [ "$(id -u)" = 0 ] && [ -e /dev/fuse ] && wanted slow-disk; then
	keep=$([ -e "$work/disk/web.tier/analysis/trust.json" ] && echo 1 || true)
	TIERCTL=$bin/tierctl WORK=$work/disk KEEP=$keep RECORD='' DISK="-dist hdd -rpm 14400 -seekmin 300us -seekmax 4ms" \
		RATE=80 LEARN=15s WARMUP=1s DURATION=5s REPEATS=2 WORKERS=2,4,6,8 RATES=20..260/20 testdata/programs/disk-web.sh
	mv "$work/disk/web.tier" "$work/slow-disk.tier"
	sed -i "s#$work/disk/slow/fs#/mnt/slow#g; s#\"name\": \"web\"#\"name\": \"slow-disk\"#" "$work"/slow-disk.tier/{project.json,analysis/*.json,model/model.json,measured/*.csv}
	ship slow-disk
fi
exit $failed
