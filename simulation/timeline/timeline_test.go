package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

func TestALaneKeepsWhatItDoesAsSpans(t *testing.T) {
	t.Parallel()
	r := timeline.New(100)
	lane := r.Lane(timeline.Threads, "worker 0")
	parse, lock := r.Label("parse"), r.Label("L1")
	r.Set(lane, 10, timeline.Running, parse, 1)
	r.Set(lane, 20, timeline.Running, parse, 1) // goes on unchanged
	r.Set(lane, 30, timeline.LockWait, lock, 1)
	r.Set(lane, 30, timeline.Ready, lock, 1) // the wait took no time
	r.Clear(lane, 50)
	r.Set(lane, 50, timeline.Ready, lock, 1) // and goes on after all
	r.Set(lane, 60, timeline.Running, parse, 1)
	r.Clear(lane, 60) // no time
	r.Set(lane, 70, timeline.Running, parse, 2)
	r.Finish(90)
	want := "[10–30 running parse 1] [30–60 ready L1 1] [70–90 running parse 2] "
	got := ""
	for _, s := range r.Lanes[lane].Spans {
		got += fmt.Sprintf("[%d–%d %v %s %d] ", s.Start, s.End, s.State, r.LabelText(s.Label), s.Task)
	}
	if got != want {
		t.Errorf("spans\n got %s\nwant %s", got, want)
	}
	if s, ok := r.Lanes[lane].At(65); ok {
		t.Errorf("at 65 the lane is idle, not %v", s)
	}
	if s, ok := r.Lanes[lane].At(30); !ok || s.State != timeline.Ready {
		t.Errorf("at 30 the lane is ready, not %v", s)
	}
}

// A full recording ends for all tracks at the same moment, so that a picture
// never shows one thread running while the others seem idle.
func TestAFullRecordingEndsForAllTracksAtOnce(t *testing.T) {
	t.Parallel()
	r := timeline.New(3)
	a, b := r.Lane(timeline.Threads, "a"), r.Lane(timeline.Threads, "b")
	x := r.Label("x")
	r.Set(a, 0, timeline.Running, x, timeline.NoTask)
	r.Set(b, 10, timeline.Running, x, timeline.NoTask)
	r.Set(a, 20, timeline.Ready, x, timeline.NoTask)
	r.Set(b, 30, timeline.Ready, x, timeline.NoTask) // no room
	r.Set(a, 40, timeline.Running, x, timeline.NoTask)
	r.Count(r.Counter(timeline.Queues, "q"), 50, 7)
	r.Finish(99)
	if !r.Full || r.Recording() || r.Until != 30 {
		t.Errorf("full %t until %v, want full until 30ns", r.Full, r.Until)
	}
	for _, l := range r.Lanes {
		if last := l.Spans[len(l.Spans)-1]; last.End != 30 {
			t.Errorf("lane %s ends at %v, want 30ns", l.Name, last.End)
		}
	}
	if n := len(r.Counters[0].Steps); n != 0 {
		t.Errorf("a counter has %d steps after the end", n)
	}
}

