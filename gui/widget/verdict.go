package widget

import (
	"fyne.io/fyne/v2"
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

// sign is the picture of a confidence: never colour alone.
func (c Confidence) sign() fyne.Resource {
	switch c {
	case Good:
		return theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case Fair:
		return theme.NewWarningThemedResource(theme.InfoIcon())
	case Weak:
		return theme.NewErrorThemedResource(theme.WarningIcon())
	case Undecided:
	}
	return theme.NewThemedResource(theme.QuestionIcon())
}

// The strip has room for a sentence of two lines and its confidence, so that
// the page below seldom jumps; a longer text makes it grow, and a very long
// one scrolls.
const (
	verdictHeight  = 76
	tallestVerdict = 2 * verdictHeight
)

// Verdict is the strip on top of an answer page: one sentence made from the
// numbers, a word of confidence with its reason, and links.
type Verdict struct {
	widget.BaseWidget
	sentence   *widget.Label
	confidence *widget.Label
	sign       *widget.Icon
	column     *fyne.Container // sentence and confidence
	text       *container.Scroll
	root       fyne.CanvasObject
}

// NewVerdict returns a strip with the given links; "Copy sentence" is always
// the last.
func NewVerdict(links ...*widget.Button) *Verdict {
	v := &Verdict{sentence: Wrapped(""), confidence: Muted(""), sign: widget.NewIcon(Undecided.sign())}
	v.sentence.TextStyle.Bold = true
	v.confidence.Wrapping = fyne.TextWrapWord
	row := container.NewHBox()
	for _, l := range links {
		row.Add(l)
	}
	copyButton := widget.NewButtonWithIcon("", theme.ContentCopyIcon(), func() {
		fyne.CurrentApp().Clipboard().SetContent(v.sentence.Text)
	})
	copyButton.Importance = widget.LowImportance
	row.Add(copyButton)
	v.column = Close(v.sentence, v.confidence)
	v.text = container.NewVScroll(v.column)
	v.text.SetMinSize(fyne.NewSize(200, verdictHeight))
	v.root = Card(container.NewBorder(nil, nil, container.NewPadded(container.NewCenter(container.NewGridWrap(fyne.NewSize(24, 24), v.sign))), container.NewCenter(row), v.text))
	v.ExtendBaseWidget(v)
	return v
}

// Set shows a sentence with its confidence and the reason for it.
func (v *Verdict) Set(sentence string, c Confidence, reason string) {
	v.sign.SetResource(c.sign())
	v.sentence.SetText(sentence)
	text := "Confidence: " + string(c)
	if reason != "" {
		text += " (" + reason + ")"
	}
	v.confidence.SetText(text)
	v.grow()
}

// grow gives the text the height that it needs at its width.
func (v *Verdict) grow() {
	v.column.Refresh()
	height := min(max(v.column.MinSize().Height, verdictHeight), tallestVerdict)
	if height != v.text.MinSize().Height {
		v.text.SetMinSize(fyne.NewSize(200, height))
		v.Refresh()
	}
}

// Sentence returns the sentence that is shown.
func (v *Verdict) Sentence() string { return v.sentence.Text }

// Resize lets the text wrap anew.
func (v *Verdict) Resize(s fyne.Size) {
	v.BaseWidget.Resize(s)
	v.grow()
}

// CreateRenderer shows the strip.
func (v *Verdict) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(v.root)
}
