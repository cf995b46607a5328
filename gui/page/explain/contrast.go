package explain

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"tierscope/gui/figure"
	own "tierscope/gui/widget"
)

// contrast is the page while two things are compared: where a task's time goes
// in both, as paired bars, and their distributions; nil if none are.
func (p *Page) contrast() fyne.CanvasObject {
	s := p.host.Session
	pair := s.Comparing()
	if pair == nil {
		return nil
	}
	a, b := figure.Side{Name: s.Label(pair.A), Result: s.ResultOf(pair.A)}, figure.Side{Name: s.Label(pair.B), Result: s.ResultOf(pair.B)}
	if a.Result == nil || b.Result == nil {
		return own.Empty("Simulating what is compared", "The bars of both appear as soon as they are known. Measurements have none where this configuration was not measured.")
	}
	if p.paired == nil {
		p.paired, p.laws = own.NewPlot(s.Runner), own.NewPlot(s.Runner)
		p.paired.Otherwise("Nothing is known of the parts of the time", "Measurements say how long a task takes, not where.")
		p.laws.Otherwise("No percentiles are known of both", "Simulated runs have them.")
	}
	p.paired.SetFigure(figure.PairedBreakdown(a, b))
	p.laws.SetFigure(figure.Distributions(a, b))
	split := container.NewVSplit(p.paired, p.laws)
	split.SetOffset(0.45)
	return split
}
