package execution

import (
	"fmt"
	"time"
)

// idleServer is how long a program that listens may do nothing until it is taken for a
// server that waits for somebody to ask. A batch program with a page about itself works.
const idleServer = 15 * time.Second

// idleShare of a core is nothing: what the run-time system's own clocks use.
const idleShare = 0.01

// AsksForLoad returns what Batch looks at where no load and no time limit was given: an
// error as soon as the program listens on a port and has done nothing for a while. after
// is that while; 0: idleServer.
func (r *Process) AsksForLoad(after time.Duration) func() error {
	if after == 0 {
		after = idleServer
	}
	since, used := time.Now(), time.Duration(0)
	return func() error {
		if cpu := r.CPU(); cpu-used > time.Duration(idleShare*float64(time.Since(since)))+time.Millisecond {
			since, used = time.Now(), cpu
			return nil
		}
		if time.Since(since) < after {
			return nil
		}
		where := listens(r.PID())
		if where == "" {
			return nil
		}
		return fmt.Errorf("the program listens at %[1]s and has done nothing for %[2]v: it is a server; give it a load (--load-url http://%[1]s/ --load-rate 100/s), or a time after which to stop it (--timeout 30s)",
			where, after)
	}
}
