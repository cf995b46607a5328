package java

import (
	"bufio"
	"cmp"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A JVM stops all threads of the program at safepoints, for most of its garbage
// collections in whole. A thread that was in a call of the system goes on
// there and stops when the call returns: to the probes it looks like a wait for
// the world, such as a file that took 100 ms. The JVM's own log says when
// the threads were stopped (JEP 158); they were ready meanwhile.

// fileStops is the log in the study's folder.
const fileStops = "safepoints.log"

// stopsOption makes a JVM write the log: with the time of System.nanoTime, and
// in one file.
func stopsOption(name string) string {
	return "-Xlog:safepoint=info:file=" + name + ":timenanos:filecount=0"
}

// stop is a time in which all threads of the program were stopped, in ns of
// CLOCK_MONOTONIC.
type stop struct{ from, to int64 }

// stopLine is the line at the end of a stop: of Java 13 and later, and of Java 11.
//
//	[38545546970548ns] Safepoint "G1CollectForAllocation", …, Total: 341776402 ns
//	[38545546970548ns] Total time for which application threads were stopped: 0.0107318 seconds, Stopping …
var stopLine = regexp.MustCompile(`^\[(\d+)ns\].*(?:Total: +(\d+) ns|threads were stopped: ([0-9.]+) seconds)`)

// readStops reads the log, as far as it goes: a JVM may have been killed. Without one
// there are no stops.
func readStops(name string) []stop {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var stops []stop
	for in := bufio.NewScanner(f); in.Scan(); {
		m := stopLine.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		to, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			continue
		}
		length, err := strconv.ParseFloat(m[2]+m[3], 64)
		if err != nil {
			continue
		}
		if strings.Contains(m[0], "seconds") {
			length *= 1e9
		}
		stops = append(stops, stop{to - int64(length), to})
	}
	slices.SortFunc(stops, func(a, b stop) int { return cmp.Compare(a.from, b.from) })
	return stops
}

// stopped adds to how long threads were ready without a core, until each hit,
// the time in which they were stopped and did not compute.
func (r *recording) stopped(stops []stop) {
	for _, hits := range r.threads {
		added, next := int64(0), 0
		for i := range hits {
			h := &hits[i]
			if i == 0 {
				continue
			}
			before := &hits[i-1]
			from, to, during := before.time+r.zero, h.time+r.zero, int64(0)
			for next < len(stops) && stops[next].to <= from {
				next++
			}
			for k := next; k < len(stops) && stops[k].from < to; k++ {
				during += min(stops[k].to, to) - max(stops[k].from, from)
			}
			idle := h.time - before.time - (h.cpu - before.cpu) - (h.ready + added - before.ready)
			added += max(0, min(during, idle))
			h.ready += added
		}
	}
}
