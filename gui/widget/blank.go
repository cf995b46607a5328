package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// blank is what stands where nothing can be shown: nothing is empty without a word.
type blank struct{ root *fyne.Container }

func newBlank(why string) *blank {
	b := &blank{root: container.NewStack()}
	b.say(why, "")
	return b
}

// say says why nothing is there, and what to do about it.
func (b *blank) say(why, hint string, actions ...*widget.Button) {
	b.root.Objects = []fyne.CanvasObject{Empty(why, hint, actions...)}
	b.root.Refresh()
}

// show shows or hides an object.
func show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}
