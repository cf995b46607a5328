package java

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/java/agent"
	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

// Target is the front end for Java programs. The zero value is ready for use
// with programs that run to their end.
type Target struct {
	Drive    execution.Drive        // puts load on a server; nil: batch programs only
	Record   int64                  // bytes to record at most; 0: 512 MB
	Timeout  time.Duration          // a batch program that runs longer is stopped; 0: 10 minutes
	CacheDir string                 // for the compiled agent; "": the user's cache directory
	Disk     execution.DiskRecorder // records the requests to disks; nil: diskio.Choose
}

// Name is "java".
func (Target) Name() string { return "java" }

// Check says whether the program can be recorded.
func (t Target) Check(ctx context.Context, w trace.Workload) error {
	if w.Load != nil && w.Load.URL == "" {
		return errors.New("a load needs the address of the server")
	}
	if w.Load != nil && t.Drive == nil {
		return errNoDrive
	}
	_, _, err := t.prepare(ctx, w)
	return err
}

var errNoDrive = errors.New("java: a Target without Drive cannot put load on a server")

// prepare finds the program and compiles the agent.
func (t Target) prepare(ctx context.Context, w trace.Workload) (*program, string, error) {
	p, err := find(ctx, w)
	if err != nil {
		return nil, "", err
	}
	cache := t.CacheDir
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, "", fmt.Errorf("cache: %w", err)
		}
		cache = filepath.Join(base, "tierscope")
	}
	jar, err := agent.Jar(ctx, p.javac, cache)
	return p, jar, err
}

