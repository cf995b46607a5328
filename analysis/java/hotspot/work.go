package hotspot

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Compiles reports whether threads of this name compile. The kernel keeps the
// first 15 letters of a name.
func Compiles(thread string) bool {
	return strings.HasPrefix(thread, "C1 Compiler") || strings.HasPrefix(thread, "C2 Compiler") || strings.HasPrefix(thread, "Sweeper")
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
		stat, err := os.ReadFile(filepath.Join(t, "schedstat"))
		if err != nil {
			continue
		}
		used, _, _ := strings.Cut(string(stat), " ")
		cpu, err := strconv.ParseInt(used, 10, 64)
		if err != nil {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(t)) // the kernel's
		ts = append(ts, Thread{id, strings.TrimSpace(string(name)), time.Duration(cpu)})
	}
	return ts
}
