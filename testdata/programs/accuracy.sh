#!/usr/bin/env bash
# Predicts and measures the subject programs, writes testdata/accuracy/SUBJECT.json and
# the tables of docs that are made of these files.
#
#   testdata/programs/accuracy.sh            everything; resumes what is in $WORK
#   SUBJECTS="tiles cache" … accuracy.sh     some of them
#   MINUTES=35 REPEATS=2 … accuracy.sh       what can be done in that time
#   LOAD="nothing else" … accuracy.sh        what else runs, for the tables
#
# WORK (default .cache/accuracy) keeps the projects with models and measurements:
# remove a project to analyse and measure it again; one that was interrupted goes on
# where it was. Files and tables are written anew after every subject. REPEATS is the
# number of measurements per configuration. MINUTES (default: no limit) divides the
# time that is left evenly among the subjects that are left: measuring is cut short,
# and because configurations are measured in blocks the file has fewer repeats, or
# fewer configurations of the last one. PRIORITY (default high, nice -20) keeps other
# programs out of the runs that are traced and measured; it needs root. Use PRIORITY=
# otherwise. (Not rt: under SCHED_RR the run-time system's own monitor thread waits for a
# time slice of 100 ms, and goroutines are preempted that much later.)
set -euo pipefail
cd "$(dirname "$0")/../.."
TOP=$PWD
WORK=$(realpath -m "${WORK:-.cache/accuracy}")
REPEATS=${REPEATS:-3}
PRIORITY=${PRIORITY-high}
GO=$PWD/testdata/programs/go
EXTERNAL=$PWD/testdata/programs/go-external
WORKERS=1,2,3,4,8,12,16
mkdir -p "$WORK"
TIERCTL=$WORK/tierctl
RESULTS=$TOP/testdata/accuracy
COMMIT=$(git describe --always --dirty 2>/dev/null || true)
CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl

# urgent runs a command at nice -20 in a session that has that value too (sched(7), autogroup).
urgent() {
	if [ "$PRIORITY" != high ]; then "$@"; return; fi
	# shellcheck disable=SC2016 # expanded by the inner shell
	setsid -w nice -n -20 sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null; exec "$@"' sh "$@"
}

NAMES="montecarlo tiles moldyn galaxy cache rwstore pipeline pgzip scc java-montecarlo java-moldyn java-galaxy java-mixed java-index sunflow tornado docserver hybrid-montecarlo hybrid-options hybrid-pipeline"
SUBJECTS=${SUBJECTS:-$NAMES}
LEFT=$(wc -w <<<"$SUBJECTS")
BEGUN=$SECONDS

# share prints the seconds that the next subject may take.
share() {
	if [ -z "${MINUTES:-}" ]; then echo 86400; return; fi
	local rest=$((MINUTES * 60 - (SECONDS - BEGUN)))
	echo $((rest > 20 * LEFT ? rest / LEFT : 20))
}

