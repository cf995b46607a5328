package axes

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/core"
	"tierscope/simulation/experiment"
)

// The short form of an axis is read back as the same axis.
func TestAxisSpecificationsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"w=1,2,4", "w=10..130/10", "w=1..10/0.5", "w=10..1000:7", "w=10..1000:7log"} {
		a, err := experiment.ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := "w=" + Spec(a); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

// Who types values is told how values are typed, not how a command line is.
func TestValuesThatAreNotUnderstoodAreExplainedForTheirField(t *testing.T) {
	test.NewTempApp(t)
	e := New(func() {})
	e.Open(&core.Model{Parameters: []core.Parameter{{Name: "workers", Default: 4, Min: 1, Max: 64}}})
	e.Rows[0].Values.SetText("1,few")
	if _, err := e.Axes(); err == nil || !strings.Contains(err.Error(), `"1,few" is neither a list such as 1,2,4,8`) || strings.Contains(err.Error(), "name=") {
		t.Errorf("the error is %v", err)
	}
}
