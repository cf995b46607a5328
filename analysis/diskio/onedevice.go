package diskio

import (
	"fmt"
	"slices"
	"strings"
)

// OneDevice leaves only the requests of one disk in the log, for a law of several would be that of none:
// of the named one, as "major:minor", or of that with most requests if name is "". It warns
// of the others, and returns an error if the log has no requests to that disk.
func (l *Log) OneDevice(name string) error {
	requests := map[uint64]int{}
	var devices []uint64
	for i := range l.Requests {
		d := l.Requests[i].Device
		if requests[d] == 0 {
			devices = append(devices, d)
		}
		requests[d]++
	}
	slices.SortStableFunc(devices, func(a, b uint64) int { return requests[b] - requests[a] })
	all := make([]string, len(devices))
	for i, d := range devices {
		all[i] = fmt.Sprintf("%s (%d)", numberOf(d), requests[d])
	}
	keep := 0
	if name != "" {
		keep = slices.IndexFunc(devices, func(d uint64) bool { return numberOf(d) == name })
	}
	if keep < 0 {
		return fmt.Errorf("the log has no requests to disk %s; requests are to %s", name, strings.Join(all, ", "))
	}
	if len(devices) < 2 {
		return nil
	}
	one, told := devices[keep], all[keep]
	l.Requests = slices.DeleteFunc(l.Requests, func(r Request) bool { return r.Device != one })
	l.Warnings = append(l.Warnings, fmt.Sprintf("disk %s is estimated, requests to others are left out: %s", told, strings.Join(slices.Delete(all, keep, keep+1), ", ")))
	return nil
}

// numberOf is the number of a device as ls and lsblk show it.
func numberOf(device uint64) string { return fmt.Sprintf("%d:%d", device>>20, device&(1<<20-1)) }
