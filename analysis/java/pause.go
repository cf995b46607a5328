package java

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"tierscope/analysis"
	"tierscope/analysis/execution"
	"tierscope/analysis/java/hotspot"
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
	headAsked = 32
	headFrom  = 40
	headTo    = 48
)

const (
	idleTime     = 300 * time.Millisecond // after which a server has nothing to do any more
	pauseTimeout = 5 * time.Second
)

// warmed is a drive that warms the server up before it puts the load on it,
// with the recording, "" if there is none, interrupted meanwhile.
func warmed(drive execution.Drive, pid int, recording string, result *hotspot.Warmth) execution.Drive {
	return func(ctx context.Context, l *analysis.Load, mark func()) (int64, error) {
		if err := setPause(ctx, recording, 1, headFrom); err != nil {
			return 0, err
		}
		press := func(ctx context.Context, l analysis.Load) error {
			_, err := drive(ctx, &l, func() {})
			return err
		}
		w, err := hotspot.Warm(ctx, *l, press, func() []hotspot.Thread { return hotspot.Threads(pid) })
		if err != nil {
			return 0, err
		}
		*result = w
		if err := setPause(ctx, recording, 0, headTo); err != nil {
			return 0, err
		}
		return drive(ctx, l, mark)
	}
}

// setPause asks the agent for a pause, or for its end, and waits until the
// agent has written the time of it.
func setPause(ctx context.Context, recording string, asked uint64, answer int64) error {
	if recording == "" {
		return nil
	}
	f, err := os.OpenFile(recording, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	defer f.Close()
	if err := wait(ctx, idleTime); err != nil {
		return err
	}
	word := binary.LittleEndian.AppendUint64(nil, asked)
	if _, err := f.WriteAt(word, headAsked); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	for deadline := time.Now().Add(pauseTimeout); ; {
		if _, err := f.ReadAt(word, answer); err != nil {
			return fmt.Errorf("recording: %w", err)
		}
		if binary.LittleEndian.Uint64(word) != 0 {
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
