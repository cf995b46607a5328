package diskio

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// watchdog removes instances of tracefs when this process ends without having
// done so itself, even by SIGKILL: a shell in a session of its own reads from a
// pipe of which only we have the other end.
type watchdog struct {
	pipe io.Closer
	cmd  *exec.Cmd
}

// The shell waits for the end of the pipe. An instance is busy for as long as
// somebody has its buffers open, so it tries for a while.
const watchdogScript = `cat >/dev/null
for i do
	[ -d "$i" ] || continue
	echo 0 >"$i/tracing_on"; echo 0 >"$i/events/enable"
	for n in 1 2 3 4 5 6 7 8 9 10; do rmdir "$i" && break; sleep 1; done
done`

func startWatchdog(instances []string) (*watchdog, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", watchdogScript, "tierscope-watchdog"}, instances...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is not for it
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("watchdog: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("watchdog: %w", err)
	}
	return &watchdog{pipe, cmd}, nil
}

// dismiss ends it: there is nothing left to remove.
func (w *watchdog) dismiss() {
	_ = w.pipe.Close()
	_ = w.cmd.Wait()
}
