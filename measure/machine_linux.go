package measure

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of /proc/stat, 1/USER_HZ: 10 ms on all Linux ports.
const tick = 0.01

// accounts are the kernel's counters at one moment.
type accounts struct {
	at    time.Time
	busy  float64 // seconds that CPUs worked, steal not included
	steal float64
	disks []diskUse
	use   use // of a process, if asked for
}

// account reads the counters of the machine and, unless pid is 0, of a
// process. What cannot be read is zero: accounts are evidence beside the
// measurement, not its condition.
func account(pid int) accounts {
	a := accounts{at: time.Now()}
	if data, err := os.ReadFile("/proc/stat"); err == nil {
		line, _, _ := strings.Cut(string(data), "\n")
		if fields := strings.Fields(line); len(fields) >= 9 {
			// cpu user nice system idle iowait irq softirq steal; /proc/stat(5)
			at := func(i int) float64 { v, _ := strconv.ParseFloat(fields[i], 64); return v * tick }
			a.busy = at(1) + at(2) + at(3) + at(6) + at(7)
			a.steal = at(8)
		}
	}
	if data, err := os.ReadFile("/proc/diskstats"); err == nil {
		for line := range strings.Lines(string(data)) {
			fields := strings.Fields(line)
			// field 13 is the time spent doing I/O in ms; whole disks only
			if len(fields) < 14 {
				continue
			}
			if _, err := os.Stat("/sys/block/" + fields[2]); err != nil {
				continue
			}
			if ms, err := strconv.ParseFloat(fields[12], 64); err == nil && ms > 0 {
				a.disks = append(a.disks, diskUse{fields[2], ms / 1000})
			}
		}
	}
	if pid > 0 {
		a.use = useOf(pid)
	}
	return a
}

// useOf reads the use of a running process.
func useOf(pid int) use {
	var u use
	var t unix.Timespec
	// The clock id of another process's CPU clock: clock_getcpuclockid(3).
	const schedClock = 2
	if unix.ClockGettime(int32(^pid<<3|schedClock), &t) == nil {
		u.cpu = float64(t.Nano()) / 1e9
	}
	dir := "/proc/" + strconv.Itoa(pid)
	tasks, _ := filepath.Glob(dir + "/task/*")
	for _, task := range tasks {
		data, err := os.ReadFile(task + "/schedstat")
		if err != nil {
			continue
		}
		// time on a CPU, time waiting for one (ns), time slices
		var ns, waited float64
		if _, err := fmt.Sscan(string(data), &ns, &waited); err != nil {
			continue
		}
		u.waited += waited / 1e9
		name := strconv.Itoa(len(u.threads) + 1) // in order of birth: thread ids grow
		if comm, err := os.ReadFile(task + "/comm"); err == nil {
			name = string(bytes.TrimSpace(comm)) + "/" + name
		}
		u.threads = append(u.threads, threadUse{name, ns / 1e9})
	}
	if data, err := os.ReadFile(dir + "/io"); err == nil {
		for line := range strings.Lines(string(data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			n, _ := strconv.ParseFloat(value, 64)
			switch key {
			case "read_bytes":
				u.readBytes = n
			case "write_bytes":
				u.writeBytes = n
			}
		}
	}
	return u
}

// watch samples the use of a process until it has ended; the function that it
// returns waits for that and gives the last sample. Threads of a batch program
// cannot be asked afterwards.
func watch(pid int, done <-chan struct{}) func() use {
	const pause = 50 * time.Millisecond
	last := make(chan use, 1)
	go func() {
		var u use
		for {
			if now := useOf(pid); now.cpu > 0 && len(now.threads) >= len(u.threads) {
				u = now
			}
			select {
			case <-done:
				last <- u
				return
			case <-time.After(pause):
			}
		}
	}()
	return func() use { return <-last }
}

// Machine names the machine: processor, CPUs, kernel, architecture.
func Machine() string {
	model := ""
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return fmt.Sprintf("%s, %d CPUs", model, machineCPUs())
	}
	return fmt.Sprintf("%s, %d CPUs, Linux %s, %s", model, machineCPUs(), unix.ByteSliceToString(u.Release[:]), runtime.GOARCH)
}

// machineCPUs is the number of CPUs that are on line, whoever may use them.
var machineCPUs = sync.OnceValue(func() int {
	cpus, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*")
	return max(len(cpus), 1)
})

func signalGroup(pid int, s syscall.Signal) { syscall.Kill(-pid, s) }

func endedBy(e *exec.ExitError, s syscall.Signal) bool {
	status, ok := e.Sys().(syscall.WaitStatus)
	const handled = 128 // a JVM and a shell turn the signal into an exit status
	return ok && (status.Signaled() && status.Signal() == s || status.ExitStatus() == handled+int(s))
}
