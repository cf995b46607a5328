package scratch

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// owner is this process: the namespace of its number, the number, and when it was started
// (in ticks since the machine was), as numbers are used again.
var owner = sync.OnceValue(func() string {
	return fmt.Sprintf("%s.%d.%s", namespace(), os.Getpid(), started(os.Getpid()))
})

// namespace is the inode of our namespace of process numbers; pid_namespaces(7).
func namespace() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(link, "pid:[]")
}

// started is field 22 of /proc/PID/stat, "" if there is no such process, or if it has ended and
// nobody has waited for it; proc_pid_stat(5).
func started(pid int) string {
	const after = 22 - 3 // fields between the name, which may have anything in it, and this one
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) <= after || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[after]
}

// dead reports whether an owner was a process of our namespace that does not run.
func dead(who string) bool {
	parts := strings.Split(who, ".")
	var pid int
	if len(parts) != 3 || parts[0] == "" || parts[0] != namespace() {
		return false
	}
	if n, err := fmt.Sscan(parts[1], &pid); n != 1 || err != nil {
		return false
	}
	return started(pid) != parts[2]
}
