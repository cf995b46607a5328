package background

import "context"

// Turns works at one thing at a time, beside the window. Of the things of one name only the latest counts: one that waits gives
// its turn to it, one that is being worked at is given up. All of it belongs to the window's goroutine but the work.
type Turns[T any] struct {
	runner  *Runner
	current *turn[T]
	waiting []*turn[T]
}

type turn[T any] struct {
	name, id string
	work     func(context.Context) T
	done     func(T)
	cancel   context.CancelFunc
	late     bool // another one of its name was asked for
}

// NewTurns returns one that has nothing to do.
func NewTurns[T any](r *Runner) *Turns[T] { return &Turns[T]{runner: r} }

// Ask has something worked out, unless it is under way already: what it is, of those of its name, says id. done gets it on the
// window's goroutine, unless another one of the name was asked for by then, or the work panicked.
func (t *Turns[T]) Ask(name, id string, work func(context.Context) T, done func(T)) {
	next := &turn[T]{name: name, id: id, work: work, done: done}
	if c := t.current; c != nil && c.name == name {
		if c.id == id && !c.late {
			return
		}
		c.late = true
		c.cancel()
	}
	for i, w := range t.waiting {
		if w.name == name {
			t.waiting[i] = next
			return
		}
	}
	t.waiting = append(t.waiting, next)
	t.next()
}

// Busy reports whether anything is worked at, or waits.
func (t *Turns[T]) Busy() bool { return t.current != nil }

func (t *Turns[T]) next() {
	if t.current != nil || len(t.waiting) == 0 {
		return
	}
	c := t.waiting[0]
	t.current, t.waiting = c, t.waiting[1:]
	c.cancel = Start(t.runner, func(ctx context.Context, _ func(struct{})) (T, error) { return c.work(ctx), nil }, nil, func(v T, err error) {
		t.current = nil
		t.next()
		if err == nil && !c.late {
			c.done(v)
		}
	})
}
