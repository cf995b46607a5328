package predictability

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tierscope/analysis/execution"
)

// collectEvery is the time between full collections on demand.
const collectEvery = 20 * time.Millisecond

// collectAgainAndAgain asks a JVM for full collections until it has ended,
// through the socket that its attach mechanism opens (HotSpot,
// AttachListener: a file .attach_pidN and SIGQUIT ask for it).
func collectAgainAndAgain(pid int, done <-chan struct{}) {
	socket := filepath.Join(os.TempDir(), fmt.Sprintf(".java_pid%d", pid))
	ask := filepath.Join(os.TempDir(), fmt.Sprintf(".attach_pid%d", pid))
	defer os.Remove(ask)
	t := time.NewTicker(collectEvery)
	defer t.Stop()
	// A JVM that has not come far enough to handle SIGQUIT dies of it.
	if !handlesQuit(pid, done, t.C) {
		return
	}
	if os.WriteFile(ask, nil, 0o600) != nil || execution.Signal(pid, syscall.SIGQUIT) != nil {
		return
	}
	for {
		if c, err := net.Dial("unix", socket); err == nil {
			// protocol version, command, three arguments
			_, err = io.WriteString(c, "1\x00jcmd\x00GC.run\x00\x00\x00")
			if err == nil {
				io.Copy(io.Discard, c) //nolint:errcheck // the JVM may end meanwhile
			}
			c.Close()
		}
		select {
		case <-done:
			return
		case <-t.C:
		}
	}
}

// handlesQuit waits until a JVM has its handler of SIGQUIT: the third bit of the
// mask of caught signals in /proc.
func handlesQuit(pid int, done <-chan struct{}, tick <-chan time.Time) bool {
	for {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return false
		}
		if catches(string(b), syscall.SIGQUIT) {
			return true
		}
		select {
		case <-done:
			return false
		case <-tick:
		}
	}
}

// catches reports whether the status of a process says that it handles a signal.
func catches(status string, signal syscall.Signal) bool {
	var mask uint64
	_, rest, ok := strings.Cut(status, "SigCgt:")
	if !ok {
		return false
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(rest), "%x", &mask); err != nil {
		return false
	}
	return mask>>(uint(signal)-1)&1 == 1
}
