// Package background runs long work away from the window's goroutine and
// brings its results home. The runner of the real window is the only user of
// fyne.Do, which gui hands to New.
package background

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Runner starts work. Everything handed back to the caller runs on one
// goroutine: Fyne's, or in tests the one that calls Settle.
type Runner struct {
	post func(func())

	mu     sync.Mutex
	wake   *sync.Cond
	active int
	queue  []func() // only of a local runner
}

// New returns a runner that brings results home with post, which runs a
// function on the window's goroutine, later and in order: fyne.Do.
func New(post func(func())) *Runner {
	r := &Runner{post: post}
	r.wake = sync.NewCond(&r.mu)
	return r
}

// NewLocal returns a runner whose results wait until Settle is called: for
// tests and for pictures without a display.
func NewLocal() *Runner {
	r := New(nil)
	r.post = func(f func()) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.queue = append(r.queue, f)
		r.wake.Broadcast()
	}
	return r
}

// Settle runs waiting results on the calling goroutine until no work is
// active. It panics on a runner that is not local.
func (r *Runner) Settle() {
	r.SettleUntil(func() bool { return false })
}

// SettleUntil is Settle, but returns as soon as done reports true.
func (r *Runner) SettleUntil(done func() bool) {
	for !done() {
		r.mu.Lock()
		for len(r.queue) == 0 && r.active > 0 {
			r.wake.Wait()
		}
		if len(r.queue) == 0 {
			r.mu.Unlock()
			return
		}
		f := r.queue[0]
		r.queue = r.queue[1:]
		r.mu.Unlock()
		f()
	}
}

// Post runs f on the window's goroutine, later.
func (r *Runner) Post(f func()) { r.post(f) }

// Work is a piece of long work that reports values of type P while it goes
// and ends with a T. It returns soon after ctx is done.
type Work[P, T any] func(ctx context.Context, report func(P)) (T, error)

// Start runs work on a goroutine of its own. progress (may be nil) and done
// run on the window's goroutine; progress values that come faster than the
// window takes them are dropped except for the latest, and none comes after
// done or a cancel, so that nothing is drawn before it is known that the work has
// ended. A panic in work becomes an error. The returned function cancels.
func Start[P, T any](r *Runner, work Work[P, T], progress func(P), done func(T, error)) context.CancelFunc {
	ctx, cancel := context.WithCancel(context.Background())
	r.mu.Lock()
	r.active++
	r.mu.Unlock()
	var (
		mu      sync.Mutex
		latest  P
		pending bool
		ended   bool // only on the window's goroutine
	)
	report := func(p P) {
		mu.Lock()
		defer mu.Unlock()
		latest = p
		if pending || progress == nil {
			return
		}
		pending = true
		r.post(func() {
			mu.Lock()
			p := latest
			pending = false
			mu.Unlock()
			if !ended && ctx.Err() == nil {
				progress(p)
			}
		})
	}
	go func() {
		v, err := guarded(ctx, work, report)
		r.post(func() {
			ended = true
			cancel()
			done(v, err)
		})
		r.mu.Lock()
		r.active--
		r.wake.Broadcast()
		r.mu.Unlock()
	}()
	return cancel
}

// PanicError is a defect of Tierscope that showed in background work.
type PanicError struct {
	Value any
	Stack []byte
}

// Error says what happened without the stack, which Diagnostics shows.
func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error: %v (please report it; details are under Diagnostics)", e.Value)
}

func guarded[P, T any](ctx context.Context, work Work[P, T], report func(P)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, debug.Stack()}
		}
	}()
	return work(ctx, report)
}
