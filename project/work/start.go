package work

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Here is the work of a command that is typed here.
func Here(args []string) (Work, error) {
	program, err1 := os.Executable()
	dir, err2 := os.Getwd()
	return Work{Program: program, Args: withoutBackground(args), Dir: dir}, errors.Join(err1, err2)
}

// Start starts the command where it was typed, without a terminal, so that it outlives this one. It
// returns the number of the process and the file that its messages and results go to.
func (w *Work) Start() (pid int, messages string, err error) {
	dir, err := folder()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return 0, "", err
	}
	messages = filepath.Join(dir, w.id()+".log")
	f, err := os.OpenFile(messages, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	cmd := exec.Command(w.Program, w.Args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.Dir, f, f
	cmd.SysProcAttr = ofItsOwn()
	if err := cmd.Start(); err != nil {
		return 0, "", fmt.Errorf("%s %s: %w", filepath.Base(w.Program), strings.Join(w.Args, " "), err)
	}
	return cmd.Process.Pid, messages, cmd.Process.Release()
}
