//go:build !windows

package work

import "syscall"

// ofItsOwn makes a process lead a session: the end of a terminal is none of its business.
func ofItsOwn() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
