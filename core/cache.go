package core

import (
	"fmt"
	"math"
	"slices"
)

// Cache keeps the objects that were asked for last (LRU): a lookup that finds its object is a hit, another one brings it in, in the
// place of the one that nobody has asked for the longest. Which object a lookup asks for is independent of all before, the i-th most
// popular one with a probability ∝ 1/i^Skew: the independent reference model with Zipf's law.
type Cache struct {
	ID    string  `json:"id"`
	Size  int     `json:"size"`  // objects that fit
	Items int     `json:"items"` // objects that there are
	Skew  float64 `json:"skew"`  // exponent of Zipf's law; 0: all are asked for alike

	Origin Origin `json:"origin,omitzero"`
}

// Lookup makes a dispatch fragment a lookup in a cache, which decides where it goes on: one of its two transitions is that of a
// hit. Their probabilities are what was observed; what is expected follows from the cache.
type Lookup struct {
	Cache string `json:"cache"`
	Hit   string `json:"hit"` // fragment
}

// MostItems bounds the objects of a cache.
const MostItems = 1_000_000

var cacheFields = []field[Cache]{
	{name: "size", unit: "objects", integer: true, least: 1, most: MostItems,
		get: func(c *Cache) float64 { return float64(c.Size) },
		set: func(c *Cache, v float64) { c.Size = int(v) }},
	{name: "items", unit: "objects", integer: true, least: 1, most: MostItems,
		get: func(c *Cache) float64 { return float64(c.Items) },
		set: func(c *Cache, v float64) { c.Items = int(v) }},
	{name: "skew",
		get: func(c *Cache) float64 { return c.Skew },
		set: func(c *Cache, v float64) { c.Skew = v }},
}

// Popularity returns the probabilities of the objects, up to a factor, the most popular first.
func (c *Cache) Popularity() []float64 {
	weights := make([]float64, c.Items)
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -c.Skew)
	}
	return weights
}

// HitRatio returns the share of lookups that find their object, by the approximation of Che, Tung & Wang 2002: an object is
// in the cache if it was asked for in the last t lookups, with the t for which Size objects are expected to have been:
//
//	Σ(1 − exp(−pᵢ·t)) = Size,  hit ratio = Σ pᵢ·(1 − exp(−pᵢ·t))
func (c *Cache) HitRatio() float64 {
	if c.Size >= c.Items {
		return 1
	}
	groups := c.groups()
	sum := 0.0
	for _, g := range groups {
		sum += g.n * g.p
	}
	present := func(t float64) (objects, hits float64) {
		for _, g := range groups {
			in := g.n * -math.Expm1(-g.p/sum*t)
			objects += in
			hits += in * g.p / sum
		}
		return objects, hits
	}
	lo, hi := 0.0, float64(c.Size)
	for objects, _ := present(hi); objects < float64(c.Size); objects, _ = present(hi) {
		lo, hi = hi, 2*hi
	}
	const bisections = 60 // of a float64's 53 bits
	for range bisections {
		mid := (lo + hi) / 2
		if objects, _ := present(mid); objects < float64(c.Size) {
			lo = mid
		} else {
			hi = mid
		}
	}
	_, hits := present(hi)
	return hits
}

// group is n objects of the popularity p each.
type group struct{ n, p float64 }

// groups returns the popularities, those of neighbours far down the ranks taken together: a group is as wide as a hundredth of
// its rank, over which Zipf's law is as good as straight.
func (c *Cache) groups() []group {
	const width = 100
	var all []group
	for from := 1; from <= c.Items; {
		to := min(from+from/width, c.Items) // inclusive
		middle := float64(from+to) / 2
		all = append(all, group{float64(to - from + 1), math.Pow(middle, -c.Skew)})
		from = to + 1
	}
	return all
}

// withHitRatios returns the model with the probabilities of all lookups as their caches make them.
func (m *Model) withHitRatios() *Model {
	if len(m.Caches) == 0 {
		return m
	}
	ratios := map[string]float64{}
	for i := range m.Caches {
		ratios[m.Caches[i].ID] = m.Caches[i].HitRatio()
	}
	out := m.clone()
	for i := range out.Graphs {
		for j := range out.Graphs[i].Fragments {
			f := &out.Graphs[i].Fragments[j]
			if f.Lookup == nil {
				continue
			}
			f.Next = slices.Clone(f.Next)
			for k := range f.Next {
				p := ratios[f.Lookup.Cache]
				if f.Next[k].To != f.Lookup.Hit {
					p = 1 - p
				}
				f.Next[k].Probability = p
			}
		}
	}
	return &out
}

func (c *checker) cache(x *Cache) {
	where := fmt.Sprintf("cache %q", x.ID)
	if x.Size < 1 || x.Size > MostItems {
		c.add(where, "size is %d; give the number of objects that fit, 1 to %d", x.Size, MostItems)
	}
	if x.Items < 1 || x.Items > MostItems {
		c.add(where, "items is %d; give the number of objects that there are, 1 to %d", x.Items, MostItems)
	}
	c.finite(where, "skew", x.Skew, 0)
}

// lookup checks a lookup, whose transitions exist.
func (c *graphChecker) lookup(where string, f *Fragment) {
	if _, ok := c.caches[f.Lookup.Cache]; !ok {
		c.add(where, "lookup: cache %q is not defined; define it or name another", f.Lookup.Cache)
	}
	if len(f.Next) != 2 || !slices.ContainsFunc(f.Next, func(e Edge) bool { return e.To == f.Lookup.Hit }) {
		c.add(where, "lookup: the hit %q is not one of two transitions; give one for a hit and one for a miss", f.Lookup.Hit)
	}
}
