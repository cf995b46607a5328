package variate

import "tierscope/simulation/des"

// Ahead draws times from one distribution a few ahead of need, which costs half
// of drawing them one by one: the state of the generator stays in registers. The
// times come in the order in which Sampler.Time would draw them.
type Ahead struct {
	left    uint // of times; the next is the last of them
	batch   uint // how many are drawn at once
	times   [many]des.Time
	sampler *Sampler
	dealt   *Dealt // drawn from in place of the sampler, or nil
	random  *des.Stream
}

// How many times are drawn at once. Where others draw from the same stream, what they get depends on it: then they are few.
const few, many = 8, 64

// NewAhead returns an Ahead of a sampler, or of what is dealt from it (nil: nothing),
// and a stream, from which others may draw.
func NewAhead(s *Sampler, d *Dealt, r *des.Stream, others bool) Ahead {
	a := Ahead{sampler: s, dealt: d, random: r, batch: many}
	if others || d != nil {
		a.batch = few
	}
	return a
}

// Time returns the next time. It is small enough to become part of its callers.
func (a *Ahead) Time() des.Time {
	if a.left == 0 {
		a.draw()
	}
	a.left--
	return a.times[a.left%many]
}

func (a *Ahead) draw() {
	a.left = a.batch
	times := a.times[:a.batch]
	if a.dealt == nil && a.sampler.law == exponential {
		a.random.ExponentialTimes(1e9*a.sampler.a, times)
		return
	}
	for i := range times {
		at := len(times) - 1 - i
		if a.dealt != nil {
			times[at] = a.dealt.Time(a.random)
		} else {
			times[at] = a.sampler.Time(a.random)
		}
	}
}
