package session

import (
	"context"
	"errors"

	"tierscope/simulation"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// mostSpans is how much of a run is recorded: enough for minutes of a busy
// server, some 50 MB.
const mostSpans = 1_000_000

// Film is a recorded replication that pages show: a timeline, and threads and tasks that move
// over the diagrams of the model, at one time for all of them.
type Film struct {
	Recording *timeline.Recording
	Of        string   // what was simulated, in words
	From      des.Time // when the recording begins
	at        des.Time
}

// At is the moment that is shown.
func (f *Film) At() des.Time { return f.at }

// Film returns what was recorded of the current model last, nil if nothing was.
func (s *Session) Film() *Film { return s.film }

// SetFilm shows another recording from its beginning; nil shows none.
func (s *Session) SetFilm(of string, r *timeline.Recording) {
	s.film = nil
	if r != nil {
		s.film = &Film{Recording: r, Of: of, From: r.Until}
		for _, l := range r.Lanes {
			if len(l.Spans) > 0 {
				s.film.From = min(s.film.From, l.Spans[0].Start)
			}
		}
		s.film.at = s.film.From
	}
	s.emitFilm()
}

// Seek shows another moment of the film.
func (s *Session) Seek(at des.Time) {
	if s.film == nil {
		return
	}
	if at = max(s.film.From, min(at, s.film.Recording.Until)); at != s.film.at {
		s.film.at = at
		s.emitFilm()
	}
}

// WatchFilm calls f after every change of the film or its moment, until the function that is returned is called.
func (s *Session) WatchFilm(f func()) (stop func()) {
	id := s.nextWatcher
	s.nextWatcher++
	if s.watchers == nil {
		s.watchers = map[int]func(){}
	}
	s.watchers[id] = f
	return func() { delete(s.watchers, id) }
}

func (s *Session) emitFilm() {
	for id := range s.nextWatcher {
		if f := s.watchers[id]; f != nil {
			f()
		}
	}
}

// Record simulates one replication of the current scenario with its timeline, or of both sides of a comparison,
// and shows it; beside puts the run that the model was made from beside the first. done runs when it is over.
func (s *Session) Record(beside bool, done func()) {
	model, name := s.model, "scenario "+s.Scenario().Name
	subjects := []Subject{s.Now()}
	if both, ok := s.Compared(); ok {
		subjects = both[:]
		name = "A: " + s.Label(s.Comparing().A) + ", B: " + s.Label(s.Comparing().B)
	}
	if beside = beside && s.HasRecording(); beside {
		subjects, name = []Subject{s.Now()}, s.Scenario().Name+", recorded and simulated"
	}
	project := s.project
	simulate, pool := s.Simulator()
	o := s.Options()
	o.Replications, o.MaxReplications, o.Precision, o.Timeline, o.Pool = 1, 1, 0, mostSpans, pool
	StartJob(s, "Record timeline of "+s.Scenario().Name, func(ctx context.Context, report func(simulation.Progress)) (*timeline.Recording, error) {
		o.Progress = report
		var all []*timeline.Recording
		for _, x := range subjects {
			edited, err := x.Model.Edited(x.Scenario.Edits...)
			if err != nil {
				return nil, err
			}
			r, err := simulate(ctx, edited, x.Scenario.Settings, o)
			if err != nil {
				return nil, err
			}
			if r.Timeline == nil {
				return nil, errors.New("the run has no timeline")
			}
			all = append(all, r.Timeline)
		}
		if beside {
			run, err := recorded(project.Dir, all[0])
			if err != nil {
				return nil, err
			}
			return timeline.Interleave(run, all[0], " · recorded", " · simulated"), nil
		}
		if len(all) == 1 {
			return all[0], nil
		}
		return timeline.Interleave(all[0], all[1], " · A", " · B"), nil
	}, func(j *Job, x simulation.Progress) { j.Fraction = x.Done }, func(_ *Job, r *timeline.Recording, err error) {
		if err == nil && s.model == model {
			s.SetFilm(name, r)
		}
		done()
	})
}
