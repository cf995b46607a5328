package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"tierscope/gui/background"
)

// JobState is where a job is in its life.
type JobState string

// States of a job.
const (
	Running   JobState = "running"
	Done      JobState = "done"
	Failed    JobState = "failed"
	Cancelled JobState = "cancelled"
)

// Job is a piece of long work that the runs drawer shows.
type Job struct {
	ID    int
	Title string
	State JobState
	// Fraction is the share that is done, 0…1; negative: not known.
	Fraction float64
	// Fact is what is known so far, such as "±6 %, 14 of 20 replications".
	Fact      string
	Remaining time.Duration // estimate; 0: not known
	Err       error         // of a failed job
	// Stopping is how long it took from Cancel until the window knew that the job had stopped; 0: nobody cancelled it.
	Stopping time.Duration

	cancel context.CancelFunc
	asked  time.Time // when Cancel was called
}

// Cancel asks the job to stop; it keeps what it has.
func (j *Job) Cancel() {
	if j.cancel != nil {
		if j.asked.IsZero() {
			j.asked = time.Now()
		}
		j.cancel()
	}
}

// goesOn reports whether the job works towards its end: it was not asked to stop.
func (j *Job) goesOn() bool { return j.State == Running && j.asked.IsZero() }

// Jobs returns all jobs of the session, oldest first.
func (s *Session) Jobs() []*Job { return s.jobs }

// Active returns how many jobs are running.
func (s *Session) Active() int {
	n := 0
	for _, j := range s.jobs {
		if j.State == Running {
			n++
		}
	}
	return n
}

// ClearJobs forgets the jobs that have ended.
func (s *Session) ClearJobs() {
	s.jobs = slices.DeleteFunc(s.jobs, func(j *Job) bool { return j.State != Running })
	s.emit(JobsChanged)
}

// left reports whether a job belongs to a project that is not open any more.
func (s *Session) left(j *Job) bool { return !slices.Contains(s.jobs, j) }

// StartJob runs work in the background as a job. progress updates the job
// with a value that the work reported; done gets the result of a job that
// ended well or was cancelled with a partial result, and may be nil.
// Failures become a notice.
func StartJob[P, T any](s *Session, title string, work background.Work[P, T], progress func(*Job, P), done func(*Job, T, error)) *Job {
	s.nextID++
	j := &Job{ID: s.nextID, Title: title, State: Running, Fraction: -1}
	s.jobs = append(s.jobs, j)
	j.cancel = background.Start(s.Runner, work, func(p P) {
		if progress != nil {
			progress(j, p)
		}
		s.emit(JobsChanged)
	}, func(v T, err error) {
		j.Remaining = 0
		switch {
		case err == nil:
			j.State, j.Fraction = Done, 1
		case errors.Is(err, context.Canceled):
			j.State = Cancelled
		default:
			j.State, j.Err = Failed, err
			if !s.left(j) {
				s.Notify(Failure(title+" failed.", err))
			}
		}
		if !j.asked.IsZero() {
			j.Stopping = time.Since(j.asked)
		}
		if done != nil {
			done(j, v, err)
		}
		s.emit(JobsChanged)
	})
	s.emit(JobsChanged)
	return j
}
