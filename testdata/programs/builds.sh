#!/usr/bin/env bash
# Compares builds: the same source twice, where nothing changed, and a program in which one function was edited
# so that it takes 2, 5 or 10 % more CPU time. Writes testdata/accuracy/builds-*.json.
#
#   testdata/programs/builds.sh analyse       the models, into WORK (default .cache/builds); what is there stays
#   testdata/programs/builds.sh compare       MINUTES (default 10) of comparisons by turns, on a machine with nothing else on it
#   testdata/programs/builds.sh write         the result files
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/builds}")
GO=$PWD/testdata/programs/go
RESULTS=$PWD/testdata/accuracy
mkdir -p "$WORK/out"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl

# source FOLDER BYTES SEARCH HOLD: readers take blocks of a file, digest them, search, and keep sums under a lock.
source() {
	mkdir -p "$1"
	printf 'module planted\n\ngo 1.26\n' >"$1/go.mod"
	sed "s/BYTES/$2/; s/SEARCH/$3/; s/HOLD/$4/" >"$1/main.go" <<'GO'
package main

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

var table [1 << 12]float64

//go:noinline
func read(name string, buffer []byte) {
	f, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, buffer[:BYTES]); err != nil {
		panic(err)
	}
}

//go:noinline
func digest(b []byte) (s uint32) {
	for i := range 1000 {
		s ^= crc32.ChecksumIEEE(b[i%512 : i%512+512])
	}
	return s
}

//go:noinline
func search() (s float64) {
	for i := range SEARCH {
		s += table[i%len(table)] / float64(i+1)
	}
	return s
}

//go:noinline
func hold() (s float64) {
	for i := range HOLD {
		s += table[(i*7)%len(table)] / float64(i+3)
	}
	return s
}

func main() {
	jobs := make(chan int, 8)
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0.0
	for range 2 {
		wg.Go(func() {
			buffer := make([]byte, 1<<20)
			for j := range jobs {
				read(os.Args[1], buffer)
				v := float64(digest(buffer[j%1000:])) + search()
				mu.Lock()
				total += v + hold()
				mu.Unlock()
			}
		})
	}
	for j := range 5000 {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	fmt.Println(total)
}
GO
}

# more PERCENT SHARE N is N of what takes that share of the CPU time, in per cent, and PERCENT of all more.
more() { awk "BEGIN { printf \"%d\", $3 * (1 + $1 / $2) }"; }

analyse() {
	local project=$WORK/$1.tier program=$2
	shift 2
	if [ ! -e "$project/model/model.json" ]; then "$TIERCTL" analyze -q --quick --out "$project" "$program" -- "$@"; fi
}

analyses() {
	head -c 1000000 /dev/zero >"$WORK/file"
	source "$WORK/src/planted" 400000 16000 6400
	analyse planted "$WORK/src/planted" "$WORK/file"
	for p in 5 10 2; do # shares as doubling each of them showed
		source "$WORK/src/planted-read-$p" "$(more $p 37.5 400000)" 16000 6400
		source "$WORK/src/planted-search-$p" 400000 "$(more $p 29.4 16000)" 6400
		source "$WORK/src/planted-hold-$p" 400000 16000 "$(more $p 17.6 6400)"
		for f in read search hold; do analyse planted-$f-$p "$WORK/src/planted-$f-$p" "$WORK/file"; done
	done
	for i in 1 2; do
		analyse same-montecarlo-$i "$GO/montecarlo" -tasks 150
		analyse same-tiles-$i "$GO/tiles" -height 200
		analyse same-moldyn-$i "$GO/moldyn" -steps 60
		analyse same-cache-$i "$GO/cache" -batches 300
	done
}

# compare NAME OLD NEW: in the time that is left.
compare() {
	local name=$1 attribute=()
	if [[ $name == planted-* ]]; then attribute=(--attribute); fi
	if [ $SECONDS -ge $END ] || [ -s "$WORK/out/$name.json" ]; then return; fi
	set +e
	timeout 60 "$TIERCTL" diff --turns --consent --rounds 8 "${attribute[@]}" --format json --fail-on 'T > +2%' "$WORK/$2.tier" "$WORK/$3.tier" \
		>"$WORK/out/$name.part" 2>"$WORK/out/$name.err"
	echo "$name: exit $?, $(grep 'by turns' "$WORK/out/$name.err")"
	set -e
	if [ -s "$WORK/out/$name.part" ]; then mv "$WORK/out/$name.part" "$WORK/out/$name.json"; fi
}

comparisons() {
	END=$((SECONDS + 60 * ${MINUTES:-10}))
	for i in $(seq "${PAIRS:-10}"); do
		for p in montecarlo tiles moldyn cache; do compare "same-$p-$i" "same-$p-1" "same-$p-2"; done
		for p in 5 10 2; do
			for f in read search hold; do compare "planted-$f-$p-$i" planted "planted-$f-$p"; done
		done
	done
}

case ${1:-} in
analyse) analyses ;;
compare) comparisons ;;
write) "$TIERCTL" accuracy builds --load "${LOAD:-not known}" "$WORK/out" "$RESULTS" ;;
*) echo "usage: builds.sh analyse|compare|write" >&2; exit 2 ;;
esac
