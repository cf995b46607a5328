#!/usr/bin/env bash
# usage: samples.sh BIN [NAME…]
# Makes the sample projects of the start page, or some of them, each a program of this
# repository: its model by `tierctl analyze` from one run, and measurements of the plain
# program in other configurations by `tierctl measure`. Prints each verdict. Takes about
# two minutes a sample and wants a quiet machine; as root the runs get priority over
# others. A sample is replaced only by one whose verdict is YES: runs that others
# disturbed are not shipped.
set -euo pipefail
bin=$(realpath "$1")
shift
names="$*"
cd "$(dirname "$0")/../.."
priority=$([ "$(id -u)" = 0 ] && echo high || echo "")
programs=./testdata/programs/go
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# sample NAME "ANALYZE FLAGS" "MEASURE FLAGS" PROGRAM ARGS…
sample() {
	local name=$1 project=$work/$1.tier analyze=$2 measure=$3
	shift 3
	[ -z "$names" ] || grep -qw -- "$name" <<<"$names" || return 0
	# shellcheck disable=SC2086 # flags are words
	"$bin/tierctl" analyze -q --out "$project" $analyze "$@"
	sed -i "s#\"$PWD/#\"#g" "$project/model/model.json" # places in the source, from the repository's root
	# shellcheck disable=SC2086
	"$bin/tierctl" measure -q --model "$project" $measure --repeats 4 --priority "$priority"
	# What the stages leave for taking a study up again is large, and names this machine's folders.
	rm -rf "$project"/analysis/{trace,samples.json,facts.json} "$project"/runs
	grep -rlF -e "$work/" -e "$PWD/" "$project" | xargs -r sed -i "s#$work/##g; s#$PWD/##g"
	local verdict
	verdict=$("$bin/tierctl" validate -q "$project" | sed -n 1,2p)
	rm -rf "$project"/runs
	printf '%s: %s\n' "$name" "$verdict"
	case $verdict in
	YES*) rm -rf "assets/samples/$name.tier" && mv "$project" "assets/samples/$name.tier" ;;
	*) echo "$name: the sample stays as it was" && failed=1 ;;
	esac
}

server="--cpus 1 --load-reconnect --load-warmup 500ms --load-duration 2s"
sample web-server "$server --load-url http://127.0.0.1:8091 --load-target /page/%d.html:500 --load-rate 200/s" \
	"--grid workers=1,3,5 --grid rate=200,600,1000,1400" "$programs/tornado" -- -addr 127.0.0.1:8091 -workers 3 -json
sample renderer "" "--grid workers=1,2,4,8 --grid GOMAXPROCS=1,2" "$programs/tiles" -- -workers 2 -json
sample cache "" "--grid workers=1,2,4,8 --grid GOMAXPROCS=1,2" "$programs/cache" -- -workers 2 -json
if command -v javac >/dev/null; then
	javac -d "$work/classes" testdata/programs/java/Montecarlo.java
	sample montecarlo "--target java" "--grid threads=1,2,4,8" java -- -Dthreads=4 -cp "$work/classes" Montecarlo
fi
exit $failed
