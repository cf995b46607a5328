package analysis

import (
	"context"

	"tierscope/analysis/trace"
)

// Target is a front end: it knows how to sample, scan and trace the programs
// of one language. Build and everything after it is the same for all.
type Target interface {
	// Name is the word for --target: "go", "java", "native".
	Name() string
	// Check says what is missing before anything starts: tools, permissions,
	// a program that does not build. nil: ready.
	Check(ctx context.Context, w trace.Workload) error
	Sample(ctx context.Context, w trace.Workload, dir string, report func(Progress)) (*trace.Samples, error)
	Scan(ctx context.Context, w trace.Workload, s *trace.Samples, dir string, report func(Progress)) (*trace.Facts, error)
	Trace(ctx context.Context, w trace.Workload, s *trace.Samples, f *trace.Facts, dir string, report func(Progress)) (*trace.Trace, error)
}

// Watcher is a Target that records one run more of a batch program, by what the stages left in their folder.
type Watcher interface {
	Watch(ctx context.Context, w trace.Workload, dir string) (*trace.Trace, error)
}

// Starter is a Target of which recordings begin when a process has started and end before it has ended.
type Starter interface {
	// Nothing are the files of a program that does nothing, by name.
	Nothing() map[string]string
}

// Progress is what a stage tells while it works: facts, not "please wait".
type Progress struct {
	Stage string  // "sample", "scan", "trace", "build"
	Done  float64 // 0…1, negative: not known
	Fact  string  // "2 pools, 3 single threads, 41 library functions"
}
