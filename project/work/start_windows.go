package work

import "syscall"

// ofItsOwn makes a process that has no console (DETACHED_PROCESS) and no part in the signals of ours.
func ofItsOwn() *syscall.SysProcAttr {
	const detached = 0x00000008
	return &syscall.SysProcAttr{CreationFlags: detached | syscall.CREATE_NEW_PROCESS_GROUP}
}
