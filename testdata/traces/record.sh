#!/usr/bin/env bash
# usage: record.sh BIN [NAME…]
# Records the corpus anew: each program below once, with BIN/tierctl, and keeps
# what Build needs of it in testdata/traces/NAME.tier. With names, only those.
# Recordings of the same program are never the same twice, so the models change:
# the last step writes hashes.txt and the models anew. Programs are run from a
# copy of testdata, so that no recording names the folder of whoever made it.
set -euo pipefail
bin=$(realpath "$1")
shift
names=" $* "
cd "$(dirname "$0")/../.."
top=$PWD
corpus=$top/testdata/traces
limit=200000 # bytes of a recording
copy=/tmp/tierscope-traces
failed=()

rm -rf "$copy"
mkdir -p "$copy/classes" "$copy/testdata"
cp go.mod go.sum "$copy"
cp -r testdata/programs testdata/unseen "$copy/testdata"
cd "$copy"
java=$(command -v javac || true)
if [ -n "$java" ]; then
	javac -g -d classes testdata/programs/java/*.java testdata/unseen/java/*.java
fi

# record NAME "ANALYZE FLAGS" PROGRAM -- ARGS…
record() {
	local name=$1 flags=$2
	shift 2
	if [ "$names" != "  " ] && [[ $names != *" $name "* ]]; then return; fi
	local project=$copy/$name.tier
	# shellcheck disable=SC2086 # flags are words
	if ! "$bin/tierctl" analyze -q --out "$project" $flags "$@" >"$project.log" 2>&1; then
		echo "$name: $(tail -1 "$project.log")"
		if [ ! -e "$project/analysis/trace" ]; then
			failed+=("$name")
			return
		fi # of a trace that gives no model, the corpus has the error
	fi
	local kept=("$project"/analysis/{workload.json,facts.json,trace}) to=$corpus/$name.tier size
	size=$(cat "${kept[@]}" | wc -c)
	echo "$name: $size bytes"
	if [ "$size" -gt $limit ]; then
		echo "$name: more than $limit bytes; give it less to do"
		failed+=("$name")
		return
	fi
	rm -rf "$to"
	mkdir -p "$to/analysis"
	cp "${kept[@]}" "$to/analysis"
}

# native NAME "ARGS": a program of testdata/unseen/c, in C++
native() {
	if [ "$names" != "  " ] && [[ $names != *" $1 "* ]]; then return; fi
	if [ -e "testdata/unseen/c/$1.c" ]; then
		cc -O2 -pthread -o "$copy/$1" "testdata/unseen/c/$1.c" -lm
	else
		c++ -std=c++20 -O2 -pthread -o "$copy/$1" "testdata/unseen/c/$1.cc"
	fi
	# shellcheck disable=SC2086
	record "$1" "--target native" "$copy/$1" -- $2
}

# lines NAME "ARGS" PORT LINE RATE: a server of testdata/programs/c that is sent lines of text
lines() {
	if [ "$names" != "  " ] && [[ $names != *" $1 "* ]]; then return; fi
	cc -O2 -pthread -o "$copy/$1" "testdata/programs/c/$1.c"
	# shellcheck disable=SC2086
	record "$1" "--target native --load-url tcp://127.0.0.1:$3 --load-target $4 --load-rate $5/s --load-warmup 500ms --load-duration 2s" "$copy/$1" -- $2
}

# batch NAME "ARGS" [FOLDER]: a program of testdata/programs/go or testdata/unseen/go
batch() {
	local folder=./testdata/${3:-programs}/go/$1
	# shellcheck disable=SC2086
	record "$1" "" "$folder" -- $2
}

# server NAME "ARGS" PORT PATH RATE [FOLDER]
server() {
	local folder=./testdata/${6:-programs}/go/$1
	# shellcheck disable=SC2086
	record "$1" "--load-url http://127.0.0.1:$3 --load-target $4 --load-rate $5/s --load-warmup 500ms --load-duration 2s" "$folder" -- $2
}

# class NAME "PROPERTIES" CLASS ARGS…: a class of either folder
class() {
	if [ -z "$java" ]; then return; fi
	local name=$1 properties=$2
	shift 2
	# shellcheck disable=SC2086
	record "$name" "--target java ${LOAD:-}" java -- $properties -cp classes "$@"
}

# The subjects of testdata/programs.
batch montecarlo "-workers 2 -tasks 200"
batch tiles "-workers 2"
batch moldyn "-workers 2 -steps 60"
batch galaxy "-force 2 -collision 1 -steps 20"
batch cache "-workers 3 -batches 100"
batch rwstore "-workers 3 -requests 2500"
batch pipeline "-parsers 1 -compressors 2 -blocks 300"
batch filters "-workers 2 -procs 2 -n 30"
batch clusters "-threads 2 -points 80000"
batch options "-threads 2 -rounds 200"
batch swaptions "-threads 2 -trials 25000"
batch orders "-orders 100"
batch clinic "-patients 4 -visits 15"
batch press "-editors 3 -pages 15"
batch boxedlu "120"
record exam "" ./testdata/programs/go/exam -- 300 3
server tornado "-addr 127.0.0.1:8091 -workers 3 -files 100" 8091 /page/%d.html:100 200
server docserver "-addr 127.0.0.1:8092 -workers 2 -words 800" 8092 /passage?seed=%d:100 60

class java-montecarlo "-Dthreads=3 -Dbatches=200" Montecarlo
class java-moldyn "-Dthreads=2 -Dsteps=60" Moldyn
class java-galaxy "-Dthreads=2 -Dsteps=20" Galaxy
class java-mixed "-Dthreads=3" Mixed
class java-index "-Dthreads=3" Index
class java-exam "" Exam 300 3
LOAD="--load-url http://127.0.0.1:8093 --load-target /page/%d.html:100 --load-rate 150/s --load-warmup 500ms --load-duration 2s" \
	class java-tornado "-Dthreads=3 -Dport=8093 -Dfiles=100" Tornado

# Programs that nobody prepared.
batch lru "-clients 4" unseen
batch pathtracer "-workers 2" unseen
batch heat "-threads 3" unseen
batch mapreduce "-mappers 3 -reducers 2" unseen
batch logpipe "" unseen
batch rpcserver "-clients 4" unseen
batch btree "-clients 4 -operations 80 -scan 50 -preload 8000" unseen
batch lsm "-clients 3" unseen
batch crawler "-fetchers 4 -limit 150" unseen
batch broker "" unseen
batch fanout "-limit 3" unseen
batch buffer "-producers 2 -consumers 3" unseen
batch resize "-workers 3" unseen
batch retry "-senders 4" unseen
batch timebox "-workers 2 -for 200ms" unseen
batch bfs "-threads 2" unseen
batch archive "-workers 2" unseen
batch throttle "-senders 3" unseen
batch soak "-clients 3" unseen
batch pi "-threads 2" unseen
batch links "-at-once 3" unseen
batch fractal "-threads 3" unseen
batch compaction "-writers 3" unseen
batch ledger "-clerks 3" unseen
batch auction "-verifiers 3 -rounds 60" unseen
batch journal "-clients 3 -records 600" unseen
batch topics "-messages 1500" unseen
batch catalogue "-workers 4" unseen
batch connpool "-clients 8 -queries 400" unseen
batch docmill "-clients 8 -jobs 200 -fetch-us 500" unseen
batch readalign "-workers 3 -genome 15000 -reads 6000 -chunk 50" unseen
batch memo "-clients 4 -requests 1500 -keys 200" unseen
batch pricelist "-clients 3 -asks 600" unseen
batch adaptive "-workers 3 -exact 1e-6" unseen
batch subsets "-workers 3 -split 7" unseen
batch scenes "-painters 3" unseen
batch relax "-workers 3 -rounds 40" unseen
batch gomake "-jobs 3 -targets 400" unseen
batch nonce "-workers 2 -blocks 30 -bits 14" unseen
batch walkers "-walkers 3 -trials 4000" unseen
native ising "--threads 3 --sweeps 40 --size 400"
native bands "-t 3 -p 60"
native modules "3 120 100000"
native ripple "-w 2 -e 2 -t 60 -n 192"
native pricefeed "-f 4 -i 3 -a 2 -n 600 -w 30"
server api "-addr 127.0.0.1:8094" 8094 /play?id=%d:100 60 unseen
lines events "-t 2 -p 7004" 7004 %d:100 100
lines dispatch "-t 3 -p 7008" 7008 %d:100 100
server thumbs "-addr 127.0.0.1:8095 -painters 2" 8095 /picture?id=%d:40 60 unseen

class java-thumbnails "-Dthreads=3" Thumbnails
class java-prices "-Dthreads=4" Prices
class java-sum "-Dthreads=2" Sum
class java-quotes "-Daskers=4 -Dthreads=2" Quotes
class java-metrics "-Dthreads=3" Metrics
class java-life "-Dthreads=3" Life
class java-points "-Dthreads=4" Points
class java-crawl "-Dfetchers=4" Crawl
class java-mill "-Dmills=3 -Dsacks=300" Mill
class java-bakery "-Dbakers=2 -Dclerks=3 -Dshelf=8 -Dloaves=400" Bakery
class java-kitchen "-Dwaiters=2 -Dcooks=3" Kitchen
class java-mail "-Dthreads=2 -Dletters=400" Mail
class java-spool "-Doffices=2 -Dprinters=3" Spool
class java-alerts "-Dsensors=2 -Danalysts=3" Alerts
class java-primes "-Dthreads=3" Primes
class java-jobs "-Dthreads=3 -Ddepth=8 -Dsteps=1000000" Jobs
LOAD="--load-url http://127.0.0.1:8096 --load-target /count?seed=%d:50 --load-rate 60/s --load-warmup 500ms --load-duration 2s" \
	class java-words "-Dthreads=3 -Dport=8096" Words
class java-quoteserver "-Dsessions=18 -Drequests=8" QuoteServer
class java-tidesolver "-Dnx=160 -Dny=160 -Dsteps=40" TideSolver

cd "$top"
CGO_ENABLED=0 go test ./analysis -count=1 -run TestTheCorpusGivesTheSameModels -update
if [ ${#failed[@]} -gt 0 ]; then
	echo "not recorded: ${failed[*]}"
	exit 1
fi
