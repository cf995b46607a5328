package axes

import (
	"testing"

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
