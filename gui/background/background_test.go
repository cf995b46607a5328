package background

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestResultsComeHomeOnTheCallersGoroutineInOrder(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	var got []int // written without a lock: the race detector checks the promise
	for i := range 3 {
		release := make(chan struct{})
		Start(r, func(_ context.Context, report func(int)) (int, error) {
			report(10 * i)
			<-release
			return 10*i + 1, nil
		}, func(p int) { got = append(got, p) }, func(v int, err error) {
			if err != nil {
				t.Errorf("work %d: %v", i, err)
			}
			got = append(got, v)
		})
		r.SettleUntil(func() bool { return len(got) == 2*i+1 })
		close(release)
		r.Settle()
	}
	want := []int{0, 1, 10, 11, 20, 21}
	if len(got) != len(want) {
		t.Fatalf("results %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("results %v, want %v", got, want)
		}
	}
}

// A simulation reports thousands of times a second; the window must not
// collect a backlog.
func TestOnlyTheLatestProgressIsDelivered(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	var seen []int
	ended := false
	Start(r, func(_ context.Context, report func(int)) (struct{}, error) {
		for i := range 1000 {
			report(i)
		}
		return struct{}{}, nil
	}, func(p int) { seen = append(seen, p) }, func(struct{}, error) { ended = true })
	// Nothing is delivered until the work is over: Settle waits for the first
	// posted function, and the work posts one for all its reports unless the
	// window takes it in between.
	r.Settle()
	if !ended {
		t.Fatal("the end was not reported")
	}
	if n := len(seen); n == 0 || seen[n-1] != 999 {
		t.Errorf("progress %v, want it to end with the latest value 999", seen)
	}
}

func TestCancelReachesTheWork(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	var got error
	cancel := Start(r, func(ctx context.Context, _ func(int)) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}, nil, func(_ int, err error) { got = err })
	cancel()
	r.Settle()
	if !errors.Is(got, context.Canceled) {
		t.Errorf("error %v, want %v", got, context.Canceled)
	}
}

func TestAPanicInWorkIsAnErrorNotTheEndOfTheWindow(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	var got error
	Start(r, func(context.Context, func(int)) (int, error) { panic("index out of range") }, nil,
		func(_ int, err error) { got = err })
	r.Settle()
	var p *PanicError
	if !errors.As(got, &p) || !strings.Contains(got.Error(), "index out of range") {
		t.Errorf("error %v, want a PanicError that quotes the panic", got)
	}
}

// Who cancels waits for the end, and not for pictures of what was on its way.
func TestNoProgressIsDeliveredAfterACancel(t *testing.T) {
	t.Parallel()
	r := NewLocal()
	reported := make(chan struct{})
	var seen []int
	ended := false
	cancel := Start(r, func(ctx context.Context, report func(int)) (struct{}, error) {
		report(1)
		close(reported)
		<-ctx.Done()
		report(2)
		return struct{}{}, ctx.Err()
	}, func(p int) { seen = append(seen, p) }, func(struct{}, error) { ended = true })
	<-reported
	cancel()
	r.Settle()
	if len(seen) > 0 || !ended {
		t.Errorf("after a cancel progress %v was delivered; ended: %v", seen, ended)
	}
}
