package golang

import (
	"context"

	"tierscope/analysis"
	"tierscope/analysis/golang/scan"
)

// Scan reads the program's source and lists the operations that it can reach.
func (t Target) Scan(ctx context.Context, w analysis.Workload, s *analysis.Samples, _ string, report func(analysis.Progress)) (*analysis.Facts, error) {
	return scan.Program(ctx, w, s, report)
}
