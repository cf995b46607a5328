package inspector

import (
	"maps"
	"slices"
	"testing"

	"tierscope/analysis/trust"
	"tierscope/core"
	"tierscope/gui/background"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
)

// Whoever looks at the model sees every warning that travels with its results, each once.
func TestTheWarningsOfTheAnalysisAreThoseOfTheModel(t *testing.T) {
	t.Parallel()
	m := core.Model{Name: "shop", Provenance: core.Provenance{Warnings: []string{"a lock is missing"}}}
	s := session.New(background.NewLocal(), nil)
	s.Show(&session.Opened{Model: m, Trust: &trust.Trust{Warnings: []string{"a lock is missing", "the disk was busy"}}}, "")
	got := (&Inspector{host: &page.Host{Session: s}}).warnings(&m)
	want := append([]string{"a lock is missing"}, m.Warnings()...)
	if want = append(want, "the disk was busy"); !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

func TestAPathIsBrokenAfterSlashesOnly(t *testing.T) {
	for path, want := range map[string]string{
		"cmd/shop/main.go:12":                       "cmd/shop/main.go:12",
		"testdata/programs/go/docserver/main.go:65": "testdata/programs/go/docserver/\nmain.go:65",
		"averyveryverylongnamewithoutanyslashes.go": "averyveryverylongnamewithoutanyslashes.go",
	} {
		if got := folded(path); got != want {
			t.Errorf("%s is written %q, want %q", path, got, want)
		}
	}
}

// What the inspector of a pool offers is the knob of the parameter that sets its size: both show one value.
func TestANumberThatAParameterSetsIsThatParameter(t *testing.T) {
	h := pagetest.Host(t)
	i := New(h).(*Inspector)
	t.Cleanup(h.Session.Subscribe(i.Update))
	h.Session.Select("pools/worker")
	workers := i.knobs["workers"]
	if workers == nil || i.knobs["pools/worker/size"] != nil {
		t.Fatalf("the knobs are of %v, want one of the workers", slices.Collect(maps.Keys(i.knobs)))
	}
	h.Session.Set("workers", 8)
	if v := workers.Value(); v != 8 {
		t.Errorf("the scenario has 8 workers, and the inspector shows %v", v)
	}
	workers.Submit("6")
	if got := h.Session.Scenario().Settings; !maps.Equal(got, map[string]float64{"workers": 6}) {
		t.Errorf("6 in the inspector sets %v", got)
	}
}
