package timeline

import (
	"math"
	"slices"

	"tierscope/simulation/des"
)

// Group is what a track shows one of.
type Group uint8

// Groups of tracks, in the order of drawing.
const (
	Threads Group = iota
	Cores
	Locks
	Disks
	Queues
)

// groupNames are the names of the groups.
var groupNames = [...]string{"threads", "cores", "locks", "disks", "queues"}

func (g Group) String() string { return groupNames[g] }

// State is what a lane does.
type State uint8

// States. Running is also a core that computes, a lock that is held and a disk
// that serves.
const (
	Running     State = iota
	Ready             // waits for a core
	LockWait          // until others have left a lock
	SignalWait        // until others have done something: at a channel, a condition, a barrier
	DiskWait          // in the scheduler queue
	DiskService       // in the device
	QueueWait         // waits for a task, or for room to put one
	Delay             // sleeps, or waits for something outside the model
	Other             // waits for threads to begin or end
	States            // their number
)

var stateNames = [States]string{"running", "ready", "lock wait", "signal wait", "disk wait", "disk service", "queue wait", "delay", "thread wait"}

func (s State) String() string { return stateNames[s] }

// NoTask marks a span that belongs to no task.
const NoTask int64 = -1

// Span is a time during which a lane is in one state.
type Span struct {
	Start, End des.Time
	Task       int64
	Label      int32 // Recording.LabelText
	State      State
}

// Step is the value of a counter from a time on.
type Step struct {
	At    des.Time
	Value int64
}

// Recording is the timeline of one replication. It belongs to one goroutine
// while it grows; afterwards, from Finish on, any number may read it.
type Recording struct {
	Lanes    []*Lane
	Counters []*Counter
	Until    des.Time // end of what was recorded
	Full     bool     // the limit was reached before the run ended

	left   int
	latest des.Time // begin of a span
	labels []string
	index  map[string]int32
	done   bool
}

// Lane is a track of spans that do not overlap, in order of time.
type Lane struct {
	Group Group
	Name  string
	Spans []Span

	open   bool // the last span has no end yet
	woken  []wake
	levels [][]block
}

// Counter is a track of a number that changes in steps.
type Counter struct {
	Group Group
	Name  string
	Steps []Step
}

// New returns an empty recording of at most limit spans and steps.
func New(limit int) *Recording {
	return &Recording{left: limit, index: map[string]int32{}}
}

// Dilated returns a recording that has ended, in which all takes longer by a factor.
func (r *Recording) Dilated(by float64) *Recording {
	if by == 1 {
		return r
	}
	later := func(t *des.Time) { *t = des.Time(math.Round(float64(*t) * by)) }
	out := *r
	later(&out.Until)
	out.Lanes, out.Counters = nil, nil
	lanes := map[*Lane]*Lane{}
	for _, l := range r.Lanes {
		n := &Lane{Group: l.Group, Name: l.Name, Spans: slices.Clone(l.Spans), woken: slices.Clone(l.woken)}
		for i := range n.Spans {
			later(&n.Spans[i].Start)
			later(&n.Spans[i].End)
		}
		n.build()
		lanes[l] = n
		out.Lanes = append(out.Lanes, n)
	}
	for _, l := range out.Lanes {
		for i := range l.woken {
			later(&l.woken[i].at)
			l.woken[i].by = lanes[l.woken[i].by]
		}
	}
	for _, c := range r.Counters {
		n := &Counter{Group: c.Group, Name: c.Name, Steps: slices.Clone(c.Steps)}
		for i := range n.Steps {
			later(&n.Steps[i].At)
		}
		out.Counters = append(out.Counters, n)
	}
	return &out
}

// Lane adds a track of states and returns its number.
func (r *Recording) Lane(g Group, name string) int32 {
	r.Lanes = append(r.Lanes, &Lane{Group: g, Name: name})
	return int32(len(r.Lanes) - 1)
}

// Counter adds a track of a number, 0 at first, and returns its number.
func (r *Recording) Counter(g Group, name string) int32 {
	r.Counters = append(r.Counters, &Counter{Group: g, Name: name})
	return int32(len(r.Counters) - 1)
}

// Label returns the number of a text that says what a lane does.
func (r *Recording) Label(text string) int32 {
	i, ok := r.index[text]
	if !ok {
		i = int32(len(r.labels))
		r.labels = append(r.labels, text)
		r.index[text] = i
	}
	return i
}

// LabelText returns the text of a label.
func (r *Recording) LabelText(i int32) string { return r.labels[i] }

// Recording reports whether there is still room; the simulator may spare itself
// the rest when there is none.
func (r *Recording) Recording() bool { return !r.Full }

// room takes one place, or ends the recording.
func (r *Recording) room(at des.Time) bool {
	if r.left == 0 && !r.Full {
		r.Finish(at)
		r.Full = true
	}
	if r.Full {
		return false
	}
	r.left--
	return true
}

// Set says that a lane is in a state from a time on, which is not before the
// last time given. A state that lasts no time leaves no span, and one that goes
// on unchanged makes its span longer.
func (r *Recording) Set(lane int32, at des.Time, s State, label int32, task int64) {
	if r.Full {
		return
	}
	r.latest = max(r.latest, at)
	l := r.Lanes[lane]
	if n := len(l.Spans); n > 0 {
		last := &l.Spans[n-1]
		same := last.State == s && last.Label == label && last.Task == task
		switch {
		case same && (l.open || last.End == at):
			l.open = true
			return
		case l.open && last.Start == at: // replaces a state of no time
			*last = Span{Start: at, Task: task, Label: label, State: s}
			l.rejoin()
			return
		case l.open:
			last.End = at
		}
	}
	l.open = false
	if r.room(at) {
		l.Spans = append(l.Spans, Span{Start: at, Task: task, Label: label, State: s})
		l.open = true
	}
}

// rejoin lets the last span continue the one before it, if it says the same.
func (l *Lane) rejoin() {
	n := len(l.Spans)
	if n < 2 {
		return
	}
	a, b := &l.Spans[n-2], &l.Spans[n-1]
	if a.End == b.Start && a.State == b.State && a.Label == b.Label && a.Task == b.Task {
		l.Spans = l.Spans[:n-1]
	}
}

// Clear says that a lane is idle from a time on.
func (r *Recording) Clear(lane int32, at des.Time) {
	if !r.Full {
		r.Lanes[lane].close(at)
	}
}

// close ends the open span, if any.
func (l *Lane) close(at des.Time) {
	if !l.open {
		return
	}
	l.open = false
	last := &l.Spans[len(l.Spans)-1]
	if last.End = at; last.Start == at {
		l.Spans = l.Spans[:len(l.Spans)-1]
	}
}

// Count says that a counter has a value from a time on.
func (r *Recording) Count(counter int32, at des.Time, value int64) {
	if r.Full {
		return
	}
	c := r.Counters[counter]
	n := len(c.Steps)
	switch {
	case n > 0 && c.Steps[n-1].Value == value, n == 0 && value == 0:
	case n > 0 && c.Steps[n-1].At == at:
		c.Steps[n-1].Value = value
	case r.room(at):
		c.Steps = append(c.Steps, Step{at, value})
	}
}

// Finish ends the recording at a time and prepares it for drawing. It does
// nothing to a recording that has ended.
func (r *Recording) Finish(at des.Time) {
	if r.done {
		return
	}
	r.done = true
	at = max(at, r.latest)
	r.Until = at
	for _, l := range r.Lanes {
		l.close(at)
		l.build()
	}
}
