package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/native/recorder"
	"tierscope/analysis/pools"
	"tierscope/analysis/trace"
)

// sampleHz is the rate of stack samples, per second of CPU of each thread.
const sampleHz = 100

// Sample runs the program with stack samples.
func (t Target) Sample(ctx context.Context, w trace.Workload, dir string, report func(analysis.Progress)) (*trace.Samples, error) {
	tell := progress("sample", report)
	s, err := t.prepare(ctx, w, dir)
	if err != nil {
		return nil, err
	}
	tell(0.1, "sampling a run")
	var samples *trace.Samples
	var muted []address
	full := false
	sampled := func(t Target) (execution.Outcome, error) {
		return t.recorded(ctx, s, w, func(r *recording, names *addresses) error {
			tr := r.decode(names, w.Load == nil)
			samples, full = r.samples(tr), r.full
			muted, _ = r.mutable(tr, names, r.most(tr))
			return nil
		}, fmt.Sprint("TIERSCOPE_HZ=", sampleHz))
	}
	o, err := sampled(t.beginning())
	if err == nil && full {
		if err = s.mute(muted); err == nil {
			o, err = sampled(t)
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Stopped {
		if err := w.Endless(t.timeout(w)); err != nil {
			return nil, err
		}
	}
	samples.Program = w.Program
	tell(1, "%d threads in %d groups, %d library functions", len(samples.Threads), len(samples.Groups), len(samples.Library))
	return samples, nil
}

// samples makes a call trie of what threads were seen at: a sampled one at its work, one that waits at its
// operation, as many times as samples would have fallen into the wait, once at least.
func (r *recording) samples(t *trace.Trace) *trace.Samples {
	samples := &trace.Samples{Groups: pools.ThreadGroups(t)}
	calls := trace.NewCallTrie(samples)
	for i := range t.Threads {
		th := &t.Threads[i]
		samples.Threads = append(samples.Threads, trace.SampleThread{ID: th.ID, Start: th.Start, Created: trace.FramesAt(t.Sites, th.Creator), Born: th.Born, Ended: th.Ended})
		for _, h := range r.threads[th.ID].hits {
			if h.op == recorder.Sample && int(h.context) < len(t.Sites) {
				calls.Add(th.ID, t.Sites[h.context].Frames, 1)
			}
		}
		for k := range th.Records {
			if end, ok := trace.EndOf(th.Records, k); ok && end.Time-th.Records[k].Time > trace.Slack {
				const nanoseconds = 1_000_000_000
				calls.Add(th.ID, trace.FramesAt(t.Sites, th.Records[k].Site), max(1, (end.Time-th.Records[k].Time)*sampleHz/nanoseconds))
			}
		}
	}
	slices.SortFunc(samples.Threads, func(x, y trace.SampleThread) int { return cmp.Compare(x.ID, y.ID) })
	samples.Library = pools.LibraryFunctions(samples)
	return samples
}
