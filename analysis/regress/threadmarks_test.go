package regress_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"tierscope/analysis/regress"
)

// behaviours are those of Wu et al. 2010, §5: the other columns of the
// profiles are raw counters they are made from.
var behaviours = []string{"instr", "loads", "stores", "branches", "brmiss", "wss", "l1miss", "llmiss", "sync", "cpu", "time"}

// "On average 81% of dynamic behaviors in different benchmark applications are
// successfully modeled and predicted with geometric mean accuracy of 90.4%."
// The profiles of three of the paper's programs were made on our machines (see
// testdata/threadmarks/README.md). Held-out rows are never seen by a fit.
func TestProfilesOfThePapersProgramsAreModelledBetterThanInThePaper(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("goroutines that share nothing compute")
	}
	profiles := profilesOfThePapersPrograms(t)
	scores := make([]map[string]regress.Evaluation, len(profiles))
	var group errgroup.Group
	for i, rows := range profiles {
		group.Go(func() (err error) {
			scores[i], err = evaluate(rows)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	var all, modelled []float64
	for _, program := range scores {
		for name, e := range program {
			t.Logf("%-24s %.3f  %s", name, e.HeldOut, e.Models[0].Formula())
			all = append(all, e.HeldOut)
			if e.Modelled() {
				modelled = append(modelled, e.HeldOut)
			}
		}
	}
	share, mean := float64(len(modelled))/float64(len(all)), stat.GeometricMean(modelled, nil)
	t.Logf("%d behaviours, %.0f %% modelled, geometric mean accuracy %.3f", len(all), 100*share, mean)
	if share < 0.9 || mean < 0.9 {
		t.Errorf("%.0f %% of %d behaviours are modelled with accuracy %.3f; want ≥ 90 %% with ≥ 0.900 (paper: 81 %%, 0.904)", 100*share, len(all), mean)
	}
}

// profilesOfThePapersPrograms reads the rows of each.
func profilesOfThePapersPrograms(t *testing.T) (profiles [][]regress.Row) {
	t.Helper()
	files, err := filepath.Glob("testdata/threadmarks/*.jsonl")
	if err != nil || len(files) != 3 {
		t.Fatalf("want the profiles of 3 programs, found %q (%v)", files, err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := regress.ReadProfile(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		profiles = append(profiles, rows)
	}
	return profiles
}

// evaluate scores every behaviour of a profile over five random splits.
func evaluate(rows []regress.Row) (_ map[string]regress.Evaluation, err error) {
	scores := map[string]regress.Evaluation{}
	for _, g := range regress.Groups(rows) {
		for _, name := range behaviours {
			samples := g.Samples(name)
			if len(samples) < 16 || mostlyZero(samples) {
				continue
			}
			label := g.Program + " " + g.ThreadType + " " + name
			if scores[label], err = regress.Evaluate(samples, regress.Options{}, 5, 11); err != nil {
				return nil, fmt.Errorf("%s: %w", label, err)
			}
		}
	}
	return scores, nil
}

// mostlyZero reports whether a behaviour is absent from most runs: there is
// nothing to model.
func mostlyZero(samples []regress.Sample) bool {
	zero := 0
	for _, s := range samples {
		if s.Y == 0 {
			zero++
		}
	}
	return 2*zero > len(samples)
}
