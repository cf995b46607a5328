package diskio

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"tierscope/core/robust"
)

// delivery is requests that were told complete together.
type delivery struct {
	requests []*Observation // in order of completion
	opens    *Observation   // the first that was issued
	at       int64          // when the first of them was complete
	idle     int64          // for which the device had had nothing to do, ns
}

// lasts is the time from the first issue to the delivery, s.
func (d *delivery) lasts() float64 { return float64(d.at-d.opens.Issued) * 1e-9 }

// deliveries groups the requests of one device by the time of their completion: those of
// one delivery follow each other within apart, half of what a typical request takes, ns, or soon
// after that if they were in the device for as long before.
func deliveries(o []Observation, apart int64) []delivery {
	done := make([]*Observation, len(o))
	for i := range o {
		done[i] = &o[i]
	}
	slices.SortStableFunc(done, func(a, b *Observation) int { return cmp.Compare(a.Completed, b.Completed) })
	var all []delivery
	for begin := 0; begin < len(done); {
		d := delivery{opens: done[begin], at: done[begin].Completed}
		end := begin + 1
		for ; end < len(done); end++ {
			r := done[end]
			if late := r.Completed - done[end-1].Completed; late >= apart && (late >= 2*apart || r.Issued >= d.at-apart) {
				break
			}
			if r.Issued < d.opens.Issued {
				d.opens = r
			}
		}
		d.requests = done[begin:end]
		if len(all) > 0 {
			d.idle = d.opens.Issued - all[len(all)-1].at
		}
		all = append(all, d)
		begin = end
	}
	return all
}

// typicalAlone is the median time of the requests that were alone in the device, or the
// least of a tenth of all where there are too few of these, ns.
func typicalAlone(devices [][]Observation) int64 {
	var alone, all []float64
	for _, o := range devices {
		for i := range o {
			all = append(all, float64(o[i].Service()))
			if o[i].InFlight <= 1 {
				alone = append(alone, float64(o[i].Service()))
			}
		}
	}
	if len(alone) >= leastSamples {
		return int64(robust.Median(alone))
	}
	slices.Sort(all)
	return int64(all[len(all)/10])
}

// skillTogether is by how much more often than by chance, as a share of all that is possible,
// requests have to be told complete together for the device to be one that tells all of them
// when none is left to serve. Threads that read without a pause stay in step behind such a
// device: then chance alone has a share near 1.
const skillTogether = 0.6

// tellsTogether reports whether the devices tell requests complete together, and the evidence.
func tellsTogether(devices [][]Observation, apart int64) (bool, string) {
	share, chance, pairs := toldTogether(devices, apart)
	if pairs < leastSamples || share-chance < skillTogether*(1-chance) {
		return false, ""
	}
	return true, fmt.Sprintf("%.0f %% of the requests that were in the device at one time were complete within %.0f µs of each other, %.0f %% by chance", 100*share, float64(apart)*1e-3, 100*chance)
}

// toldTogether is the share of the pairs of requests, issued one after the other and in the
// device at one time, that are complete within apart of each other, ns, and what that share
// would be if each of them had the time in the device of any other request.
func toldTogether(devices [][]Observation, apart int64) (share, chance float64, pairs int) {
	random := rand.New(rand.NewPCG(1, 1))
	together, byChance, chances := 0, 0, 0
	for _, o := range devices {
		any := func() int64 { return o[random.IntN(len(o))].Service() }
		for i := range o[:len(o)-1] {
			a, b := &o[i], &o[i+1]
			if b.Issued < a.Completed-apart {
				pairs++
				if d := b.Completed - a.Completed; max(d, -d) < apart {
					together++
				}
			}
			if end := a.Issued + any(); b.Issued < end-apart {
				chances++
				if d := b.Issued + any() - end; max(d, -d) < apart {
					byChance++
				}
			}
		}
	}
	return float64(together) / float64(max(1, pairs)), float64(byChance) / float64(max(1, chances)), pairs
}

// wayBack is how long before a delivery the device has looked for requests for the last
// time, s: those that were issued before come with it, those issued after that begin the next
// one. It is the time for which the fewest requests contradict that.
func wayBack(devices [][]Observation, apart int64) float64 {
	type issued struct {
		before int64 // a delivery
		misses bool
	}
	var all []issued
	for _, o := range devices {
		d := deliveries(o, apart)
		for i := range d {
			for _, r := range d[i].requests {
				all = append(all, issued{d[i].at - r.Issued, false})
				if i > 0 && r.Issued < d[i-1].at {
					all = append(all, issued{d[i-1].at - r.Issued, true})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b issued) int { return cmp.Compare(a.before, b.before) })
	contradictions, best, least := 0, int64(0), 0
	for _, r := range all {
		if r.misses {
			contradictions--
		} else {
			contradictions++
		}
		if contradictions < least {
			least, best = contradictions, r.before
		}
	}
	return max(0, float64(best)*1e-9)
}
