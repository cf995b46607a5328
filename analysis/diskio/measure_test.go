package diskio_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/diskio"
	"tierscope/core"
)

// A measured disk whose throughput hardly grows is one server, one whose
// throughput grows is parallel; its rows have the measured means, less what the
// bytes of a read cost.
func TestMeasuredPointsBecomeADisk(t *testing.T) {
	t.Parallel()
	point := func(threads int, seconds float64) diskio.Point {
		p := diskio.Point{Threads: threads}
		for range 100 {
			p.Times = append(p.Times, seconds)
		}
		p.Elapsed = 100 * seconds / float64(threads)
		return p
	}
	slow := diskio.Measurement{Bytes: 4096, Points: []diskio.Point{point(1, 0.0055), point(8, 0.044)}}
	if e := slow.Disk("slow"); e.Parallel || e.Disk.Depth != 1 || e.Disk.Service[0].Rows[0].Time.Expectation() != 0.0055 {
		t.Errorf("a single server became %+v: %s", e.Disk, e.Reason)
	}
	fast := diskio.Measurement{Bytes: 4096, PerByte: 1e-9, Points: []diskio.Point{point(1, 66e-6), point(16, 208e-6)}}
	e := fast.Disk("vda")
	if !e.Parallel || e.Disk.Depth != 16 || e.Disk.Service[0].Given != core.InFlight {
		t.Fatalf("a parallel device became %+v: %s", e.Disk, e.Reason)
	}
	rows := e.Disk.Service[0].Rows
	if len(rows) != 2 || rows[0].X != 1 || rows[1].X != 16 {
		t.Fatalf("rows %+v, want x = 1 and 16", rows)
	}
	if got, want := rows[1].Time.Expectation()+4096*rows[1].PerByte, 208e-6; got < 0.999*want || got > 1.001*want {
		t.Errorf("16 in flight: a read of 4096 bytes takes %v s, want %v s", got, want)
	}
}

func TestMeasuringNeedsSomethingToReadAndSaysSo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("disks are measured on Linux only")
	}
	_, err := diskio.Measure(context.Background(), t.TempDir(), diskio.MeasureOptions{})
	if err == nil || !strings.Contains(err.Error(), "--create") {
		t.Errorf("an empty directory: %v; want an error that names the remedy", err)
	}
}

// A live measurement of whatever disk this machine has: it reads, leaves no file
// behind, and its disk is valid.
func TestMeasuringLeavesNothingBehind(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("disks are measured on Linux only, and not with -short")
	}
	dir := t.TempDir()
	m, err := diskio.Measure(context.Background(), dir, diskio.MeasureOptions{
		Threads: []int{1, 4}, PerPoint: 90 * time.Millisecond, Create: 65 << 20,
	})
	if err != nil {
		t.Skipf("this machine does not let a file be read: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in %s: %v %v", filepath.Base(dir), left, err)
	}
	for _, p := range m.Points {
		if len(p.Times) == 0 || p.Throughput() <= 0 || p.Mean() <= 0 {
			t.Errorf("%d threads: %d reads", p.Threads, len(p.Times))
		}
	}
	model := core.Model{Disks: []core.Disk{m.Disk("here").Disk}}
	for _, defect := range core.Defects(model.Validate()) {
		if strings.HasPrefix(defect.Error(), "disk") {
			t.Error(defect)
		}
	}
}