// Whatever the zoom, the blocks of a preview are in order, do not overlap, are
// at most two a pixel, and their times in each state are those of the spans
// that they stand for, each span once.
func TestPreviewsShowTheExactTimeInEachState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 2000).Draw(t, "spans")
		random := des.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0)
		r := timeline.New(n + 1)
		lane := r.Lane(timeline.Threads, "x")
		at := des.Time(0)
		for range n {
			r.Set(lane, at, timeline.State(random.Uint32n(uint32(timeline.States))), r.Label("x"), int64(random.Uint32n(5)))
			at += des.Time(math.Exp(12 * random.Float64()))
			if random.Uint32n(3) == 0 {
				r.Clear(lane, at)
				at += des.Time(random.Uint32n(1000))
			}
		}
		r.Finish(at)
		l := r.Lanes[lane]
		from := des.Time(random.Float64() * float64(at))
		to := from + 1 + des.Time(random.Float64()*float64(at-from))
		pixels := rapid.IntRange(1, 300).Draw(t, "pixels")
		blocks := l.Preview(nil, from, to, pixels)
		if most := 2*pixels + 2; len(blocks) > most {
			t.Fatalf("%d blocks on %d pixels", len(blocks), pixels)
		}
		next := 0
		for i, b := range blocks {
			if i == 0 {
				next = b.First
			} else if b.Start < blocks[i-1].End {
				t.Fatalf("block %d begins at %v, before %v", i, b.Start, blocks[i-1].End)
			}
			if b.First != next || b.Start != l.Spans[b.First].Start || b.End != l.Spans[b.First+b.Spans-1].End {
				t.Fatalf("block %d is %v–%v, spans %d+%d; the spans begin with %d", i, b.Start, b.End, b.First, b.Spans, next)
			}
			var spent [timeline.States]des.Time
			for _, s := range l.Spans[b.First : b.First+b.Spans] {
				spent[s.State] += s.End - s.Start
			}
			if spent != b.Spent {
				t.Fatalf("block %d spends %v, its spans %v", i, b.Spent, spent)
			}
			next += b.Spans
		}
		for i, s := range l.Spans { // everything visible is shown
			visible := s.End > from && s.Start < to
			shown := len(blocks) > 0 && i >= blocks[0].First && i < next
			if visible && !shown {
				t.Fatalf("span %d, %v–%v, is not shown in %v–%v", i, s.Start, s.End, from, to)
			}
		}
	})
}

func TestCountersPreviewTheirExtremesPerPixel(t *testing.T) {
	t.Parallel()
	r := timeline.New(10)
	q := r.Counter(timeline.Queues, "q")
	for i, v := range []int64{0, 2, 5, 1, 1, 3} {
		r.Count(q, des.Time(10*i), v)
	}
	r.Finish(60)
	got := fmt.Sprint(r.Counters[q].Preview(nil, 0, 60, 3))
	if want := "[{0 2} {1 5} {1 3}]"; got != want {
		t.Errorf("counter preview %s, want %s", got, want)
	}
	if n := len(r.Counters[q].Steps); n != 4 {
		t.Errorf("%d steps, want 4: a value that stays is none", n)
	}
}

// The export is the JSON object form of the trace event format: every complete
// event has name, ts and dur in microseconds, pid and tid; names of processes
// and threads are metadata events.
func TestChromeTraceSaysWhatTheRecordingSays(t *testing.T) {
	t.Parallel()
	r := timeline.New(100)
	lane := r.Lane(timeline.Threads, `worker "0"`)
	r.Set(lane, 1500, timeline.LockWait, r.Label("lock ☃"), 42)
	r.Clear(lane, 4_000_000_001)
	q := r.Counter(timeline.Queues, "tasks")
	r.Count(q, 7, 3)
	r.Finish(5_000_000_000)
	var out bytes.Buffer
	if err := r.WriteChrome(&out); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Ph, Name, Cat string
			Pid, Tid      int
			Ts, Dur       json.Number
			Args          map[string]any
		}
	}
	if err := json.Unmarshal(out.Bytes(), &trace); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, out.String())
	}
	var got []string
	for _, e := range trace.TraceEvents {
		switch {
		case e.Ph == "M" && e.Name == "thread_name":
			got = append(got, fmt.Sprintf("thread %v %d %d", e.Args["name"], e.Pid, e.Tid))
		case e.Ph == "X":
			got = append(got, fmt.Sprint(e.Name, ", ", e.Cat, " ", e.Ts, "+", e.Dur, " task ", e.Args["task"], e.Pid, e.Tid))
		case e.Ph == "C":
			got = append(got, fmt.Sprint("counter ", e.Name, " ", e.Ts, " ", e.Args["value"]))
		}
	}
	want := `[thread worker "0" 1 1 lock ☃, lock wait 1.500+3999998.501 task 42 1 1 counter tasks 0.007 3]`
	if fmt.Sprint(got) != want {
		t.Errorf("events\n got %v\nwant %v", got, want)
	}
}

