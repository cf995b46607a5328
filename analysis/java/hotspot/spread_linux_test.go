package hotspot_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/trace"
)

// The program is confined to one CPU. Its compiler gets the others while the server warms up, and nobody else does.
func TestCompilersSpreadOverAllCPUs(t *testing.T) {
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for i := 0; one.Count() == 0; i++ {
		if all.IsSet(i) {
			one.Set(i)
		}
	}
	pid := os.Getpid() // and its first thread
	if err := unix.SchedSetaffinity(pid, &one); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(pid, &all)
	ids, end := make(chan int), make(chan bool)
	for _, name := range []string{"C2 CompilerThre", "exec-1"} {
		go func() {
			runtime.LockOSThread() // and never unlock: the thread ends with its name
			id := unix.Gettid()
			err := os.WriteFile(fmt.Sprintf("/proc/self/task/%d/comm", id), []byte(name), 0)
			if err := errors.Join(err, unix.SchedSetaffinity(0, &one)); err != nil {
				t.Error(err)
			}
			ids <- id
			<-end
		}()
		defer func() { end <- true }()
	}
	threads := []int{<-ids, <-ids}
	count := func() (ns [2]int) {
		for i, id := range threads {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(id, &set); err != nil {
				t.Fatal(err)
			}
			ns[i] = set.Count()
		}
		return ns
	}
	var spread [2]int
	press := func(context.Context, trace.Load) error { spread = count(); return nil }
	if _, err := hotspot.WarmUp(t.Context(), trace.Load{}, pid, press); err != nil {
		t.Fatal(err)
	}
	if n := all.Count(); max(spread[0], spread[1]) != n || min(spread[0], spread[1]) != 1 {
		t.Errorf("threads have %v CPUs, want %d for the compiler and 1 for the other", spread, n)
	}
	if after := count(); after != [2]int{1, 1} {
		t.Errorf("after that threads have %v CPUs, want 1 each", after)
	}
}
