package widget

import (
	"slices"

	"fyne.io/fyne/v2/widget"
)

// Choice is a select whose options are values with labels of their own: what
// the analyst reads is not what the program means.
type Choice struct {
	widget.Select
	values []string
}

// NewChoice returns a choice without options. changed is called when the
// analyst chooses, not when Choose does.
func NewChoice(changed func(value string)) *Choice {
	c := &Choice{}
	c.ExtendBaseWidget(c)
	c.OnChanged = func(string) {
		if changed != nil {
			changed(c.Value())
		}
	}
	return c
}

// SetValues replaces the options; a value that is still among them stays
// chosen. Without any it is disabled.
func (c *Choice) SetValues(values []string, label func(string) string) {
	chosen := c.Value()
	c.values, c.Options = values, nil
	for _, v := range values {
		c.Options = append(c.Options, label(v))
	}
	if len(values) == 0 {
		c.PlaceHolder = "none yet"
		c.Disable()
	} else {
		c.Enable()
	}
	c.Choose(chosen)
}

// Values returns the values of the options.
func (c *Choice) Values() []string { return c.values }

// Value returns the chosen value, "" for none.
func (c *Choice) Value() string {
	if i := slices.Index(c.Options, c.Selected); i >= 0 && i < len(c.values) {
		return c.values[i]
	}
	return ""
}

// Choose chooses a value without telling anybody; one that is not among the
// options chooses none.
func (c *Choice) Choose(value string) {
	c.Selected = ""
	if i := slices.Index(c.values, value); i >= 0 {
		c.Selected = c.Options[i]
	}
	c.Refresh()
}
