package diskio

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// sysDevice is the folder of a block device in sysfs.
func sysDevice(device uint64) string {
	return fmt.Sprintf("/sys/dev/block/%d:%d", device>>20, device&(1<<20-1))
}

// wholeDisks returns a function that turns the number of a partition into that
// of its disk.
func wholeDisks() func(uint64) uint64 {
	known := map[uint64]uint64{}
	return func(device uint64) uint64 {
		d, ok := known[device]
		if !ok {
			d = wholeDisk(device)
			known[device] = d
		}
		return d
	}
}

func wholeDisk(device uint64) uint64 {
	dir := sysDevice(device)
	if _, err := os.Stat(filepath.Join(dir, "partition")); err != nil {
		return device
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return device
	}
	b, err := os.ReadFile(filepath.Join(filepath.Dir(real), "dev"))
	if err != nil {
		return device
	}
	if d, ok := sysNumbers(string(b)); ok {
		return d
	}
	return device
}

// sysNumbers reads "major:minor".
func sysNumbers(text string) (uint64, bool) {
	return device(strings.Replace(strings.TrimSpace(text), ":", ",", 1))
}

// DeviceOf returns the disk that holds a file or folder.
func DeviceOf(path string) (uint64, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return wholeDisk(uint64(unix.Major(s.Dev))<<20 | uint64(unix.Minor(s.Dev))), nil
}

// describeDevices looks up the disks of the requests.
func describeDevices(requests []Request) []Device {
	var out []Device
	seen := map[uint64]bool{}
	for i := range requests {
		n := requests[i].Device
		if seen[n] {
			continue
		}
		seen[n] = true
		out = append(out, describeDevice(n))
	}
	return out
}

func describeDevice(number uint64) Device {
	d := Device{Number: number, Name: numberOf(number)}
	dir := sysDevice(number)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		d.Name = filepath.Base(real)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "queue", "scheduler")); err == nil {
		if _, rest, ok := strings.Cut(string(b), "["); ok {
			d.Scheduler, _, _ = strings.Cut(rest, "]")
		}
	}
	d.ReadAhead = 1024 * sysNumber(filepath.Join(dir, "queue", "read_ahead_kb"))
	d.Sectors = sysNumber(filepath.Join(dir, "size"))
	return d
}

func sysNumber(path string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64) // 0: not told
	return n
}
