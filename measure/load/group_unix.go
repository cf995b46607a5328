//go:build unix

package load

import (
	"os/exec"
	"syscall"
)

// alone makes a command the leader of a group of processes, all of which end when it is stopped.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
