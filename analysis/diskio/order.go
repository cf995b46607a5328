package diskio

import (
	"cmp"
	"fmt"
	"slices"

	"tierscope/core"
)

// orderOf recognises in which order waiting requests are served, by the choices
// made: whenever one began to be served and others waited, was it the oldest,
// the nearest to the head, the next one upwards? A rule that is followed no more
// often than chance explains nothing; the one with the most skill, the share of
// choices that it explains beyond chance, is taken if it has some.
func orderOf(devices [][]Observation) votes {
	var v votes
	for _, o := range devices {
		v.count(o)
	}
	return v
}

// votes counts the choices that each rule explains.
type votes struct {
	choices                 int
	chance                  float64 // sum of 1/number that waited
	oldest, nearest, upward int
}

// arrived is when a request began to wait.
func (o *Observation) arrived() int64 { return first(o.Inserted, o.Issued) }

func (v *votes) count(o []Observation) {
	byStart := make([]*Observation, 0, len(o))
	for i := range o {
		if o[i].Bytes > 0 {
			byStart = append(byStart, &o[i])
		}
	}
	byArrival := slices.Clone(byStart)
	slices.SortStableFunc(byStart, func(a, b *Observation) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(byArrival, func(a, b *Observation) int { return cmp.Compare(a.arrived(), b.arrived()) })
	var waiting []*Observation
	head, next := uint64(0), 0
	for _, r := range byStart {
		for next < len(byArrival) && byArrival[next].arrived() <= r.Start {
			waiting = append(waiting, byArrival[next])
			next++
		}
		if at := slices.Index(waiting, r); at >= 0 && len(waiting) > 1 {
			v.choices++
			v.chance += 1 / float64(len(waiting))
			v.choice(waiting, at, head)
		}
		if at := slices.Index(waiting, r); at >= 0 {
			waiting = slices.Delete(waiting, at, at+1)
		}
		head = r.Sector + uint64(r.Bytes+511)/512
	}
}

// choice says which rules explain that waiting[chosen], in order of arrival, was
// taken.
func (v *votes) choice(waiting []*Observation, chosen int, head uint64) {
	distance := func(r *Observation) uint64 { return max(r.Sector, head) - min(r.Sector, head) }
	nearest, upward := chosen, chosen
	ahead := func(r *Observation) bool { return r.Sector >= head }
	// Without places, as FromUsage leaves them, only the age explains anything.
	placed := slices.ContainsFunc(waiting, func(r *Observation) bool { return r.Sector != waiting[0].Sector })
	for i, r := range waiting {
		if distance(r) < distance(waiting[nearest]) {
			nearest = i
		}
		u := waiting[upward]
		if ahead(r) && !ahead(u) || ahead(r) == ahead(u) && r.Sector < u.Sector {
			upward = i
		}
	}
	for _, x := range []struct {
		votes *int
		right bool
	}{{&v.oldest, chosen == 0}, {&v.nearest, placed && nearest == chosen}, {&v.upward, placed && upward == chosen}} {
		if x.right {
			*x.votes++
		}
	}
}

// decide returns the order. It is FIFO where there was nothing to choose.
func (v *votes) decide() core.DiskOrder {
	if v.choices < leastSamples {
		return core.DiskFIFO
	}
	n := float64(v.choices)
	skill := func(right int) float64 { return (float64(right) - v.chance) / max(1e-9, n-v.chance) }
	const some, clearly = 0.6, 0.02
	best, order := some-clearly, core.DiskRandom
	for _, rule := range []struct {
		order core.DiskOrder
		right int
	}{{core.DiskFIFO, v.oldest}, {core.DiskElevator, v.upward}, {core.DiskNearest, v.nearest}} {
		if s := skill(rule.right); s > best+clearly {
			best, order = s, rule.order
		}
	}
	return order
}

// String tells the evidence.
func (v *votes) String() string {
	if v.choices < leastSamples {
		return "requests hardly ever waited for each other: first in, first out is assumed"
	}
	n := float64(v.choices)
	return fmt.Sprintf("of %d choices among waiting requests %.0f %% were the oldest, %.0f %% the next upwards, %.0f %% the nearest; by chance %.0f %%",
		v.choices, 100*float64(v.oldest)/n, 100*float64(v.upward)/n, 100*float64(v.nearest)/n, 100*v.chance/n)
}
