package core

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Checked is a configuration in which the program was run to hold the model against it.
type Checked struct {
	At   map[string]float64 `json:"at"`   // values of the paths that differ between such configurations
	Off  float64            `json:"off"`  // logarithm of the measured over the predicted run time; of a server, of its demands
	Runs int                `json:"runs"` // that were measured
	// Noise is how far the measurement may be off beside what runs of programs differ by: its deviation, as a logarithm.
	Noise float64 `json:"noise,omitempty"`
}

// ModelKey is the key of the factor by which models are off: it is alike in all of one program.
const ModelKey = "model"

// Normal95 is 1.96: of the standard normal law, 95 % are within ±1.96.
const Normal95 = 1.96

// AsChecked returns the configured model as its checks say that it should be: it is Stretched by
// what the model is expected to be off by in this configuration, and what is not known is
// what is left of that. The result has no checks.
func (m Model) AsChecked() Model {
	if len(m.Checked) == 0 {
		return m
	}
	mean, deviation := m.Errors().Field(m.Checked).Model(m.CheckedAt())
	out := m.Stretched(math.Exp(mean))
	out.Checked = nil
	out.Uncertain = append([]Uncertain(nil), m.Uncertain...)
	for i := range out.Uncertain {
		if u := &out.Uncertain[i]; u.Key == ModelKey {
			u.Deviation = deviation
		}
	}
	return out
}

// Correction is by how much longer, as a part, the run is expected to take than the configured model
// says, by its checks; 0 without any.
func (m Model) Correction() float64 {
	if len(m.Checked) == 0 {
		return 0
	}
	mean, _ := m.Errors().Field(m.Checked).At(m.CheckedAt())
	return math.Expm1(mean)
}

// CheckedAt are the values of the paths that checks differ in.
func (m *Model) CheckedAt() map[string]float64 {
	at := map[string]float64{}
	for _, c := range m.Checked {
		for path := range c.At {
			if k, err := m.Lookup(path); err == nil {
				at[path] = k.Value
			}
		}
	}
	return at
}

// Paths returns the values of the paths that settings set, of a parameter that of its first target:
// a configuration, whatever words it was given in.
func (m Model) Paths(settings map[string]float64) (map[string]float64, error) {
	configured, err := m.With(settings)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, name := range sortedKeys(settings) {
		path := name
		if p, ok := m.Parameter(name); ok {
			if len(p.Targets) == 0 {
				continue
			}
			path = p.Targets[0].Path
		}
		k, err := configured.Lookup(path)
		if err != nil {
			return nil, err
		}
		out[k.Path] = k.Value
	}
	return out, nil
}

// Alike returns checks that all name the same paths: what one does not, is as the model has it.
func (m *Model) Alike(checks []Checked) []Checked {
	paths := map[string]float64{}
	for _, c := range checks {
		for path := range c.At {
			if k, err := m.Lookup(path); err == nil {
				paths[path] = k.Value
			}
		}
	}
	out := slices.Clone(checks)
	for i := range out {
		out[i].At = maps.Clone(paths)
		maps.Copy(out[i].At, checks[i].At)
	}
	return out
}

func (c *checker) checked() {
	for i, k := range c.m.Checked {
		where := fmt.Sprintf("checked[%d]", i)
		if first := c.m.Checked[0].At; !slices.Equal(sortedKeys(k.At), sortedKeys(first)) {
			c.add(where, "names %q, the first one %q; give the same paths in all", sortedKeys(k.At), sortedKeys(first))
		}
		if math.IsNaN(k.Off) || math.Abs(k.Off) > MostOff || k.Runs < 1 {
			c.add(where, "off by %v in %d runs; give a logarithm within ±%v, of at least one run", k.Off, k.Runs, MostOff)
		}
		if !(k.Noise >= 0 && k.Noise <= MostOff) {
			c.add(where, "a noise of %v; give a deviation of 0 to %v", k.Noise, MostOff)
		}
		for _, path := range sortedKeys(k.At) {
			if _, err := c.m.Lookup(path); err != nil {
				c.add(where, "%v; give the path of a number", err)
			}
		}
	}
}

// MostOff is as far as a model can be off that anybody would use, a factor of 1000, as a logarithm. What is off by more is of no more use.
const MostOff = 7.0
