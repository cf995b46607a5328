package explain

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	own "tierscope/gui/widget"
	"tierscope/simulation/explain"
	"tierscope/simulation/output"
)

// candidateRow is the row of a thing that could be faster: first what that would bring.
func candidateRow(name string, c explain.Candidate) []own.Cell {
	row := []own.Cell{own.TextCell(name), empty, empty}
	for i, e := range c.Effects {
		row[1+i] = gainCell(e.Gain)
	}
	busy, queue, wait := empty, empty, empty
	if c.Utilization != nil {
		busy = own.NumberCell(quantity.Share(c.Utilization.Mean), c.Utilization.Mean)
	}
	if c.Queue != nil {
		queue = own.NumberCell(quantity.Format(c.Queue.Mean, ""), c.Queue.Mean)
	}
	switch {
	case c.WaitPerTask != nil:
		wait = own.NumberCell(quantity.Format(*c.WaitPerTask, "s"), *c.WaitPerTask)
	case c.TimePerTask != nil:
		wait = own.Cell{Text: quantity.Format(*c.TimePerTask, "s") + " CPU", Key: *c.TimePerTask, Tone: own.Quiet}
	}
	return append(row, busy, queue, wait, own.TextCell(string(c.Kind)))
}

var empty = own.Cell{Text: "–", Key: math.NaN(), Tone: own.Quiet}

// gainCell is a gain with its interval; grey where it may be nothing.
func gainCell(g output.Estimate) own.Cell {
	c := own.Cell{Text: quantity.ChangeInterval(g.Mean, g.Lo, g.Hi), Key: g.Mean}
	if g.Lo <= 0 {
		c.Tone = own.Quiet
	}
	return c
}

// showFindings lists the findings with their "Try" buttons.
func (p *Page) showFindings() {
	p.findings.RemoveAll()
	if p.report == nil {
		return
	}
	hidden := 0
	for _, f := range p.report.Findings {
		if f.Class == explain.Fine && !p.fine.Checked {
			hidden++
			continue
		}
		p.findings.Add(p.finding(f))
	}
	p.fine.Text = "show the " + quantity.Plural(hidden, "check") + " that found nothing"
	if p.fine.Checked {
		p.fine.Text = "show what was checked and is fine"
	}
	p.fine.Refresh()
	p.findings.Refresh()
}

// mark is the word for a class of findings, and the sign beside it.
func mark(c explain.Class) (word string, sign fyne.Resource) {
	switch c {
	case explain.Problem:
		return "problem", theme.NewErrorThemedResource(theme.WarningIcon())
	case explain.Hint:
		return "hint", theme.NewPrimaryThemedResource(theme.InfoIcon())
	case explain.Fine:
		return "fine", theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case explain.Unknown:
	}
	return "not enough data", theme.NewThemedResource(theme.QuestionIcon())
}

// signSize is the size of the sign of a finding.
const signSize = 16

func (p *Page) finding(f explain.Finding) fyne.CanvasObject {
	head := own.Wrapped(f.Summary)
	head.TextStyle.Bold = true
	class, picture := mark(f.Class)
	if f.Score > 0 {
		class += " · " + quantity.Count(int64(f.Score)) + " of 100"
	}
	sign := container.NewGridWrap(fyne.NewSize(signSize, signSize), widget.NewIcon(picture))
	text := own.Close(container.NewBorder(nil, nil, container.NewCenter(sign), nil, own.Caption(class)), head, own.Wrapped(f.Why))
	box := container.NewVBox(text)
	row := container.NewHBox()
	for _, t := range f.Try {
		row.Add(widget.NewButton("Try: "+t.Label, func() {
			p.host.Session.AddSettings(t.Label, t.Settings, t.Edits...)
			p.host.Session.GoPage("scenarios")
		}))
	}
	if len(f.Try) > 0 {
		box.Add(own.Inset(row))
	}
	return own.Card(box)
}

// elementPath turns the name of a metric's subject into the path of the
// model's element: "disk/sda" is "disks/sda", "fragment/worker/parse" is
// "graphs/worker/fragments/parse".
func elementPath(of string) string {
	kind, rest, _ := strings.Cut(of, "/")
	switch kind {
	case "cpu":
		return "cpu"
	case "fragment":
		graph, fragment, _ := strings.Cut(rest, "/")
		return "graphs/" + graph + "/fragments/" + fragment
	case "disk", "lock", "pool", "queue":
		return kind + "s/" + rest
	}
	return ""
}
