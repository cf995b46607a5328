package diskio_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tierscope/analysis/diskio"
)

// coldFile writes a file to the disk and takes it out of the page cache.
func coldFile(t *testing.T, bytes int) *os.File {
	t.Helper()
	f, err := os.CreateTemp("/var/tmp", "cold-*") // other temporary folders may be in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close(); _ = os.Remove(f.Name()) })
	if _, err := f.Write(make([]byte, bytes)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_RANDOM)); err != nil {
		t.Fatal(err)
	}
	return f
}

// forEach runs a test with every recorder, or says why it cannot.
func forEach(t *testing.T, test func(t *testing.T, r diskio.Recorder)) {
	for _, r := range diskio.Recorders() {
		t.Run(r.Name(), func(t *testing.T) {
			if err := r.Usable(); err != nil {
				t.Skip("skipped: ", err)
			}
			test(t, r)
		})
	}
}

// A thread reads a cold page, and the same page again: the recording shows one
// request, of this thread, inside the first of two system calls.
func TestALiveRecordingTellsAMissFromAHit(t *testing.T) { forEach(t, missAndHit) }

func missAndHit(t *testing.T, r diskio.Recorder) {
	f := coldFile(t, 1<<20)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	me := int64(unix.Gettid())
	recording, err := r.Start(diskio.Scope{Threads: []int64{me}})
	if err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 4096)
	for range 2 {
		if _, err := unix.Pread(int(f.Fd()), page, 512<<10); err != nil {
			t.Fatal(err)
		}
	}
	log, err := recording.Stop()
	if err != nil {
		t.Fatal(err)
	}
	log.Calls = slices.DeleteFunc(log.Calls, func(c diskio.Call) bool { return c.Thread != me || c.Name != "pread64" })
	if len(log.Calls) != 2 {
		t.Fatalf("%d calls of pread64 recorded, there were 2", len(log.Calls))
	}
	var mine []diskio.Request
	for _, q := range log.Requests {
		if q.Thread == me {
			mine = append(mine, q)
		}
	}
	if len(mine) == 0 {
		t.Skip("skipped: the file system of this folder does not read from a disk")
	}
	if len(mine) != 1 || mine[0].Bytes < 4096 || mine[0].Queued < log.Calls[0].Start || mine[0].Completed > log.Calls[0].End {
		t.Errorf("requests %+v of the call %+v; want one of at least a page, inside it", mine, log.Calls[0])
	}
}

// The process that records is killed: within seconds nothing of its recording is
// left in the kernel.
func TestNothingStaysEnabledWhenTheRecorderIsKilled(t *testing.T) {
	if os.Getenv("TIERSCOPE_RECORD_FOREVER") != "" {
		if _, err := (diskio.Tracefs{}).Start(diskio.Scope{Threads: []int64{int64(os.Getpid())}}); err != nil {
			t.Fatal(err)
		}
		select {}
	}
	if err := (diskio.Tracefs{}).Usable(); err != nil {
		t.Skip("skipped: ", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "TIERSCOPE_RECORD_FOREVER=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	left := func() []string {
		names, err := filepath.Glob("/sys/kernel/tracing/instances/tierscope-*")
		if err != nil {
			t.Fatal(err)
		}
		prefix := "/tierscope-" + strconv.Itoa(cmd.Process.Pid) + "-"
		return slices.DeleteFunc(names, func(n string) bool { return !strings.Contains(n, prefix) })
	}
	within := func(what string, done func() bool) {
		for range 2000 {
			if done() {
				return
			}
			time.Sleep(10 * time.Millisecond) // another process has no clock of ours
		}
		t.Fatalf("%s: not within 20 s; instances: %v", what, left())
	}
	within("two instances while it records", func() bool { return len(left()) == 2 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	within("no instance after its death", func() bool { return len(left()) == 0 })
}
