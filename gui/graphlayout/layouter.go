package graphlayout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"a.tierscope/tempdir"
	graphviz "github.com/goccy/go-graphviz"
)

func init() { tempdir.Restore() }

// childArgument is the hidden first argument that turns our binary into the
// child process of a layout.
const childArgument = "graph-layout-child"

// Child reports whether args (os.Args without the program) ask for the child
// process; if so it has read a graph from in and written its layout to out.
// main calls it before anything else.
func Child(args []string, in io.Reader, out io.Writer) (bool, error) {
	if len(args) == 0 || args[0] != childArgument {
		return false, nil
	}
	dot, err := io.ReadAll(in)
	if err != nil {
		return true, err
	}
	plain, err := inProcess(context.Background(), string(dot))
	if err != nil {
		return true, err
	}
	_, err = io.WriteString(out, plain)
	return true, err
}

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

// New returns a layouter whose layouts are computed by a child process of the
// program at executable and kept in dir (made on first use; "" is memory only).
func New(executable, dir string) *Layouter {
	return &Layouter{dir: dir, layout: map[string]*Layout{}, run: func(ctx context.Context, dot string) (string, error) {
		return child(ctx, executable, dot)
	}}
}

// InProcess returns a layouter for tests and one-shot commands: one layout at
// a time, not to be cancelled, without a cache on disk.
func InProcess() *Layouter {
	return &Layouter{layout: map[string]*Layout{}, run: inProcess}
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

// Prepare makes ready what the first layout would wait for: the child process
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

// child runs Graphviz in a process of its own, which ctx kills.
func child(ctx context.Context, executable, dot string) (string, error) {
	cmd := exec.CommandContext(ctx, executable, childArgument)
	cmd.Stdin = strings.NewReader(dot)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("graphlayout: %w", ctx.Err())
	}
	if err != nil {
		return "", fmt.Errorf("graphlayout: child process: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// engine is go-graphviz's one instance of a process.
var engine struct {
	sync.Mutex
	g *graphviz.Graphviz
}

func inProcess(ctx context.Context, dot string) (string, error) {
	engine.Lock()
	defer engine.Unlock()
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("graphlayout: %w", err)
	}
	if engine.g == nil {
		g, err := graphviz.New(context.WithoutCancel(ctx))
		if err != nil {
			return "", fmt.Errorf("graphlayout: %w", err)
		}
		engine.g = g
	}
	parsed, err := graphviz.ParseBytes([]byte(dot))
	if err != nil {
		return "", fmt.Errorf("graphlayout: %w", err)
	}
	var out strings.Builder
	// Only the plain format is ever asked for: an unknown one poisons the instance.
	err = engine.g.Render(context.WithoutCancel(ctx), parsed, "plain", &out)
	if err := errors.Join(err, parsed.Close()); err != nil {
		return "", fmt.Errorf("graphlayout: %w", err)
	}
	return out.String(), nil
}
