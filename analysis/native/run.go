package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
	"tierscope/project/scratch"
)

// environment is that of the program, with more settings.
func environment(w trace.Workload, more ...string) []string {
	return append(execution.Environment(w.Env), more...)
}

// run runs the program under the workload, with more environment.
func (t Target) run(ctx context.Context, p *program, w trace.Workload, dir string, more ...string) (execution.Outcome, error) {
	if err := w.GetReady(ctx); err != nil {
		return execution.Outcome{}, err
	}
	if w.Load != nil && t.Drive == nil {
		return execution.Outcome{}, errNoDrive
	}
	x := execution.Program{
		Path: p.called, Args: w.Args, Dir: w.Dir, Stdin: w.Stdin, Env: environment(w, more...), Cores: w.Cores, ExitStatus: w.ExitStatus,
		Messages: filepath.Join(dir, "stderr.txt"), Interrupt: syscall.SIGTERM,
	}
	return x.Under(ctx, w, t.Drive, t.timeout(w))
}

// recordingFile makes the file that is recorded to.
func recordingFile(dir string, size int64) (string, error) {
	dir = execution.RecordingDir(dir, size)
	f, err := os.CreateTemp(dir, scratch.Name(dir, "tierscope-")+".native")
	if err != nil {
		return "", fmt.Errorf("recording: %w", err)
	}
	defer f.Close()
	if strings.HasPrefix(f.Name(), "/dev/shm/") {
		err = f.Truncate(size) // there is room for it
	} else {
		err = execution.Reserve(f, size)
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("recording: %w", err)
	}
	return f.Name(), nil
}

// recordAtMost is how much is recorded if the user does not say, in bytes.
const recordAtMost = 512 << 20

// recorded runs the program with the recorder, and calls read with what it wrote.
func (t Target) recorded(ctx context.Context, s *subject, w trace.Workload, read func(*recording, *addresses) error, more ...string) (o execution.Outcome, err error) {
	name, err := recordingFile(s.dir, headSize+cmp.Or(t.Record, recordAtMost))
	if err != nil {
		return o, err
	}
	defer os.Remove(name)
	maps := name + ".maps"
	defer os.Remove(maps)
	preload := s.library
	if before := preloaded(w); before != "" {
		preload += ":" + before
	}
	env := append([]string{"LD_PRELOAD=" + preload, "TIERSCOPE_RECORDING=" + name, "TIERSCOPE_MAPS=" + maps, "TIERSCOPE_PROGRAM=" + s.path}, slices.Concat(s.muted, more)...)
	if o, err = t.run(ctx, s.program, w, s.dir, env...); err != nil {
		return o, err
	}
	b, unmap, err := execution.Map(name)
	if err != nil {
		return o, fmt.Errorf("recording: %w", err)
	}
	defer unmap()
	r, err := parseRecording(b)
	if err != nil {
		return o, err
	}
	text, err := os.ReadFile(maps)
	if err != nil {
		return o, fmt.Errorf("recording: %w", err)
	}
	return o, read(r, newAddresses(parseMaps(string(text))))
}

// preloaded is what the user puts between the program and its libraries: a faster allocator, say.
func preloaded(w trace.Workload) string {
	if v, ok := w.Env["LD_PRELOAD"]; ok {
		return v
	}
	return os.Getenv("LD_PRELOAD")
}

var errNoDrive = errors.New("native: a Target without Drive cannot put load on a server")
