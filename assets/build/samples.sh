#!/usr/bin/env bash
# usage: samples.sh BIN
# Makes the sample projects of the start page, each a program of this repository:
# its model by `tierctl analyze` from one run, and measurements of the plain program
# in other configurations by `tierctl measure`. Takes about five minutes and wants
# a quiet machine; as root the runs get priority over others.
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../.."
priority=$([ "$(id -u)" = 0 ] && echo high || echo "")
programs=./testdata/programs/go

# sample NAME "ANALYZE FLAGS" "MEASURE FLAGS" PACKAGE ARGS…
sample() {
	local project=assets/samples/$1.tier analyze=$2 measure=$3
	shift 3
	rm -rf "$project"
	# shellcheck disable=SC2086 # flags are words
	"$bin/tierctl" analyze -q --out "$project" $analyze "$@"
	sed -i "s#\"$PWD/#\"#g" "$project/model/model.json" # places in the source, from the repository's root
	# shellcheck disable=SC2086
	"$bin/tierctl" measure -q --model "$project" $measure --repeats 2 --priority "$priority"
	# What the stages leave for taking a study up again is large, and names this machine's folders.
	rm -rf "$project"/analysis/{trace,samples.json,facts.json} "$project"/runs
	"$bin/tierctl" validate -q "$project" | sed -n 1,2p
}

server="--cpus 1 --load-reconnect --load-warmup 500ms --load-duration 2s"
sample web-server "$server --load-url http://127.0.0.1:8091 --load-target /page/%d.html:500 --load-rate 200/s" \
	"--grid workers=1,3,5 --grid rate=200,600,1000,1400" "$programs/tornado" -- -addr 127.0.0.1:8091 -workers 3 -json
sample renderer "" "--grid workers=1,2,4,8 --grid GOMAXPROCS=1,2" "$programs/tiles" -- -workers 2 -json
sample cache "" "--grid workers=1,2,4,8 --grid GOMAXPROCS=1,2" "$programs/cache" -- -workers 2 -json
