package recipe_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/recipe"
	"tierscope/project"
)

func created(t *testing.T, m *core.Model) *project.Project {
	t.Helper()
	p, err := project.Create(filepath.Join(t.TempDir(), "web.tier"), project.Manifest{Name: "web"}, *m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(charts []recipe.Recipe) (all []string) {
	for _, r := range charts {
		all = append(all, r.Name())
	}
	slices.Sort(all)
	return all
}

func TestChartsAreKeptInTheProjectUntilTheyAreRemoved(t *testing.T) {
	t.Parallel()
	p := created(t, pagetest.Model())
	plain := recipe.Recipe{Metric: "R class/task mean", X: "rate", By: "workers"}
	log := plain
	log.LogY = true
	for _, r := range []recipe.Recipe{plain, log, plain} { // the last replaces the first
		if err := recipe.SaveChart(p, r); err != nil {
			t.Fatal(err)
		}
	}
	charts, err := recipe.Charts(p)
	if want := []string{"Response time R over rate, by workers", "Response time R over rate, by workers, log y"}; err != nil || !slices.Equal(names(charts), want) {
		t.Errorf("charts %q (%v), want %q", names(charts), err, want)
	}
	if err := recipe.RemoveChart(p, plain); err != nil {
		t.Fatal(err)
	}
	if charts, _ = recipe.Charts(p); len(charts) != 1 || !charts[0].LogY {
		t.Errorf("after removing one, %q is left", names(charts))
	}
}

func TestABrokenChartIsNamedAndTheOthersAreRead(t *testing.T) {
	t.Parallel()
	p := created(t, pagetest.Model())
	if err := recipe.SaveChart(p, recipe.Recipe{Metric: "R class/task mean", X: "rate"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Path("charts", "fig3.json"), []byte(`{"format":"tierscope-chart","version":9}`), 0o644); err != nil {
		t.Fatal(err)
	}
	charts, err := recipe.Charts(p)
	if len(charts) != 1 || err == nil || !strings.Contains(err.Error(), "charts/fig3.json") || !strings.Contains(err.Error(), "update Tierscope") {
		t.Errorf("%d charts and %v, want one and what is wrong with fig3.json", len(charts), err)
	}
}
