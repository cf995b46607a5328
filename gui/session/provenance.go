package session

import (
	"tierscope/gui/chart"
	"tierscope/simulation"
	"tierscope/simulation/experiment"
)

// Provenance is where a figure of the open model comes from that shows no
// single run.
func (s *Session) Provenance() chart.Provenance {
	p := chart.Provenance{Model: s.Name(), Program: s.Program, Date: chart.Today()}
	if s.model != nil {
		p.Revision = s.Hash()
		p.Trust, _ = s.Grade()
	}
	return p
}

// ProvenanceOf is where a figure of a scenario comes from; r is its result, nil
// if it is not simulated.
func (s *Session) ProvenanceOf(c Scenario, r *simulation.Result) chart.Provenance {
	p := s.Provenance()
	p.Scenario, p.Command = c.Name, s.Command(c)
	if r != nil {
		return simulated(p, r)
	}
	return p
}

// simulated is where a figure comes from that shows a result.
func simulated(p chart.Provenance, r *simulation.Result) chart.Provenance {
	p.Revision, p.Seed, p.Replications = r.ModelHash, r.Seed, r.Replications
	if len(r.Metrics) > 0 {
		p.Confidence = r.Metrics[0].Estimate.Confidence
	}
	return p
}

// ProvenanceOfRuns is where a figure of many runs comes from.
func (s *Session) ProvenanceOfRuns(runs []experiment.Run) chart.Provenance {
	p := s.Provenance()
	if p.Runs = len(runs); p.Runs > 0 {
		return simulated(p, runs[len(runs)-1].Result)
	}
	return p
}
