package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/inputs"
	"tierscope/measure"
	"tierscope/measure/accuracy"
	"tierscope/project"
)

// saveAccuracy writes what was predicted for inputs and then measured as a result file,
// for the tables of docs. Its name is the subject's.
func (f *hybridFlags) saveAccuracy(a hybridAnswer) error {
	name := strings.TrimSuffix(filepath.Base(f.accuracy), ".json")
	command, machine := accuracy.Portable("tierctl "+strings.Join(measuring(os.Args[1:]), " ")), measure.Machine()
	date := time.Now().Format(time.DateOnly)
	r := accuracy.Result{Subject: name, Title: f.title, Area: "statistics", Machine: &machine, Command: &command, Date: &date, Repeats: &f.repeats}
	if f.beside != "" {
		r.Load = &f.beside
	}
	if f.commit != "" {
		r.Commit = &f.commit
	}
	for i, p := range a.Predictions {
		if i >= len(a.Measured) || len(a.Measured[i]) == 0 {
			continue
		}
		times := slices.Sorted(slices.Values(a.Measured[i]))
		m := median(times)
		missed := p.Time/m - 1
		r.Rows = append(r.Rows, accuracy.Row{Quantity: "T", Unit: "s", Configuration: strings.ReplaceAll(inputs.Text(p.Input), "=", " "), Goal: "10 %", Error: &missed,
			Predicted: &accuracy.Value{Mean: p.Time, Low: &p.Lo, High: &p.Hi}, Measured: &accuracy.Value{Mean: m, Low: &times[0], High: &times[len(times)-1]}})
	}
	if err := r.Check(); err != nil {
		return exit(exitUsage, err)
	}
	return project.Save(f.accuracy, accuracy.Format, r)
}

// measuring leaves the flags that describe the result file out of the arguments.
func measuring(args []string) (kept []string) {
	describe := []string{"--accuracy", "--title", "--beside", "--commit"}
	for i := 0; i < len(args); i++ {
		flag, _, whole := strings.Cut(args[i], "=")
		switch {
		case !slices.Contains(describe, flag):
			kept = append(kept, args[i])
		case !whole:
			i++ // its value
		}
	}
	return kept
}
