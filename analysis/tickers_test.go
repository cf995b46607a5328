package analysis

import (
	"strings"
	"testing"
)

// Ticks of one ticker come every millisecond, whoever gets them. Where two
// threads take turns, twice as many would wait twice as long: the report says
// that the model does not know. One thread with the ticker of its own is right.
func TestTicksThatThreadsShareAreReported(t *testing.T) {
	t.Parallel()
	for _, tickers := range []uint64{1, 2} {
		s := newScript()
		main := s.thread("main", nil, 0)
		var ws []*actor
		for range 2 {
			ws = append(ws, s.thread("worker", main, 1_000))
		}
		for range 5 {
			for i, w := range ws {
				w.compute(100_000).does(OpReceive, "tick", 1+uint64(i)%tickers, 1, 1_900_000)
			}
		}
		for _, w := range ws {
			w.ends()
			main.now = max(main.now, w.now)
		}
		main.ends()
		_, r := s.build(t, Options{})
		said := strings.Contains(strings.Join(r.Trust.Assumptions, "\n"), "share the ticks")
		if shared := tickers == 1; said != shared {
			t.Errorf("%d tickers for two threads: reported as shared: %v, in %q", tickers, said, r.Trust.Assumptions)
		}
	}
}
