package cmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tierscope/gui/recipe"
	"tierscope/measure/validate"
	"tierscope/project"
	"tierscope/simulation"
)

// Who opens a sample for the first time must not be told that its model is
// wrong: every sample has measurements, and they say YES.
func TestTheMeasurementsOfEverySampleConfirmItsModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it simulates all that the samples have measurements of")
	}
	samples, err := filepath.Glob("../assets/samples/*.tier")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, path := range samples {
		p, err := project.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model()
		if err != nil {
			t.Fatal(err)
		}
		files, err := recipe.Measurements(p)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Errorf("%s has no measurements", filepath.Base(path))
		}
		for _, file := range files {
			seen, err := recipe.ReadMeasurements(file, m.ParameterNames())
			if err != nil {
				t.Fatal(err)
			}
			r, err := validate.Run(t.Context(), validate.Request{Model: m, Measured: seen, Options: simulation.Options{Seed: 1}, Simulate: simulation.Run})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s", filepath.Base(path), r.Verdict.Sentence)
			if a := r.Verdict.Answer; a != validate.Yes && a != validate.Mostly {
				t.Errorf("%s: %s", filepath.Base(path), r.Verdict.Sentence)
			}
		}
	}
}
