package experiment

import (
	"context"
	"encoding/hex"
	"errors"
	"iter"
	"time"
)

// Survey is what running an experiment means, or a part of it, that may be larger than memory: a Plan whose points
// are not there, but for 16 bytes of each.
type Survey struct {
	Experiment Experiment
	Part       Shard
	Points     int
	Known      int           // points that the ledger has
	Remaining  time.Duration // as that of a Plan
	keys       []key
}

// Sentence is that of a Plan.
func (s *Survey) Sentence() string { return sentence(s.Points, s.Known, s.Remaining) }

// block is how many points are in memory at once: enough to keep all workers busy, and some ten megabytes.
const block = 2048

// Survey counts the points of a part of an experiment, and those that the ledger has. The error is that of Plan.
func (r *Runner) Survey(ctx context.Context, e Experiment, part Shard) (*Survey, error) {
	if err := errors.Join(e.allowed(&r.Model), r.refresh()); err != nil {
		return nil, err
	}
	s, look := &Survey{Experiment: e, Part: part}, r.looking(e, e.Options().Inputs())
	look.find = look.seen
	for points, err := range blocks(r.points(e, part)) {
		if err != nil {
			return nil, err
		}
		if err := errors.Join(look.up(ctx, points), ctx.Err()); err != nil {
			return nil, err
		}
		for i := range points {
			s.keys = append(s.keys, keyOf(points[i].ID))
			if points[i].Known {
				s.Known++
			}
		}
	}
	s.Points = len(s.keys)
	s.Remaining = r.forecast(s.Points - s.Known)
	return s, nil
}

// Stream is Run for what was surveyed: it simulates the points that have no result, and passes all of them on in the
// order of the grid, each with its result and then forgotten. That needs a ledger. When ctx ends, those of the present
// block are passed on that have a result, and the error is that of ctx.
func (r *Runner) Stream(ctx context.Context, s *Survey, pass func(Point) error) error {
	inner, began, done, simulated := *r, time.Now(), 0, 0
	look := r.looking(s.Experiment, s.Experiment.Options().Inputs())
	for points, err := range blocks(r.points(s.Experiment, s.Part)) {
		if err != nil {
			return err
		}
		for i := range points {
			points[i].ID = hex.EncodeToString(s.keys[done+i][:])
		}
		if err := look.up(ctx, points); err != nil {
			return err
		}
		p := &Plan{Experiment: s.Experiment, Points: points, Known: known(points)}
		if r.Progress != nil {
			inner.Progress = func(of Progress) { r.Progress(s.progress(of, done, simulated+of.Done-p.Known, time.Since(began))) }
		}
		p, err = inner.Run(ctx, p)
		if err != nil && ctx.Err() == nil {
			return err
		}
		for _, point := range p.Points {
			if err := pass(point); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		done += len(points)
		simulated += len(points) - p.Known
	}
	return nil
}

// Settings yields the configurations of what was surveyed.
func (r *Runner) Settings(s *Survey) iter.Seq[map[string]float64] {
	return func(yield func(map[string]float64) bool) {
		for settings, err := range r.points(s.Experiment, s.Part) {
			if err != nil || !yield(settings) {
				return
			}
		}
	}
}

// progress is how far the whole is, from how far a block is: before it were so many points, and so many were simulated in some time.
func (s *Survey) progress(of Progress, before, simulated int, elapsed time.Duration) Progress {
	whole := of.Points == s.Points
	of.Points, of.Done, of.Elapsed = s.Points, before+of.Done, elapsed
	if todo := s.Points - s.Known; !whole && simulated > 0 {
		of.Remaining = time.Duration(float64(elapsed) / float64(simulated) * float64(max(0, todo-simulated)))
	}
	return of
}

// points yields the configurations of a part of an experiment.
func (r *Runner) points(e Experiment, part Shard) iter.Seq2[map[string]float64, error] {
	return func(yield func(map[string]float64, error) bool) {
		for settings, err := range e.Points(&r.Model) {
			if (err != nil || part.Has(settings)) && !yield(settings, err) {
				return
			}
		}
	}
}

// blocks collects points.
func blocks(grid iter.Seq2[map[string]float64, error]) iter.Seq2[[]Point, error] {
	return func(yield func([]Point, error) bool) {
		var points []Point
		for settings, err := range grid {
			if err != nil {
				yield(nil, err)
				return
			}
			if points = append(points, Point{Settings: settings}); len(points) == block {
				if !yield(points, nil) {
					return
				}
				points = nil
			}
		}
		if len(points) > 0 {
			yield(points, nil)
		}
	}
}

// known counts the points that the ledger has.
func known(points []Point) (n int) {
	for i := range points {
		if points[i].Known {
			n++
		}
	}
	return n
}
