package journal

import (
	"time"

	"tierscope/core/eta"
)

// Progress is how far a study is.
type Progress struct {
	Done, Planned int           // steps; Planned is 0 as long as nobody knows how many there are
	Fact          string        // what is done now
	Remaining     time.Duration // 0: not known
}

// Pace tells how long the steps of a study still take, from those that it made: what comes out of the journal took no time.
type Pace struct {
	journal *Journal
	rest    *eta.Estimator
	planned int
	done    int
	made    int // runs, when the step at hand began
	began   time.Time
}

// Pace returns the pace of steps, each given by numbers that its time may depend on.
func (j *Journal) Pace(steps [][]float64) *Pace {
	return &Pace{journal: j, rest: eta.New(steps), planned: len(steps), made: j.Made(), began: time.Now()}
}

// Now is the progress when the next step begins, which does what fact says.
func (p *Pace) Now(fact string) Progress {
	left, _ := p.rest.Left()
	return Progress{Done: p.done, Planned: p.planned, Fact: fact, Remaining: time.Duration(left * float64(time.Second))}
}

// Step says that the step at hand is done.
func (p *Pace) Step() {
	if made := p.journal.Made(); made > p.made {
		p.rest.Took(p.done, time.Since(p.began).Seconds())
		p.made = made
	} else {
		p.rest.Done(p.done)
	}
	p.done++
	p.began = time.Now()
}
