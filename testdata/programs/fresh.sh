#!/usr/bin/env bash
# Analyses programs with the checks that an analysis makes, runs them in other configurations, and keeps what the models said
# of these beside what was measured, with intervals: testdata/accuracy/fresh-*.json.
#
#   testdata/programs/fresh.sh measure [go|java|servers]   MINUTES (default 10) of analyses and runs, REPEATS (default 3) of each, on a machine with nothing else on it
#   testdata/programs/fresh.sh write                       the result files of all that was measured in WORK (default .cache/fresh)
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/fresh}")
GO=$PWD/testdata/programs/go UNSEEN=$PWD/testdata/unseen/go
RESULTS=$PWD/testdata/accuracy
mkdir -p "$WORK"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl

# urgent runs a command at nice -20 in a session that has that value too (sched(7), autogroup).
urgent() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	setsid -w nice -n -20 sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null; exec "$@"' sh "$@"
}

# subject NAME "ANALYZE FLAGS" "GRID" PROGRAM ARGS…: in the time that is left; what is there stays.
subject() {
	local project=$WORK/$1.tier analyze=$2 grid=$3
	if [ $SECONDS -ge $END ] || [ -s "$project/measured/measured.csv" ]; then return; fi
	shift 3
	rm -rf "$project"
	# shellcheck disable=SC2086 # flags are words
	urgent timeout 120 "$TIERCTL" analyze -q --out "$project" $analyze "$@" >"$project.log" 2>&1 || { echo "$project: analysis failed: $(tail -1 "$project.log")"; return; }
	# shellcheck disable=SC2086
	urgent timeout 100 "$TIERCTL" measure -q --model "$project" $grid --repeats "${REPEATS:-3}" --priority high >>"$project.log" 2>&1 || echo "$project: measuring was cut short"
	echo "$project after $SECONDS s"
}

go_programs() {
	subject montecarlo "" "--grid workers=1,2,3,4,8,16 --grid GOMAXPROCS=1,2" "$GO/montecarlo" -- -workers 2 -json
	subject tiles "" "--grid workers=1,2,3,4,8,16 --grid GOMAXPROCS=1,2" "$GO/tiles" -- -workers 2 -json
	subject heat "" "--grid threads=1,2,3,4,6 --grid cores=1,2" "$UNSEEN/heat" -- -threads 3
	subject ledger "" "--grid clerks=1,2,3,6 --grid cores=1,2" "$UNSEEN/ledger" -- -clerks 3
}

java_programs() {
	javac -d "$WORK/classes" testdata/programs/java/*.java testdata/unseen/java/*.java
	local name class
	for name in java-montecarlo:Montecarlo java-primes:Primes java-moldyn:Moldyn java-life:Life java-mixed:Mixed java-galaxy:Galaxy java-cluster:Cluster java-index:Index; do
		class=${name#*:}
		subject "${name%:*}" "--target java" "--grid threads=1,3,6,8 --grid cores=1,2" java -- -Dthreads=4 -cp "$WORK/classes" "$class"
	done
}

servers() {
	local load="--load-reconnect --load-warmup 500ms --load-duration 2s"
	mkdir -p "$WORK/classes"
	subject docserver "$load --cpus 1 --load-url http://127.0.0.1:8092 --load-target /passage?seed=%d:1000 --load-rate 80/s" \
		"--grid workers=1,4 --grid rate=60,160,240" "$GO/docserver" -- -addr 127.0.0.1:8092 -workers 3 -json
	subject tornado "$load --cpus 1 --load-url http://127.0.0.1:8091 --load-target /page/%d.html:500 --load-rate 400/s" \
		"--grid workers=2,5 --grid rate=250,800,1200" "$GO/tornado" -- -addr 127.0.0.1:8091 -workers 3 -json
	if command -v javac >/dev/null; then
		javac -d "$WORK/classes" testdata/programs/java/Tornado.java
		subject java-tornado "--target java $load --load-url http://127.0.0.1:8093 --load-target /page/%d.html:100 --load-rate 500/s" \
			"--grid threads=2,5 --grid rate=300,1000,2000" java -- -Dthreads=3 -Dport=8093 -Dfiles=100 -cp "$WORK/classes" Tornado
	fi
}

measured() {
	END=$((SECONDS + 60 * ${MINUTES:-10}))
	case ${1:-all} in
	go) go_programs ;;
	java) java_programs ;;
	servers) servers ;;
	all) go_programs; java_programs; servers ;;
	*) echo "fresh.sh measure: go, java or servers" >&2; exit 2 ;;
	esac
}

results() {
	local project name
	for project in "$WORK"/*.tier; do
		name=$(basename "$project" .tier)
		if [ ! -s "$project/measured/measured.csv" ]; then continue; fi
		"$TIERCTL" validate -q --metric T --metric X --metric R --format json "$project" >"$WORK/$name.json" || { echo "$name: validation failed"; continue; }
		"$TIERCTL" accuracy record -q --apart --subject "fresh-$name" --title "$name" --area fresh --project "$project" \
			--load "${LOAD:-not known}" --commit "$(git describe --always --dirty)" "$RESULTS" <"$WORK/$name.json"
	done
}

case ${1:-} in
measure) measured "${2:-}" ;;
write) results ;;
*) echo "usage: fresh.sh measure [go|java|servers] | write" >&2; exit 2 ;;
esac
