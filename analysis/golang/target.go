package golang

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/golang/goroot"
	"tierscope/analysis/trace"
	"tierscope/core/robust"
	"tierscope/project/scratch"
)

// Target is the front end for Go programs. The zero value is ready for use with
// programs that run to their end.
type Target struct {
	Drive    execution.Drive        // puts load on a server; nil: batch programs only
	Record   int64                  // bytes to record at most; 0: 256 MB
	Timeout  time.Duration          // a batch program that runs longer is stopped; 0: 10 minutes
	Disk     execution.DiskRecorder // records the requests to disks; nil: diskio.Choose
	CacheDir string                 // for the edited GOROOT files and fetched modules; "": the user's cache directory
}

// Name is "go".
func (Target) Name() string { return "go" }

// Check says whether the program can be built and recorded.
func (t Target) Check(ctx context.Context, w trace.Workload) error {
	p, err := t.find(ctx, w)
	if err != nil {
		return err
	}
	if err := p.inspect(ctx); err != nil {
		return err
	}
	if w.Load != nil && w.Load.URL == "" {
		return errors.New("a load needs the address of the server")
	}
	if w.Load != nil && t.Drive == nil {
		return errNoDrive
	}
	_, err = t.overlay(p)
	return err
}

var errNoDrive = errors.New("golang: a Target without Drive cannot put load on a server")

// overlay writes the overlay for the program's Go release.
func (t Target) overlay(p *program) (string, error) {
	cache, err := t.cache()
	if err != nil {
		return "", err
	}
	return Overlay(p.toolchain.Root, p.toolchain.Version, filepath.Join(cache, "overlay"))
}

func (t Target) cache() (string, error) {
	if t.CacheDir != "" {
		return t.CacheDir, nil
	}
	return goroot.Cache()
}

func (t Target) timeout(w trace.Workload) time.Duration {
	return w.Patience(cmp.Or(t.Timeout, 10*time.Minute))
}

// subject is a program ready to run, plain and with probes.
type subject struct {
	*program
	plain, probed string // executables
}

func (t Target) prepare(ctx context.Context, w trace.Workload, dir string) (*subject, error) {
	p, err := t.find(ctx, w)
	if err != nil {
		return nil, err
	}
	if err := p.inspect(ctx); err != nil {
		return nil, err
	}
	overlay, err := t.overlay(p)
	if err != nil {
		return nil, err
	}
	if overlay, err = p.withAdditions(ctx, overlay, filepath.Join(dir, "overlay")); err != nil {
		return nil, err
	}
	s := &subject{program: p}
	if s.plain, err = p.build(ctx, filepath.Join(dir, "plain"), ""); err != nil {
		return nil, err
	}
	if s.probed, err = p.build(ctx, filepath.Join(dir, "probed"), overlay); err != nil {
		return nil, err
	}
	return s, nil
}

// probeFile chooses where to record: in memory if there is plenty, so that
// the recording does not disturb the program's disk.
func (t Target) probeFile(dir string) (string, error) {
	size := t.Record
	if size == 0 {
		size = 256 << 20
	}
	dir = execution.RecordingDir(dir, size)
	f, err := os.CreateTemp(dir, scratch.Name(dir, "tierscope-")+".probes")
	if err != nil {
		return "", fmt.Errorf("probe file: %w", err)
	}
	f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return "", fmt.Errorf("probe file: %w", err)
	}
	return f.Name(), createProbeFile(f.Name(), size)
}

// Trace runs the program with probes, and without, interleaved, for the
// overhead.
func (t Target) Trace(ctx context.Context, w trace.Workload, _ *trace.Samples, _ *trace.Facts, dir string, report func(analysis.Progress)) (*trace.Trace, error) {
	tell := progress("trace", report)
	tell(0, "building with probes")
	s, err := t.prepare(ctx, w, filepath.Join(dir, "bin"))
	if err != nil {
		return nil, err
	}
	tell(0.3, "recording a run")
	tr, first, err := t.record(ctx, s, w, dir)
	if err != nil {
		return nil, err
	}
	if err := execution.TooShort(w, tr, first.Wall); err != nil {
		return nil, err
	}
	records := 0
	for i := range tr.Threads {
		records += len(tr.Threads[i].Records)
	}
	tell(0.6, "%d records of %d goroutines in %.1f s", records, len(tr.Threads), first.Wall.Seconds())
	if tr, err = t.overhead(ctx, s, w, dir, tr, first); err != nil {
		return nil, err
	}
	tell(0.9, "overhead %.1f %% of CPU", 100*tr.Overhead)
	if tr.Calibration, err = t.Calibrate(ctx, w, dir); err != nil {
		return nil, err
	}
	tell(1, "waking an idle core takes %.0f µs, a record %.0f ns", 1e6*robust.Median(tr.Calibration.WakeIdle), 1e9*tr.Calibration.ProbeCost)
	for _, c := range s.cgo {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("package %s uses cgo: what C code does is one computation to the probes; build it with CGO_ENABLED=0 if it can be", c))
	}
	return tr, nil
}

