package normalise

import (
	"slices"
	"testing"

	"tierscope/analysis/trace"
)

// Records that are put into others which are taken out come behind these.
func TestWhatIsPutIntoWhatIsTakenOutStays(t *testing.T) {
	t.Parallel()
	at := func(times ...int64) (rs []trace.Record) {
		for _, x := range times {
			rs = append(rs, trace.Record{Time: x})
		}
		return rs
	}
	tr := &trace.Trace{Threads: []trace.Thread{{Records: at(0, 1, 2, 3, 4)}}}
	got := edited(tr, map[int][]edit{0: {{1, 4, at(10)}, {2, 2, at(20)}, {5, 5, at(30)}}}).Threads[0].Records
	if want := at(0, 10, 20, 4, 30); !slices.Equal(got, want) {
		t.Errorf("records %v, want %v", got, want)
	}
}
