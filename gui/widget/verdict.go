package widget

import (
	"strings"

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

// Mark is the picture of an answer to a question that has one: a tick, a cross,
// something between them, or that nobody can tell.
type Mark string

// Marks.
const (
	YesMark      Mark = "yes"
	PartlyMark   Mark = "partly"
	NoMark       Mark = "no"
	UnjudgedMark Mark = "cannot be judged"
)

func (m Mark) sign() fyne.Resource {
	switch m {
	case YesMark:
		return theme.NewSuccessThemedResource(theme.ConfirmIcon())
	case PartlyMark:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	case NoMark:
		return theme.NewErrorThemedResource(theme.CancelIcon())
	case UnjudgedMark:
	}
	return theme.NewThemedResource(theme.QuestionIcon())
}

// The strip has room for a sentence of two lines and its details, so that the
// page below seldom jumps; a longer text makes it grow, and a very long one
// scrolls.
const (
	verdictHeight  = 64
	tallestVerdict = 2 * verdictHeight
)

// Verdict is the strip on top of an answer page: one sentence made from the
// numbers, the details and a word of confidence with its reason below, and
// links.
type Verdict struct {
	widget.BaseWidget
	full     string
	sentence *widget.Label
	details  *widget.Label // what else was said, and the confidence
	sign     *widget.Icon
	column   *fyne.Container // sentence and details
	text     *container.Scroll
	root     fyne.CanvasObject
}

// NewVerdict returns a strip with the given links; "Copy sentence" is always
// the last.
func NewVerdict(links ...*widget.Button) *Verdict {
	v := &Verdict{sentence: Wrapped(""), details: Muted(""), sign: widget.NewIcon(Undecided.sign())}
	v.sentence.TextStyle.Bold = true
	v.details.Wrapping = fyne.TextWrapWord
	row := container.NewHBox()
	for _, l := range links {
		row.Add(l)
	}
	row.Add(NewIconButton("Copy the verdict", theme.ContentCopyIcon(), func() {
		fyne.CurrentApp().Clipboard().SetContent(v.full)
	}))
	v.column = Close(v.sentence, v.details)
	v.text = container.NewVScroll(container.New(middleLayout{}, v.column))
	v.text.SetMinSize(fyne.NewSize(200, verdictHeight))
	v.root = Card(container.NewBorder(nil, nil, container.NewPadded(container.NewCenter(container.NewGridWrap(fyne.NewSize(24, 24), v.sign))), container.NewCenter(row), v.text))
	v.ExtendBaseWidget(v)
	return v
}

// Set shows what is to be said with its confidence and the reason for it.
func (v *Verdict) Set(text string, c Confidence, reason string) { v.set(c.sign(), text, c, reason) }

// Answer is Set for a question that is answered with yes or no.
func (v *Verdict) Answer(m Mark, text string, c Confidence, reason string) {
	v.set(m.sign(), text, c, reason)
}

func (v *Verdict) set(sign fyne.Resource, text string, c Confidence, reason string) {
	v.sign.SetResource(sign)
	v.full = text
	head, rest := headline(text)
	v.sentence.SetText(head)
	below := "Confidence: " + string(c)
	if reason != "" {
		below += " (" + reason + ")"
	}
	if rest != "" {
		below = rest + " " + below
	}
	v.details.SetText(below)
	v.grow()
}

// mostWords is what one takes in at a glance; bareAnswer is the length of an
// answer that says nothing without the sentence after it, such as "YES, mostly."
const (
	mostWords  = 25
	bareAnswer = 2
)

// headline divides a text into one sentence of at most mostWords words, and
// the rest. A longer sentence is divided where it breathes, or else after its last
// word that fits.
func headline(text string) (head, rest string) {
	words := strings.Fields(text)
	end := len(words)
	for i, w := range words {
		if strings.HasSuffix(w, ".") && i >= bareAnswer {
			end = i + 1
			break
		}
	}
	if end > mostWords {
		end = mostWords
		for i := mostWords; i > mostWords/2; i-- {
			if strings.ContainsAny(words[i-1][len(words[i-1])-1:], ",;:") {
				end = i
				break
			}
		}
	}
	head, rest = strings.Join(words[:end], " "), strings.Join(words[end:], " ")
	if rest != "" && !strings.HasSuffix(head, ".") {
		head = strings.TrimRight(head, ",;:") + " …"
	}
	return head, rest
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

// Sentence returns all that is said, but for the confidence.
func (v *Verdict) Sentence() string { return v.full }

// Headline returns the sentence on top.
func (v *Verdict) Headline() string { return v.sentence.Text }

// Resize lets the text wrap anew.
func (v *Verdict) Resize(s fyne.Size) {
	v.BaseWidget.Resize(s)
	v.grow()
}

// CreateRenderer shows the strip.
func (v *Verdict) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(v.root)
}
