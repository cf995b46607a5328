package widget

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
)

// Knob sets one number: by a slider, by typing, by arrow keys. It shows what
// the number was at the baseline, and takes it back there.
type Knob struct {
	widget.BaseWidget
	// OnChanged is called with a new value, OnReset when it is taken back. While the slider is being moved it is OnMoved
	// that is called, if there is one, and OnChanged when it is let go.
	OnChanged, OnMoved func(float64)
	OnReset            func()

	spec    KnobSpec
	scale   quantity.Scale // in which the number is shown and typed
	value   float64
	slider  *widget.Slider
	entry   *NumberEntry
	reset   *IconButton
	title   *widget.Label
	note    *widget.Label
	head    *fyne.Container   // title, note, entry and reset
	right   fyne.CanvasObject // entry and reset
	spark   *spark            // nil until the knob has a curve
	column  *fyne.Container
	setting bool
	root    fyne.CanvasObject
}

// KnobSpec is what a knob sets.
type KnobSpec struct {
	Title     string
	Unit      string
	Baseline  float64
	Min, Max  float64
	Slide     [2]float64 // range of the slider, where typing goes further; both 0: all
	Integer   bool
	Supported [2]float64 // range that the measuring run supports; both 0: not known
	Hint      string     // what it is, below the title
}

// sliderSteps is the number of positions of a slider without whole numbers.
const sliderSteps = 200

// slide is the range of the slider.
func (s KnobSpec) slide() (lo, hi float64) {
	if s.Slide == [2]float64{} {
		return s.Min, s.Max
	}
	return s.Slide[0], s.Slide[1]
}

// logarithmic reports whether equal ratios get equal room on the slider: the
// range spans more than a factor of 30.
func (s KnobSpec) logarithmic() bool {
	lo, hi := s.slide()
	return lo > 0 && hi/lo > 30
}

// scale is the unit of the knob: times are shown in the unit that suits the
// baseline, everything else as it is.
func (s KnobSpec) scale() quantity.Scale {
	if s.Unit != "s" {
		return quantity.Scale{Divisor: 1, Unit: s.Unit}
	}
	return quantity.For("s", cmp.Or(s.Baseline, s.Max))
}

// NewKnob returns a knob at its baseline.
func NewKnob(spec KnobSpec) *Knob {
	k := &Knob{spec: spec, scale: spec.scale(), value: spec.Baseline, entry: newNumberEntry(), note: Muted("")}
	k.slider = widget.NewSlider(0, sliderSteps)
	if lo, hi := spec.slide(); spec.Integer && !spec.logarithmic() && hi-lo <= sliderSteps {
		k.slider.Max = hi - lo
	}
	k.slider.Step = 1
	k.slider.OnChanged = func(p float64) {
		if !k.setting {
			k.change(k.at(p), k.OnMoved)
		}
	}
	k.slider.OnChangeEnded = func(float64) {
		if !k.setting && k.OnMoved != nil && k.OnChanged != nil {
			k.OnChanged(k.value)
		}
	}
	k.entry.OnSubmitted = k.typed
	k.entry.OnBlur = k.left
	k.entry.OnStep = k.step
	k.reset = NewIconButton("Take "+spec.Title+" back to the baseline", theme.ContentUndoIcon(), func() {
		if k.OnReset != nil {
			k.OnReset()
		}
	})
	title := spec.Title
	if k.scale.Unit != "" && k.scale.Unit != "1" && k.scale.Unit != spec.Title {
		title += " [" + k.scale.Unit + "]"
	}
	k.note.SizeName = theme.SizeNameCaptionText
	k.note.Truncation = fyne.TextTruncateEllipsis
	k.note.Alignment = fyne.TextAlignTrailing
	k.title = widget.NewLabel(title)
	k.right = container.NewHBox(container.NewGridWrap(fyne.NewSize(80, k.entry.MinSize().Height), k.entry), k.reset)
	k.head = container.NewBorder(nil, nil, k.title, k.right, k.note)
	k.column = container.New(layout.NewCustomPaddedVBoxLayout(-6), k.head, container.NewStack(k.marks(), k.slider))
	k.root = k.column
	k.ExtendBaseWidget(k)
	k.Set(spec.Baseline)
	return k
}

// Baseline returns the value of the baseline.
func (k *Knob) Baseline() float64 { return k.spec.Baseline }

// Value returns the present value.
func (k *Knob) Value() float64 { return k.value }

// Submit types a text and presses Enter.
func (k *Knob) Submit(text string) {
	k.entry.SetText(text)
	k.typed(text)
}

// Note returns what stands beside the value.
func (k *Knob) Note() string { return k.note.Text }

// ShowCurve shows the answer over the range of the knob, under its slider.
func (k *Knob) ShowCurve(s Spark) {
	if k.spark == nil {
		k.spark = newSpark(func(v float64) (float64, bool) { return k.share(v), !k.beyond(v) })
		k.column.Add(k.spark)
	}
	k.spark.set(s)
}

// Curve returns what ShowCurve shows.
func (k *Knob) Curve() Spark {
	if k.spark == nil {
		return Spark{}
	}
	return k.spark.data
}

