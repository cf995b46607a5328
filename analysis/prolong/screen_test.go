package prolong

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// manyTasks has twelve modules, of which the fourth and the eleventh share a lock; each is
// executed by a goroutine of its own.
func manyTasks() string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n\nvar vat sync.Mutex\n\n")
	var calls []string
	for i := range 12 {
		lock := ""
		if i == 3 || i == 10 {
			lock = "vat.Lock(); defer vat.Unlock(); "
		}
		fmt.Fprintf(&b, "func task%d() { %stime.Sleep(2 * time.Millisecond) }\n\n", i, lock)
		calls = append(calls, fmt.Sprintf("task%d", i))
	}
	fmt.Fprintf(&b, "func main() {\n\tvar all sync.WaitGroup\n\tfor _, task := range []func(){%s} {\n\t\tall.Go(func() {\n\t\t\tfor range 15 {\n\t\t\t\ttask()\n\t\t\t}\n\t\t})\n\t}\n\tall.Wait()\n}\n", strings.Join(calls, ", "))
	return b.String()
}

// Of twelve modules the two that share a lock are left: a group matters if others have to wait, or its own
// members do, by more than they are delayed themselves. Delaying a module by 1.5 of
// its own 2 ms makes the other wait for milliseconds; what a busy machine adds is much less.
func TestGroupsThatMatterAreSplitUntilTheModulesAreFound(t *testing.T) {
	t.Parallel()
	r, err := Measure(context.Background(), Plan{Program: program(t, manyTasks()), Groups: 4, Levels: []float64{1.5}, Repeats: 1, Baselines: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"main.task3", "main.task10"} {
		if !slices.Contains(r.Experiment.Modules, want) {
			t.Errorf("left are %v, want %s among them", r.Experiment.Modules, want)
		}
	}
	if n := len(r.Experiment.Modules); n > 6 {
		t.Errorf("%d of 12 modules are left, want the two that depend on each other and few that chance picked: %v", n, r.Experiment.Modules)
	}
}

// A delay of another kind is refused with those that there are.
func TestKindsOfDelaysAreNamed(t *testing.T) {
	t.Parallel()
	_, err := Measure(context.Background(), Plan{Program: ".", Kind: "heavy"})
	if err == nil || !strings.Contains(err.Error(), "sleep, busy or memory") {
		t.Errorf("error %v, want the kinds of delays", err)
	}
}
