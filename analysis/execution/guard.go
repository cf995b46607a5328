package execution

import (
	"fmt"
	"io"
	"os/exec"
)

// Guard kills a program and its process group when this process ends without having
// waited for it: by SIGKILL, by a signal that nobody handles, for want of memory. A
// server would go on holding its address and its priority, and the next measurement would
// be one of it. The guard is a shell in a session of its own, which reads from a pipe of
// which only we have the other end. The parent-death signal of Linux is none: it comes when
// the thread ends that started the program, and reaches nothing that the program started.
type Guard struct {
	cmd  *exec.Cmd // nil: there are no guards here
	pipe io.WriteCloser
}

// The first line is the process group; another one, that it has ended; the end of the
// pipe, that we have.
const guardScript = `trap '' HUP INT QUIT TERM
read -r group || exit 0
read -r ended || kill -s KILL -- "-$group"`

// NewGuard starts a guard, before the program, so as not to disturb it.
func NewGuard() (*Guard, error) {
	if errSystem != nil {
		return &Guard{}, nil
	}
	g := &Guard{cmd: exec.Command("/bin/sh", "-c", guardScript, "tierscope-guard")}
	g.cmd.SysProcAttr = ownSession()
	var err error
	if g.pipe, err = g.cmd.StdinPipe(); err == nil {
		err = g.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("guard of the program: %w", err)
	}
	return g, nil
}

// Watch tells the guard whom to guard: a process that leads its group.
func (g *Guard) Watch(pid int) {
	if g.cmd != nil {
		fmt.Fprintln(g.pipe, pid)
	}
}

// Dismiss ends the guard. The program has ended, or was never started.
func (g *Guard) Dismiss() {
	if g.cmd == nil {
		return
	}
	fmt.Fprintln(g.pipe, "ended")
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}
