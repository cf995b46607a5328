package diskio

import "runtime"

// spareTurns are for the goroutines that wait for the readers, read a recording, or
// collect garbage.
const spareTurns = 4

// enoughTurns lets that many threads be inside system calls without losing their turns to
// run Go code (GOMAXPROCS), until the function that it returns is called. With fewer turns
// than threads the runtime takes the turn of one that waits for the disk, and gives it
// one again when it comes back, by waking up other threads: that costs more CPU time than
// the read itself, so that loops of several threads would measure the runtime (20 000
// instead of 48 000 reads per second with 16 threads on two processors).
func enoughTurns(threads int) (restore func()) {
	before := runtime.GOMAXPROCS(0)
	if before >= threads+spareTurns {
		return func() {}
	}
	runtime.GOMAXPROCS(threads + spareTurns)
	return func() { runtime.GOMAXPROCS(before) }
}
