//go:build !linux

package measure

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"tierscope/analysis/trace"
)

var errOnlyLinux = errors.New("programs are measured on Linux only: the accounts of CPU and disk use are read from its kernel; import a CSV file that was measured there")

type accounts struct {
	at          time.Time
	busy, steal float64
	disks       []diskUse
	use         use
}

func account(int) accounts { return accounts{at: time.Now()} }

func watch(_ int, done <-chan struct{}) func() use {
	return func() use { <-done; return use{} }
}

// Machine names the machine.
func Machine() string { return runtime.GOOS + " " + runtime.GOARCH }

func machineCPUs() int { return runtime.NumCPU() }

func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}

func endedBy(*exec.ExitError, syscall.Signal) bool { return true }

type placement struct{ cores int }

func newPlacement(trace.Workload, Priority) (*placement, error) { return nil, errOnlyLinux }

func (*placement) start(*exec.Cmd) error                   { return errOnlyLinux }
func (*placement) generator() (func(), error)              { return nil, errOnlyLinux }
func (*placement) calibrate() (seconds float64, err error) { return 0, errOnlyLinux }
