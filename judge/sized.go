package judge

import (
	"context"
	"slices"

	"tierscope/analysis/stage"
	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/inputs"
	"tierscope/measure/table"
)

// sized tries what parameters that set sizes of pools change besides what is assumed, where the checks of an outcome are far from
// its model, and has it in the model if that is nearer to them. It returns the checks of the model that there is then. run: the program
// is run for it; otherwise what was kept goes.
func sized(ctx context.Context, s *stage.Study, o *stage.Outcome, checks []trust.Check, tables []*table.Table, run bool) ([]trust.Check, error) {
	if trust.Spread(checks) <= doubtful {
		return checks, nil
	}
	if run {
		if err := inputs.TrySizes(ctx, s, varied(o.Model, checks), func(fact string) { said(s, fact) }); err != nil {
			return checks, err
		}
	}
	m, says, err := inputs.Sized(ctx, s.Dir, *o.Model)
	if err != nil || len(says) == 0 {
		return checks, err
	}
	theirs, err := compare(ctx, m, tables)
	if err != nil || !explains(trust.Spread(theirs), trust.Spread(checks)) {
		return checks, err
	}
	*o.Model = m
	o.Report.Trust.Assumptions = append(o.Report.Trust.Assumptions, says...)
	return theirs, nil
}

// varied are the parameters that set sizes of pools and of which checks have other values than the recorded run.
func varied(m *core.Model, checks []trust.Check) (ps []core.Parameter) {
	for _, p := range m.Parameters {
		if p.How == "" || p.Follows != nil || !p.SizesPools() {
			continue
		}
		at, err := m.Paths(map[string]float64{p.Name: p.Default})
		if err != nil {
			continue
		}
		if slices.ContainsFunc(checks, func(c trust.Check) bool {
			for path, v := range at {
				if is, set := c.At[path]; set && is != v {
					return true
				}
			}
			return false
		}) {
			ps = append(ps, p)
		}
	}
	return ps
}
