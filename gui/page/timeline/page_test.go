package timeline

import (
	"context"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/page/pagetest"
	"tierscope/simulation"
	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// story is a recording of one worker: it computes for 2 ms, waits 3 ms for a
// lock, is idle for 1 ms and computes 4 ms; beside it a queue that holds one
// task from 2 ms to 5 ms.
func story() *recording.Recording {
	r := recording.New(100)
	worker := r.Lane(recording.Threads, "worker 1")
	queue := r.Counter(recording.Queues, "tasks")
	ms := func(n int) des.Time { return des.Time(n) * 1_000_000 }
	r.Set(worker, 0, recording.Running, r.Label("parse"), 7)
	r.Set(worker, ms(2), recording.LockWait, r.Label("L3"), 7)
	r.Count(queue, ms(2), 1)
	r.Count(queue, ms(5), 0)
	r.Clear(worker, ms(5))
	r.Set(worker, ms(6), recording.Running, r.Label("send"), 8)
	r.Clear(worker, ms(10))
	r.Finish(ms(10))
	return r
}

func viewed(t *testing.T) *View {
	t.Helper()
	pagetest.Host(t)
	v := NewView()
	v.Resize(fyne.NewSize(gutter+1000, 300)) // 100 pixels a millisecond
	v.SetRecording(story())
	return v
}

// Of 10 ms the worker computes 6, waits 3 for a lock and is idle for 1: shares of a whole add up to it. One that waits at a queue
// without a task lacks tasks: it is no task that waits.
func TestTheSharesOfTheThreadsAddUp(t *testing.T) {
	v := viewed(t)
	if got, want := v.Details(), "In view, all threads: running 60 %, lock wait L3 30 %, idle 10 %."; got != want {
		t.Errorf("the view says %q, want %q", got, want)
	}
	r := recording.New(100)
	lane := r.Lane(recording.Threads, "worker 1")
	r.Set(lane, 0, recording.Running, r.Label("parse"), 7)
	r.Set(lane, 4_000_000, recording.QueueWait, r.Label("pending"), recording.NoTask)
	r.Finish(10_000_000)
	v.SetRecording(r)
	if got, want := v.Details(), "In view, all threads: no task in pending 60 %, running 40 %."; got != want {
		t.Errorf("the view says %q, want %q", got, want)
	}
}

// at is the middle of a row at a time in milliseconds.
func at(v *View, row int, ms float32) fyne.Position {
	y := float32(axisHeight)
	for i := 0; i <= row; i++ {
		if v.rows[i].first {
			y += headHeight
		}
		if i < row {
			y += rowHeight
		}
	}
	return fyne.NewPos(gutter+100*ms, y+rowHeight/2)
}

func TestPointingTellsWhatAThreadDoesAndForHowLong(t *testing.T) {
	v := viewed(t)
	for _, c := range []struct {
		row  int
		ms   float32
		want string
	}{
		{0, 1, "running, parse, for 2.00 ms, task 7"},
		{0, 3, "lock wait, L3, for 3.00 ms, task 7"},
		{0, 5.5, "idle"},
		{1, 3, "1 waiting"},
		{1, 7, "0 waiting"},
	} {
		if got := v.Says(at(v, c.row, c.ms)); !strings.Contains(got, c.want) {
			t.Errorf("row %d at %v ms: %q, want %q", c.row, c.ms, got, c.want)
		}
	}
	if got := v.Says(fyne.NewPos(10, 60)); got != "" {
		t.Errorf("the names say %q, want nothing", got)
	}
}

func TestBracketsStepFromEventToEvent(t *testing.T) {
	v := viewed(t)
	v.Tapped(&fyne.PointEvent{Position: at(v, 0, 1)})
	var steps []des.Time
	for _, r := range "]]][" {
		v.TypedRune(r)
		steps = append(steps, v.cursor/1_000_000)
	}
	want := []des.Time{2, 6, 6, 2} // after the last event the cursor stays
	for i := range want {
		if steps[i] != want[i] {
			t.Fatalf("cursor at %v ms, want %v", steps, want)
		}
	}
}

func TestZoomAndPanStayInsideTheRecording(t *testing.T) {
	v := viewed(t)
	before := v.timeAt(gutter + 300)
	v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(gutter+300, 50)}, Scrolled: fyne.Delta{DY: 100}})
	if d := v.timeAt(gutter+300) - before; d > 20_000 || d < -20_000 {
		t.Errorf("the time under the pointer moved by %v ns", d)
	}
	for range 50 {
		v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	}
	if v.to != v.rec.Until {
		t.Errorf("panning to the right ends at %v, want the end %v", v.to, v.rec.Until)
	}
	v.TypedRune('0')
	if v.from != 0 || v.to != v.rec.Until {
		t.Errorf("0 shows %v…%v, want everything", v.from, v.to)
	}
}

