package java

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"tierscope/analysis/diskio"
	"tierscope/analysis/execution"
	"tierscope/analysis/java/hotspot"
	"tierscope/analysis/trace"
)

// A server is recorded from its start, where its threads, locks and queues are
// made, and again when it is warm. What happens between is not recorded: a minute
// at full speed would fill the file. The recording is interrupted and resumed
// while there is nothing to do, so that every thread waits at both ends of the gap
// in the same place; what begins before it ends after it.

// gap is the time, in ns since the start of the recording, in which only starts
// of threads were recorded; zero: there was none.
type gap struct{ from, to int64 }

// Places in the head of the recording (agent/source/tierscope/Pause.java).
const (
	headAsked   = 32
	headFrom    = 40
	headTo      = 48
	headChanges = 56
)

const (
	idleTime     = 300 * time.Millisecond // after which a server has nothing to do any more
	pauseTimeout = 5 * time.Second
)

// served is what a run of a server is besides its work phase.
type served struct {
	warm  hotspot.Warmth
	until int64   // CLOCK_MONOTONIC, ns: when the load of the work phase had ended
	more  float64 // CPU time of a request because it is recorded, as a share of what it is without; NaN: not measured
	// busier is what requests cost under a higher load, where they were not recorded;
	// nil: not measured.
	busier *trace.Busier
}

// warmed is a drive that warms the server up before it puts the load on it,
// with the recording, if there is one, interrupted meanwhile. After it, it finds
// out what recording costs, or if there is none what a higher load does.
func warmed(drive execution.Drive, pid, cores int, tape *switcher, used func() time.Duration, result *served) execution.Drive {
	return func(ctx context.Context, l *trace.Load, mark func()) (answers execution.Answers, err error) {
		result.more = math.NaN()
		if err := tape.pauseIdle(ctx, true); err != nil {
			return answers, err
		}
		press := func(ctx context.Context, l trace.Load) error {
			_, err := drive(ctx, &l, func() {})
			return err
		}
		if result.warm, err = hotspot.WarmUp(ctx, *l, pid, press); err != nil {
			return answers, err
		}
		if err := tape.pauseIdle(ctx, false); err != nil {
			return answers, err
		}
		answers, err = drive(ctx, l, mark)
		result.until = execution.Monotonic()
		switch {
		case err != nil:
		case tape != nil:
			result.more, err = tape.costByTurns(ctx, drive, *l, used)
		default:
			result.busier, err = costBusier(ctx, drive, *l, cores, used)
		}
		return answers, err
	}
}

// switcher interrupts and resumes a recording; nil: there is none.
type switcher struct {
	recording string // the file
	paused    bool
	changes   uint64 // that were asked for so far
}

// pauseIdle changes the recording when the server has nothing to do any more.
func (s *switcher) pauseIdle(ctx context.Context, paused bool) error {
	if s == nil {
		return nil
	}
	if err := wait(ctx, idleTime); err != nil {
		return err
	}
	return s.pause(ctx, paused)
}

// pause asks the agent for a pause, or for its end, and waits until it is so.
func (s *switcher) pause(ctx context.Context, paused bool) error {
	if paused == s.paused {
		return nil
	}
	f, err := os.OpenFile(s.recording, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	defer f.Close()
	asked := uint64(0)
	if paused {
		asked = 1
	}
	word := binary.LittleEndian.AppendUint64(nil, asked)
	if _, err := f.WriteAt(word, headAsked); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	s.paused = paused
	s.changes++
	for deadline := time.Now().Add(pauseTimeout); ; {
		if _, err := f.ReadAt(word, headChanges); err != nil {
			return fmt.Errorf("recording: %w", err)
		}
		if binary.LittleEndian.Uint64(word) >= s.changes {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the agent does not interrupt the recording within %v", pauseTimeout)
		}
		if err := wait(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// close takes out of a thread's clocks what it used in the gap.
func (g gap) close(hits []hit24) {
	if g.to == 0 || len(hits) == 0 {
		return
	}
	var cpu, ready int64
	before := hits[0]
	for i := range hits[1:] {
		h := &hits[i+1]
		now := *h
		if h.time > g.from && before.time < g.to {
			cpu += h.cpu - before.cpu
			ready += h.ready - before.ready
		}
		h.cpu -= cpu
		h.ready -= ready
		before = now
	}
}

// outside leaves out the requests to disks of the gap, in which no operation was
// recorded that they could belong to; zero is the start of the recording.
func (g gap) outside(l diskio.Log, zero int64) diskio.Log {
	l.Requests = slices.DeleteFunc(slices.Clone(l.Requests), func(r diskio.Request) bool {
		return r.Issued < zero+g.to && r.Completed > zero+g.from && g.to != 0
	})
	return l
}