// run runs the program under the workload with options of the agent; nil: without it.
func (t Target) run(ctx context.Context, p *program, jar string, w trace.Workload, dir string, options map[string]string) (outcome, error) {
	if err := w.GetReady(ctx); err != nil {
		return outcome{}, err
	}
	var jvm []string
	if options != nil {
		var text strings.Builder
		for k, v := range options {
			fmt.Fprintf(&text, "%s=%s\n", k, strings.ReplaceAll(v, `\`, `\\`))
		}
		name := filepath.Join(dir, "agent.properties")
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			return outcome{}, err
		}
		jvm = append(jvm, "-javaagent:"+jar+"="+name)
		if options["record"] != "" {
			jvm = append(jvm, stopsOption(filepath.Join(dir, fileStops)))
		}
	}
	if w.Load != nil {
		if t.Drive == nil {
			return outcome{}, errNoDrive
		}
		return p.serve(ctx, w, t.Drive, dir, options, jvm...)
	}
	return p.batch(ctx, w, w.Patience(cmp.Or(t.Timeout, 10*time.Minute)), dir, jvm...)
}

// Files in the study's folder.
const (
	fileClasses     = "classes"
	fileSamples     = "samples"
	fileSubstitutes = "substitutes"
	fileLog         = "agent.log"
)

// sampleEvery is the time between two looks at the stacks, in ms.
const sampleEvery = "20"

// wanted are the JDK's classes that the agent asks the JVM for.
func wanted() string {
	var names []string
	for c := range inside {
		names = append(names, c)
	}
	for c := range constructed {
		names = append(names, c)
	}
	return strings.Join(names, " ")
}

// Sample runs the program with stack samples, and keeps the classes that it
// loads.
func (t Target) Sample(ctx context.Context, w trace.Workload, dir string, report func(analysis.Progress)) (*trace.Samples, error) {
	tell := progress("sample", report)
	p, jar, err := t.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	tell(0.1, "sampling a run on Java %d", p.release)
	samples := filepath.Join(dir, fileSamples)
	defer os.Remove(samples)
	o, err := t.run(ctx, p, jar, w, dir, map[string]string{
		"log": filepath.Join(dir, fileLog), "classes": filepath.Join(dir, fileClasses), "samples": samples,
		"interval_ms": sampleEvery, "retransform": wanted(),
	})
	if err != nil {
		return nil, err
	}
	if o.Stopped {
		if err := w.Endless(o.Wall.Round(time.Second)); err != nil {
			return nil, err
		}
	}
	if _, err := checkedJournal(dir); err != nil {
		return nil, err
	}
	s, err := readSamples(samples)
	if err != nil {
		return nil, err
	}
	s.Program = w.Program
	tell(1, "%d threads in %d groups, %d library functions", len(s.Threads), len(s.Groups), len(s.Library))
	return s, nil
}

// checkedJournal reads the agent's log and explains an agent that did not
// start.
func checkedJournal(dir string) (*journal, error) {
	j, err := readJournal(filepath.Join(dir, fileLog))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("the agent was not loaded: is this a HotSpot JVM with module java.instrument, and does the program itself start the JVM that does the work?")
	case err != nil:
		return nil, err
	case j.ready == 0:
		return nil, fmt.Errorf("the agent did not start: %s", strings.Join(j.troubles, "; "))
	}
	return j, nil
}

// probes reads the classes that the program loaded and puts probes in them,
// but not where they are muted.
func probes(dir string, muted map[int]bool) (*instrumented, *world, error) {
	w, err := readWorld(filepath.Join(dir, fileClasses))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, errors.New("the classes of the program are not known: begin with the stage sample")
	}
	if err != nil {
		return nil, nil, err
	}
	return w.instrument(muted), w, nil
}

// Scan lists the operations in the classes that the program loaded.
func (t Target) Scan(_ context.Context, w trace.Workload, _ *trace.Samples, dir string, report func(analysis.Progress)) (*trace.Facts, error) {
	in, world, err := probes(dir, nil)
	if err != nil {
		return nil, err
	}
	f := &trace.Facts{Program: w.Program, Method: "classes that the program loaded, call sites by static type", Inputs: world.inputs()}
	for _, c := range world.classes {
		if !isJDK(c.name) {
			f.Functions += len(c.file.Methods)
		}
	}
	for _, p := range in.probes[1:] {
		if p.op != trace.OpNone {
			f.Sites = append(f.Sites, trace.FactSite{Frame: p.frame, Op: p.op.String(), Class: string(p.op.Class()), Kind: p.kind, Name: p.text})
		}
	}
	progress("scan", report)(1, "%d classes, %d methods of the program, %d operations", len(world.classes), f.Functions, len(f.Sites))
	return f, nil
}

// Trace runs the program with probes, and without, for the overhead.
func (t Target) Trace(ctx context.Context, w trace.Workload, _ *trace.Samples, _ *trace.Facts, dir string, report func(analysis.Progress)) (*trace.Trace, error) {
	tell := progress("trace", report)
	p, jar, err := t.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	in, err := substitutes(dir, nil)
	if err != nil {
		return nil, err
	}
	tell(0.2, "%d probes in %d classes", len(in.probes)-1, len(in.classes))
	boot, err := p.boot(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	x := &experiment{p: p, jar: jar, w: w, dir: dir, in: in, boot: boot}
	tr, first, muted, err := t.recordMuted(ctx, x, tell)
	if err != nil {
		return nil, err
	}
	records := 0
	for i := range tr.Threads {
		records += len(tr.Threads[i].Records)
	}
	tell(0.6, "%d records of %d threads in %.1f s", records, len(tr.Threads), first.Wall.Seconds())
	if first.warm.Time > 0 {
		tell(0.6, "warm after %.0f s of load", first.warm.Time.Seconds())
	}
	if tr, err = t.overhead(ctx, x, tr, first); err != nil {
		return nil, err
	}
	tr.Calibration.WakeIdle, tr.Calibration.Halt = execution.WakeUps()
	if len(muted) > 0 {
		tr.Warnings = append(tr.Warnings, fmt.Sprintf("%d places where locks, counters or files are used are not recorded: it happens very often and nobody waits there", len(muted)))
	}
	if math.IsNaN(tr.Overhead) {
		tell(1, "overhead not measured: the program does not end by itself")
	} else {
		tell(1, "overhead %.1f %% of CPU", 100*tr.Overhead)
	}
	return tr, nil
}

// recordMuted records a run, and if need be another one without the probes that cost more than they tell.
func (t Target) recordMuted(ctx context.Context, x *experiment, tell func(float64, string, ...any)) (tr *trace.Trace, first outcome, muted map[int]bool, err error) {
	x.hits = pilotHits
	tr, first, muted, err = t.record(ctx, x)
	x.hits = 0
	if err != nil || muted == nil {
		return tr, first, muted, err
	}
	tell(0.4, "recording again without %d probes that are hit often and where nobody waits", len(muted))
	if x.in, err = substitutes(x.dir, muted); err != nil {
		return nil, first, muted, err
	}
	tr, first, _, err = t.record(ctx, x)
	return tr, first, muted, err
}

// Watch records one run of a batch program, by the classes that Sample has left in the folder.
func (t Target) Watch(ctx context.Context, w trace.Workload, dir string) (*trace.Trace, error) {
	p, jar, err := t.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	in, err := substitutes(dir, nil)
	if err != nil {
		return nil, err
	}
	boot, err := p.boot(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	tr, _, _, err := t.recordMuted(ctx, &experiment{p: p, jar: jar, w: w, dir: dir, in: in, boot: boot}, progress("trace", nil))
	return tr, err
}

// substitutes writes the classes with probes to the study's folder.
func substitutes(dir string, muted map[int]bool) (*instrumented, error) {
	in, _, err := probes(dir, muted)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, fileSubstitutes), encodeSubstitutes(in.classes), 0o644); err != nil {
		return nil, fmt.Errorf("classes with probes: %w", err)
	}
	return in, nil
}

// encodeSubstitutes writes classes as Agent.readSubstitutes reads them.
func encodeSubstitutes(cs []substitute) []byte {
	var b bytes.Buffer
	put := func(v uint32) { b.Write(binary.BigEndian.AppendUint32(nil, v)) }
	put(uint32(len(cs)))
	for _, c := range cs {
		b.Write(binary.BigEndian.AppendUint16(nil, uint16(len(c.name))))
		b.WriteString(c.name)
		put(c.sum)
		put(uint32(len(c.file)))
		b.Write(c.file)
	}
	return b.Bytes()
}

// recordAtMost is how much is recorded if the user does not say.
const recordAtMost = 512 << 20

// probed runs the program with probes and calls read with the recording.
func (t Target) probed(ctx context.Context, x *experiment, read func([]byte, outcome) error) (outcome, error) {
	size := t.Record
	if size == 0 {
		size = recordAtMost
	}
	name, err := recordingFile(x.dir, size)
	if err != nil {
		return outcome{}, err
	}
	defer os.Remove(name)
	o, err := t.run(ctx, x.p, x.jar, x.w, x.dir, map[string]string{
		"log": filepath.Join(x.dir, fileLog), "substitutes": filepath.Join(x.dir, fileSubstitutes),
		"record": name, "bytes": fmt.Sprint(size), "hits": fmt.Sprint(x.hits), "retransform": wanted(),
	})
	if err != nil {
		return o, fmt.Errorf("with probes: %w", err)
	}
	b, unmap, err := execution.Map(name)
	if err != nil {
		return o, fmt.Errorf("recording: %w", err)
	}
	defer unmap()
	if len(b) == 0 {
		return o, errNoRecording
	}
	return o, read(b, o)
}

// recordingFile makes the file that is recorded to.
func recordingFile(dir string, size int64) (string, error) {
	dir = execution.RecordingDir(dir, size)
	f, err := os.CreateTemp(dir, scratch.Name(dir, "tierscope-")+".java")
	if err != nil {
		return "", fmt.Errorf("recording: %w", err)
	}
	return f.Name(), f.Close()
}

// boot is what a JVM needs before it runs a program and after: the quickest run
// of one that only tells its version.
func (p *program) boot(ctx context.Context, w trace.Workload, dir string) (outcome, error) {
	version := &program{java: p.java, args: []string{"-version"}}
	const runs = 5
	var quickest outcome
	for i := range runs {
		o, err := version.batch(ctx, trace.Workload{Cores: w.Cores}, time.Minute, dir)
		if err != nil {
			return o, err
		}
		if i == 0 || o.Wall < quickest.Wall {
			quickest = o
		}
	}
	return quickest, nil
}

// record makes a recorded run and a trace of it, and says without which probes
// it should be repeated; nil: it need not be.
func (t Target) record(ctx context.Context, x *experiment) (tr *trace.Trace, o outcome, muted map[int]bool, err error) {
	var agent reading
	disk, err := execution.RecordDisk(t.Disk)
	if err != nil {
		return nil, o, nil, err
	}
	stop := sync.OnceValues(disk.Stop)
	o, err = t.probed(ctx, x, func(b []byte, o outcome) error {
		j, err := checkedJournal(x.dir)
		if err != nil {
			return err
		}
		r, err := parseRecording(b)
		if err != nil {
			return err
		}
		if o.until > 0 {
			r.cut(o.until)
		}
		j.again(r.made)
		r.stopped(readStops(filepath.Join(x.dir, fileStops)))
		if overrun := x.hits > 0 && r.overrun(); overrun || r.tooMuch(o) {
			if muted = r.mutable(x.in, j, o); len(muted) == 0 && !overrun {
				muted = nil
			}
		}
		requests, err := stop()
		if err != nil {
			return err
		}
		tr = decode(r, j, x.in, x.boot.CPU.Nanoseconds(), x.boot.Wall.Nanoseconds())
		tr.Program = x.w.Program
		agent = o.own.at(j.ready)
		tr.ProcessCPU = (o.CPU - max(o.warm.CPU, time.Duration(agent.all)-x.boot.CPU)).Nanoseconds()
		o.own.ownWork(tr, x.w.Load != nil, j.ready, r.zero-x.boot.Wall.Nanoseconds())
		tr.Calibration.Cores = runtime.NumCPU()
		if o.Work[1] > 0 {
			shift := x.boot.Wall.Nanoseconds() - r.zero
			tr.WorkStart, tr.WorkEnd = o.Work[0]+shift, o.Work[1]+shift
		}
		tr.Disk = disk.OfProgram(r.gap.outside(requests, r.zero), tr, r.zero-x.boot.Wall.Nanoseconds())
		tr.Warnings = append(t.doubts(r, j, x.in, o, x.w), requests.Warnings...)
		return nil
	})
	if _, stopErr := stop(); err == nil { // where the run failed nobody has stopped it
		err = stopErr
	}
	o.agent = agent
	o.CPU -= max(time.Duration(agent.all)-x.boot.CPU, 0)
	return tr, o, muted, err
}

// doubts are the reasons for which the trace may be less than it should.
func (t Target) doubts(r *recording, j *journal, in *instrumented, o outcome, w trace.Workload) []string {
	var ws []string
	warn := func(format string, args ...any) { ws = append(ws, fmt.Sprintf(format, args...)) }
	if o.Stopped {
		warn("the program did not end by itself: it was stopped after %v", o.Wall.Round(time.Second))
	}
	if r.full {
		warn("the recording was full: what happened later is missing; record a shorter run or allow more")
	}
	if !r.clock {
		warn("this JVM has no CPU clock for threads: elapsed time was used, which is too long on a busy machine")
	}
	if len(r.clockless) > 0 && r.clock {
		warn("%d virtual threads have no CPU clock: the time between their operations counts as computation", len(r.clockless))
	}
	if o.Work[1] > 0 && o.WorkCPU > 0 {
		if share := float64(o.own.at(o.Work[1]).compiler-o.own.at(o.Work[0]).compiler) / float64(o.WorkCPU); share > warmShare {
			warn("the JVM was not warm after %v of load: its compilers took %.0f %% of the CPU time in the work phase, and code that is not compiled yet is slow; make the warm-up longer (--load-warmup)", o.warm.Time.Round(time.Second), 100*share)
		}
	}
	if len(j.troubles) > 0 {
		warn("the agent had %d troubles; the first: %s", len(j.troubles), j.troubles[0])
	}
	if len(in.skipped) > 0 {
		warn("%d methods are without probes; the first: %s", len(in.skipped), in.skipped[0])
	}
	return ws
}

// progress makes a function that tells how far a stage is.
func progress(stage string, report func(analysis.Progress)) func(done float64, format string, args ...any) {
	return func(done float64, format string, args ...any) {
		if report != nil {
			report(analysis.Progress{Stage: stage, Done: done, Fact: fmt.Sprintf(format, args...)})
		}
	}
}
