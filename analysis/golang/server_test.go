package golang

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/trace"
)

// inTurn is a Drive that sends requests one after the other: some before the
// work phase, n in it.
func inTurn(n int64) execution.Drive {
	return func(ctx context.Context, l *trace.Load, mark func()) (execution.Answers, error) {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
		get := func() error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL, nil)
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				return errors.New(resp.Status)
			}
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		}
		for i := range n + 10 {
			if i == 10 {
				mark()
			}
			if err := get(); err != nil {
				return execution.Answers{}, err
			}
		}
		mark()
		return execution.Answers{Tasks: n}, nil
	}
}

// free is an address at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Of a server, the work phase is known, and in it every request is a
// connection that the accept loop took and a worker answered: as many as were
// sent, by arithmetic.
func TestOfAServerTheRequestsOfTheWorkPhaseAreSeen(t *testing.T) {
	t.Parallel()
	const tornado = "../../testdata/programs/go/tornado"
	s := probed(t, tornado)
	const n = 50
	address := free(t)
	w := trace.Workload{
		Program: tornado, Args: []string{"-addr", address},
		Load: &trace.Load{URL: "http://" + address + "/page/1.html", Ready: address, Duration: 1},
	}
	tr, o, err := Target{Record: minProbeFile, Drive: inTurn(n)}.record(t.Context(), s, w, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if o.Tasks != n || o.WorkCPU <= 0 || tr.WorkStart <= 0 || tr.WorkEnd <= tr.WorkStart || tr.WorkEnd > tr.End {
		t.Fatalf("outcome %+v, work phase %d to %d of %d", o, tr.WorkStart, tr.WorkEnd, tr.End)
	}
	count := map[trace.Op]int{}
	for _, th := range tr.Threads {
		for _, r := range th.Records {
			if r.End && r.Time > tr.WorkStart && r.Time < tr.WorkEnd {
				count[r.Op]++
			}
		}
	}
	for _, op := range []trace.Op{trace.OpAccept, trace.OpSend, trace.OpOpen} {
		if count[op] < n-1 || count[op] > n+1 { // the last one may end after the mark
			t.Errorf("%d × %v in the work phase, want %d", count[op], op, n)
		}
	}
}

func TestAServerThatDoesNotAnswerIsStoppedAndTheErrorReported(t *testing.T) {
	t.Parallel()
	const tornado = "../../testdata/programs/go/tornado"
	s := probed(t, tornado)
	broken := errors.New("no route to host")
	address := free(t)
	w := trace.Workload{Program: tornado, Args: []string{"-addr", address}, Load: &trace.Load{URL: "http://" + address + "/", Ready: address}}
	_, _, err := Target{Record: minProbeFile, Drive: func(context.Context, *trace.Load, func()) (execution.Answers, error) {
		return execution.Answers{}, broken
	}}.record(t.Context(), s, w, t.TempDir())
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}
