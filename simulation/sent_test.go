package simulation

import (
	"slices"
	"testing"

	"tierscope/core"
)

// Who reads the first response time of a result means that of a request, not that of a job that the server makes of it.
// A source that names no class sends tasks of the first one.
func TestWhatComesFromOutsideIsToldBeforeWhatIsMadeOfIt(t *testing.T) {
	t.Parallel()
	m := &core.Model{Classes: []core.Class{{ID: "request"}, {ID: "in jobs"}}, Sources: []core.Source{{ID: "clients"}}}
	c := conductor{sent: m.Sent()}
	metrics := []Metric{{Name: "R", Of: "class/in jobs"}, {Name: "X", Of: "class/in jobs"}, {Name: "R", Of: "class/request"}, {Name: "U", Of: "cpu"}, {Name: "X", Of: "class/request"}}
	c.sentFirst(metrics)
	var got []string
	for _, m := range metrics {
		got = append(got, m.Name+" "+m.Of)
	}
	if want := []string{"R class/request", "X class/request", "R class/in jobs", "U cpu", "X class/in jobs"}; !slices.Equal(got, want) {
		t.Errorf("told in the order %q, want %q", got, want)
	}
}
