package trust

import (
	"fmt"

	"tierscope/analysis/diskio"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// reportDisk tells how the disk was recorded.
func reportDisk(tr *trail.Trail, m *core.Model, t *Trust) {
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
	const outside = "made outside of its operations on files (page faults, write-back)"
	switch all := len(tr.Disk.Requests) - tr.Disk.Foreign; {
	case all <= 0 || tr.Disk.Lost <= 0:
	case tr.Disk.Lost == all && len(m.Disks) == 0:
		t.NotModelled = append(t.NotModelled, fmt.Sprintf("the model has no disk: the program's only requests to one, %d, were "+outside, all))
	default:
		t.NotModelled = append(t.NotModelled, fmt.Sprintf("disk: %d of the %d requests of the program were "+outside, tr.Disk.Lost, all))
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