# subject NAME "TITLE" "ANALYZE FLAGS" "MEASURE FLAGS" PACKAGE ARGS…; METRICS and AREA say
# what is compared and which table has it.
subject() {
	local name=$1 title=$2 analyze=$3 measure=$4
	shift 4
	if [[ " $SUBJECTS " != *" $name "* ]]; then return; fi
	local project=$WORK/$name.tier until
	until=$((SECONDS + $(share)))
	LEFT=$((LEFT - 1))
	if [ ! -e "$project/model/model.json" ]; then
		# Once to fill the build cache at normal priority, then undisturbed.
		# shellcheck disable=SC2086 # flags are words
		"$TIERCTL" analyze -q --out "$project" $analyze "$@" >"$project.log" 2>&1 || { echo "$name: analysis failed"; cat "$project.log"; return; }
		urgent "$TIERCTL" trace -q --out "$project" >>"$project.log" 2>&1 || { echo "$name: trace failed"; tail -5 "$project.log"; return; }
	fi
	"$TIERCTL" build -q --out "$project" >>"$project.log" 2>&1 || { echo "$name: build failed"; tail -5 "$project.log"; return; }
	local rest=$((until - SECONDS - 15)) # validation and the table of sizes need some
	# shellcheck disable=SC2086
	timeout --signal=INT --kill-after=60 $((rest > 10 ? rest : 10)) "$TIERCTL" measure -q --model "$project" $measure --repeats "$REPEATS" --priority "$PRIORITY" ||
		echo "$name: measuring was cut short (status $?); run again to go on"
	local sizes=()
	if "$TIERCTL" reduction -q --format json "$project" >"$WORK/$name.sizes"; then sizes=(--sizes "$WORK/$name.sizes"); else echo "$name: no sizes"; fi
	# shellcheck disable=SC2086
	"$TIERCTL" validate -q $METRICS --format json "$project" >"$WORK/$name.json" || { echo "$name: validation failed"; return; }
	"$TIERCTL" accuracy record -q --subject "$name" --title "$title" --area "$AREA" --project "$project" "${sizes[@]}" \
		--load "${LOAD:-}" --commit "$COMMIT" "$RESULTS" <"$WORK/$name.json" || { echo "$name: nothing is recorded"; return; }
	"$TIERCTL" accuracy pages -q "$RESULTS" "$TOP/docs"
	echo "$name: $(grep -o '"sentence": "[^"]*"' "$WORK/$name.json" | cut -d'"' -f4)"
}

# Batch programs are judged by their makespan. (What "response time" of a task is depends on
# when the program calls it born.)
METRICS="--metric T --metric X --metric U" AREA=go-batch
cpus="--grid GOMAXPROCS=1,2"
server="--cpus 1 --load-reconnect --load-warmup 500ms --load-duration 3s"
subject montecarlo "Monte Carlo (pool)" "" "--grid workers=$WORKERS $cpus" "$GO/montecarlo" -- -workers 2 -json
subject tiles "Tile renderer (queue of tiles)" "" "--grid workers=$WORKERS $cpus" "$GO/tiles" -- -workers 2 -json
subject moldyn "Molecular dynamics (barrier per step)" "" "--grid workers=$WORKERS $cpus" "$GO/moldyn" -- -workers 2 -json
subject galaxy "Galaxy (force and collision pools)" "" "--grid force=$WORKERS $cpus" "$GO/galaxy" -- -force 2 -collision 1 -json
subject cache "Lock-heavy cache (mutex)" "" "--grid workers=$WORKERS $cpus" "$GO/cache" -- -workers 2 -json
subject rwstore "Read-write-lock store" "" "--grid workers=$WORKERS $cpus" "$GO/rwstore" -- -workers 2 -json
subject pipeline "Pipeline (bounded channels)" "" "--grid compressors=$WORKERS $cpus" "$GO/pipeline" -- -compressors 2 -json
subject pgzip "pgzip v1.2.6 (goroutine per block)" "--dir $EXTERNAL/pgzip" "--grid blocks=$WORKERS $cpus" "$EXTERNAL/pgzip" -- -blocks 4
cd "$EXTERNAL/scc" # the module that requires it
subject scc "scc v3.5.0 (line counter, on GOROOT/src)" "" "--grid file-process-job-workers=$WORKERS $cpus" \
	github.com/boyter/scc/v3 -- --file-process-job-workers 2 "$(go env GOROOT)/src"
cd - >/dev/null
# Java programs, where there is a JDK; Sunflow where its jar is (apt install libsunflow-java).
METRICS="--metric T" AREA=java-batch
if command -v javac >/dev/null; then
	JAVA=$PWD/testdata/programs/java SUNFLOW=/usr/share/java/sunflow.jar
	javac -d "$WORK/classes" "$JAVA"/*.java
	grid="--grid threads=$WORKERS --grid cores=1,2"
	subject java-montecarlo "Monte Carlo (executor)" "--target java" "$grid" java -- -Dthreads=4 -cp "$WORK/classes" Montecarlo
	subject java-moldyn "Molecular dynamics (barrier)" "--target java" "$grid" java -- -Dthreads=4 -cp "$WORK/classes" Moldyn
	subject java-galaxy "Galaxy (queue and latch)" "--target java" "$grid" java -- -Dthreads=4 -cp "$WORK/classes" Galaxy
	subject java-mixed "Mixed (executor)" "--target java" "$grid" java -- -Dthreads=4 -cp "$WORK/classes" Mixed
	subject java-index "Index (counter)" "--target java" "$grid" java -- -Dthreads=4 -cp "$WORK/classes" Index
	if [ -e "$SUNFLOW" ]; then
		javac -cp "$SUNFLOW" -d "$WORK/classes" "$JAVA/sunflow/Render.java"
		subject sunflow "Sunflow (tiles from a counter under a monitor)" "--target java" "$grid" \
			java -- -Dthreads=4 -Djava.awt.headless=true -cp "$WORK/classes:$SUNFLOW:/usr/share/java/janino.jar" Render
	fi
fi
METRICS="--metric R --metric X --metric U" AREA=go-servers
subject tornado "Tornado (web server reading files)" "$server --load-url http://127.0.0.1:8080 --load-target /page/%d.html:500 --load-rate 200/s" \
	"--grid workers=1,3,5,8 --grid rate=200,400,800,1200" "$GO/tornado" -- -workers 3 -json
subject docserver "Document server (renders PDFs)" "$server --load-url http://127.0.0.1:8081 --load-target /passage?seed=%d:1000 --load-rate 80/s" \
	"--grid workers=1,3,5,8 --grid rate=80,160,240,320" "$GO/docserver" -- -workers 3 -json

# Models that follow the input: a quarter of the smallest captured, twice and four times
# the largest.
hybrid() { # NAME "TITLE" VARIABLE VALUES "PREDICTED" PACKAGE ARGS…
	local name=hybrid-$1 title=$2 variable=$3 values=$4 predicted=$5 at=()
	shift 5
	if [[ " $SUBJECTS " != *" $name "* ]]; then return; fi
	for v in $predicted; do at+=(--at "$variable=$v"); done
	urgent "$TIERCTL" hybrid --out "$WORK/$name.tier" --vary "$variable=$values" "${at[@]}" --check --repeats "$REPEATS" \
		--accuracy "$RESULTS/$name.json" --title "$title" --beside "${LOAD:-not said}" --commit "$COMMIT" "$@"
	LEFT=$((LEFT - 1))
}
hybrid montecarlo "Monte Carlo of other inputs" tasks 100,200,400,800 "25 1600 3200" "$GO/montecarlo" -- -workers 2
hybrid options "Option pricing of other inputs" options 20000,40000,80000,160000 "5000 320000 640000" "$GO/options" -- -rounds 20 -threads 2
hybrid pipeline "Pipeline of other inputs" blocks 100,200,400,800 "25 1600 3200" "$GO/pipeline" -- -compressors 2
"$TIERCTL" accuracy pages --pictures "$TOP/assets/pictures" "$RESULTS" "$TOP/docs"

echo "testdata/accuracy and docs are written, after $(((SECONDS - BEGUN) / 60)) minutes"
