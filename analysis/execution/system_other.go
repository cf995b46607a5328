//go:build !linux

package execution

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"tierscope/analysis/trace"
)

var errSystem = errors.New("programs are run and recorded on Linux only, not on " + runtime.GOOS +
	": analyse the program there and open its project folder here")

var began = time.Now()

// Monotonic reads a clock that is not set, in ns.
func Monotonic() int64 { return int64(time.Since(began)) }

// CPU is not known here.
func (r *Process) CPU() time.Duration { return 0 }

// OnCores fails unless n is 0: all CPUs.
func OnCores(n int, f func() error) error {
	if n > 0 {
		return errSystem
	}
	return f()
}

func besides(_ int, f func() error) error { return f() }

func ownGroup() *syscall.SysProcAttr { return nil }

func ownSession() *syscall.SysProcAttr { return nil }

func listener(string) string { return "" }

func listens(int) string { return "" }

func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}

// Signal fails.
func Signal(int, syscall.Signal) error { return errSystem }

// Map reads a file.
func Map(name string) (b []byte, unmap func(), err error) {
	b, err = os.ReadFile(name)
	return b, func() {}, err
}

// Reserve gives a file its size.
func Reserve(f *os.File, size int64) error { return f.Truncate(size) }

// WakeUps are not measured here.
func WakeUps() ([]float64, trace.Halt) { return nil, trace.Halt{} }

func room(string) int64 { return 0 }

// FreeMemory is not known here: 0.
func FreeMemory() uint64 { return 0 }
