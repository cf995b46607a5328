package gui

import (
	"testing"

	"tierscope/gui/session"
)

// A message or a comparison that is closed leaves no gap: the page is as high as before.
func TestAStripOverThePageGivesItsRoomBack(t *testing.T) {
	w := window(t)
	open(t, w, modelFile(t))
	for what, strip := range map[string]struct{ show, hide func() }{
		"message":    {func() { w.Session.Notify(session.Notice{Level: session.Info, What: "Saved."}) }, w.Session.Dismiss},
		"comparison": {w.Session.CompareScenario, w.Session.StopComparing},
	} {
		before := boxNamed(w, "graph", "")
		strip.show()
		if now := boxNamed(w, "graph", ""); now.Y <= before.Y || now.H >= before.H {
			t.Errorf("a %s takes no room: the graph is at %+v, before at %+v", what, *now, *before)
		}
		strip.hide()
		if now := boxNamed(w, "graph", ""); now.Y != before.Y || now.H < before.H-1 || now.H > before.H+1 {
			t.Errorf("after the %s the graph is at %+v, before at %+v", what, *now, *before)
		}
	}
}
