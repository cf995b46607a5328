package execution

import (
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

// What the threads compute and how long they stay decides, not the process, which starts and is recorded for as long as the
// machine likes; a program under a load ends when the load does.
func TestShortIsWhatTheThreadsDo(t *testing.T) {
	for _, x := range []struct {
		name      string
		used, end time.Duration
		w         trace.Workload
		want      string
	}{
		{"a moment", time.Millisecond, 3 * time.Millisecond, trace.Workload{Args: []string{"1"}}, `too short to analyse, give it more work (its arguments were ["1"]); if it reads its standard input, give it a file (--stdin FILE): it had none`},
		{"a moment, of a file", time.Millisecond, 3 * time.Millisecond, trace.Workload{Stdin: "f"}, "too short to analyse, give it more work (its arguments were [])"},
		{"computes", 11 * time.Millisecond, 12 * time.Millisecond, trace.Workload{}, ""},
		{"sleeps", time.Millisecond, 300 * time.Millisecond, trace.Workload{}, ""},
		{"a load", time.Millisecond, 3 * time.Millisecond, trace.Workload{Load: &trace.Load{}}, ""},
	} {
		tr := &trace.Trace{End: x.end.Nanoseconds(), Threads: []trace.Thread{{Records: []trace.Record{{CPU: x.used.Nanoseconds() / 2}, {CPU: x.used.Nanoseconds()}}}, {}}}
		const took = 5 * time.Second // a busy host
		err := TooShort(x.w, tr, took)
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v, want enough", x.name, err)
		case x.want != "" && (err == nil || !strings.HasSuffix(err.Error(), x.want) || !strings.Contains(err.Error(), "after 5s")):
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
	}
}
