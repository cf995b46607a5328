package load

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/analysis/trace"
)

func commandLoad(command string) trace.Load {
	return trace.Load{URL: "127.0.0.1:11211", Command: command, Rate: 10, Warmup: 0.1, Duration: 0.4, Seed: 7}
}

func TestALoadCommandTellsOfItsRequests(t *testing.T) {
	// {rate}/s, two requests in the work phase of 0.4 s, of which one failed, one in the warm-up.
	marks := make(chan time.Time, 2)
	mark := func() { marks <- time.Now() }
	began := time.Now()
	r, err := Drive(t.Context(), commandLoad(`printf 'a word first\nsent_s, end_s, error\n0.05,0.06,\n0.2,0.25,\n0.3,0.4,refused\n'; sleep {seconds}; : {rate}`), Hooks{mark, mark})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 2 || r.Failures != 1 || r.FirstError != "refused" || r.X != 1/0.4 || math.Abs(r.R.Mean-0.05) > 1e-12 || len(r.Hits) != 3 || r.Offered != 5 {
		t.Errorf("the report is %+v", r)
	}
	if a, b := <-marks, <-marks; a.Sub(began) < 100*time.Millisecond || b.Sub(a) < 300*time.Millisecond {
		t.Errorf("the work phase was from %v to %v", a.Sub(began), b.Sub(began))
	}
}

func TestALoadCommandIsToldTheLoad(t *testing.T) {
	l := commandLoad(`echo {address} {rate} {connections} {think} {warmup} {duration} {seconds} {seed} ${HOME} {results}`)
	told, err := l.Told("/tmp/r")
	if want := "echo 127.0.0.1:11211 10 0 0 0.1 0.4 0.5 7 ${HOME} /tmp/r"; err != nil || told != want {
		t.Errorf("it is told %q (%v), want %q", told, err, want)
	}
}

func TestALoadCommandMayLeaveAFileWithUnixTimes(t *testing.T) {
	r, err := Drive(t.Context(), commandLoad(`now=$(date +%s.%N); echo "due_s,sent_s,end_s" >{results}; awk -v t=$now 'BEGIN { printf "%.6f,%.6f,%.6f\n", t + .2, t + .21, t + .22 }' >>{results}; sleep {seconds}; : {rate}`), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != 1 || r.Requests != 1 || math.Abs(r.R.Mean-0.01) > 1e-5 || math.Abs(r.Lag.Mean-0.01) > 1e-5 {
		t.Errorf("the report is %+v", r)
	}
}

func TestALoadCommandMaySayASummaryOnly(t *testing.T) {
	r, err := Drive(t.Context(), commandLoad(`sleep {seconds}; echo '{"throughput_per_s": 9.5, "response_mean_s": 0.002, "response_p50_s": 0.001, "failures": 1, "at": {rate}}'`), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if r.X != 9.5 || r.R.Mean != 0.002 || r.R.P50 != 0.001 || !math.IsNaN(r.R.P99) || r.Failures != 1 || r.Requests != 5 || r.Offered != 10 {
		t.Errorf("the report is %+v", r)
	}
}

func TestALoadCommandThatIsWrongIsSaidToBe(t *testing.T) {
	for name, c := range map[string]struct{ command, want string }{
		"it ends early":        {`: {rate}`, "it ended after"},
		"no results":           {`sleep {seconds}; echo all fine at {rate}`, "no results that can be read"},
		"it fails":             {`echo cannot connect >&2; exit 3; : {rate}`, "cannot connect"},
		"a word":               {`echo {rate} {port}`, "{port}, which means nothing"},
		"no rate":              {`sleep {seconds}`, "put {rate} into it"},
		"a number":             {`printf 'sent_s,end_s\n0.1,later\n'; sleep {seconds}; : {rate}`, "line 2 of its results"},
		"answers before asked": {`printf 'sent_s,end_s\n0.2,0.1\n'; sleep {seconds}; : {rate}`, "before it is sent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Drive(t.Context(), commandLoad(c.command), Hooks{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestALoadCommandEndsWithAllItStarted(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := Drive(ctx, commandLoad(`(while :; do date +%N >`+alive+`; sleep 0.01; done) & sleep 60; : {rate}`), Hooks{})
		done <- err
	}()
	for {
		if _, err := os.Stat(alive); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("a load that was cancelled is no error")
	}
	last, _ := os.ReadFile(alive)
	time.Sleep(100 * time.Millisecond)
	if now, _ := os.ReadFile(alive); string(now) != string(last) {
		t.Error("what the command started goes on")
	}
}

func FuzzResults(f *testing.F) {
	f.Add("sent_s,end_s\n0.1,0.2\n")
	f.Add("sent_s,end_s,due_s,error\n1e9,1e9,1e9,\n")
	f.Add(`{"throughput_per_s": 9.5, "response_mean_s": 0.002, "response_p50_s": 0.001}`)
	f.Fuzz(func(t *testing.T, printed string) {
		r, err := ReadResults(strings.NewReader(printed))
		if err != nil {
			return
		}
		if (r.Summary == nil) == (len(r.Hits) == 0) {
			t.Errorf("results are requests or a summary: %+v", r)
		}
		for _, h := range r.Hits {
			if !(h.End >= h.Sent) {
				t.Errorf("a request that is answered before it is sent: %+v", h)
			}
		}
	})
}