// Whatever is recorded, the trace is one that viewers take: every event has its
// phase, process, thread and name; complete events of a thread are in order and
// do not overlap, for their slices would nest; the steps of a counter are in
// order; every thread and process that has events has a name.
func TestEveryChromeTraceIsWellFormed(t *testing.T) {
	t.Parallel()
	type event struct {
		Ph, Name *string
		Pid, Tid *int
		Ts, Dur  *float64
		Args     map[string]any
	}
	rapid.Check(t, func(t *rapid.T) {
		random := des.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0)
		r := timeline.New(rapid.IntRange(1, 200).Draw(t, "spans"))
		for i := range rapid.IntRange(1, 4).Draw(t, "lanes") {
			lane := r.Lane(timeline.Group(random.Uint32n(3)), fmt.Sprintf("lane %d \\ \"☃\"", i))
			at := des.Time(0)
			for range 60 {
				r.Set(lane, at, timeline.State(random.Uint32n(uint32(timeline.States))), r.Label("x\n"), int64(random.Uint32n(3))-1)
				at += des.Time(random.Uint32n(3000))
				if random.Uint32n(4) == 0 {
					r.Clear(lane, at)
				}
			}
		}
		q := r.Counter(timeline.Queues, "q")
		for i := range des.Time(20) {
			r.Count(q, 100*i, int64(random.Uint32n(3)))
		}
		r.Finish(1_000_000)
		var out bytes.Buffer
		if err := r.WriteChrome(&out); err != nil {
			t.Fatal(err)
		}
		var trace struct{ TraceEvents []event }
		if err := json.Unmarshal(out.Bytes(), &trace); err != nil {
			t.Fatal(err)
		}
		named := map[[2]int]bool{}
		last := map[[2]int]float64{}
		for _, e := range trace.TraceEvents {
			if e.Ph == nil || e.Name == nil || e.Pid == nil || e.Tid == nil {
				t.Fatalf("an event without ph, name, pid or tid: %+v", e)
			}
			thread := [2]int{*e.Pid, *e.Tid}
			switch *e.Ph {
			case "M":
				if *e.Name == "thread_name" || *e.Name == "process_name" {
					named[thread] = true
				}
			case "X":
				if e.Ts == nil || e.Dur == nil || *e.Dur < 0 || *e.Ts < last[thread]-1e-9 || !named[thread] || !named[[2]int{*e.Pid, 0}] {
					t.Fatalf("%q after %v µs on thread %v (named: %t): %+v", *e.Name, last[thread], thread, named[thread], e)
				}
				last[thread] = *e.Ts + *e.Dur
			case "C":
				key := [2]int{*e.Pid, -1}
				if _, number := e.Args["value"].(float64); e.Ts == nil || *e.Ts < last[key] || !number {
					t.Fatalf("a counter's step after %v µs: %+v", last[key], e)
				}
				last[key] = *e.Ts
			default:
				t.Fatalf("an event of phase %q", *e.Ph)
			}
		}
	})
}

// million is a recording of a million spans on 100 lanes.
func million() *timeline.Recording {
	const lanes, spans = 100, 10_000
	r := timeline.New(lanes * spans)
	random := des.NewStream(1, 0, 0)
	x := r.Label("x")
	end := des.Time(0)
	for i := range lanes {
		lane := r.Lane(timeline.Threads, fmt.Sprint("thread ", i))
		at := des.Time(0)
		for k := range spans {
			r.Set(lane, at, timeline.State(random.Uint32n(uint32(timeline.States))), x, int64(k))
			at += 1 + des.Time(random.Exponential()*1e6)
		}
		end = max(end, at)
	}
	r.Finish(end)
	return r
}

// One operation is one frame: all lanes of a million spans, at three zooms. A
// window redraws smoothly below 16 ms.
func BenchmarkPreviewMillionSpans(b *testing.B) {
	r := million()
	for _, part := range []int{1, 20, 500} {
		b.Run(fmt.Sprintf("zoom=%d", part), func(b *testing.B) {
			var blocks []timeline.Block
			total := 0
			for b.Loop() {
				total = 0
				for _, l := range r.Lanes {
					blocks = l.Preview(blocks[:0], r.Until/3, r.Until/3+r.Until/des.Time(part), 1500)
					total += len(blocks)
				}
			}
			b.ReportMetric(float64(total), "blocks")
		})
	}
}

func BenchmarkWriteChrome(b *testing.B) {
	r := million()
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := r.WriteChrome(&out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(out.Len())/1e6, "MB")
}