// Watch records one run of a batch program, by the executable that Trace has left in the folder.
func (t Target) Watch(ctx context.Context, w trace.Workload, dir string) (*trace.Trace, error) {
	p, err := t.find(ctx, w)
	if err != nil {
		return nil, err
	}
	s := &subject{program: p, probed: filepath.Join(dir, "bin", "probed", "program")}
	if !exists(s.probed) {
		if s, err = t.prepare(ctx, w, filepath.Join(dir, "bin")); err != nil {
			return nil, err
		}
	}
	tr, _, err := t.record(ctx, s, w, dir)
	return tr, err
}

// progress makes a function that tells how far a stage is.
func progress(stage string, report func(analysis.Progress)) func(done float64, format string, args ...any) {
	return func(done float64, format string, args ...any) {
		if report != nil {
			report(analysis.Progress{Stage: stage, Done: done, Fact: fmt.Sprintf(format, args...)})
		}
	}
}

// runProbed makes a recorded run. The caller removes the probe file.
func (t Target) runProbed(ctx context.Context, s *subject, w trace.Workload, dir string, env ...string) (string, execution.Outcome, error) {
	name, err := t.probeFile(dir)
	if err != nil {
		return "", execution.Outcome{}, err
	}
	env = append(env, "TIERSCOPE_PROBE="+name)
	if mute := filepath.Join(dir, muteFile); exists(mute) {
		env = append(env, "TIERSCOPE_MUTE="+mute)
	}
	o, err := t.run(ctx, s.probed, w, dir, env...)
	if err != nil {
		os.Remove(name)
	}
	return name, o, err
}

// record makes a recorded run and reads what it wrote.
func (t Target) record(ctx context.Context, s *subject, w trace.Workload, dir string) (*trace.Trace, execution.Outcome, error) {
	disk, err := execution.RecordDisk(t.Disk)
	if err != nil {
		return nil, execution.Outcome{}, err
	}
	name, o, err := t.runProbed(ctx, s, w, dir)
	log, stopErr := disk.Stop()
	if err = errors.Join(err, stopErr); err != nil {
		return nil, o, err
	}
	defer os.Remove(name)
	b, unmap, err := mapFile(name)
	if err != nil {
		return nil, o, err
	}
	defer unmap()
	r, err := parseProbeFile(b)
	if err != nil {
		return nil, o, err
	}
	muted, err := readMute(dir)
	if err != nil {
		return nil, o, err
	}
	ask, frames := symbols(ctx, s.probed, s.toolchain.Root, dir), map[uint64][]trace.Frame(nil)
	tr, err := r.decode(func(offsets []uint64) (_ map[uint64][]trace.Frame, err error) {
		frames, err = ask(slices.Concat(offsets, muted))
		return frames, err
	})
	if err != nil {
		return nil, o, err
	}
	tr.Warnings = append(tr.Warnings, unrecorded(muted, frames)...)
	semaphores(tr)
	limiters(tr)
	tr.Program = w.Program
	tr.Disk = disk.OfProgram(log, tr, r.nano)
	tr.Warnings = append(tr.Warnings, log.Warnings...)
	tr.ProcessCPU = o.CPU.Nanoseconds()
	if o.Work[1] > 0 {
		tr.WorkStart, tr.WorkEnd = o.Work[0]-r.nano, o.Work[1]-r.nano
		tr.WorkCPU = o.WorkCPU.Nanoseconds()
	}
	if o.Stopped {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("the program did not end by itself: it was stopped after %v", t.timeout(w)))
	}
	if r.dropped > 0 {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("the recording was full (%d MB) after %.1f s: %d records are missing; record a shorter run or allow more", r.size>>20, float64(tr.End)/1e9, r.dropped))
	}
	if r.sitesLost > 0 {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("%d operations have no calling context: more than %d different ones", r.sitesLost, maxSites))
	}
	if r.plain {
		tr.Warnings = append(tr.Warnings, "each reading of the CPU clock was a system call: the kernel or C library leaves rseq(2) to nobody else; the overhead is larger")
	}
	return tr, o, nil
}

const (
	maxSites = 1 << 18
	muteFile = "mute"
)

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func mapFile(name string) (b []byte, unmap func(), err error) {
	if b, unmap, err = execution.Map(name); err != nil {
		return nil, nil, fmt.Errorf("probe file: %w", err)
	}
	return b, unmap, nil
}
