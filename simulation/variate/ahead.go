package variate

import "tierscope/simulation/des"

// Ahead draws times from one distribution a few ahead of need, which costs half
// of drawing them one by one: the state of the generator stays in registers. The
// times come in the order in which Sampler.Time would draw them.
type Ahead struct {
	left    uint // of times; the next is the last of them
	times   [ahead]des.Time
	sampler *Sampler
	dealt   *Dealt // drawn from in place of the sampler, or nil
	random  *des.Stream
}

const ahead = 8

// NewAhead returns an Ahead of a sampler, or of what is dealt from it (nil: nothing),
// and a stream.
func NewAhead(s *Sampler, d *Dealt, r *des.Stream) Ahead {
	return Ahead{sampler: s, dealt: d, random: r}
}

// Time returns the next time. It is small enough to become part of its callers.
func (a *Ahead) Time() des.Time {
	if a.left == 0 {
		a.draw()
	}
	a.left--
	return a.times[a.left%ahead]
}

func (a *Ahead) draw() {
	a.left = ahead
	if a.dealt != nil {
		for i := range a.times {
			a.times[ahead-1-i] = a.dealt.Time(a.random)
		}
		return
	}
	if a.sampler.law == exponential {
		a.random.ExponentialTimes(1e9*a.sampler.a, a.times[:])
		return
	}
	for i := range a.times {
		a.times[ahead-1-i] = a.sampler.Time(a.random)
	}
}