// share is where on its track the slider stands for a value.
func (k *Knob) share(v float64) float64 {
	lo, hi := k.spec.slide()
	f := (v - lo) / max(hi-lo, 1e-300)
	if k.spec.logarithmic() {
		f = math.Log(max(v, lo)/lo) / math.Log(hi/lo)
	}
	return min(max(f, 0), 1)
}

// beyond reports whether a value is typed, and not on the slider.
func (k *Knob) beyond(v float64) bool {
	lo, hi := k.spec.slide()
	return v < lo || v > hi
}

// Set shows a value without telling anybody.
func (k *Knob) Set(v float64) {
	k.setting = true
	defer func() { k.setting = false }()
	k.value = v
	if p := k.position(v); math.Round(p) != k.slider.Value { // else a slider that is being moved would be let go
		k.slider.SetValue(p)
	}
	k.entry.SetText(k.format(v))
	k.say(k.says(), widget.LowImportance)
	if v == k.spec.Baseline {
		k.reset.Disable()
	} else {
		k.reset.Enable()
	}
}

// says is the note: how it differs from the baseline, and whether it leaves
// what the measuring run supports.
func (k *Knob) says() string {
	s := k.spec
	if s.Supported != [2]float64{} && (k.value < s.Supported[0] || k.value > s.Supported[1]) {
		return "extrapolation"
	}
	if k.value == s.Baseline {
		return ""
	}
	text := "was " + k.format(s.Baseline)
	if s.Baseline != 0 {
		text += " (" + quantity.Change(k.value/s.Baseline-1) + ")"
	}
	return text
}

func (k *Knob) format(v float64) string {
	if k.spec.Integer {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(v/k.scale.Divisor, 'g', 4, 64), 64) // four digits
	if err != nil {
		panic("widget: " + err.Error())
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func (k *Knob) parse(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.ReplaceAll(s, ",", ".")), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errKnob("type a number")
	}
	v *= k.scale.Divisor
	if v < k.spec.Min || v > k.spec.Max {
		return 0, errKnob("between " + k.format(k.spec.Min) + " and " + k.format(k.spec.Max))
	}
	if k.spec.Integer && v != math.Trunc(v) {
		return 0, errKnob("a whole number")
	}
	return v, nil
}

type errKnob string

func (e errKnob) Error() string { return string(e) }

func (k *Knob) typed(s string) {
	if s == k.format(k.value) { // as it is shown: fewer digits than the value has
		k.say(k.says(), widget.LowImportance)
		return
	}
	v, err := k.parse(s)
	switch {
	case err != nil:
		k.say(err.Error(), widget.DangerImportance)
	case v == k.value:
		k.Set(v) // typed another way
	default:
		k.change(v, nil)
	}
}

// left takes what was typed, with Enter or without; what cannot be taken gives way to the value, and the note says why.
func (k *Knob) left() {
	k.typed(k.entry.Text)
	k.entry.SetText(k.format(k.value))
}

// say shows a note; what is wrong takes the place of the title too where it would be cut off.
func (k *Knob) say(text string, how widget.Importance) {
	need := fyne.MeasureText(text, theme.Size(theme.SizeNameCaptionText), k.note.TextStyle).Width + 2*theme.InnerPadding()
	room := k.head.Size().Width - k.title.MinSize().Width - k.right.MinSize().Width - 2*theme.Padding()
	k.title.Hidden = how == widget.DangerImportance && need > room
	k.note.Importance = how
	k.note.SetText(text)
	k.head.Refresh()
}

// step moves the number up or down: a whole number by one, others by one position of the slider.
func (k *Knob) step(direction int) {
	k.typed(k.entry.Text)
	v := k.value + float64(direction)
	if !k.spec.Integer && !k.beyond(k.value) {
		v = k.at(k.slider.Value + float64(direction)*k.slider.Step)
	}
	k.change(min(max(v, k.spec.Min), k.spec.Max), nil)
}

// change shows another value and tells of it, OnChanged unless told otherwise.
func (k *Knob) change(v float64, tell func(float64)) {
	if v == k.value {
		return
	}
	k.Set(v)
	if tell == nil {
		tell = k.OnChanged
	}
	if tell != nil {
		tell(v)
	}
}

// marks are those of the slider: the baseline, and what is no evidence.
func (k *Knob) marks() *marks {
	share := func(v float64) float64 { return k.position(v) / k.slider.Max }
	var supported [2]float64
	if s := k.spec.Supported; s != [2]float64{} {
		supported = [2]float64{share(s[0]), share(s[1])}
	}
	return newMarks(share(k.spec.Baseline), supported)
}

// at maps a slider position to a value, position a value to a position.
func (k *Knob) at(p float64) float64 {
	f := p / k.slider.Max
	lo, hi := k.spec.slide()
	v := lo + (hi-lo)*f
	if k.spec.logarithmic() {
		v = lo * math.Pow(hi/lo, f)
	}
	if k.spec.Integer {
		return math.Round(v)
	}
	// Three digits: a slider has no more to say.
	digits := math.Pow(10, 2-math.Floor(math.Log10(max(math.Abs(v), 1e-12))))
	return min(max(math.Round(v*digits)/digits, lo), hi)
}

func (k *Knob) position(v float64) float64 { return math.Round(k.share(v) * k.slider.Max) }

// CreateRenderer shows the knob.
func (k *Knob) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(k.root) }
