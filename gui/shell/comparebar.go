package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/session"
	ours "tierscope/gui/widget"
)

// compareBar is the strip under the breadcrumbs that says what every page
// compares, in one sentence what the difference is, and how to end it.
type compareBar struct {
	s        *Shell
	a, b     *ours.Choice
	sentence *widget.Label
	root     fyne.CanvasObject
	sides    map[string]session.Side // by the value of a choice
}

func newCompareBar(s *Shell) *compareBar {
	c := &compareBar{s: s, sentence: widget.NewLabel("")}
	c.sentence.Truncation = fyne.TextTruncateEllipsis
	changed := func(string) { s.host.Session.Compare(c.sides[c.a.Value()], c.sides[c.b.Value()]) }
	c.a, c.b = ours.NewChoice(changed), ours.NewChoice(changed)
	ses := s.host.Session
	side := func(word string, o fyne.CanvasObject) fyne.CanvasObject {
		return container.NewBorder(nil, nil, ours.Section(word), nil, ours.Flexible(o))
	}
	buttons := container.NewHBox(ours.NewIconButton("Swap the sides", theme.MediaReplayIcon(), ses.Swap),
		ours.NewIconButton("Copy what the difference is", theme.ContentCopyIcon(), func() { fyne.CurrentApp().Clipboard().SetContent(c.sentence.Text) }),
		ours.NewIconButton("Stop comparing", theme.CancelIcon(), ses.StopComparing))
	sides := container.NewGridWithColumns(2, side("A", c.a), side("B", c.b))
	c.root = ours.Bar(container.NewPadded(container.NewBorder(nil, nil, nil, buttons, container.NewGridWithColumns(2, sides, c.sentence))))
	c.root.Hide()
	return c
}

func (c *compareBar) update() {
	ses := c.s.host.Session
	p := ses.Comparing()
	shown := p != nil && ses.Model() != nil
	if shown != c.root.Visible() {
		defer c.s.over.Refresh() // the page gets the room, or gives it
	}
	if !shown {
		c.root.Hide()
		return
	}
	c.sides = map[string]session.Side{}
	var values []string
	labels := map[string]string{}
	for _, x := range append([]session.Side{p.A, p.B}, ses.SidesOffered()...) {
		v := string(x.Kind) + " " + x.Name
		if _, ok := c.sides[v]; !ok {
			values = append(values, v)
		}
		c.sides[v], labels[v] = x, ses.Label(x)
	}
	for _, x := range []struct {
		choice *ours.Choice
		side   session.Side
	}{{c.a, p.A}, {c.b, p.B}} {
		x.choice.SetValues(values, func(v string) string { return labels[v] })
		x.choice.Choose(string(x.side.Kind) + " " + x.side.Name)
	}
	text := ses.Difference()
	if text == "" {
		text = "Simulating what is compared …"
		if ses.ResultOf(p.A) != nil && ses.ResultOf(p.B) != nil || p.A.Kind == session.MeasuredSide || p.B.Kind == session.MeasuredSide {
			text = "The two have no metric in common in this scenario."
		}
	}
	c.sentence.SetText(text)
	c.root.Show()
}
