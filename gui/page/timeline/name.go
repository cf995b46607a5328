package timeline

import (
	"fyne.io/fyne/v2"

	"tierscope/core/quantity"
)

// AccessibilityLabel implements fyne.Accessible: what was tapped, or how the
// threads spend the time in view.
func (v *View) AccessibilityLabel() string {
	return "timeline of " + quantity.Plural(len(v.rows), "row") + ". " + v.Details()
}

// AccessibilityRole implements fyne.Accessible.
func (v *View) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }
