package diskio

import (
	"errors"
	"os"
)

// firstNamespace is that of the kernel's own numbers of processes and threads: PROC_PID_INIT_INO, include/linux/proc_ns.h.
const firstNamespace = "pid:[4026531836]"

// kernelNumbers returns an error where processes have other numbers than in the kernel, which records its own: whatever
// threads asked the disk for would be somebody else's.
func kernelNumbers() error {
	if in, err := os.Readlink("/proc/self/ns/pid"); err == nil && in != firstNamespace {
		return errors.New("this container numbers its processes itself (pid_namespaces(7)), and the kernel records its own numbers; " +
			"record outside of it, or start it with the numbers of the machine, such as docker run --pid=host")
	}
	return nil
}
