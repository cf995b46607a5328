package simulation

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A worker that gives way has a lower priority than the thread that waits for
// it, which keeps its own, and it does the same work.
func TestAPoolThatGivesWayRunsAtALowPriority(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("threads have no priorities of their own here")
	}
	// The nice value is the 19th field of the thread's stat, the 17th after
	// the name in parentheses (proc(5)).
	niceness := func() string {
		data, err := os.ReadFile("/proc/thread-self/stat")
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		return strings.Fields(rest)[16]
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := niceness()
	p := NewPool(1)
	p.GiveWay()
	inside := ""
	if !p.do(t.Context(), func() { inside = niceness() }) {
		t.Fatal("the pool did nothing")
	}
	if inside == before && before != "19" {
		t.Errorf("the worker has niceness %s, the caller too; want more", inside)
	}
	if after := niceness(); after != before {
		t.Errorf("the caller has niceness %s after %s", after, before)
	}
}

func TestAPanicInAPoliteWorkerReachesTheCaller(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "defect" {
			t.Errorf("recovered %v, want the panic of the worker", got)
		}
	}()
	p := NewPool(1)
	p.GiveWay()
	p.do(t.Context(), func() { panic("defect") })
}

// Which replications run does not depend on which worker is the faster: none is left out before one that is the last.
func TestAllBeforeTheLastOneAreDone(t *testing.T) {
	t.Parallel()
	const rounds, n = 20_000, 6 // so many that workers overtake each other
	for round := range rounds {
		last := round % n
		var did [n]atomic.Bool
		upTo(4, n, func(i int) bool { did[i].Store(true); return i >= last })
		for i := range last + 1 {
			if !did[i].Load() {
				t.Fatalf("%d of %d was not done before %d", i, n, last)
			}
		}
	}
}

// Three that ask for one worker take turns; what ran before goes on.
func TestAPoolGetsOtherWorkersWhileItWorks(t *testing.T) {
	t.Parallel()
	p := NewPool(3)
	var now, most atomic.Int64
	var wg sync.WaitGroup
	begun, end := make(chan bool), make(chan bool)
	wg.Go(func() { p.do(t.Context(), func() { close(begun); <-end }) })
	<-begun
	p.SetWorkers(1)
	if p.Workers() != 1 {
		t.Errorf("%d workers, want 1", p.Workers())
	}
	for range 3 {
		wg.Go(func() {
			for range 100 {
				p.do(t.Context(), func() {
					most.Store(max(most.Load(), now.Add(1)))
					runtime.Gosched()
					now.Add(-1)
				})
			}
		})
	}
	close(end)
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once, want one", most.Load())
	}
}
