package widget

import (
	"fyne.io/fyne/v2"

	"tierscope/core/quantity"
)

// The names of widgets that draw their content themselves, for screen readers:
// what a figure shows in a sentence, and how much there is of a table or graph.

// AccessibilityLabel implements fyne.Accessible.
func (p *Plot) AccessibilityLabel() string {
	if s := p.Summary(); s != "" {
		return s
	}
	return "empty figure"
}

// AccessibilityRole implements fyne.Accessible.
func (p *Plot) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// AccessibilityLabel implements fyne.Accessible.
func (g *Graph) AccessibilityLabel() string {
	d := g.Diagram()
	if d == nil {
		return "empty graph"
	}
	text := d.Name + ": " + quantity.Plural(len(d.Nodes), "node") + ", " + quantity.Plural(len(d.Edges), "edge")
	if i := g.Selected(); i >= 0 {
		text += "; selected " + d.Nodes[i].Title + ", " + d.Nodes[i].Detail
	}
	return text
}

// AccessibilityRole implements fyne.Accessible.
func (g *Graph) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// AccessibilityLabel implements fyne.Accessible.
func (m *Minimap) AccessibilityLabel() string { return "overview of the graph" }

// AccessibilityRole implements fyne.Accessible.
func (m *Minimap) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// AccessibilityLabel implements fyne.Accessible.
func (d *DataTable) AccessibilityLabel() string {
	return "table of " + quantity.Plural(len(d.rows), "row")
}

// AccessibilityRole implements fyne.Accessible.
func (d *DataTable) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// AccessibilityLabel implements fyne.Accessible.
func (h *headerView) AccessibilityLabel() string { return "sort by " + h.title }

// AccessibilityRole implements fyne.Accessible.
func (h *headerView) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }
