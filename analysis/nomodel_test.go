package analysis_test

import (
	"errors"
	"strings"
	"testing"

	"tierscope/analysis"
	"tierscope/analysis/corpus"
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// A mutex has no operation send: a trace in which something is sent to one
// contradicts itself, and Build says which element of the model would be wrong
// instead of returning it.
func TestATraceThatContradictsItselfGivesNoModel(t *testing.T) {
	t.Parallel()
	in, err := corpus.Load("exam")
	if err != nil {
		t.Fatal(err)
	}
	mutex := objectOf(in.Trace, trace.OpLock)
	for i := range in.Trace.Threads {
		for j := range in.Trace.Threads[i].Records {
			if r := &in.Trace.Threads[i].Records[j]; r.Op == trace.OpSend {
				r.Object = mutex
			}
		}
	}
	m, _, err := analysis.Build(in, trail.Options{})
	if m != nil || !errors.Is(err, trail.ErrNoModel) || !strings.Contains(err.Error(), `has no operation "send"`) {
		t.Errorf("model %v, error %v; want no model, and an error that names the send", m, err)
	}
}

// objectOf is the object of the first record of an operation.
func objectOf(t *trace.Trace, op trace.Op) uint64 {
	for i := range t.Threads {
		for _, r := range t.Threads[i].Records {
			if r.Op == op && r.Object != 0 {
				return r.Object
			}
		}
	}
	return 0
}
