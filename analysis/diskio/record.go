package diskio

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Recorder records the requests to disks while a program runs.
type Recorder interface {
	// Name is a word for reports: "tracefs", "ebpf".
	Name() string
	// Lacks says what it cannot see, for reports.
	Lacks() []string
	// Usable says why it cannot be used here and now; nil: it can.
	Usable() error
	// Start begins a recording. Nothing of it stays enabled in the kernel
	// after Stop, nor after the death of this process.
	Start(Scope) (Recording, error)
}

// Recording is a recording under way.
type Recording interface {
	// Stop ends it and returns what was recorded. It must be called once.
	Stop() (Log, error)
}

// Scope says what to record. The zero value is all requests to all disks.
type Scope struct {
	Devices []uint64 // whole disks, as Request.Device; nil: all
	Threads []int64  // record the system calls on files of these threads, and of those that they start
	// Interrupts records what completing requests takes of the processors, where the
	// recorder can.
	Interrupts bool
}

// Call is a system call on a file.
type Call struct {
	Thread     int64
	Name       string // "pread64"
	Start, End int64
}

// ErrNoRecorder says that no recorder can be used.
var ErrNoRecorder = errors.New("the requests to the disk cannot be recorded")

// Recorders lists the recorders, the best first.
func Recorders() []Recorder { return recorders() }

// Choose returns the best recorder that can be used; what it lacks begins with
// why no better one was. Its error wraps ErrNoRecorder and says of each why not.
func Choose() (Recorder, error) { return choose(Recorders()) }

func choose(all []Recorder) (Recorder, error) {
	reasons := []error{ErrNoRecorder}
	var passed []string
	for _, r := range all {
		err := r.Usable()
		if err == nil {
			return fallback{r, passed}, nil
		}
		reasons = append(reasons, fmt.Errorf("%s: %w", r.Name(), err))
		passed = append(passed, fmt.Sprintf("the recorder %s, which comes before, cannot be used: %v", r.Name(), err))
	}
	return nil, errors.Join(reasons...)
}

// fallback is a recorder with the reasons for which better ones were passed
// over.
type fallback struct {
	Recorder
	passed []string
}

// Lacks begins with the reasons.
func (f fallback) Lacks() []string { return append(slices.Clone(f.passed), f.Recorder.Lacks()...) }

// capture is what a recorder of the kernel's events has collected: by CPU, in
// order of time each.
type capture struct {
	source string
	blocks [][]event
	calls  [][]callEvent
	missed int64

	interrupts []Interrupt
}

// callEvent is the begin or the end of a system call.
type callEvent struct {
	time   int64
	thread int64
	name   string
	end    bool
}

// log joins the events of all CPUs. whole turns a partition into its disk.
func (c *capture) log(s Scope, whole func(uint64) uint64) Log {
	a := newAssembler(c.source, "monotonic")
	for _, e := range merge(c.blocks, func(e *event) int64 { return e.time }) {
		e.device = whole(e.device)
		if s.Devices == nil || slices.Contains(s.Devices, e.device) {
			a.add(e)
		}
	}
	log := a.finish()
	log.Interrupts = c.interrupts
	log.Warnings = nil // requests cut off at the begin and the end are no trouble
	if a.endless > 0 {
		log.Warnings = append(log.Warnings, fmt.Sprintf("the kernel did not tell the end of %d or more requests of %d: they are left out", a.endless, len(log.Requests)))
	}
	if c.missed > 0 {
		log.Warnings = append(log.Warnings, fmt.Sprintf("the kernel's buffer was full %d times: events are missing", c.missed))
	}
	begun := map[int64]callEvent{}
	for _, e := range merge(c.calls, func(e *callEvent) int64 { return e.time }) {
		b, ok := begun[e.thread]
		if !e.end {
			begun[e.thread] = e
		} else if ok && b.name == e.name {
			log.Calls = append(log.Calls, Call{e.thread, e.name, b.time, e.time})
			delete(begun, e.thread)
		}
	}
	return log
}

// merge sorts lists into one by time.
func merge[E any](lists [][]E, time func(*E) int64) []E {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b E) int { return cmp.Compare(time(&a), time(&b)) })
	return all
}
