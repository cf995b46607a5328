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

// Record simulates one replication of the current scenario with its timeline, or of both sides of a comparison of
// scenarios, and shows it. done runs when it is over.
func (s *Session) Record(done func()) {
	c, m, recorded := s.Scenario(), *s.model, s.model
	both := s.comparedScenarios()
	simulate, pool := s.Simulator()
	o := s.Options()
	o.Replications, o.MaxReplications, o.Precision, o.Timeline, o.Pool = 1, 1, 0, mostSpans, pool
	StartJob(s, "Record timeline of "+c.Name, func(ctx context.Context, report func(simulation.Progress)) (*timeline.Recording, error) {
		o.Progress = report
		one := func(c Scenario) (*timeline.Recording, error) {
			edited, err := m.Edited(c.Edits...)
			if err != nil {
				return nil, err
			}
			r, err := simulate(ctx, edited, c.Settings, o)
			if err != nil {
				return nil, err
			}
			if r.Timeline == nil {
				return nil, errors.New("the run has no timeline")
			}
			return r.Timeline, nil
		}
		if both == nil {
			return one(c)
		}
		a, err := one(both[0])
		if err != nil {
			return nil, err
		}
		b, err := one(both[1])
		if err != nil {
			return nil, err
		}
		return timeline.Interleave(a, b, " · A", " · B"), nil
	}, func(j *Job, x simulation.Progress) { j.Fraction = x.Done }, func(_ *Job, r *timeline.Recording, err error) {
		if err == nil && s.model == recorded {
			name := "scenario " + c.Name
			if both != nil {
				name = "A: " + both[0].Name + ", B: " + both[1].Name
			}
			s.SetFilm(name, r)
		}
		done()
	})
}

// comparedScenarios are the two scenarios that every page compares, nil if there are none
// that can be simulated.
func (s *Session) comparedScenarios() *[2]Scenario {
	pair := s.Comparing()
	if pair == nil {
		return nil
	}
	var out [2]Scenario
	for i, x := range []Side{pair.A, pair.B} {
		c, ok := s.ScenarioOf(x)
		if !ok || x.Kind != ScenarioSide && x.Kind != RunSide {
			return nil
		}
		out[i] = c
	}
	return &out
}
