package save

import (
	"bytes"
	"testing"

	"tierscope/gui/chart"
)

// A picture that leaves the window says what it is of: its axes, where it has no title. Beside the figure in the window the controls
// say that.
func TestASavedPictureHasATitle(t *testing.T) {
	t.Parallel()
	f := chart.Lines{X: chart.Axis{Label: "workers"}, Y: chart.Axis{Label: "Response time R", Unit: "s"},
		Series: []chart.Series{{Name: "baseline", Points: []chart.Point{{X: 1, Y: 1}, {X: 2, Y: 2}}}}}
	titled := f
	titled.Title = "Response time R over workers"
	r := Request{Format: "png", Width: 100, Height: 60, Scale: 1}
	var pictures [][]byte
	for _, x := range []chart.Figure{f, titled} {
		b, err := Render(x, r)
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, b)
	}
	if !bytes.Equal(pictures[0], pictures[1]) {
		t.Errorf("the picture without a title is not that with %q", titled.Title)
	}
}
