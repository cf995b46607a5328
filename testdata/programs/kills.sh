#!/usr/bin/env bash
# Kills tierctl regress capture, predictability and prolong at random moments, again and again, and lets
# each end at last: what runs had shown by then is to be kept and used.
#
#   testdata/programs/kills.sh            30 kills of each that hit it before its end
#   KILLS=5 STUDIES=capture … kills.sh    some
#   MOST=20 … kills.sh                    s after which a study is killed at the latest (9)
#
# For each study it prints how many runs were in the journal after each kill, how often that number fell although
# the study had not ended, and how many of those that went on used all that were there.
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/kills}")
mkdir -p "$WORK"
CGO_ENABLED=0 go build -o "$WORK/tierctl" ./cmd/tierctl
export XDG_CACHE_HOME=$WORK/cache GOCACHE="${GOCACHE:-$(go env GOCACHE)}"
RUNS=$XDG_CACHE_HOME/tierscope/runs

# command NAME starts a study in the background, in a process group of its own.
command() {
	case $1 in
	capture) set -- regress capture ./testdata/programs/go/options --vary options=2000..20000 --vary threads=1,2,4 --inputs 120 --repeats 4 --profile "$WORK/table.jsonl" --splits 2 ;;
	predictability) set -- predictability go ./testdata/programs/go/boxedlu --heap 16MB --repeats 3 --longest 1s --out "$WORK/study.json" -- '{n}' ;;
	prolong) set -- prolong --program ./testdata/programs/go/planted --out "$WORK/prolongation.json" -- -kind lock -times 120 ;;
	esac
	setsid "$WORK/tierctl" "$@" >"$WORK/out" 2>"$WORK/err" &
}

kept() { { cat "$RUNS"/*.jsonl 2>/dev/null || true; } | wc -l; } # no journal: none

for study in ${STUDIES:-capture predictability prolong}; do
	rm -rf "$RUNS"
	counts=() fell=0 last=0 ended=0 killed=0 resumed=0 used=0
	while [ "$killed" -lt "${KILLS:-30}" ]; do
		command "$study"
		sleep "$((RANDOM % ${MOST:-9})).$((RANDOM % 1000))"
		if kill -9 -- -$! 2>/dev/null; then over='' killed=$((killed + 1)); else over=yes ended=$((ended + 1)); fi
		wait $! 2>/dev/null || true
		now=$(kept)
		if [ "$now" -lt "$last" ] && [ -z "$over" ]; then fell=$((fell + 1)); fi
		if [ "$last" -gt 0 ] && { [ -n "$over" ] || [ "$now" -gt "$last" ]; }; then # it got as far as to run
			resumed=$((resumed + 1))
			if grep -q "\b$last runs of the same" "$WORK/err"; then used=$((used + 1)); fi
		fi
		last=$now
		counts+=("$now")
	done
	command "$study"
	if wait $!; then result=complete; else result="FAILED: $(tail -1 "$WORK/err")"; fi
	echo "$study: runs kept after each kill: ${counts[*]}; lost $fell times; had ended before the kill $ended times"
	echo "$study: of $resumed studies that went on after a kill $used used all the runs that it left; the last was let go on: $result"
done
