package analysis

import (
	"math"
	"strings"
	"testing"

	"tierscope/analysis/diskio"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
	"tierscope/core"
)

// diskProgram reads 400 times on thread 77 of the system: every fourth read is a
// hit of 2 µs, the others wait 5 ms for a request of 4 KiB, every second of them
// for another one of 16 KiB too. It returns what a recorder would have seen.
func diskProgram() (*script, []diskio.Request) {
	s := newScript()
	main := s.thread("main", nil, 0)
	var requests []diskio.Request
	for i := range 400 {
		main.compute(1_000_000)
		at, wait := main.now, int64(5_000_000)
		switch {
		case i%4 == 0:
			wait = 2_000
		case i%2 == 0:
			requests = append(requests, diskio.Request{Thread: 77, Device: 8 << 20, Bytes: 16384, Type: diskio.Read, Queued: at + 1000, Issued: at + 2000, Completed: at + wait - 1000})
		}
		if i%4 != 0 {
			requests = append(requests, diskio.Request{Thread: 77, Device: 8 << 20, Bytes: 4096, Type: diskio.Read, Queued: at + 1000, Issued: at + 2500, Completed: at + wait - 500})
		}
		main.reads("read", wait, 1_000, 0)
		end := &s.trace.Threads[0].Records[len(s.trace.Threads[0].Records)-1]
		end.OS = 77
		if i%4 != 0 {
			end.Read = 4096
		}
	}
	main.ends()
	return s, requests
}

// ioFragment is the only I/O fragment of a model.
func ioFragment(t *testing.T, m *core.Model) *core.Fragment {
	t.Helper()
	var found *core.Fragment
	for g := range m.Graphs {
		for i := range m.Graphs[g].Fragments {
			if f := &m.Graphs[g].Fragments[i]; f.Class == core.IOFragment {
				if found != nil {
					t.Fatalf("two I/O fragments: %s and %s", found.ID, f.ID)
				}
				found = f
			}
		}
	}
	if found == nil {
		t.Fatal("no I/O fragment")
	}
	return found
}

// "Π_disk = ⟨dio₁ … dio_k⟩; k = 0 is a cache hit" (Tarvo & Reiss 2014, §4.3.2): of
// 400 reads 100 hit, 200 make one request and 100 make two, so k = 1 on average,
// with the standard error √(0.5/400) = 0.035.
func TestARecordingOfTheDiskMakesFragmentsOfRequests(t *testing.T) {
	t.Parallel()
	s, requests := diskProgram()
	s.trace.Disk = trace.DiskRecording{Recorder: "tracefs", Requests: requests, Devices: []diskio.Device{{Number: 8 << 20, Name: "sda"}}}
	m, r := s.build(t, trail.Options{})
	f := ioFragment(t, m)
	if f.IO.Disk != "sda" || len(m.Disks) != 1 || m.Disks[0].ID != "sda" {
		t.Fatalf("the fragment uses disk %q of %d disks", f.IO.Disk, len(m.Disks))
	}
	k := f.IO.Requests[0].Count
	if math.Abs(k.Expectation()-1) > 1e-9 || math.Abs(k.Variance()-0.5) > 1e-9 || k.Samples != 400 {
		t.Errorf("k has mean %g and variance %g of %d executions, want 1 and 0.5 of 400", k.Expectation(), k.Variance(), k.Samples)
	}
	if want := (100*16384.0 + 300*4096) / 400; math.Abs(f.IO.Requests[0].Bytes.Expectation()-want) > 1 {
		t.Errorf("a request has %g bytes, want %g", f.IO.Requests[0].Bytes.Expectation(), want)
	}
	if !strings.Contains(f.Origin.Note, "± 0.035") || !strings.Contains(f.Origin.Note, "25.0 % of 400") {
		t.Errorf("note %q does not tell the standard error 0.035 and the 25 %% of hits", f.Origin.Note)
	}
	if r.Trust.Recorder != "tracefs" {
		t.Errorf("recorder %q", r.Trust.Recorder)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
}

// Without privilege the kernel still tells what each thread read: hits and misses
// are known, and the report says what is not.
func TestWithoutARecorderTheThreadsOwnReadsMakeTheModel(t *testing.T) {
	t.Parallel()
	s, _ := diskProgram()
	s.trace.Disk.Lacks = []string{"tracefs: permission denied"}
	m, r := s.build(t, trail.Options{})
	f := ioFragment(t, m)
	if k := f.IO.Requests[0].Count.Expectation(); math.Abs(k-0.75) > 1e-9 {
		t.Errorf("k = %g, want 0.75", k)
	}
	if got := m.Disks[0].Service[0].Rows[0].Time.Expectation(); math.Abs(got-5e-3) > 50e-6 {
		t.Errorf("a request takes %g s, want 5 ms", got)
	}
	report := strings.Join(r.Trust.NotModelled, "\n")
	if r.Trust.Recorder != "getrusage" || !strings.Contains(report, "how many requests") || !strings.Contains(report, "permission denied") {
		t.Errorf("recorder %q lacks:\n%s", r.Trust.Recorder, report)
	}
}

// Hits in the first half, misses in the second: the cache was not in a steady
// state, and what was measured is that of neither half.
func TestACacheThatIsNotSteadyIsReported(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for i := range 200 {
		wait := int64(2_000)
		if i >= 100 {
			wait = 5_000_000
		}
		main.compute(100_000).reads("read", wait, 1_000, 0)
		end := &s.trace.Threads[0].Records[len(s.trace.Threads[0].Records)-1]
		if end.OS = 77; i >= 100 {
			end.Read = 4096
		}
	}
	main.ends()
	_, r := s.build(t, trail.Options{})
	if all := strings.Join(r.Trust.Warnings, "\n"); !strings.Contains(all, "100 % of its executions in the first half") {
		t.Errorf("warnings do not tell of the cache:\n%s", all)
	}
}

// A thread reads 100 files in three pieces each: the first read brings the file, the next ones find it in memory. The fragment for the
// first makes one request, the other none, in each file: with one share for both a file would have none or three of them. Where any
// read of a file may miss, as in the program above, they stay one fragment.
func TestReadingOnInAFileIsToldFromTheFirstRead(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	for file := range uint64(100) {
		for piece := range 3 {
			main.compute(1_000_000)
			wait, bytes := int64(5_000_000), int64(4096)
			if piece > 0 {
				wait, bytes = 2_000, 0
			}
			main.reads("read", wait, 1_000, 0)
			records := s.trace.Threads[0].Records
			for i := range records[len(records)-2:] {
				records[len(records)-2+i].Object = 1000 + file
			}
			end := &records[len(records)-1]
			end.OS, end.Read = 77, bytes
		}
	}
	main.ends()
	m, _ := s.build(t, trail.Options{})
	counts := map[string]float64{}
	for _, f := range m.Graphs[0].Fragments {
		if f.Class == core.IOFragment {
			counts[f.ID] = f.IO.Requests[0].Count.Expectation()
			if f.IO.Requests[0].Count.Variance() > 0 {
				t.Errorf("%s makes %v requests, want the same number each time", f.ID, f.IO.Requests[0].Count)
			}
		}
	}
	if len(counts) != 2 || counts["read main:1"] != 1 || counts["read main:1 #2"] != 0 {
		t.Errorf("requests of the reads: %v, want 1 of the first and 0 of the others", counts)
	}
}
