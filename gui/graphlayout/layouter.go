package graphlayout

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Layouter lays out graphs and remembers layouts by content. It is safe for
// concurrent use.
type Layouter struct {
	run func(ctx context.Context, dot string) (plain string, err error)
	dir string // "" keeps layouts in memory only

	mu     sync.Mutex
	layout map[string]*Layout
	order  []string // keys of layout, the oldest first
}

// mostLayouts bounds the layouts in memory; the folder has the others.
const mostLayouts = 32

// New returns a layouter whose layouts are computed by the program at that path ("": the one
// beside this program or on the PATH) and kept in dir (made on first use; "" is memory
// only).
func New(program, dir string) *Layouter {
	return &Layouter{dir: dir, layout: map[string]*Layout{}, run: func(ctx context.Context, dot string) (string, error) {
		return compute(ctx, program, dot)
	}}
}

// Layout places g. The result is shared: callers do not change it. An error
// wraps ctx.Err() when ctx ended the work.
func (l *Layouter) Layout(ctx context.Context, g Graph) (*Layout, error) {
	if len(g.Nodes) == 0 {
		return &Layout{}, nil
	}
	dot := g.dot()
	key := hash(dot)
	l.mu.Lock()
	known, ok := l.layout[key]
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	plain, cached := l.stored(key)
	if !cached {
		var err error
		if plain, err = l.run(ctx, dot); err != nil {
			return nil, err
		}
	}
	out, err := parse(plain, g)
	if err != nil {
		return nil, err
	}
	if !cached {
		l.keep(key, plain)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, again := l.layout[key]; !again {
		l.order = append(l.order, key)
	}
	l.layout[key] = out
	if len(l.order) > mostLayouts {
		delete(l.layout, l.order[0])
		l.order = l.order[1:]
	}
	return out, nil
}

// Prepare makes ready what the first layout would wait for: the child
// compiles Graphviz for this machine and keeps that in the folder. It is to be
// called in the background; a failure shows again with the first layout.
func (l *Layouter) Prepare(ctx context.Context) {
	_, _ = l.Layout(ctx, Graph{Nodes: []Node{{W: 1, H: 1}}})
}

func (l *Layouter) stored(key string) (string, bool) {
	if l.dir == "" {
		return "", false
	}
	b, err := os.ReadFile(filepath.Join(l.dir, key+".plain"))
	return string(b), err == nil
}

// keep saves a layout. It is a cache: a full disk costs time, not an answer.
func (l *Layouter) keep(key, plain string) {
	if l.dir == "" || os.MkdirAll(l.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(l.dir, "layout-*")
	if err != nil {
		return
	}
	_, err = f.WriteString(plain)
	if errors.Join(err, f.Close()) != nil || os.Rename(f.Name(), filepath.Join(l.dir, key+".plain")) != nil {
		_ = os.Remove(f.Name()) // nothing more can be done about a file of a cache
	}
}
