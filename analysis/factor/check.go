package factor

import (
	"errors"
	"fmt"
	"math"
)

// check reports what makes an experiment unusable.
func (e *Experiment) check() error {
	n := len(e.Modules)
	if n < 2 {
		return fmt.Errorf("factor: %d modules: at least 2 are needed for a dependency", n)
	}
	if len(e.Runs) == 0 {
		return errors.New("factor: no runs")
	}
	for i, r := range e.Runs {
		if r.Module < Nothing || r.Module >= n {
			return fmt.Errorf("factor: run %d prolonged module %d of %d", i+1, r.Module, n)
		}
		if len(r.Times) != n {
			return fmt.Errorf("factor: run %d has times of %d modules, want %d", i+1, len(r.Times), n)
		}
		for j, t := range r.Times {
			if !(t > 0) || math.IsInf(t, 0) {
				return fmt.Errorf("factor: run %d: time of module %q is %g: it must be positive", i+1, e.Modules[j], t)
			}
		}
	}
	if e.Carriers != nil && len(e.Carriers) != n {
		return fmt.Errorf("factor: carriers of %d modules, want %d", len(e.Carriers), n)
	}
	return rows("calls", e.Calls, n, n, true)
}

// Check reports what an analysis that comes from a file lacks: its tables have a row for each module.
func (a *Analysis) Check() error {
	if a.Experiment == nil {
		return errors.New("factor: an analysis without its runs")
	}
	if err := a.Experiment.check(); err != nil {
		return err
	}
	n, factors := len(a.Experiment.Modules), len(a.Explained)
	return errors.Join(
		rows("sensitivities", a.Sensitivities, n, n, false),
		rows("touching", a.Touching, n, n, true),
		rows("loadings", a.Loadings, n, factors, factors == 0),
	)
}

// rows reports a table of another size; there may be none.
func rows[T any](name string, table [][]T, n, columns int, optional bool) error {
	if optional && len(table) == 0 {
		return nil
	}
	if len(table) != n {
		return fmt.Errorf("factor: %s of %d modules, want %d", name, len(table), n)
	}
	for i, row := range table {
		if len(row) != columns {
			return fmt.Errorf("factor: row %d of the %s has %d columns, want %d", i+1, name, len(row), columns)
		}
	}
	return nil
}
