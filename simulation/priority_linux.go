package simulation

import "syscall"

// nice is the priority of a worker that gives way: a tenth of the weight of an
// ordinary thread.
const nice = 10

// lowerPriority makes the calling thread give way to others. On Linux a
// process identifier of 0 means the calling thread. Lowering is always allowed;
// if it fails all the same, the worker only is less polite.
func lowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice) }
