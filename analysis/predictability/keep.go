package predictability

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tierscope/analysis/journal"
)

// kept is a subject whose runs are in a journal: a study that is cut off goes on where
// it was. What to run next follows from what runs showed, so it takes the same way again.
type kept struct {
	subject
	journal *journal.Journal
}

// shown is what a run showed: a point, or that it did not get along with its heap.
type shown struct {
	Point Point  `json:"point"`
	Tight string `json:"tight,omitempty"`
}

// keep puts a journal between the study and its subject.
func (r *run) keep(p Plan) (*journal.Journal, error) {
	p.Report = nil
	j, err := journal.Open("predictability", fmt.Sprintf("%+v", p), r.state())
	if err != nil {
		return nil, err
	}
	if n := j.Known(); n > 0 {
		r.report("%d runs of the same study, which was cut off, are used", n)
	}
	r.kept, r.subject = j, kept{r.subject, j}
	return j, nil
}

// state identifies the program as it is.
func (r *run) state() string {
	if g, ok := r.subject.(*goProgram); ok {
		return journal.State(g.plain)
	}
	var paths []string
	for _, argument := range r.plan.Command[1:] {
		for _, path := range strings.Split(argument, string(os.PathListSeparator)) {
			if _, err := os.Stat(filepath.Clean(path)); err == nil && path != "" {
				paths = append(paths, path)
			}
		}
	}
	return journal.State(paths...)
}

func (k kept) startUp(ctx context.Context) (Point, error) {
	return journal.Do(k.journal, "start", func() (Point, error) { return k.subject.startUp(ctx) })
}

func (k kept) once(ctx context.Context, n int, heap int64, patience time.Duration) (Point, error) {
	s, err := journal.Do(k.journal, fmt.Sprintf("size %d heap %d", n, heap), func() (shown, error) {
		p, err := k.subject.once(ctx, n, heap, patience)
		if tight, ok := errors.AsType[tightError](err); ok && ctx.Err() == nil {
			return shown{Point: p, Tight: tight.Error()}, nil
		}
		return shown{Point: p}, err
	})
	if err == nil && s.Tight != "" {
		return s.Point, tightError{errors.New(s.Tight)}
	}
	return s.Point, err
}

func (k kept) live(ctx context.Context, n int, heap int64) (Footprint, error) {
	return journal.Do(k.journal, fmt.Sprintf("live %d heap %d", n, heap), func() (Footprint, error) { return k.subject.live(ctx, n, heap) })
}
