package trust

import (
	"fmt"

	"tierscope/analysis/diskio"
	"tierscope/analysis/trail"
)

// reportDisk tells how the disk was recorded.
func reportDisk(tr *trail.Trail, t *Trust) {
	if tr.Disk == nil {
		return
	}
	t.Recorder = tr.Trace.Disk.Recorder
	if t.Recorder == "" {
		t.Recorder = "getrusage"
		for _, what := range diskio.UsageLacks() {
			t.NotModelled = append(t.NotModelled, "disk: "+what)
		}
	}
	for _, what := range tr.Trace.Disk.Lacks {
		t.NotModelled = append(t.NotModelled, "disk: "+what)
	}
	if all := len(tr.Disk.Requests) - tr.Disk.Foreign; all > 0 && tr.Disk.Lost > 0 {
		t.NotModelled = append(t.NotModelled, fmt.Sprintf("disk: %d of the %d requests of the program were made outside of its operations on files (page faults, write-back)", tr.Disk.Lost, all))
	}
	if tr.NoDisk != nil {
		t.NotModelled = append(t.NotModelled, "waits for a disk are delays of measured length: "+tr.NoDisk.Error())
	}
	for _, d := range tr.Disk.Devices {
		if d.ReadAhead > 0 && tr.Disk.Disks[d.Number] != "" {
			tr.Assume(fmt.Sprintf("disk %s: the kernel reads up to %d KiB ahead, as in the run; another setting changes the number of requests", d.Name, d.ReadAhead>>10))
		}
	}
	t.Warnings = append(t.Warnings, tr.DiskWarnings...)
}
