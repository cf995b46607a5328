package golang

import (
	"context"
	"strings"

	"tierscope/analysis"
	"tierscope/analysis/golang/scan"
	"tierscope/analysis/trace"
)

// Scan reads the program's source and lists the operations that it can reach.
func (t Target) Scan(ctx context.Context, w trace.Workload, s *trace.Samples, _ string, report func(analysis.Progress)) (*trace.Facts, error) {
	p, err := t.find(ctx, w)
	if err != nil {
		return nil, err
	}
	source := w
	if strings.Contains(w.Program, "@") {
		source.Program, source.Dir = p.pkg, p.dir
	}
	f, err := scan.Program(ctx, source, s, report)
	if err != nil {
		return nil, err
	}
	f.Program = w.Program
	return f, nil
}
