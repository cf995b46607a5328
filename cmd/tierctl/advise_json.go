package main

// adviceDocument is what advise prints, for programs.
type adviceDocument struct {
	Metric  string          `json:"metric"`
	Unit    string          `json:"unit"`
	Answers []advisedAnswer `json:"answers"`
	KnownTo float64         `json:"known_to"` // relative half-width of the widest interval
	Checks  int             `json:"checks"`   // configurations that were run
	Sure    bool            `json:"sure"`
	Says    string          `json:"says,omitempty"` // why no more runs are needed
	Next    []nextRun       `json:"next_runs"`
}

type advisedAnswer struct {
	Settings   map[string]float64 `json:"settings"`
	ModelAlone float64            `json:"model_alone"`
	Mean       float64            `json:"mean"`
	Lo         float64            `json:"lo"`
	Hi         float64            `json:"hi"`
}

type nextRun struct {
	Settings map[string]float64 `json:"settings"`
	Takes    float64            `json:"takes_s"`
	KnownTo  float64            `json:"then_known_to"`
}

func (a *advice) document(next []advisedRun, sure bool, says string) adviceDocument {
	d := adviceDocument{Metric: a.metricName(), KnownTo: a.known(a.field), Checks: a.checks, Sure: sure, Next: []nextRun{}}
	for _, p := range a.asked {
		mean, lo, hi := a.answer(p)
		d.Unit = p.unit
		d.Answers = append(d.Answers, advisedAnswer{p.settings, p.says, mean, lo, hi})
	}
	if sure {
		d.Says = says
		return d
	}
	for _, n := range next {
		p := a.possible[n.candidate]
		d.Next = append(d.Next, nextRun{p.settings, p.cost, n.then})
	}
	return d
}
