package timeline

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/simulation/des"
	recording "tierscope/simulation/timeline"
)

// given is what a worker waits for until main puts it into a queue at 4 ms; it computes for 3 ms, then main goes on for 1 ms.
func given() *recording.Recording {
	r := recording.New(100)
	main, worker := r.Lane(recording.Threads, "main"), r.Lane(recording.Threads, "worker")
	ms := func(n int) des.Time { return des.Time(n) * 1_000_000 }
	r.Set(main, 0, recording.Running, r.Label("read"), recording.NoTask)
	r.Set(worker, 0, recording.QueueWait, r.Label("jobs"), recording.NoTask)
	r.Woke(worker, ms(4), main)
	r.Set(worker, ms(4), recording.Running, r.Label("serve"), 1)
	r.Set(main, ms(4), recording.SignalWait, r.Label("reply"), recording.NoTask)
	r.Woke(main, ms(7), worker)
	r.Set(main, ms(7), recording.Running, r.Label("write"), recording.NoTask)
	r.Clear(worker, ms(7))
	r.Clear(main, ms(8))
	r.Finish(ms(8))
	return r
}

// Arrows lead along the critical path from thread to thread, and to what was tapped from who let it go on; the picture has them.
func TestArrowsLeadFromWhoLetAThreadGoOn(t *testing.T) {
	v := viewed(t)
	v.SetRecording(given())
	v.SetPath(v.rec.Critical())
	if got, want := fmt.Sprint(v.turns), "[{4000000 main worker} {7000000 worker main}]"; got != want {
		t.Errorf("the path turns at %s, want %s", got, want)
	}
	between := func() (line []color.Color) { // the rows' bars
		picture := v.paint(gutter+1000, 300)
		for x := gutter; x < gutter+1000; x++ {
			line = append(line, picture.At(x, int(at(v, 1, 0).Y)-rowHeight/2+1))
		}
		return line
	}
	with := between()
	v.SetPath(nil)
	var turns []int
	for i, c := range between() {
		if n := len(turns); c != with[i] && (n == 0 || turns[n-1] < i-headSize) {
			turns = append(turns, i)
		}
	}
	if len(turns) != 2 || max(turns[0], 500)-min(turns[0], 500) > 2 || max(turns[1], 875)-min(turns[1], 875) > 2 { // 125 pixels a millisecond
		t.Errorf("arrows are drawn at %d pixels, want 500 and 875", turns)
	}
	v.Tapped(&fyne.PointEvent{Position: at(v, 1, 2.5)})
	if got, want := fmt.Sprint(v.arrows), "[{4000000 main worker}]"; got != want {
		t.Errorf("arrows to the waiting worker are %s, want %s", got, want)
	}
	if got, want := v.Details(), "worker: waits for jobs since 0 s, for 4.00 ms ← woken by main: running read."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	v.Tapped(&fyne.PointEvent{Position: at(v, 0, 9.4)})
	if got, want := fmt.Sprint(v.arrows), "[{7000000 worker main}]"; got != want {
		t.Errorf("arrows to the writing main thread are %s, want %s", got, want)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(v.arrows) > 0 {
		t.Errorf("arrows %v to nothing", v.arrows)
	}
}
