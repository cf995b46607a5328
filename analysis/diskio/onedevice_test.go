package diskio_test

import (
	"strings"
	"testing"

	"tierscope/analysis/diskio"
)

// Of three requests to two disks the law is that of the one with two, or of the one that is named.
func TestOneDiskIsEstimatedOfALogOfSeveral(t *testing.T) {
	t.Parallel()
	const sda, loop = 8 << 20, 7<<20 | 3
	for name, want := range map[string][]uint64{"": {sda, sda}, "8:0": {sda, sda}, "7:3": {loop}} {
		log := diskio.Log{Requests: []diskio.Request{{Device: sda}, {Device: loop}, {Device: sda}}}
		if err := log.OneDevice(name); err != nil {
			t.Fatal(err)
		}
		if len(log.Requests) != len(want) || log.Requests[0].Device != want[0] {
			t.Errorf("%q: %v are left, want those to %v", name, log.Requests, want)
		}
		if len(log.Warnings) != 1 || !strings.Contains(log.Warnings[0], "7:3 (1)") {
			t.Errorf("%q: warnings %q, want one that names both disks", name, log.Warnings)
		}
	}
	log := diskio.Log{Requests: []diskio.Request{{Device: sda}}}
	if err := log.OneDevice(""); err != nil || len(log.Warnings) != 0 || len(log.Requests) != 1 {
		t.Errorf("one disk alone: %v, warnings %q", err, log.Warnings)
	}
	if err := log.OneDevice("9:9"); err == nil || !strings.Contains(err.Error(), "8:0 (1)") {
		t.Errorf("a disk that is not there: %v, want an error that says which are", err)
	}
}