func TestTheLegendHasTheStatesThatThereAre(t *testing.T) {
	pagetest.Host(t)
	l := newLegend()
	l.show(story())
	if got := l.AccessibilityLabel(); got != "states of threads: runs, waits for a lock" {
		t.Errorf("the legend says %q", got)
	}
}

// Threads of a pool stand together by their numbers, ten after nine, however they came.
func TestThreadsAreInTheOrderOfTheirPools(t *testing.T) {
	t.Parallel()
	r := recording.New(10)
	for _, name := range []string{"pool #10", "collector #3", "pool #9 · B", "pool #9 · A", "lonely"} {
		r.Lane(recording.Threads, name)
	}
	var got []string
	for _, l := range ordered(r.Lanes, recording.Threads) {
		got = append(got, l.Name)
	}
	if want := "pool #9 · B, pool #9 · A, pool #10, collector #3, lonely"; strings.Join(got, ", ") != want {
		t.Errorf("the rows are %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestTheFilterKeepsMatchingRows(t *testing.T) {
	v := viewed(t)
	v.SetFilter("QUEUES")
	if len(v.rows) != 1 || v.rows[0].name != "tasks" {
		t.Errorf("rows %+v, want the queue", v.rows)
	}
}

func TestRecordingRunsInTheBackgroundAndIsExported(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.SetModel(pagetest.Model(), t.TempDir()+"/web.tier")
	h.Session.UseSimulator(func(_ context.Context, _ core.Model, _ map[string]float64, o simulation.Options) (*simulation.Result, error) {
		if o.Timeline == 0 || o.Replications != 1 {
			t.Errorf("asked for %d spans of %d replications, want a timeline of one", o.Timeline, o.Replications)
		}
		return &simulation.Result{Timeline: story()}, nil
	}, nil)
	p := New(h).(*Page)
	h.Session.GoPage(ID)
	pagetest.Show(t, h, p)
	p.record()
	h.Session.Runner.Settle()
	if p.rec == nil {
		t.Fatal("nothing was recorded")
	}
	pagetest.Picture(t, h, "timeline")
	test.AssertObjectRendersToMarkup(t, "recorded.xml", p.Content())
	p.export()
	h.Session.Runner.Settle()
	data, err := os.ReadFile(strings.TrimSuffix(h.Session.Path(), "/") + "-timeline.pftrace")
	if err != nil || !strings.Contains(string(data), "parse") {
		t.Errorf("exported %.80s (%v), want the trace with its labels", data, err)
	}
}

// A box that is ticked does something: what is on the screen is recorded again, as the box says.
func TestTheRecordedRunIsPutBesideAtOnce(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	recorded := 0
	h.Session.UseSimulator(func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
		recorded++
		return &simulation.Result{Timeline: story()}, nil
	}, nil)
	p.beside.SetChecked(true)
	h.Session.Runner.Settle()
	if recorded != 0 {
		t.Fatalf("%d recordings before any was asked for", recorded)
	}
	for want := 1; want <= 2; want++ {
		if want == 1 {
			p.record()
		} else {
			p.beside.SetChecked(false)
		}
		h.Session.Runner.Settle()
		if recorded != want {
			t.Errorf("%d recordings, want %d", recorded, want)
		}
	}
}

func TestWhatThePageLacksItSays(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	if !pagetest.Says(p.Content(), "Runs record totals only") {
		t.Error("before a recording the page does not say why it is empty")
	}
	h.Session.SetModel(nil, "")
	h.Session.Runner.Settle()
	if !pagetest.Says(p.Content(), "No model is open") {
		t.Error("without a model the page does not say so")
	}
}

func TestAFailedRecordingCanBeRepeated(t *testing.T) {
	h, p := pagetest.Open[*Page](t, New)
	h.Session.UseSimulator(func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
		return &simulation.Result{}, nil // without a timeline
	}, nil)
	pagetest.Press(t, h, p.Content(), "Record a timeline")
	if n := h.Session.Notice(); n == nil || !strings.Contains(n.Why+n.Details, "the run has no timeline") {
		t.Errorf("the notice is %+v", n)
	}
	if p.busy || !pagetest.Says(p.Content(), "Runs record totals only") {
		t.Error("after a failure the page does not offer to record")
	}
}

