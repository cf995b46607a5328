package variate

import (
	"math"
	"math/bits"

	"tierscope/simulation/des"
)

// mostCards is the largest deck; more observations than that sum up to nearly the
// same whether they are put back or not.
const mostCards = 1 << 14

// deck draws uniform numbers that are spread evenly: of n, one lies in each nth
// of (0, 1). They are shuffled as they are dealt (Fisher & Yates 1938).
type deck struct {
	cards []int32
	dealt int
}

func (d *deck) uniform(r *des.Stream) float64 {
	n := len(d.cards)
	if d.dealt == n {
		d.dealt = 0
	}
	k, within := bits.Mul64(r.Uint64(), uint64(n-d.dealt))
	i := d.dealt + int(k)
	d.cards[d.dealt], d.cards[i] = d.cards[i], d.cards[d.dealt]
	card := d.cards[d.dealt]
	d.dealt++
	return (float64(card) + float64(within>>11)*0x1p-53) / float64(n)
}

// Dealt draws from the law of n observations without putting them back: the n
// variates of a round add up to what was observed, exactly if the law has its values
// (Discrete), within what a stratum varies if it is a sketch of them (Empirical).
type Dealt struct {
	sampler *Sampler
	urn     *Urn
	deck    deck
}

// Deal returns such draws from s, the law of n observations; nil if s is no law of
// observations, or does not vary.
func Deal(s *Sampler, n int64) *Dealt {
	switch {
	case n < 2:
		return nil
	case s.law == empirical:
		cards := make([]int32, min(n, mostCards))
		for i := range cards {
			cards[i] = int32(i)
		}
		return &Dealt{sampler: s, deck: deck{cards: cards}}
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
		return &Dealt{sampler: s, urn: NewUrn(counts, -1)}
	}
	return nil
}

// Draw returns a variate.
func (d *Dealt) Draw(r *des.Stream) float64 {
	if d.urn != nil {
		return d.sampler.more.values[d.urn.Draw(r)]
	}
	return d.sampler.more.sketch.at(d.deck.uniform(r))
}

// Time draws a variate in seconds and rounds it to the clock without bias.
func (d *Dealt) Time(r *des.Stream) des.Time { return r.Round(1e9 * d.Draw(r)) }

// Count draws a variate and rounds it to a whole number without bias.
func (d *Dealt) Count(r *des.Stream) int { return whole(d.Draw(r), r) }
