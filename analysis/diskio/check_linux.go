package diskio

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tierscope/core/robust"
	"tierscope/project/scratch"
)

// checkFiles is the number of files of an examination, checkBytes their size.
const checkFiles, checkBytes = 64, 1 << 20

// checkRounds is how often the operations are done with and without a recording; the
// last recording is examined.
const checkRounds = 3

// Examine lets some threads do mixed operations in a folder of their own below
// dir, with and without a recording in turns. What it writes it removes.
func Examine(ctx context.Context, dir string, o CheckOptions) (_ *Check, err error) {
	if o.Threads == 0 {
		o.Threads = 4
	}
	if o.Operations == 0 {
		o.Operations = 10_000
	}
	if o.Recorder == nil {
		if o.Recorder, err = Choose(); err != nil {
			return nil, err
		}
	}
	folder, err := os.MkdirTemp(dir, scratch.Name(dir, "tierscope-check-"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for i := range checkFiles {
		if err := os.WriteFile(checkFile(folder, i), make([]byte, checkBytes), 0o600); err != nil {
			return nil, err
		}
	}
	unix.Sync()
	for i := range checkFiles { // what was written lies in large pieces, of which none can be dropped
		f, err := os.Open(checkFile(folder, i))
		if err != nil {
			return nil, err
		}
		if err := errors.Join(unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close()); err != nil {
			return nil, err
		}
	}
	workers, err := startWorkers(folder, o)
	if err != nil {
		return nil, err
	}
	defer workers.stop()
	c := &Check{Recorder: o.Recorder.Name()}
	if _, err := workers.run(ctx, o.Operations/5); err != nil { // warm up
		return nil, err
	}
	var plain, recorded []CheckedOperation
	for range checkRounds { // in turns, for the machine's speed drifts
		without, err := workers.run(ctx, o.Operations)
		if err != nil {
			return nil, err
		}
		recording, err := o.Recorder.Start(Scope{Threads: workers.threads})
		if err != nil {
			return nil, err
		}
		c.Operations, err = workers.run(ctx, o.Operations)
		var stopErr error
		c.Log, stopErr = recording.Stop()
		if err := errors.Join(err, stopErr); err != nil {
			return nil, err
		}
		plain, recorded = append(plain, without...), append(recorded, c.Operations...)
	}
	c.Plain, c.Recorded = medianByKind(plain), medianByKind(recorded)
	return c, nil
}

func checkFile(folder string, i int) string { return filepath.Join(folder, fmt.Sprint("file-", i)) }

func medianByKind(operations []CheckedOperation) map[string]time.Duration {
	times := map[string][]float64{}
	for _, o := range operations {
		times[o.Kind] = append(times[o.Kind], float64(o.End-o.Start))
	}
	out := map[string]time.Duration{}
	for kind, t := range times {
		out[kind] = time.Duration(robust.Median(t))
	}
	return out
}

// workers are threads of the system that do operations when they are told to.
type workers struct {
	threads []int64
	work    []chan int // numbers of operations
	results []chan []CheckedOperation
	errs    []error
	done    sync.WaitGroup
}

func startWorkers(folder string, o CheckOptions) (*workers, error) {
	n := o.Threads
	w := &workers{threads: make([]int64, n), errs: make([]error, n)}
	var ready sync.WaitGroup
	for i := range n {
		w.work = append(w.work, make(chan int))
		w.results = append(w.results, make(chan []CheckedOperation, 1))
		ready.Add(1)
		w.done.Go(func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with its goroutine, and with it the priority
			w.threads[i] = int64(unix.Gettid())
			t, err := newWorker(folder, i)
			if o.RealTime {
				err = errors.Join(err, raise())
			}
			t.cold, w.errs[i] = o.Cold, err
			ready.Done()
			if err != nil {
				return
			}
			defer t.close()
			for n := range w.work[i] {
				var all []CheckedOperation
				for len(all) < n {
					o, err := t.do()
					if err != nil {
						w.errs[i] = err
						break
					}
					all = append(all, o...)
				}
				w.results[i] <- all
			}
		})
	}
	ready.Wait()
	if err := errors.Join(w.errs...); err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

func (w *workers) stop() {
	for _, c := range w.work {
		close(c)
	}
	w.done.Wait()
}

// run lets all threads together do n operations.
func (w *workers) run(ctx context.Context, n int) ([]CheckedOperation, error) {
	for _, c := range w.work {
		c <- n / len(w.work)
	}
	var all []CheckedOperation
	for _, c := range w.results {
		all = append(all, <-c...)
	}
	return all, errors.Join(append(w.errs, ctx.Err())...)
}

// worker is one thread with its files.
type worker struct {
	folder string
	thread int64
	random *rand.Rand
	read   [checkFiles]int
	own    int // a file to write to
	cold   bool
	page   []byte
}

func newWorker(folder string, i int) (*worker, error) {
	t := &worker{folder: folder, thread: int64(unix.Gettid()), random: rand.New(rand.NewPCG(uint64(i), 7)), page: make([]byte, 4096)}
	var err error
	for k := range t.read {
		if t.read[k], err = unix.Open(checkFile(folder, k), unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return nil, err
		}
		if err := unix.Fadvise(t.read[k], 0, 0, unix.FADV_RANDOM); err != nil {
			return nil, err
		}
	}
	t.own, err = unix.Open(filepath.Join(folder, fmt.Sprint("own-", i)), unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC, 0o600)
	return t, err
}

func (t *worker) close() {
	for _, fd := range append(t.read[:], t.own) {
		_ = unix.Close(fd) // nothing more is to be written
	}
}

// do does one operation, and the one that has to come before it.
func (t *worker) do() ([]CheckedOperation, error) {
	fd := t.read[t.random.IntN(checkFiles)]
	at := int64(t.random.IntN(checkBytes/len(t.page))) * int64(len(t.page))
	name := checkFile(t.folder, t.random.IntN(checkFiles))
	read := func() error { _, err := unix.Pread(fd, t.page, at); return err }
	switch p := t.random.IntN(100); {
	case p < 40 || t.cold:
		if err := unix.Fadvise(fd, at, int64(len(t.page)), unix.FADV_DONTNEED); err != nil {
			return nil, err
		}
		return t.timed(call{"cold read", read})
	case p < 65:
		return t.timed(call{"read", read}, call{"warm read", read})
	case p < 80:
		var s unix.Stat_t
		return t.timed(call{"stat", func() error { return unix.Stat(name, &s) }})
	case p < 95:
		opened := -1
		o, err := t.timed(call{"open", func() (err error) { opened, err = unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0); return err }})
		return o, errors.Join(err, unix.Close(opened))
	default:
		return t.timed(call{"write", func() error { _, err := unix.Pwrite(t.own, t.page, at); return err }},
			call{"fsync", func() error { return unix.Fsync(t.own) }})
	}
}

// call is an operation to be done.
type call struct {
	kind string
	do   func() error
}

// timed does operations.
func (t *worker) timed(calls ...call) ([]CheckedOperation, error) {
	var out []CheckedOperation
	for _, c := range calls {
		o := CheckedOperation{Kind: c.kind, Operation: Operation{Thread: t.thread, Writes: c.kind == "fsync"}}
		o.Start = monotonic()
		err := c.do()
		o.End = monotonic()
		if err != nil {
			return out, err
		}
		out = append(out, o)
	}
	return out, nil
}

// monotonic reads the clock of recordings.
func monotonic() int64 { return clock(unix.CLOCK_MONOTONIC) }

// clock reads a clock of the system, ns.
func clock(id int32) int64 {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return 0
	}
	return t.Nano()
}
