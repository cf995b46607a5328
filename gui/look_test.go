package gui

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"tierscope/gui/look"
	"tierscope/gui/palette"
	"tierscope/gui/session"
)

// The driver scales by what the environment says, and what was there before comes back.
func TestScaleColoursAndWorkersFollowTheSettings(t *testing.T) {
	t.Setenv(scaleVariable, "1.2")
	w := window(t)
	if got := os.Getenv(scaleVariable); got != "1.2" {
		t.Errorf("without a setting the scale is %q, want that of the system", got)
	}
	before := w.Window.Canvas().Size()
	w.Session.ChangeSettings(func(s *session.Settings) { s.Scale, s.Palette, s.Workers = 2, string(palette.ColourBlind), 5 })
	if got := os.Getenv(scaleVariable); got != "2" {
		t.Errorf("the scale is %q, want 2", got)
	}
	if got, want := w.Window.Canvas().Size(), fyne.NewSize(before.Width/2, before.Height/2); got != want {
		t.Errorf("at twice the scale the window is of %v, want %v: the same room on the screen", got, want)
	}
	if got, want := look.Scheme().Series(0), palette.Light().With(palette.ColourBlind).Series(0); got != want {
		t.Errorf("the first line is %v, want %v", got, want)
	}
	if _, pool := w.Session.Simulator(); pool.Workers() != 5 {
		t.Errorf("%d replications run at once, want 5", pool.Workers())
	}
	w.Session.ChangeSettings(func(s *session.Settings) { s.Scale = 0 })
	if got := os.Getenv(scaleVariable); got != "1.2" {
		t.Errorf("back at the system's, the scale is %q", got)
	}
}
