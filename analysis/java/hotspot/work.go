package hotspot

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Runs reports whether a program is run by a JVM: the command java, whose arguments
// begin with those of the JVM, or an archive.
func Runs(program string) bool {
	return filepath.Base(program) == "java" || strings.HasSuffix(program, ".jar")
}

// Compiles reports whether threads of this name compile. The kernel keeps the
// first 15 letters of a name.
func Compiles(thread string) bool {
	return strings.HasPrefix(thread, "C1 Compiler") || strings.HasPrefix(thread, "C2 Compiler") || strings.HasPrefix(thread, "Sweeper") || Optimises(thread)
}

// Optimises reports whether threads of this name make the final code of methods.
func Optimises(thread string) bool {
	return strings.HasPrefix(thread, "C2 Compiler") || strings.HasPrefix(thread, "JVMCI")
}

// Collects reports whether threads of this name collect garbage, or do what the
// whole JVM waits for.
func Collects(thread string) bool {
	for _, p := range []string{"GC Thread", "G1 ", "ParGC", "VM Thread", "ZWorker", "ZDriver", "ZDirector", "Shenandoah", "XWorker"} {
		if strings.HasPrefix(thread, p) {
			return true
		}
	}
	return false
}

// Thread is a thread of a process.
type Thread struct {
	ID   int
	Name string
	CPU  time.Duration // used so far
	Wait time.Duration // ready without a core so far
}

// Threads lists the threads of a process that live now, from
// /proc/PID/task/TID/schedstat; none where there is no such file.
func Threads(pid int) []Thread {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		panic("hotspot: " + err.Error())
	}
	var ts []Thread
	for _, t := range tasks {
		name, err := os.ReadFile(filepath.Join(t, "comm"))
		if err != nil {
			continue // it has ended
		}
		id, _ := strconv.Atoi(filepath.Base(t)) // the kernel's
		if cpu, wait, ok := Usage(pid, id); ok {
			ts = append(ts, Thread{id, strings.TrimSpace(string(name)), cpu, wait})
		}
	}
	return ts
}

// Usage is what a thread has used, and for how long it was ready without a core;
// not ok if it has ended.
func Usage(pid, thread int) (cpu, wait time.Duration, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", pid, thread))
	if err != nil {
		return 0, 0, false
	}
	if n, err := fmt.Sscan(string(stat), &cpu, &wait); n < 2 || err != nil {
		return 0, 0, false
	}
	return cpu, wait, true
}
