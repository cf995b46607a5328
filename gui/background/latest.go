package background

// Latest follows what changes faster than the window can follow: a value at once, and then, until the window has come to what was
// posted to it, only the latest. Whoever moves a mouse sees where it is, not where it was a second ago. All of it belongs to
// the window's goroutine.
type Latest[T any] struct {
	runner      *Runner
	follow      func(T)
	busy, waits bool
	latest      T
}

// NewLatest returns one that calls follow.
func NewLatest[T any](r *Runner, follow func(T)) *Latest[T] {
	return &Latest[T]{runner: r, follow: follow}
}

// Follow follows a value, now or when the window comes round, unless there is a later one by then.
func (l *Latest[T]) Follow(v T) {
	if l.busy {
		l.latest, l.waits = v, true
		return
	}
	l.busy = true
	l.runner.post(l.come)
	l.follow(v)
}

// Forget drops the value that waits.
func (l *Latest[T]) Forget() { l.waits = false }

func (l *Latest[T]) come() {
	l.busy = false
	if l.waits {
		l.waits = false
		l.Follow(l.latest)
	}
}
