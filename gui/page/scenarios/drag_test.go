package scenarios

import (
	"cmp"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	"tierscope/project"
	"tierscope/simulation"
)

// How long after the last move of a knob the first simulated point of the new curve is there, in every sample and over
// its knobs by turns: with the pause in which the knob may move on, and while the curves of the baseline are still being
// simulated. An analyst waits for a second. Every drag has a seed of its own, so that the answer is known to nobody.
func BenchmarkDragToTheFirstPoint(b *testing.B) {
	samples, err := filepath.Glob("../../../assets/samples/*.tier")
	if err != nil || len(samples) == 0 {
		b.Fatalf("no samples: %v", err)
	}
	for _, path := range samples {
		b.Run(strings.TrimSuffix(filepath.Base(path), ".tier"), func(b *testing.B) {
			m, err := project.LoadModel(path)
			if err != nil {
				b.Fatal(err)
			}
			h := pagetest.Host(b)
			ses := h.Session
			ses.UseSimulator(simulation.Run, simulation.NewPool(0))
			ses.SetModel(&m, "")
			p := NewPage(h, pause)
			ses.GoPage(ID)
			h.Window.SetContent(p.Content())
			b.Cleanup(ses.Subscribe(p.Update))
			p.Update(session.PlaceChanged)
			random := rand.New(rand.NewPCG(1, 0))
			worst := time.Duration(0)
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				ses.ResetAll()
				ses.ChangeSettings(func(s *session.Settings) { s.Seed = uint64(i + 1) })
				ses.Simulate(ses.Scenarios()[0])
				ses.Runner.SettleUntil(func() bool {
					o := ses.Outcome(ses.Scenarios()[0])
					return o.Job != nil && o.Job.State != session.Running
				})
				knob, to := drag(m, i, random)
				p.byKey[knob].OnChanged(p.byKey[knob].Baseline()) // where a drag begins
				b.StartTimer()
				began := time.Now()
				p.byKey[knob].OnChanged(to)
				ses.Runner.SettleUntil(func() bool { return simulated(p, knob, to) })
				if !simulated(p, knob, to) {
					b.Fatalf("%s = %g: all is done, and no point was simulated", knob, to)
				}
				worst = max(worst, time.Since(began))
			}
			b.ReportMetric(worst.Seconds(), "s-worst")
			for _, j := range ses.Jobs() {
				j.Cancel()
			}
			ses.Runner.Settle()
		})
	}
}

// drag is a knob, by turns, and where it is dragged: to a value that the measuring run supports, with a load that can be
// served.
func drag(m core.Model, turn int, random *rand.Rand) (knob string, to float64) {
	for n := turn; ; n++ {
		p := m.Parameters[n%len(m.Parameters)]
		lo, hi := cmp.Or(p.SupportedMin, p.Min), cmp.Or(p.SupportedMax, p.Max)
		v := lo + (hi-lo)*random.Float64()
		if p.Integer {
			v = math.Round(v)
		}
		at, err := m.With(map[string]float64{p.Name: v})
		if err != nil || v == p.Default {
			continue
		}
		if d := at.Demands(); d.Bounds().Stable {
			return p.Name, v
		}
	}
}

// simulated reports whether the plot has a simulated point of the scenario at a value of the knob.
func simulated(p *Page, knob string, v float64) bool {
	f, ok := p.answer.plot.Figure().(chart.Lines)
	if !ok || p.answer.over.Value() != knob {
		return false
	}
	for _, s := range f.Series {
		for _, x := range s.Points {
			if s.Role == chart.Simulated && s.Colour == 1 && x.X == v {
				return true
			}
		}
	}
	return false
}
