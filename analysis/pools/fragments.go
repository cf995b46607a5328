package pools

import (
	"tierscope/analysis/trace"
	"tierscope/analysis/trail"
)

// Fragments makes sequences of code fragments of the records.
func Fragments(tr *trail.Trail) {
	tr.Nodes = trail.NewNodeTable(tr.Trace.Sites, tr.Options.Library)
	tr.Nodes.Offers = tr.Trace.Offers
	probe := tr.Trace.ProbeCost()
	wake := int64(trace.MeanOf(tr.Trace.Calibration.WakerCost) * 1e9)
	spin := int64(tr.Trace.Calibration.Spin * 1e9)
	for _, g := range tr.Pools {
		tr.Nodes.Scope = g.Name
		for _, th := range g.Threads {
			q := tr.Nodes.SequenceOf(th, probe, &tr.Unmatched)
			if g.Kind == trail.PoolMain && !tr.Server {
				q.EndsWith(tr.Trace, tr.Nodes)
			}
			trail.ChargeOperations(q, wake, spin)
			g.Sequences = append(g.Sequences, q)
		}
		naive := trail.CountGroup(g)
		tr.Reports = append(tr.Reports, trail.PoolReport{Name: g.Name, Kind: g.Kind, Place: trace.ShortPlace(g.Place), Threads: len(g.Threads),
			MaxAlive: g.MaxAlive, NaiveNodes: len(naive.Vertices), NaiveEdges: naive.Edges(), CPU: naive.CpuTime()})
	}
}
