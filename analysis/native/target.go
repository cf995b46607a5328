package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
)

// Target is the front end for programs compiled for the machine. The zero value is ready for
// use with programs that run to their end.
type Target struct {
	Drive    execution.Drive        // puts load on a server; nil: batch programs only
	Record   int64                  // bytes to record at most; 0: 512 MB
	Timeout  time.Duration          // a batch program that runs longer is stopped; 0: 10 minutes
	Disk     execution.DiskRecorder // records the requests to disks; nil: diskio.Choose
	CacheDir string                 // for the compiled recorder; "": the user's cache directory
	Compare  time.Duration          // for runs with the recorder and without, by turns; 0: 13 s
}

// Name is "native".
func (Target) Name() string { return "native" }

// Check says whether the program can be recorded.
func (t Target) Check(ctx context.Context, w trace.Workload) error {
	if w.Load != nil && w.Load.URL == "" {
		return errors.New("a load needs the address of the server")
	}
	if w.Load != nil && t.Drive == nil {
		return errNoDrive
	}
	_, err := t.prepare(ctx, w, "")
	return err
}

func (t Target) timeout(w trace.Workload) time.Duration {
	return w.Patience(cmp.Or(t.Timeout, 10*time.Minute))
}

// subject is a program ready to be recorded.
type subject struct {
	*program
	library string   // the recorder
	dir     string   // for what is written meanwhile
	muted   []string // settings for the recorder: what it leaves out
}

func (t Target) prepare(ctx context.Context, w trace.Workload, dir string) (*subject, error) {
	p, err := inspect(ctx, w)
	if err != nil {
		return nil, err
	}
	cache := t.CacheDir
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("cache: %w", err)
		}
		cache = filepath.Join(base, "tierscope")
	}
	library, err := recorder.Library(ctx, cache)
	return &subject{program: p, library: library, dir: dir}, err
}

// Trace runs the program with the recorder, and without, by turns.
func (t Target) Trace(ctx context.Context, w trace.Workload, _ *trace.Samples, _ *trace.Facts, dir string, report func(analysis.Progress)) (*trace.Trace, error) {
	tell := progress("trace", report)
	s, err := t.prepare(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(s.muteList()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("mute list: %w", err)
	}
	tell(0.1, "recording a run")
	first, err := t.few(ctx, s, w)
	if err != nil {
		return nil, err
	}
	if err := execution.TooShort(w, first.trace, first.outcome.Wall); err != nil {
		return nil, err
	}
	tell(0.4, "%d records of %d threads in %.1f s", first.trace.Records(), len(first.trace.Threads), first.outcome.Wall.Seconds())
	tr, err := t.overhead(ctx, s, w, first, tell)
	if err != nil {
		return nil, err
	}
	tr.Calibration.WakeIdle, tr.Calibration.Halt = execution.WakeUps()
	if math.IsNaN(tr.Overhead) {
		tell(1, "overhead not measured: the program does not end by itself")
	} else {
		tell(1, "overhead %.1f %% of CPU, a record %.0f ns", 100*tr.Overhead, 1e9*tr.Calibration.ProbeCost)
	}
	return tr, nil
}

// Watch records one run of a batch program, without what Trace has left out.
func (t Target) Watch(ctx context.Context, w trace.Workload, dir string) (*trace.Trace, error) {
	s, err := t.prepare(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.muteList()); err == nil {
		s.leaveOut()
	} else {
		t = t.beginning()
	}
	r, err := t.record(ctx, s, w)
	if err == nil && r.full {
		err = errors.New("the run did far more than the one that was analysed: there is no room for a recording of it")
	}
	return r.trace, err
}

// run is a recorded run.
type run struct {
	trace   *trace.Trace
	outcome execution.Outcome
	used    float64   // s of CPU of the program's threads, without what went into looking whether to go on
	looked  bool      // some did
	full    bool      // what happened later is missing
	muted   []address // what need not be recorded where it costs too much,
	waited  int64     // and for how long threads waited there, if that matters, ns
	// The same of what was left out, since another run was recorded.
	left       []address
	leftWaited int64
}

// record makes a recorded run and a trace of it.
func (t Target) record(ctx context.Context, s *subject, w trace.Workload) (run, error) {
	var out run
	disk, err := execution.RecordDisk(t.Disk)
	if err != nil {
		return out, err
	}
	var names *addresses
	var r *recording
	out.outcome, err = t.recorded(ctx, s, w, func(rec *recording, a *addresses) error {
		r, names = rec, a
		return nil
	})
	log, stopErr := disk.Stop()
	if err = errors.Join(err, stopErr); err != nil {
		return out, err
	}
	tr, o := r.decode(names, w.Load == nil), out.outcome
	out.trace, out.full, out.used, out.looked = tr, r.full, tr.ThreadTime(), r.looking > 0
	out.muted, out.waited = r.mutable(tr, names, r.most(tr))
	tr.Program = w.Program
	tr.Cores = cmp.Or(w.Cores, runtime.NumCPU())
	tr.ProcessCPU = o.CPU.Nanoseconds() - r.looking
	if w.Load == nil && !o.Stopped && r.children == 0 {
		begunAndEnded(tr)
	}
	tr.Calibration = trace.Calibration{Machine: runtime.GOARCH, Cores: runtime.NumCPU(), ProbeCost: r.cost * 1e-9, Switch: switchCost, Quantum: quantum}
	tr.Disk = disk.OfProgram(log, tr, r.nano)
	if o.Work[1] > 0 {
		tr.WorkStart, tr.WorkEnd = o.Work[0]-r.nano, o.Work[1]-r.nano
		tr.WorkCPU = o.WorkCPU.Nanoseconds()
	}
	tr.Warnings = slices.Concat(tr.Warnings, r.doubts(), log.Warnings)
	if o.Stopped {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("the program did not end by itself: it was stopped after %v", t.timeout(w)))
	}
	return out, nil
}

// What threads of the kernel cost, s.
const (
	switchCost = 4e-7 // a context switch of Linux on x86-64: 0.3 to 0.4 µs. Convention, sensitivity none.
	quantum    = 4e-3 // a slice of equal threads: a tick of 250 Hz. Convention, sensitivity none.
)

// progress makes a function that tells how far a stage is.
func progress(stage string, report func(analysis.Progress)) func(done float64, format string, args ...any) {
	return func(done float64, format string, args ...any) {
		if report != nil {
			report(analysis.Progress{Stage: stage, Done: done, Fact: fmt.Sprintf(format, args...)})
		}
	}
}
