package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Confidence is how far a verdict can be trusted.
type Confidence string

// Words of confidence.
const (
	Good      Confidence = "good"
	Fair      Confidence = "fair"
	Weak      Confidence = "weak"
	Undecided Confidence = "undecided"
)

// glyph is the sign of a confidence: never colour alone.
func (c Confidence) glyph() string {
	switch c {
	case Good:
		return "✓"
	case Fair:
		return "≈"
	case Weak:
		return "!"
	case Undecided:
	}
	return "?"
}

func (c Confidence) color() fyne.ThemeColorName {
	switch c {
	case Good:
		return theme.ColorNameSuccess
	case Fair:
		return theme.ColorNameWarning
	case Weak:
		return theme.ColorNameError
	case Undecided:
	}
	return theme.ColorNameForeground
}

// Verdict is the strip on top of an answer page: one sentence made from the
// numbers, a word of confidence with its reason, and links.
type Verdict struct {
	widget.BaseWidget
	sentence   *widget.Label
	confidence *widget.Label
	glyph      *canvas.Text
	word       Confidence
	links      *fyne.Container
	root       fyne.CanvasObject
}

// NewVerdict returns a strip with the given links; "Copy sentence" is always
// the last.
func NewVerdict(links ...*widget.Button) *Verdict {
	v := &Verdict{sentence: Wrapped(""), confidence: Muted(""), glyph: canvas.NewText("?", nil), word: Undecided}
	v.sentence.TextStyle.Bold = true
	v.confidence.Wrapping = fyne.TextWrapWord
	v.glyph.TextSize, v.glyph.TextStyle.Bold = 20, true
	row := container.NewHBox()
	for _, l := range links {
		row.Add(l)
	}
	copyButton := widget.NewButtonWithIcon("", theme.ContentCopyIcon(), func() {
		fyne.CurrentApp().Clipboard().SetContent(v.sentence.Text)
	})
	copyButton.Importance = widget.LowImportance
	row.Add(copyButton)
	v.links = row
	text := container.NewVBox(v.sentence, v.confidence)
	v.root = Card(container.NewBorder(nil, nil, container.NewPadded(container.NewCenter(v.glyph)), container.NewCenter(row), text))
	v.ExtendBaseWidget(v)
	return v
}

// Set shows a sentence with its confidence and the reason for it.
func (v *Verdict) Set(sentence string, c Confidence, reason string) {
	v.word = c
	v.sentence.SetText(sentence)
	text := "Confidence: " + string(c)
	if reason != "" {
		text += " (" + reason + ")"
	}
	v.confidence.SetText(text)
	v.Refresh()
}

// Sentence returns the sentence that is shown.
func (v *Verdict) Sentence() string { return v.sentence.Text }

// Refresh takes on the theme's colours.
func (v *Verdict) Refresh() {
	v.glyph.Text, v.glyph.Color = v.word.glyph(), theme.Color(v.word.color())
	v.BaseWidget.Refresh()
}

// CreateRenderer shows the strip.
func (v *Verdict) CreateRenderer() fyne.WidgetRenderer {
	v.glyph.Text, v.glyph.Color = v.word.glyph(), theme.Color(v.word.color())
	return widget.NewSimpleRenderer(v.root)
}
