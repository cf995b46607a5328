package validate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tierscope/analysis/runtimes"
	"tierscope/core"
	"tierscope/measure/table"
)

// isBase reports whether settings of the measurements are those of the analysis.
func (q Request) isBase(measured map[string]float64) bool {
	for name, v := range q.settings(measured) {
		if p, ok := q.Model.Parameter(name); ok {
			if p.Default != v {
				return false
			}
		} else if k, err := q.Model.Lookup(name); err != nil || k.Value != v {
			return false
		}
	}
	return true
}

// analysed names the configuration of the analysis as those of the measurements are.
func (q Request) analysed() string {
	c := table.Configuration{Settings: map[string]float64{}}
	for _, name := range q.Measured.Parameters {
		if p, ok := q.Model.Parameter(q.knob(name)); ok {
			c.Settings[name] = p.Default
		} else if k, err := q.Model.Lookup(q.knob(name)); err == nil {
			c.Settings[name] = k.Value
		}
	}
	return c.Name(q.Measured.Parameters)
}

// check reports parameters of the table that the model does not have, and two that
// are the same one.
func (q Request) check() error {
	var errs []error
	by := map[string]string{}
	for _, p := range q.Measured.Parameters {
		knob := q.knob(p)
		if other, taken := by[knob]; taken {
			errs = append(errs, fmt.Errorf("validate: the columns %q and %q of the measurements both set %q of the model; map one of them to something else, or leave it out", other, p, knob))
		}
		by[knob] = p
		if _, err := q.Model.Lookup(knob); err != nil {
			if _, ok := q.Model.Parameter(knob); ok {
				continue
			}
			errs = append(errs, fmt.Errorf("validate: the measurements vary %q, which the model cannot set: %w", p, err))
		}
	}
	return errors.Join(errs...)
}

// knob returns what the model calls a parameter of the measurements: the same,
// or the parameter that the program is given under that name. A number of CPUs is what
// sets the model's cores and nothing else; a parameter that has a column of its own,
// or that the program is told in its own way, is not that, though cores follow it.
func (q Request) knob(measured string) string {
	if _, ok := q.Model.Parameter(measured); ok {
		return measured
	}
	for _, p := range q.Model.Parameters {
		if p.How == measured+"={value}" || p.How == "-"+measured+" {value}" || p.How == "--"+measured+" {value}" {
			return p.Name
		}
	}
	switch name := strings.ToLower(measured); {
	case name == "cpus", name == "cores": // what the run-time system takes follows them
		for _, p := range q.Model.Parameters {
			if q.isCores(p) && !slices.Contains(q.Measured.Parameters, p.Name) {
				return p.Name
			}
		}
		return coresPath
	case runtimes.IsProcessors(name): // the number of CPUs stays
		return coresPath
	}
	return measured
}

// isCores reports whether a parameter is the number of cores: it sets them, and the
// program is told by the CPUs that it may use or by its run-time system's variable.
func (q Request) isCores(p core.Parameter) bool {
	variable, _, _ := strings.Cut(p.How, "=")
	return slices.ContainsFunc(p.Targets, func(t core.Target) bool { return t.Path == coresPath }) &&
		(p.How == "" && len(p.Targets) == 1 || variable == "cpus" || runtimes.IsProcessors(variable))
}

// coresPath is where a model says how many cores there are.
const coresPath = "cpu/cores"

// Settings are those of a measured configuration under the names that the model has for them.
func Settings(m *core.Model, t *table.Table, measured map[string]float64) map[string]float64 {
	return Request{Model: *m, Measured: t}.settings(measured)
}

func (q Request) settings(measured map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(measured))
	for name, v := range measured {
		out[q.knob(name)] = v
	}
	return out
}

// configured returns the model and the settings of a measured configuration. A program
// that takes as many cores as it is told, and is given fewer CPUs, has the fewer: both
// numbers hold.
func (q Request) configured(measured map[string]float64) (core.Model, map[string]float64) {
	model, settings := q.Model, q.settings(measured)
	cores, given := settings[coresPath]
	if !given {
		return model, settings
	}
	settings = maps.Clone(model.Resolved(settings)) // what follows a parameter that is taken out stays what it is with it
	model.Parameters = slices.Clone(model.Parameters)
	for i := range model.Parameters {
		p := &model.Parameters[i]
		v, set := settings[p.Name]
		k := slices.IndexFunc(p.Targets, func(t core.Target) bool { return t.Path == coresPath })
		if !set || k < 0 {
			continue
		}
		cores = min(cores, math.Round(p.Targets[k].Apply(v)))
		if p.Targets = slices.Delete(slices.Clone(p.Targets), k, k+1); len(p.Targets) == 0 {
			delete(settings, p.Name) // the cores say all that it does
		}
	}
	model.Parameters = slices.DeleteFunc(model.Parameters, func(p core.Parameter) bool { return len(p.Targets) == 0 })
	for i := range model.Parameters {
		if p := &model.Parameters[i]; p.Follows != nil {
			if _, there := model.Parameter(p.Follows.Parameter); !there {
				p.Follows = nil
			}
		}
	}
	settings[coresPath] = cores
	return model, settings
}
