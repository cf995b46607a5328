package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

// early is the part of the load's time by which a command may end before it.
// Convention, sensitivity none: the numbers of a work phase that lacks so little are those of the whole.
const early = 0.05

// mostMessages is how many bytes of a command's messages are kept, of the end.
const mostMessages = 4096

// command runs the command that sends the load, and reads what it left of its requests.
func (g *generator) command(ctx context.Context) (*Results, time.Duration, error) {
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-load-"))
	if err != nil {
		return nil, 0, fmt.Errorf("load: %w", err)
	}
	defer os.RemoveAll(dir) // a folder for temporary files
	file := filepath.Join(dir, "results")
	text, err := g.load.Told(file)
	if err != nil {
		return nil, 0, err
	}
	timeout := defaultTimeout
	if g.load.Timeout > 0 {
		timeout = seconds(g.load.Timeout)
	}
	patience := seconds(g.workEnd()) + timeout
	bounded, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it had not ended %v after the work phase", timeout))
	defer cancel()
	var printed bytes.Buffer
	var messages lastBytes
	cmd := exec.CommandContext(bounded, "/bin/sh", "-c", text)
	cmd.Stdout, cmd.Stderr = &printed, &messages
	cmd.WaitDelay = time.Second // for what it started and left behind
	alone(cmd)
	err = cmd.Run()
	took := time.Since(g.began)
	var cpu time.Duration
	if cmd.ProcessState != nil {
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	complain := func(err error) (*Results, time.Duration, error) {
		return nil, cpu, fmt.Errorf("load: the load command, %q: %w%s", text, err, messages.said())
	}
	switch {
	case ctx.Err() != nil:
		return nil, cpu, fmt.Errorf("load: %w", context.Cause(ctx))
	case bounded.Err() != nil:
		return complain(context.Cause(bounded))
	case err != nil:
		return complain(err)
	case took.Seconds() < (1-early)*g.workEnd():
		return complain(fmt.Errorf("it ended after %.3g s, and the work phase would have ended after %.3g s: let it send for %s seconds",
			took.Seconds(), g.workEnd(), trace.WordSeconds))
	}
	left, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		left, err = printed.Bytes(), nil
	}
	if err != nil {
		return complain(err)
	}
	results, err := ReadResults(bytes.NewReader(left))
	if err != nil {
		return complain(err)
	}
	return results.since(g.began), cpu, nil
}

// since counts the times of requests from the beginning of the load if they are Unix times.
func (r *Results) since(began time.Time) *Results {
	if len(r.Hits) == 0 || r.Hits[0].Sent < unixTimes {
		return r
	}
	zero := float64(began.UnixNano()) * 1e-9
	for i := range r.Hits {
		h := &r.Hits[i]
		h.Due, h.Sent, h.End = h.Due-zero, h.Sent-zero, h.End-zero
	}
	return r
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct{ kept []byte }

func (b *lastBytes) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p...)
	b.kept = b.kept[max(0, len(b.kept)-mostMessages):]
	return len(p), nil
}

// said is what there is as an addition to an error.
func (b *lastBytes) said() string {
	if text := strings.TrimSpace(string(b.kept)); text != "" {
		return "\n" + text
	}
	return ""
}
