package golang

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	runtimetrace "golang.org/x/exp/trace"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
)

// sampleHz is the rate of stack samples, per second of CPU of each thread.
const sampleHz = 100

// Sample runs the program with stack samples and a first recording, from
// which it also chooses what the recording of Trace need not contain: the list
// goes to a file in dir.
func (t Target) Sample(ctx context.Context, w trace.Workload, dir string, report func(analysis.Progress)) (*trace.Samples, error) {
	tell := progress("sample", report)
	tell(0, "building with probes")
	s, err := t.prepare(ctx, w, filepath.Join(dir, "bin"))
	if err != nil {
		return nil, err
	}
	tell(0.4, "sampling a run")
	if err := os.Remove(filepath.Join(dir, muteFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("mute list: %w", err) // of an analysis before
	}
	name := filepath.Join(dir, "samples.trace")
	defer os.Remove(name)
	pilot := t
	pilot.Record = min(cmp.Or(t.Record, pilotSize), pilotSize)
	var samples *trace.Samples
	var probes string
	for attempt := 1; ; attempt++ {
		var o execution.Outcome
		hint := time.AfterFunc(hintAfter, func() {
			if w.Load != nil {
				return
			}
			tell(0.4, "sampling a run that takes longer than %v (a server needs --load-url; --timeout stops a program that does not end)", hintAfter)
		})
		probes, o, err = pilot.runProbed(ctx, s, w, dir, "TIERSCOPE_TRACE="+name, fmt.Sprint("TIERSCOPE_HZ=", sampleHz))
		hint.Stop()
		if err != nil {
			return nil, err
		}
		defer os.Remove(probes)
		if o.Stopped {
			if err := w.Endless(pilot.timeout(w)); err != nil {
				return nil, err
			}
		}
		tell(0.8, "reading the samples")
		if samples, err = readSampleFile(name, s.toolchain.Root); err == nil {
			break
		}
		if attempt == sampleAttempts || !errors.Is(err, errContradiction) {
			return nil, err
		}
		tell(0.4, "%v: sampling another run", err)
	}
	samples.Program = w.Program
	muted, full, err := t.pilot(ctx, s, probes, dir, samples)
	if err != nil {
		return nil, err
	}
	for attempt := 1; full && len(muted) > 0 && attempt < pilotAttempts; attempt++ {
		tell(0.9, "the recording was full before the end: recording again without %d operations that do not matter", len(muted))
		if muted, full, err = pilot.pilotAgain(ctx, s, w, dir, muted); err != nil {
			return nil, err
		}
	}
	tell(1, "%d goroutines in %d groups, %d library functions", len(samples.Threads), len(samples.Groups), len(samples.Library))
	return samples, nil
}

// sampleAttempts is how many runs are sampled until one has a trace that can be
// read: on a busy machine some contradict themselves.
const sampleAttempts = 3

// hintAfter is how long a run may take before the user is told what to do if it
// has no end.
const hintAfter = 20 * time.Second

// errContradiction says that an execution trace, as the run-time system wrote
// it, is not one that a program can have.
var errContradiction = errors.New("the execution trace contradicts itself")

func readSampleFile(name, goroot string) (*trace.Samples, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("execution trace: %w", err)
	}
	defer f.Close()
	return readSamples(f, goroot)
}

// pilotSize bounds the first recording, in bytes.
const pilotSize = 64 << 20

// pilotAttempts is how many recordings there are at most for the mute list. One that
// was full shows only how the program begins.
const pilotAttempts = 3

// pilot takes from the first recording the groups of goroutines and the mute
// list, which it returns; full: the recording was. The goroutines have the same numbers
// in both.
func (t Target) pilot(ctx context.Context, s *subject, probes, dir string, samples *trace.Samples) (muted []uint64, full bool, err error) {
	err = readProbes(probes, func(r *recording) error {
		var frames map[uint64][]trace.Frame
		ask := symbols(ctx, s.probed, s.toolchain.Root, dir)
		tr, err := r.decode(func(offsets []uint64) (map[uint64][]trace.Frame, error) {
			f, err := ask(offsets)
			frames = f
			return f, err
		})
		if err != nil {
			return err
		}
		samples.Groups = pools.ThreadGroups(tr)
		muted, full = r.mutable(frames), r.dropped > 0
		return writeMute(dir, muted)
	})
	return muted, full, err
}

// pilotAgain records once more, with what is muted so far, and mutes more.
func (t Target) pilotAgain(ctx context.Context, s *subject, w trace.Workload, dir string, muted []uint64) (more []uint64, full bool, err error) {
	probes, _, err := t.runProbed(ctx, s, w, dir)
	if err != nil {
		return nil, false, err
	}
	defer os.Remove(probes)
	err = readProbes(probes, func(r *recording) error {
		frames, err := symbols(ctx, s.probed, s.toolchain.Root, dir)(r.callers())
		if err != nil {
			return err
		}
		found := r.mutable(frames)
		if full = r.dropped > 0 && len(found) > 0; len(found) > 0 {
			muted = slices.Compact(slices.Sorted(slices.Values(slices.Concat(muted, found))))
		}
		return writeMute(dir, muted)
	})
	return muted, full, err
}

