package analysis

import (
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// A thread that tries for a lock that it never gets, with next to nothing in between, spends no
// share of its time there that matters; but without that time it would try for ever at one moment.
// The model keeps so much that time passes, and says so.
func TestTimePassesForAThreadThatTriesForALockAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := newScript()
	main := s.thread("main", nil, 0)
	s.trace.Objects = append(s.trace.Objects, trace.Object{ID: 7, Kind: "mutex", Site: -1})
	main.does(trace.OpLock, "lock", 7, 0, 50)
	daemon := s.thread("daemon", main, 1000).compute(50_000_000)
	for range 1000 {
		daemon.compute(100).does(trace.OpTryLock, "try", 7, 0, 50)
	}
	main.compute(100_000_000).does(trace.OpUnlock, "unlock", 7, 0, 50).ends()
	_, r := s.build(t, trail.Options{})
	if !strings.Contains(strings.Join(r.Trust.Assumptions, "\n"), "significant") {
		t.Errorf("the trust report does not tell: %q", r.Trust.Assumptions)
	}
}