func TestTheWheelZoomsOrMovesInTimeAsTheAnalystWants(t *testing.T) {
	v := viewed(t)
	turn := &fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(gutter+500, 50)}, Scrolled: fyne.NewDelta(-100, 60)}
	v.Scrolled(turn)
	from, to := v.from, v.to
	if length := to - from; length >= 10_000_000 {
		t.Fatalf("turned, %v are seen of 10 ms, want less", length)
	}
	v.Scrolls = func() bool { return true }
	v.Scrolled(turn)
	if v.to-v.from != to-from || v.from <= from {
		t.Errorf("turned, one sees %v from %v on, want %v from later than %v", v.to-v.from, v.from, to-from, from)
	}
}

func TestKeysZoomPanAndSelectRows(t *testing.T) {
	v := viewed(t)
	whole := v.to - v.from
	v.TypedRune('+')
	if v.to-v.from >= whole {
		t.Error("+ does not zoom in")
	}
	from := v.from
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if v.from >= from {
		t.Error("the left arrow does not go back in time")
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if v.selected != 0 {
		t.Errorf("the down arrow selects row %d, want the first", v.selected)
	}
	v.TypedRune('0')
	if v.to-v.from != whole {
		t.Error("0 does not show the whole time")
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if v.selected != -1 {
		t.Error("Escape keeps the selection")
	}
}

// A frame has 16 ms. The recording has a million spans in 40 rows.
func BenchmarkPaintMillionSpans(b *testing.B) {
	r := recording.New(2_000_000)
	var lanes []int32
	for range 40 {
		lanes = append(lanes, r.Lane(recording.Threads, "worker"))
	}
	label := r.Label("work")
	for i := range 1_000_000 {
		r.Set(lanes[i%40], des.Time(i)*1000, recording.State(i/40%6), label, int64(i))
	}
	r.Finish(1_000_000 * 1000)
	v := NewView()
	v.Resize(fyne.NewSize(1200, 800))
	v.SetRecording(r)
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			v.redraw() // all of it again
			v.paint(1200, 800)
		}
	})
	b.Run("in motion", func(b *testing.B) {
		v.PaintWith(background.NewLocal()) // nothing comes home: every frame is a moved one
		for i := 0; b.Loop(); i++ {
			v.Zoom(600, 1+0.01*float64(i%3-1))
			v.paint(1200, 800)
		}
		v.PaintWith(nil)
	})
	v.show(400_000_000, 2_000_000)
	b.Run("zoomed", func(b *testing.B) {
		for b.Loop() {
			v.redraw()
			v.paint(1200, 800)
		}
	})
}
