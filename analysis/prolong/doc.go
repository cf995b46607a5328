// Package prolong delays the modules of a real Go program, one at a time, and
// measures which others take longer (Mangold et al. 2010).
//
// The program is built once with statements compiled into its functions; what
// to delay, and by how much, every run is told through a file that it maps:
//
//	func Lookup() {                                    func Lookup() { defer probe.Exit(3, probe.Enter(3))
//		registry.Lock()                          →         probe.Lock(7, &registry); registry.Lock(); probe.Delay(3)
//		defer registry.Unlock()                            defer registry.Unlock()
//
// The delay is put directly after the first lock that the function takes, if
// it takes one: at the entry it would not lengthen the time that the lock is
// held, and a dependency through the lock would stay hidden. Runs come in
// random order, so that a drift of the machine is no effect of a module. The
// delay that was really taken counts, since sleeps are longer than asked for.
package prolong
