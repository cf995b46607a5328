package java

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tierscope/analysis/trace"
)

// rewritten is a program that runs with other classes in the place of its own: with
// counters, or with delays.
type rewritten struct {
	target  Target
	program *program
	options int // arguments of the JVM before those of the workload
	jar     string
	dir     string
	classes string // file with the rewritten ones
}

// rewritten runs a program once, to see which classes it loads. dir is kept by the caller.
func (t Target) rewritten(ctx context.Context, w trace.Workload, dir string) (*rewritten, error) {
	p, jar, err := t.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	if _, err := t.run(ctx, p, jar, w, dir, map[string]string{"log": filepath.Join(dir, fileLog), "classes": filepath.Join(dir, fileClasses)}); err != nil {
		return nil, err
	}
	if _, err := checkedJournal(dir); err != nil {
		return nil, err
	}
	return &rewritten{target: t, program: p, options: len(p.args) - len(w.Args), jar: jar, dir: dir, classes: filepath.Join(dir, fileSubstitutes)}, nil
}

// world is what the program loaded, to be edited.
func (r *rewritten) world() (*world, error) { return readWorld(filepath.Join(r.dir, fileClasses)) }

// replace puts the program's classes that edit changes in the place of those that it
// loads.
func (r *rewritten) replace(w *world, edit func(c *loaded) bool) error {
	var changed []substitute
	for i := range w.classes {
		if c := &w.classes[i]; !isJDK(c.name) && edit(c) {
			changed = append(changed, substitute{c.name, c.sum, c.file.Bytes()})
		}
	}
	if err := os.WriteFile(r.classes, encodeSubstitutes(changed), 0o644); err != nil {
		return fmt.Errorf("rewritten classes: %w", err)
	}
	return nil
}

// run runs the program with the rewritten classes and more options of the agent.
func (r *rewritten) run(ctx context.Context, w trace.Workload, options map[string]string) (outcome, error) {
	p := *r.program
	p.args = slices.Concat(p.args[:r.options], w.Args)
	o := map[string]string{"log": filepath.Join(r.dir, fileLog), "substitutes": r.classes}
	maps.Copy(o, options)
	return r.target.run(ctx, &p, r.jar, w, r.dir, o)
}
