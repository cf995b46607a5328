package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/inputs"
	"tierscope/measure/accuracy"
	"tierscope/project"
)

// A result file says where its numbers come from: machine, commit, load and the command that measured.
func TestTheResultOfAHybridSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	f := hybridFlags{accuracy: filepath.Join(t.TempDir(), "hybrid-shop.json"), title: "Shop of other inputs", beside: "nothing else", commit: "abc1234", repeats: 3}
	answer := hybridAnswer{
		Predictions: []inputs.Prediction{{Input: map[string]float64{"orders": 16000}, Time: 1.1, Lo: 0.9, Hi: 1.3}},
		Measured:    [][]float64{{1.05, 0.95, 1}},
	}
	if err := f.saveAccuracy(answer); err != nil {
		t.Fatal(err)
	}
	var r accuracy.Result
	if err := project.Load(f.accuracy, accuracy.Format, &r); err != nil {
		t.Fatal(err)
	}
	if r.Machine == nil || !strings.Contains(*r.Machine, " ") || r.Commit == nil || *r.Commit != "abc1234" || r.Load == nil || *r.Load != "nothing else" || r.Command == nil {
		t.Errorf("machine %v, commit %v, load %v, command %v; want all said", r.Machine, r.Commit, r.Load, r.Command)
	}
	if len(r.Rows) != 1 || r.Rows[0].Measured.Mean != 1 || r.Rows[0].Error == nil || *r.Rows[0].Error < 0.099 || *r.Rows[0].Error > 0.101 {
		t.Errorf("rows %+v, want 1.1 s for the median of 1 s", r.Rows)
	}
	args := []string{"hybrid", "--title", "Shop of other inputs", "--vary", "orders=1,2", "--commit=abc1234", "./shop"}
	if got, want := measuring(args), []string{"hybrid", "--vary", "orders=1,2", "./shop"}; !slices.Equal(got, want) {
		t.Errorf("the command is %q, want %q", got, want)
	}
}
