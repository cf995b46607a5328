package core

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Uncertain is something that an analysis does not know exactly of the numbers of a model:
// a factor about 1, whose logarithm is normal with mean 0. Factors are independent;
// numbers that one factor moves together are correlated through it, so that a few of them
// are a covariance matrix of all numbers.
type Uncertain struct {
	Name string `json:"name"` // what is not known, in words
	// Key names the factor across models: those that have it under one key err alike, so that
	// it cancels in their difference. "" is a key of this analysis alone.
	Key       string  `json:"key,omitempty"`
	Deviation float64 `json:"deviation"` // standard deviation of the logarithm
	// Runs is how many runs of the program tell the factor, and Rest the part of the
	// deviation that is left however many there are. 0 runs: more would tell nothing.
	Runs    int       `json:"runs,omitempty"`
	Rest    float64   `json:"rest,omitempty"`
	Targets []Loading `json:"targets"`
}

// Loading is a number that a factor f multiplies by f^Power.
type Loading struct {
	Path  string  `json:"path"`            // that a configuration can set, or EveryScale
	Power float64 `json:"power,omitempty"` // 0 means 1
}

// EveryScale is the path of all times that an analysis can err in (Model.Stretched).
const EveryScale = "graphs/*/scale"

// WithMore is the deviation that is left if n more runs tell the factor, whose own part
// shrinks with the root of their number.
func (u Uncertain) WithMore(n int) float64 {
	if u.Runs == 0 {
		return u.Deviation
	}
	own := u.Deviation*u.Deviation - u.Rest*u.Rest
	return math.Sqrt(u.Rest*u.Rest + max(own, 0)*float64(u.Runs)/float64(u.Runs+n))
}

// Drawn returns the model with every uncertain factor at exp(Deviation·z), z being what
// normal returns of it. The factors of a model that is not valid must not be drawn.
func (m Model) Drawn(normal func(Uncertain) float64) Model {
	by, stretch := map[string]float64{}, 1.0
	for _, u := range m.Uncertain {
		z := normal(u)
		for _, t := range u.Targets {
			factor := math.Exp(u.Deviation * z * orOne(t.Power))
			if t.Path == EveryScale {
				stretch *= factor
			} else {
				by[t.Path] = orOne(by[t.Path]) * factor
			}
		}
	}
	out := m.clone()
	for _, path := range sortedKeys(by) {
		if path == "cpu/speed" { // of each core
			out.CPU = m.CPU.Faster(by[path])
			continue
		}
		k, err := m.Lookup(path)
		if err == nil {
			err = out.set(k.Path, k.Value*by[path])
		}
		if err != nil {
			panic("core: drawn from a model that is not valid: " + err.Error())
		}
	}
	out.stretch(stretch)
	return out
}

// MostDeviation is the largest that makes sense: a factor of 7 either way.
const MostDeviation = 1

func (c *checker) uncertain() {
	for i := range c.m.Uncertain {
		u := &c.m.Uncertain[i]
		where := "uncertain " + u.Name
		if u.Name == "" {
			c.add(fmt.Sprintf("uncertain[%d]", i), "has no name; say what is not known")
		}
		if slices.ContainsFunc(c.m.Uncertain[:i], func(o Uncertain) bool { return o.Name == u.Name }) {
			c.add(where, "is given twice; keep one")
		}
		if !(u.Deviation > 0 && u.Deviation <= MostDeviation) || !(u.Rest >= 0 && u.Rest <= u.Deviation) || u.Runs < 0 {
			c.add(where, "deviation %v, of which %v are left after any number of runs, from %d runs; give a deviation in 0…%d and no more left than that", u.Deviation, u.Rest, u.Runs, MostDeviation)
		}
		for _, t := range u.Targets {
			if t.Path == EveryScale {
				continue
			}
			if k, err := c.m.Lookup(t.Path); err != nil {
				c.add(where, "target %q: %s; give the path of a number", t.Path, strings.TrimSuffix(err.Error(), "\n"))
			} else if k.Integer {
				c.add(where, "target %q is a whole number; give one that can be a little more or less", t.Path)
			}
		}
	}
}
