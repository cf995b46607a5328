package hotspot

import "golang.org/x/sys/unix"

// spread lets the compilers of a process use all CPUs, so that a server that is confined to few is
// compiled sooner: there they would wait for the requests that they are to make faster. The function
// that it returns sends those that there are then back to the CPUs of the process.
func spread(pid int) (back func()) {
	var own, all unix.CPUSet
	if unix.SchedGetaffinity(pid, &own) != nil {
		return func() {}
	}
	for i := range len(all) * 64 {
		all.Set(i)
	}
	move := func(to *unix.CPUSet) {
		for _, t := range Threads(pid) {
			if Compiles(t.Name) {
				_ = unix.SchedSetaffinity(t.ID, to) // it may have ended
			}
		}
	}
	move(&all)
	return func() { move(&own) }
}
