package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// carries matches the names of the kernel's workers, some of which carry requests to the disk and
// back: the loop driver's and kblockd, but not rescuers.
var carries = regexp.MustCompile(`^kworker/[0-9u]`)

// carriers gives these workers real-time priority while the disk is slow, and their own
// afterwards: the disk of the model needs no CPU. The kernel starts new ones whenever
// it likes; one that had to wait for other programs was seen to stop the disk for half
// a second.
func carriers(slow func() bool) {
	const priority, every = 49, 20 * time.Millisecond // below the disk's
	raised := map[string]bool{}
	for range time.Tick(every) {
		if !slow() {
			for pid, mine := range raised {
				if mine {
					schedule(pid, unix.SCHED_NORMAL, 0)
				}
			}
			clear(raised)
			continue
		}
		children, err := os.ReadFile("/proc/2/task/2/children") // of kthreadd
		if err != nil {
			continue
		}
		for _, pid := range strings.Fields(string(children)) {
			if _, known := raised[pid]; known {
				continue
			}
			name, err := os.ReadFile("/proc/" + pid + "/comm")
			raised[pid] = err == nil && carries.Match(name)
			if raised[pid] {
				schedule(pid, unix.SCHED_FIFO, priority)
			}
		}
	}
}

// schedule sets policy and priority of a thread, if it still lives.
func schedule(pid string, policy uint32, priority uint32) {
	var id int
	if _, err := fmt.Sscan(pid, &id); err == nil {
		a := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy, Priority: priority}
		_ = unix.SchedSetAttr(id, &a, 0) // it may be gone
	}
}
