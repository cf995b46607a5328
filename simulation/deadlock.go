package simulation

import (
	"fmt"
	"strings"

	"tierscope/simulation/resource"
)

// stalled: nothing will ever happen again. Either all is done, or threads wait
// for each other, or one of them for what only happened in the recording.
func (r *replica) stalled() {
	if r.goOn() {
		return
	}
	r.finish()
	if text := r.whoWaits(); text != "" {
		r.halted = true
		r.warnings = append(r.warnings, text)
	}
}

// whoWaits describes the threads that wait for something that will never come:
// the cycle of threads that wait for each other, if there is one. It returns
// "" if no thread waits for anything but tasks; the main thread of a batch program
// must not do that either.
func (r *replica) whoWaits() string {
	var stuck []int32
	for t, th := range r.threads {
		if th.at == none || th.source != none || th.burden != none {
			continue
		}
		if r.fragments[th.at].op != opIn || th.task != none || r.program.pools[th.pool].main {
			stuck = append(stuck, int32(t))
		}
	}
	if len(stuck) == 0 {
		return ""
	}
	if cycle := r.cycle(stuck); len(cycle) > 0 {
		return "deadlock: " + r.describe(cycle, " ← ")
	}
	const most = 8
	text := r.describe(stuck[:min(len(stuck), most)], "; ")
	if len(stuck) > most {
		text += fmt.Sprintf("; and %d more", len(stuck)-most)
	}
	return "deadlock: " + text
}

// cycle follows "waits for what is held by" until a thread comes back.
func (r *replica) cycle(stuck []int32) []int32 {
	for _, start := range stuck {
		seen := map[int32]int{}
		var path []int32
		for t := start; t != none; {
			if at, again := seen[t]; again {
				return path[at:]
			}
			seen[t] = len(path)
			path = append(path, t)
			t = r.holderFor(t)
		}
	}
	return nil
}

// holderFor returns a thread that thread t waits for, or none.
func (r *replica) holderFor(t int32) int32 {
	i := r.threads[t].waitsFor
	if i == none {
		return none
	}
	holder := none
	r.copies[i].lock.Holders(func(h resource.Thread) bool {
		holder = int32(h)
		return false
	})
	return holder
}

func (r *replica) describe(threads []int32, separator string) string {
	var parts []string
	for _, t := range threads {
		th := r.threads[t]
		f := &r.fragments[th.at]
		parts = append(parts, fmt.Sprintf("thread %d of pool %q waits at %q for %s", t, r.program.pools[th.pool].id, f.id, r.whatFor(th, f)))
	}
	return strings.Join(parts, separator)
}

// whatFor names what a thread waits for.
func (r *replica) whatFor(th *thread, f *fragment) string {
	switch f.op {
	case opLock:
		return fmt.Sprintf("lock %q", r.program.objects[f.object].id)
	case opIn, opSend, opNew:
		return fmt.Sprintf("queue %q", r.program.objects[f.object].id)
	case opSelect:
		return "the cases of a select"
	case opJoin:
		return fmt.Sprintf("the threads of pool %q", r.program.pools[f.object].id)
	case opSpawn:
		return fmt.Sprintf("room in pool %q", r.program.pools[f.object].id)
	case opIO:
		return fmt.Sprintf("disk %q", r.program.disks[f.object].ID)
	case opClose:
		return fmt.Sprintf("what others send to queue %q", r.program.objects[f.object].id)
	case opCPU, opDispatch, opMark, opDelay, opFinish, opLoop, opMake:
	}
	return "the processor"
}
