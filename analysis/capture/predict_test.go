package capture

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/regress"
)

const choosing = `package main

import (
	"flag"
	"fmt"
	"sync"
)

var threads = 8

// choose takes as many threads as are predicted to do the least.
func choose(kind string, predict func(behaviour string, threads int) (float64, bool)) {
	least := 1e300
	for n := 1; n <= 16; n++ {
		if v, ok := predict("cost", n); ok && v < least {
			least, threads = v, n
		}
	}
	_, known := predict("other", 1)
	fmt.Println(kind, known)
}

func main() {
	items := flag.Int("items", 1, "")
	flag.Parse()
	share := *items * 2
	var wait sync.WaitGroup
	for i := 0; i < threads; i++ {
		wait.Add(1)
		go func() { defer wait.Done(); _ = share }()
	}
	wait.Wait()
	fmt.Println(threads)
}
`

// The cost of a thread is share/n + 100·(threads per core), with share = 2·items. What the program prints follows from its own variables, read at the beginning of the phase; a
// program without prediction code keeps its eight threads.
func TestAProgramChoosesItsThreadsByPredictions(t *testing.T) {
	t.Parallel()
	dir := write(t, choosing)
	kind := "main.main:main.go:30"
	report := &regress.Report{Behaviours: []regress.Behaviour{{ThreadType: kind, Name: "cost", Selection: regress.Selection{Model: regress.Model{Form: regress.Linear,
		Terms: []regress.Term{{A: "main.main.share", PerThread: true}, {A: shared}}, Coefficients: []float64{0, 1, 100}}}},
		{ThreadType: kind, Name: "read", Samples: []regress.Sample{{Given: []string{"size of standard input"}}}, Selection: regress.Selection{Model: regress.Model{Form: regress.Linear,
			Terms: []regress.Term{{A: "size of standard input"}}, Coefficients: []float64{0, 1}}}}}}
	p := Predictor{Program: dir, Report: report, Hook: "choose", Out: filepath.Join(t.TempDir(), "program")}
	done, err := p.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Kinds) != 1 || done.Kinds[0] != kind || len(done.Variables) != 1 || done.Variables[0] != "main.main.share" {
		t.Errorf("built %+v, want the kind %s and the variable that its model needs", done, kind)
	}
	if len(done.Left) != 1 || !strings.Contains(done.Left[0], "read needs size of standard input") {
		t.Errorf("left out: %q, want what follows from the size of a file alone", done.Left)
	}
	run := func(items string) []string {
		out, err := exec.Command(p.Out, "-items="+items).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	// A negative share makes a thread the cheaper the fewer there are, on any number of cores.
	few, many := run("-1"), run("1000000")
	if few[0] != kind+" false" {
		t.Errorf("the hook says %q, want the kind, and that nothing is known of another behaviour", few[0])
	}
	if few[1] != "1" || many[1] != "16" {
		t.Errorf("%s threads for a negative share and %s for a large one, want 1 and 16", few[1], many[1])
	}
	for want, p := range map[string]Predictor{
		"no function other":         {Program: dir, Report: report, Hook: "other", Out: p.Out},
		"a hook is a func":          {Program: dir, Report: report, Hook: "main", Out: p.Out},
		"no acceptable model":       {Program: dir, Report: &regress.Report{}, Hook: "choose", Out: p.Out},
		"no variable main.main.no":  {Program: dir, Hook: "choose", Out: p.Out, Report: &regress.Report{Behaviours: []regress.Behaviour{{ThreadType: kind, Name: "cost", Selection: regress.Selection{Model: regress.Model{Form: regress.Linear, Terms: []regress.Term{{A: "main.main.no"}}, Coefficients: []float64{0, 1}}}}}}},
		"the report is about other": {Program: dir, Hook: "choose", Out: p.Out, Report: &regress.Report{Behaviours: []regress.Behaviour{{ThreadType: "main.old:main.go:1", Name: "cost", Selection: regress.Selection{Model: regress.Model{Form: regress.Linear, Coefficients: []float64{7}}}}}}},
	} {
		if _, err := p.Build(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}
