package variate

import (
	"math"
	"math/bits"

	"tierscope/core"
	"tierscope/simulation/des"
)

// mostCards is the largest deck, of which many fit into a cache. The strata of more
// observations hold several each.
const mostCards = 1 << 10

// deck draws the means of equal strata of a law, each once in a round, shuffled as they
// are dealt (Fisher & Yates 1938).
type deck struct {
	cards []float64
	dealt int
	tail  *deck // of the uppermost stratum, or nil: one giant may take as long as all the others
}

// fromTail is the card for a draw from the tail.
const fromTail = -1

// newDeck returns the deck of a law that was observed n times, of which a whole
// number of rounds are n draws, or hardly more.
func newDeck(law *quantiles, n int64) *deck {
	rounds := int((n + mostCards - 1) / mostCards)
	d := &deck{cards: law.strata(0, int(n)/rounds)}
	if rounds > 1 {
		top := len(d.cards) - 1
		d.cards[top] = fromTail
		d.tail = &deck{cards: law.strata(float64(top)/float64(top+1), min(rounds, mostCards))}
	}
	return d
}

func (d *deck) draw(r *des.Stream) float64 {
	n := len(d.cards)
	if d.dealt == n {
		d.dealt = 0
	}
	k, _ := bits.Mul64(r.Uint64(), uint64(n-d.dealt))
	rest := d.cards[d.dealt:]
	rest[0], rest[k] = rest[k], rest[0]
	d.dealt++
	if rest[0] == fromTail {
		return d.tail.draw(r)
	}
	return rest[0]
}

// Dealt draws from the law of n observations without putting them back: the n
// variates of a round add up to what was observed, whether the law has its values
// (Discrete) or is a sketch of them (Empirical).
type Dealt struct {
	deck    *deck // of a sketch
	urn     *Urn  // of the values of sampler
	sampler *Sampler
	replay  *Replay // of values in their order
}

// Deal returns such draws from s, the law of n observations, in their order if that is
// known; nil if s is no law of observations, or does not vary.
func Deal(s *Sampler, n int64, order []core.Streak) *Dealt {
	switch {
	case n < 2:
		return nil
	case s.law == empirical:
		return &Dealt{deck: newDeck(s.more.sketch, n)}
	case s.law == discrete:
		counts := make([]int64, len(s.more.weights))
		sum := int64(0)
		for i, w := range s.more.weights {
			counts[i] = int64(math.Round(w * float64(n)))
			sum += counts[i]
		}
		if sum != n { // weights that an analyst has changed
			return nil
		}
		if s.ordered(counts, order) {
			return &Dealt{replay: NewReplay(order)}
		}
		return &Dealt{sampler: s, urn: NewUrn(counts, -1)}
	}
	return nil
}

// ordered reports whether an order has the values of a discrete law as often as they
// were observed: one whose values were scaled has lost its order.
func (s *Sampler) ordered(counts []int64, order []core.Streak) bool {
	seen := observed(order)
	for i, v := range s.more.values {
		if n := seen[int64(v)]; v != math.Trunc(v) || n != counts[i] {
			return false
		}
	}
	return len(seen) == len(counts)
}

// Draw returns a variate.
func (d *Dealt) Draw(r *des.Stream) float64 {
	switch {
	case d.replay != nil:
		return float64(d.replay.Next())
	case d.urn != nil:
		return d.sampler.more.values[d.urn.Draw(r)]
	}
	return d.deck.draw(r)
}

// Time draws a variate in seconds and rounds it to the clock without bias.
func (d *Dealt) Time(r *des.Stream) des.Time { return r.Round(1e9 * d.Draw(r)) }

// Count draws a variate and rounds it to a whole number without bias.
func (d *Dealt) Count(r *des.Stream) int { return whole(d.Draw(r), r) }
