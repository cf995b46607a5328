package work

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tierscope/project"
	"tierscope/project/scratch"
)

const (
	worthwhile = 5 * time.Second // what is over before that is not kept
	interval   = 5 * time.Second // between two notes
)

// Log keeps how far this process is. It never fails: what cannot be noted is not, and the
// work goes on.
type Log struct {
	mu   sync.Mutex
	work Work
	path string // "": nothing is kept
	last time.Time
	some bool // there is a file
}

// Begin starts to keep how far a command of this process is, whose arguments are given. unit is what it counts.
func Begin(unit string, args []string) *Log {
	l := &Log{work: Work{Args: withoutBackground(args), Unit: unit, Began: time.Now(), State: Running, Owner: scratch.Owner()}}
	var err1, err2, err3 error
	l.work.Program, err1 = os.Executable()
	l.work.Dir, err2 = os.Getwd()
	dir, err3 := folder()
	if errors.Join(err1, err2, err3) != nil {
		return l
	}
	tidy(dir, l.work.Began)
	l.path = filepath.Join(dir, l.work.id()+".json")
	if _, err := os.Stat(l.path); err == nil { // it goes on
		l.some = true
	}
	l.last = l.work.Began
	return l
}

// Report notes how far the work is; remaining is 0 if that is not known.
func (l *Log) Report(done, planned int, remaining time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.work.Done, l.work.Planned, l.work.Remaining = done, planned, nil
	if remaining > 0 {
		s := remaining.Seconds()
		l.work.Remaining = &s
	}
	if since := time.Since(l.last); since >= interval && time.Since(l.work.Began) >= worthwhile {
		l.save()
	}
}

// Waits notes why the work does not go on for now; "": it does.
func (l *Log) Waits(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.work.Problem = why
	l.save()
}

// End notes how the work ended: ended by a signal or a time limit, if ctx is, or by err.
func (l *Log) End(ctx context.Context, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.work.State, l.work.Problem, l.work.Remaining = Finished, "", nil
	switch {
	case ctx.Err() != nil:
		l.work.State, l.work.Problem = Stopped, "it was interrupted"
	case err != nil:
		l.work.State, l.work.Problem = Failed, err.Error()
	}
	if l.some || time.Since(l.work.Began) >= worthwhile {
		l.save()
	}
}

func (l *Log) save() {
	if l.path == "" {
		return
	}
	l.last, l.work.Updated = time.Now(), time.Now()
	l.some = project.Save(l.path, Format, &l.work) == nil || l.some
}

// background are the flags that say how a command is started, not what it does.
var background = []string{"--background", "--background=true"}

func withoutBackground(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return slices.Contains(background, a) })
}
