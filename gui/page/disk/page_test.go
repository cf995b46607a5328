package disk

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/simulation"
	"tierscope/simulation/output"
)

// reader is pagetest's web server whose workers read from a disk as well: one
// request of 10 ms in three of four executions.
func reader() *core.Model {
	m := pagetest.Model()
	m.Disks = []core.Disk{{ID: "sda", Service: []core.ServiceLaw{{Type: "read", Rows: []core.ServiceRow{{Time: core.Const(0.01), Samples: 100}}}},
		Origin: core.Origin{Note: "estimated from 100 requests"}}}
	g := &m.Graphs[0]
	for i := range g.Fragments {
		if g.Fragments[i].ID == "work" {
			g.Fragments[i].Next = []core.Edge{{To: "read", Probability: 1}}
		}
	}
	g.Fragments = append(g.Fragments, core.Fragment{ID: "read", Class: core.IOFragment, Next: []core.Edge{{To: "reply", Probability: 1}},
		IO: &core.IO{Disk: "sda", Requests: []core.RequestType{{Type: "read", Bytes: core.Const(4096),
			Count: core.Distribution{Kind: core.Discrete, Values: []float64{0, 1}, Weights: []float64{0.25, 0.75}, Samples: 400}}}}})
	return m
}

func TestAModelWithoutADiskSaysHowToGetOne(t *testing.T) {
	_, p := pagetest.Open[*Page](t, New)
	if !strings.Contains(text(p.root), "The model has no disk") {
		t.Errorf("the page says %q", text(p.root))
	}
}

func TestThePageShowsLawHitsAndLoad(t *testing.T) {
	h := pagetest.Host(t)
	h.Session.UseSimulator(func(context.Context, core.Model, map[string]float64, simulation.Options) (*simulation.Result, error) {
		return &simulation.Result{Replications: 3, Metrics: []simulation.Metric{{Name: "U", Of: "disk/sda", Stat: "mean", Unit: "1", Estimate: output.Estimate{Mean: 0.45, Lo: 0.44, Hi: 0.46, N: 3, Confidence: 0.95}}}}, nil
	}, simulation.NewPool(2))
	h.Session.SetModel(reader(), "/tmp/reader.tier")
	p := New(h).(*Page)
	pagetest.Show(t, h, p)
	row := p.uses.Rows()[0]
	if row[0].Text != "read" || row[2].Text != "sda" || row[6].Key != 0.25 || row[3].Key != 0.75 {
		t.Errorf("the row of the fragment is %v", row)
	}
	if p.loads.Rows()[0][1].Text != "–" {
		t.Errorf("utilization %q before anything was simulated", p.loads.Rows()[0][1].Text)
	}
	h.Session.Simulate(h.Session.Scenario())
	h.Session.Runner.Settle()
	if got := p.loads.Rows()[0][1].Key; got != 0.45 {
		t.Errorf("utilization %v, want 0.45", got)
	}
	if !strings.Contains(p.law.Summary(), "Service of sda") {
		t.Errorf("the plot says %q", p.law.Summary())
	}
	pagetest.Picture(t, h, "disk")
}

// text is all text of labels below an object.
func text(o fyne.CanvasObject) string {
	var b strings.Builder
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *widget.Label:
			b.WriteString(o.Text + "\n")
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		}
	}
	walk(o)
	return b.String()
}