func readProbes(name string, use func(*recording) error) error {
	b, unmap, err := mapFile(name)
	if err != nil {
		return err
	}
	defer unmap()
	r, err := parseProbeFile(b)
	if err != nil {
		return err
	}
	return use(r)
}

func writeMute(dir string, muted []uint64) error {
	if err := writeFile(filepath.Join(dir, muteFile), encodeMute(muted)); err != nil {
		return fmt.Errorf("mute list: %w", err)
	}
	return nil
}

// readSamples makes a call trie of an execution trace with CPU samples. A
// sampler that looks at all threads sees blocked ones too: a wait counts as
// many samples as would have fallen into it, one at least.
func readSamples(r io.Reader, goroot string) (*trace.Samples, error) {
	tr, err := runtimetrace.NewReader(bufio.NewReaderSize(r, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("execution trace: %w", err)
	}
	samples := new(trace.Samples)
	b := &trieBuilder{
		std:     newLibrary(goroot),
		samples: samples,
		calls:   trace.NewCallTrie(samples),
		threads: map[runtimetrace.GoID]*goroutine{},
	}
	events := 0
	for {
		ev, err := tr.ReadEvent()
		if errors.Is(err, io.EOF) || events > 0 && cutOff(err) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w at event %d: %w", errContradiction, events, err)
		}
		events++
		b.event(ev)
	}
	if events == 0 {
		return nil, errors.New("execution trace: empty: the program ended before it began")
	}
	return b.finish(), nil
}

// cutOff says that a trace ends before it should: a signal killed the program,
// as it does a server that does not handle SIGINT. The last second is missing.
func cutOff(err error) bool {
	// the reader has no error value for the second
	return errors.Is(err, io.ErrUnexpectedEOF) || err != nil && strings.Contains(err.Error(), "trace likely truncated")
}

type goroutine struct {
	trace.SampleThread
	blocked []trace.Frame // where, while it waits
	since   runtimetrace.Time
}

type trieBuilder struct {
	std     library
	samples *trace.Samples
	calls   *trace.CallTrie
	threads map[runtimetrace.GoID]*goroutine
	origin  runtimetrace.Time
}

func (b *trieBuilder) thread(id runtimetrace.GoID) *goroutine {
	g := b.threads[id]
	if g == nil {
		g = &goroutine{SampleThread: trace.SampleThread{ID: int64(id)}}
		if id == 1 {
			g.Start = "main.main"
		}
		b.threads[id] = g
	}
	return g
}

func (b *trieBuilder) event(ev runtimetrace.Event) {
	if b.origin == 0 {
		b.origin = ev.Time()
	}
	switch ev.Kind() {
	case runtimetrace.EventStackSample:
		if id := ev.Goroutine(); id != runtimetrace.NoGoroutine {
			b.thread(id)
			b.calls.Add(int64(id), b.frames(ev.Stack()), 1)
		}
	case runtimetrace.EventStateTransition:
		if s := ev.StateTransition(); s.Resource.Kind == runtimetrace.ResourceGoroutine {
			b.transition(ev, s)
		}
	}
}

func (b *trieBuilder) transition(ev runtimetrace.Event, s runtimetrace.StateTransition) {
	from, to := s.Goroutine()
	g := b.thread(s.Resource.Goroutine())
	if from == runtimetrace.GoNotExist {
		g.Born = int64(ev.Time() - b.origin)
		g.Created = b.frames(ev.Stack())
		if f := b.frames(s.Stack); len(f) > 0 {
			g.Start = f[len(f)-1].Function
		}
	}
	if from == runtimetrace.GoWaiting && g.blocked != nil {
		b.calls.Add(g.ID, g.blocked, max(1, int64(ev.Time().Sub(g.since)*sampleHz/time.Second)))
		g.blocked = nil
	}
	switch to {
	case runtimetrace.GoWaiting:
		g.blocked, g.since = b.frames(s.Stack), ev.Time()
	case runtimetrace.GoNotExist:
		g.Ended = int64(ev.Time() - b.origin)
	}
	if g.Start == "" { // it was there before the trace
		if f := b.frames(s.Stack); len(f) > 0 {
			g.Start = f[len(f)-1].Function
		}
	}
}

// frames returns a stack, innermost frame first.
func (b *trieBuilder) frames(st runtimetrace.Stack) []trace.Frame {
	var out []trace.Frame
	for f := range st.Frames() {
		out = append(out, trace.Frame{Function: f.Func, File: f.File, Line: int(f.Line), Std: b.std.has(f.Func, f.File)})
	}
	return out
}

func (b *trieBuilder) finish() *trace.Samples {
	for _, g := range b.threads {
		b.samples.Threads = append(b.samples.Threads, g.SampleThread)
	}
	slices.SortFunc(b.samples.Threads, func(x, y trace.SampleThread) int { return int(x.ID - y.ID) })
	b.samples.Library = pools.LibraryFunctions(b.samples)
	return b.samples
}
