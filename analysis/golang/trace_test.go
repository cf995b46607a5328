package golang

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/trace"
)

// What one goroutine sends another receives: every value that a channel
// handed over was sent, once, and received, once.
func TestEveryValueReceivedWasSent(t *testing.T) {
	t.Parallel()
	for _, construct := range []string{"buffered", "closed", "unbuffered", "pool", "ready", "select", "errgroup"} {
		tr := record(t, trace.Workload{Program: constructs, Args: []string{construct}})
		sent, received := map[uint64]int{}, map[uint64]int{}
		for _, th := range tr.Threads {
			for i, r := range th.Records {
				if r.Value == 0 || !r.End {
					continue
				}
				send := r.Op == trace.OpSend || r.Op == trace.OpTrySend
				if r.Op == trace.OpSelect {
					send = tr.Offers[th.Records[i-1].Arg].Cases[r.Arg].Send
				}
				if send {
					sent[r.Value]++
				} else {
					received[r.Value]++
				}
			}
		}
		if len(received) == 0 && construct != "errgroup" {
			t.Errorf("%s: nothing was received", construct)
		}
		for v, n := range received {
			if n != 1 || sent[v] != 1 {
				t.Errorf("%s: value %#x sent %d times, received %d times", construct, v, sent[v], n)
			}
		}
	}
}

// 2¹⁷ arrays of 512 bytes are reachable at every one of three collections:
// 64 MiB, and 1 MiB of pointers to them.
func TestCollectionsTellTheLiveHeapAndTheirCost(t *testing.T) {
	t.Parallel()
	tr := record(t, trace.Workload{Program: constructs, Args: []string{"garbage"}})
	const want = 65 << 20
	full := 0
	for i, c := range tr.GC {
		if c.End <= c.Start || c.CPU+c.Idle+c.Assist <= 0 || c.Pause <= 0 || c.Pause > c.End-c.Start || i > 0 && c.Start < tr.GC[i-1].End {
			t.Errorf("collection %d: %+v: want a positive length, cost and pause, after the last one", i, c)
		}
		if math.Abs(float64(c.Live)/want-1) < 0.1 {
			full++
		}
	}
	if full < 3 {
		t.Errorf("%d collections found %d MiB ± 10 %% alive, want 3: %+v", full, want>>20, tr.GC)
	}
}

// Workers of the collector are started by whoever needs memory first; that they are the run-time system's, whose
// files lie in the library, -trimpath must not hide.
func TestWorkersOfTheCollectorAreNoneOfThePrograms(t *testing.T) {
	t.Parallel()
	workers := 0
	for _, th := range record(t, trace.Workload{Program: constructs, Args: []string{"garbage"}}).Threads {
		if strings.HasPrefix(th.Start, "runtime.gcBgMark") {
			workers++
			if !th.System {
				t.Errorf("thread %d, started as %s, is taken for one of the program's", th.ID, th.Start)
			}
		}
	}
	if workers == 0 {
		t.Error("three collections, and nobody saw their workers start")
	}
}

// Go channels, timers, files and locks have objects with what their
// constructors said.
func TestChannelsKnowTheirCapacityAndElementSize(t *testing.T) {
	t.Parallel()
	tr := record(t, trace.Workload{Program: constructs, Args: []string{"buffered"}})
	for _, o := range tr.Objects {
		if o.Kind == "chan" && o.Capacity == 2 && o.Elem == 16 && o.Site >= 0 && tr.Sites[o.Site].Frames[0].Function == "main.buffered" {
			return
		}
	}
	t.Errorf("no channel of 2 strings of 16 bytes, made in main.buffered: %+v", tr.Objects)
}
