package measure

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
	"tierscope/measure/load"
	"tierscope/measure/table"
	"tierscope/project"
)

func grid() Campaign {
	return Campaign{
		Workload: trace.Workload{Program: "program"},
		Axes: []Axis{
			{Name: "workers", How: "-workers {value}", Values: []float64{1, 2, 4}},
			{Name: "GOMAXPROCS", How: "GOMAXPROCS={value}", Values: []float64{1, 2}},
		},
		Repeats: 4, Seed: 1,
	}
}

// A randomised block design: drift of the machine during the campaign hits
// every configuration alike.
func TestEveryBlockHasEveryConfigurationOnceInItsOwnOrder(t *testing.T) {
	t.Parallel()
	runs := grid().Runs()
	if len(runs) != 4*6 {
		t.Fatalf("%d runs, want 4 blocks × 6 configurations", len(runs))
	}
	orders := map[string]bool{}
	for block := range 4 {
		var order []string
		for _, r := range runs[6*block : 6*block+6] {
			if r.Block != block+1 {
				t.Errorf("run %s is in block %d, want %d", r.ID, r.Block, block+1)
			}
			order = append(order, fmt.Sprint(r.Settings))
		}
		orders[strings.Join(order, " ")] = true
		slices.Sort(order)
		if len(slices.Compact(order)) != 6 {
			t.Errorf("block %d does not hold 6 different configurations: %v", block+1, order)
		}
	}
	// Four independent orders of 6 coincide with probability 720⁻³ at most.
	if len(orders) < 2 {
		t.Error("all blocks have the same order")
	}
	if !reflect.DeepEqual(runs, grid().Runs()) {
		t.Error("the plan of a seed is not reproducible")
	}
}

// A model that misses the configuration that it was made from cannot be trusted in any
// other, so that one is measured whatever the grid is: once more in each block, unless
// the grid has it. A file of the grid alone can be continued.
func TestTheConfigurationOfTheAnalysisIsAlwaysMeasured(t *testing.T) {
	t.Parallel()
	m := &core.Model{Parameters: []core.Parameter{
		{Name: "workers", Default: 3, How: "-workers {value}"}, {Name: "cores", Default: 2, How: "GOMAXPROCS={value}"},
	}}
	with := func(workers ...float64) Campaign {
		c := grid()
		c.Axes = []Axis{AxisOf(m, "workers", workers), AxisOf(m, "GOMAXPROCS", []float64{1, 2})}
		return c
	}
	count := func(c Campaign) (all, base int) {
		for _, r := range c.Runs() {
			all++
			if slices.Equal(r.Settings, []float64{3, 2}) {
				base++
			}
		}
		return all, base
	}
	if all, base := count(with(1, 8)); all != 4*5 || base != 4 {
		t.Errorf("%d runs, %d of the analysis's configuration; want 4 blocks of 2 × 2 + 1, and 4", all, base)
	}
	if all, base := count(with(1, 3)); all != 4*4 || base != 4 {
		t.Errorf("%d runs, %d of the analysis's configuration; want 4 blocks of 2 × 2, which have it", all, base)
	}
	alone := with(1, 8)
	alone.Axes[0].Base, alone.Axes[1].Base = nil, nil
	if all, _ := count(alone); all != 4*4 || alone.Identity() != with(1, 8).Identity() {
		t.Errorf("%d runs without a model, identities %s and %s; want 16, and the same", all, alone.Identity(), with(1, 8).Identity())
	}
}

func TestMoreRepetitionsAreTheSameCampaign(t *testing.T) {
	t.Parallel()
	a, b, c := grid(), grid(), grid()
	b.Repeats = 9
	c.Axes[0].Values = []float64{1, 2, 5}
	if a.Identity() != b.Identity() {
		t.Error("repetitions change the identity")
	}
	if a.Identity() == c.Identity() {
		t.Error("another grid has the same identity")
	}
}

// A file may have every path of a target written out.
func TestTargetsThatAreWrittenOutAreTheSameCampaign(t *testing.T) {
	t.Parallel()
	a, b, c := grid(), grid(), grid()
	a.Workload.Load = &trace.Load{Targets: []string{"/%d:2", "/a"}}
	b.Workload.Load = &trace.Load{Targets: []string{"/0", "/1", "/a"}}
	c.Workload.Load = &trace.Load{Targets: []string{"/%d:3", "/a"}}
	if a.Identity() != b.Identity() || len(a.Workload.Load.Targets) != 2 {
		t.Errorf("identities %s and %s, want the same, and targets as they were: %q", a.Identity(), b.Identity(), a.Workload.Load.Targets)
	}
	if a.Identity() == c.Identity() {
		t.Error("other targets have the same identity")
	}
}

func TestAProgramIsGivenItsParametersByFlagEnvironmentAffinityAndLoad(t *testing.T) {
	t.Parallel()
	base := trace.Workload{
		Args: []string{"-workers=3", "-json", "input"}, Load: &trace.Load{Connections: 5},
	}
	for _, c := range []struct {
		how   string
		value float64
		check func(w trace.Workload) any
		want  any
	}{
		{"-workers {value}", 8, func(w trace.Workload) any { return w.Args }, []string{"-workers=8", "-json", "input"}},
		{"-workers={value}", 8, func(w trace.Workload) any { return w.Args }, []string{"-workers=8", "-json", "input"}},
		{"--size {value}", 0.5, func(w trace.Workload) any { return w.Args }, []string{"--size", "0.5", "-workers=3", "-json", "input"}},
		{"argument 3 {value}", 7, func(w trace.Workload) any { return w.Args }, []string{"-workers=3", "-json", "7"}},
		{"argument 3 threads={value}", 7, func(w trace.Workload) any { return w.Args }, []string{"-workers=3", "-json", "threads=7"}},
		{"GOMAXPROCS={value}", 2, func(w trace.Workload) any { return w.Env["GOMAXPROCS"] }, "2"},
		{HowCPUs, 2, func(w trace.Workload) any { return w.Cores }, 2},
		{HowRate, 120, func(w trace.Workload) any { return []float64{w.Load.Rate, float64(w.Load.Connections)} }, []float64{120, 0}},
		{HowConnections, 7, func(w trace.Workload) any { return w.Load.Connections }, 7},
	} {
		w, err := apply(base, Axis{Name: "p", How: c.how}, c.value)
		if err != nil {
			t.Errorf("%s: %v", c.how, err)
			continue
		}
		if got := c.check(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s with %g gives %v, want %v", c.how, c.value, got, c.want)
		}
	}
	if base.Load.Connections != 5 || base.Env != nil || base.Args[0] != "-workers=3" {
		t.Errorf("the base workload was changed: %+v", base)
	}
	if _, err := apply(base, Axis{Name: "p", How: "turn the knob"}, 1); err == nil || !strings.Contains(err.Error(), "does not say how") {
		t.Errorf("a template without a value: %v", err)
	}
	if _, err := apply(base, Axis{Name: "p", How: "argument 4 {value}"}, 1); err == nil || !strings.Contains(err.Error(), "3 arguments") {
		t.Errorf("an argument that the run does not have: %v", err)
	}
	if _, err := apply(trace.Workload{}, Axis{Name: "rate", How: HowRate}, 1); err == nil || !strings.Contains(err.Error(), "no load") {
		t.Errorf("a rate of a batch program: %v", err)
	}
}

// A flag keeps the form that it was written in: a program that takes --workers=4 may take --workers 4 for something else.
func TestAFlagIsReplacedInItsForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, template, want []string }{
		{[]string{"-a", "1", "--workers", "4", "-b"}, []string{"-workers", placeholder}, []string{"-a", "1", "-workers", "9", "-b"}},
		{[]string{"-a", "--workers=4", "-b"}, []string{"-workers", placeholder}, []string{"-a", "--workers=9", "-b"}},
		{[]string{"-workers=4"}, []string{"-workers=" + placeholder}, []string{"-workers=9"}},
	} {
		if got, _ := withFlag(c.args, c.template, "9", ""); !slices.Equal(got, c.want) {
			t.Errorf("%v becomes %v, want %v", c.args, got, c.want)
		}
	}
}

// Twice the work has another result; that is no reason not to compare times. Other
// numbers of threads must compute the same.
func TestResultsAreComparedWhereTheWorkIsTheSame(t *testing.T) {
	t.Parallel()
	m := &core.Model{Parameters: []core.Parameter{{Name: "n", Default: 2, Unit: core.Rounds, How: "-n {value}"}, {Name: "pool", Default: 1, Unit: "threads", How: "-threads {value}"}}}
	c := Campaign{Axes: []Axis{AxisOf(m, "n", []float64{1, 2}), AxisOf(m, "pool", []float64{1, 2})}}
	notes := map[string]int{}
	for _, r := range c.Runs() {
		if r.Block == 1 {
			notes[c.checked(r)]++
		}
	}
	if len(notes) != 2 || notes["check n=1"] != 2 || notes["check n=2"] != 2 {
		t.Errorf("results are compared within %v, want the two numbers of threads for each amount of work", notes)
	}
}

func TestTheModelSaysHowAParameterIsGiven(t *testing.T) {
	t.Parallel()
	m := &core.Model{Parameters: []core.Parameter{
		{Name: "pool", How: "-threads {value}"},
		{Name: "n", Targets: []core.Target{{Path: "cpu/cores"}}},
		{Name: "arrivals", Targets: []core.Target{{Path: "sources/clients/rate"}}},
	}}
	for name, want := range map[string]string{
		"pool": "-threads {value}", "n": HowCPUs, "arrivals": HowRate,
		"GOMAXPROCS": "GOMAXPROCS={value}", "workers": "-workers {value}", "cores": HowCPUs, "rate": HowRate,
	} {
		if got := HowOf(m, name); got != want {
			t.Errorf("HowOf(%q) = %q, want %q", name, got, want)
		}
	}
}

// The test binary is also the program that the next tests measure.
func TestMain(m *testing.M) {
	switch os.Getenv("MEASURED_PROGRAM") {
	case "":
		os.Exit(m.Run())
	case "batch":
		fmt.Println("some output")
		fmt.Printf(`{"tasks": 10, "throughput_per_s": 100, "response_mean_s": 0.5, "check": %q}`+"\n", os.Getenv("CHECK"))
	case "counts":
		fmt.Println(`{"tasks": 10, "makespan_s": 2}`)
	case "fails":
		fmt.Fprintln(os.Stderr, "no such input")
		os.Exit(7)
	case "stays":
		select {}
	}
}

func self(t *testing.T, what string) Campaign {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Campaign{
		Executable: path,
		Workload:   trace.Workload{Program: "the test itself", Env: map[string]string{"MEASURED_PROGRAM": what}},
		Axes:       []Axis{{Name: "GOMAXPROCS", How: "GOMAXPROCS={value}", Values: []float64{1, 2}}},
		Repeats:    2,
	}
}

func TestACampaignIsSavedAfterEveryRunAndGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	c := self(t, "batch")
	measured := &table.Table{}
	saved := 0
	full := errors.New("disk full")
	err := c.Execute(t.Context(), measured, func(*table.Table) error {
		if saved++; saved == 2 {
			return full
		}
		return nil
	}, nil)
	if !errors.Is(err, full) || len(measured.Runs()) != 2 {
		t.Fatalf("after the second save failed: %v, %d runs; want the error and 2 runs", err, len(measured.Runs()))
	}
	first := measured.Runs()
	var told []Progress
	if err := c.Execute(t.Context(), measured, func(*table.Table) error { return nil }, func(p Progress) { told = append(told, p) }); err != nil {
		t.Fatal(err)
	}
	if runs := measured.Runs(); len(runs) != 4 || !slices.Equal(runs[:2], first) || len(told) != 2 || told[1].Done != 4 {
		t.Errorf("resumed: runs %v after %v, told %+v; want 4 runs of which 2 are new", runs, first, told)
	}
	for _, conf := range measured.Configurations() {
		x, r := conf.Metrics["X  mean"], conf.Metrics["R  mean"]
		if x.Median != 100 || r.Median != 0.5 || x.N != 2 {
			t.Errorf("%v: X %+v, R %+v; the program said 100/s and 0.5 s, twice", conf.Settings, x, r)
		}
		for _, key := range []string{"T program mean", "U cpu mean", "C cpu mean", "CPU program sum", "others cpu mean"} {
			if _, ok := conf.Metrics[key]; !ok {
				t.Errorf("%v: no %q among %d metrics", conf.Settings, key, len(conf.Metrics))
			}
		}
	}
}

// What a program does not say about itself is not 0: there is no row of it.
func TestWhatAProgramDidNotReportIsNotRecorded(t *testing.T) {
	t.Parallel()
	measured := &table.Table{}
	if err := self(t, "counts").Execute(t.Context(), measured, func(*table.Table) error { return nil }, nil); err != nil {
		t.Fatal(err)
	}
	for _, r := range measured.Rows {
		if r.Metric == "R" || r.Metric == "X" {
			t.Errorf("%s %s = %g was recorded of a program that reports only tasks and makespan", r.Metric, r.Stat, r.Value)
		}
	}
}

// Runs are saved by whoever made them: a second campaign on the same file would replace
// those of the first by its own.
func TestTwoCampaignsDoNotWriteOneFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "measured.csv")
	first, second := self(t, "batch"), self(t, "batch")
	first.Workload.Program, second.Workload.Program = first.Executable, second.Executable
	var inside error
	made, err := first.Record(t.Context(), path, "the first", func(p Progress) {
		if p.Done == 1 {
			_, inside = second.Record(t.Context(), path, "the second", nil)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*project.LockedError](inside); !ok || !strings.Contains(inside.Error(), "the first") {
		t.Errorf("the second campaign ends with %v, want that the first one writes the file", inside)
	}
	kept, err := Open(path)
	if err != nil || len(kept.Runs()) != 4 || len(made.Runs()) != 4 {
		t.Errorf("the file has %d runs, the campaign made %d (%v); want 4", len(kept.Runs()), len(made.Runs()), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("beside the table there is %v", left)
	}
}

// Whether the table can be kept is known before hours are spent on it.
func TestAPlaceThatCannotBeWrittenIsRefusedBeforeTheFirstRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := self(t, "batch")
	mark := filepath.Join(t.TempDir(), "ran")
	c.Workload.Program, c.Workload.Prepare = c.Executable, "touch "+mark
	if _, err := c.Record(t.Context(), filepath.Join(file, "measured.csv"), "", nil); err == nil {
		t.Error("a table below a file was recorded")
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program was run before it was known that the table cannot be kept")
	}
}

// An orphan of an earlier campaign that still listens would be measured in the place of the
// program.
func TestAServerThatIsThereAlreadyIsNotMeasured(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := self(t, "stays")
	c.Workload.Load = &trace.Load{URL: "http://" + l.Addr().String(), Rate: 10, Duration: 1}
	err = c.Execute(t.Context(), &table.Table{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "answers before the program was started") || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("Execute = %v, want that another process (this one) answers there", err)
	}
}

func TestATableOfAnotherCampaignIsNotAddedTo(t *testing.T) {
	t.Parallel()
	c := self(t, "batch")
	measured := &table.Table{Rows: []table.Row{{Run: "b1c01"}}}
	measured.SetNote("campaign", "abc")
	if err := c.Execute(t.Context(), measured, nil, nil); err == nil || !strings.Contains(err.Error(), "another campaign") {
		t.Errorf("Execute = %v, want a refusal", err)
	}
}

func TestAProgramThatFailsStopsTheCampaignAndSaysWhy(t *testing.T) {
	t.Parallel()
	err := self(t, "fails").Execute(t.Context(), &table.Table{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "exit status 7") || !strings.Contains(err.Error(), "no such input") {
		t.Errorf("Execute = %v, want the exit status and the message", err)
	}
}

// A linter that finds something ends with 1, always: another status is a failure.
func TestAProgramThatEndsWithTheStatusOfItsWorkloadHasNotFailed(t *testing.T) {
	t.Parallel()
	c := self(t, "fails")
	c.Workload.ExitStatus = 7
	measured := &table.Table{}
	if err := c.Execute(t.Context(), measured, func(*table.Table) error { return nil }, nil); err != nil || len(measured.Runs()) != 4 {
		t.Errorf("Execute = %v with %d runs, want 4 runs", err, len(measured.Runs()))
	}
	c = self(t, "batch")
	c.Workload.ExitStatus = 7
	if err := c.Execute(t.Context(), &table.Table{}, nil, nil); err == nil || !strings.Contains(err.Error(), "status 0 where 7 was expected") {
		t.Errorf("Execute = %v, want that the status is not the expected one", err)
	}
}

func TestDifferentResultsInDifferentConfigurationsAreAnError(t *testing.T) {
	t.Parallel()
	c := self(t, "batch")
	c.Axes = []Axis{{Name: "CHECK", How: "CHECK={value}", Values: []float64{1, 2}}}
	err := c.Execute(t.Context(), &table.Table{}, func(*table.Table) error { return nil }, nil)
	if err == nil || !strings.Contains(err.Error(), "different results") {
		t.Errorf("Execute = %v, want that the results differ", err)
	}
}

func TestCancellingKillsTheRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := self(t, "stays").Execute(ctx, &table.Table{}, nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Execute = %v, want context.Canceled", err)
	}
}

func TestAServerThatEndsBeforeItAnswersIsReportedWithItsOutput(t *testing.T) {
	t.Parallel()
	c := self(t, "fails")
	c.Workload.Load = &trace.Load{URL: "http://127.0.0.1:1", Rate: 10, Duration: 1}
	err := c.Execute(t.Context(), &table.Table{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "ended before it answered") || !strings.Contains(err.Error(), "no such input") {
		t.Errorf("Execute = %v", err)
	}
}

func TestDisturbedRunsAreFlagged(t *testing.T) {
	t.Parallel()
	o := observation{wall: 1, cores: 1, others: 0.5 * float64(machineCPUs()), steal: 0.1 * float64(machineCPUs()), use: use{waited: 0.1}}
	if got, want := o.flags(), []string{"disturbed by other programs", "CPU time stolen by the hypervisor"}; !slices.Equal(got, want) {
		t.Errorf("flags = %v, want %v", got, want)
	}
}

// What is waited for a CPU in all matters less the longer that is which is measured: 0.1 s of a run of a
// second is much, of 500 requests that took 10 ms each it is 2 %.
func TestWaitsForACPUCountAgainstWhatIsMeasured(t *testing.T) {
	t.Parallel()
	o := observation{wall: 1, cores: 1, others: 0.5 * float64(machineCPUs()), use: use{waited: 0.1}}
	for requests, want := range map[int][]string{10: {"disturbed by other programs"}, 500: nil} {
		o.load = &load.Report{Requests: requests, R: load.Times{Mean: 0.01}}
		if got := o.flags(); !slices.Equal(got, want) {
			t.Errorf("%d requests: flags = %v, want %v", requests, got, want)
		}
	}
}

// Requests that come 2 ms late come in bunches if one is due each ms, and as good as when
// they were due if one is each 100 ms.
func TestALateGeneratorIsFlaggedByTheTimeBetweenRequests(t *testing.T) {
	t.Parallel()
	for offered, late := range map[float64]bool{1000: true, 10: false} {
		o := observation{wall: 1, cores: 1, load: &load.Report{Requests: 1000, Offered: offered, Lag: load.Times{P95: 0.002}}}
		if got := slices.Contains(o.flags(), "load generator late"); got != late {
			t.Errorf("2 ms late at %g/s: flagged %v, want %v", offered, got, late)
		}
	}
}

// What a user writes as --set is what the program is started with: in place
// of a flag that is there already.
func TestAParameterIsSetAsTheProgramIsGivenIt(t *testing.T) {
	t.Parallel()
	w := trace.Workload{Args: []string{"-workers", "2", "in.txt"}}
	for _, c := range []struct{ name, args string }{
		{"workers", "[-workers 8 in.txt]"},
		{"--blocks", "[--blocks 8 -workers 2 in.txt]"},
	} {
		got, err := Set(w, nil, c.name, 8)
		if err != nil || fmt.Sprint(got.Args) != c.args {
			t.Errorf("%s = 8 gives %v, %v, want %s", c.name, got.Args, err, c.args)
		}
	}
	if got, err := Set(w, nil, "GOMAXPROCS", 1); err != nil || got.Env["GOMAXPROCS"] != "1" {
		t.Errorf("GOMAXPROCS = 1 gives %v, %v", got.Env, err)
	}
}

// A Java program is given a property where it has one, and a flag where its
// command has one; where the command has neither, the arguments of the JVM are not
// a place to try.
func TestAJavaProgramIsGivenAValueWhereItsCommandHasOne(t *testing.T) {
	t.Parallel()
	w := trace.Workload{Program: "java", Args: []string{"-Dthreads=4", "-cp", "classes", "Main", "-t", "4"}}
	for name, want := range map[string]string{"threads": "-Dthreads=8 -cp classes Main -t 4", "t": "-Dthreads=4 -cp classes Main -t 8"} {
		got, err := Set(w, nil, name, 8)
		if err != nil || strings.Join(got.Args, " ") != want {
			t.Errorf("%s = 8: %q, %v; want %q", name, got.Args, err, want)
		}
	}
	if _, err := Set(w, nil, "workers", 8); err == nil || !strings.Contains(err.Error(), "-Dworkers=") {
		t.Errorf("error %v, want one that says what the command lacks", err)
	}
}

// A server that SIGINT ends has done what it was asked for, whether it dies of the
// signal or, as a JVM does, exits with 128 + its number. Another status is a failure.
func TestAServerThatASignalEndsHasNotFailed(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{"kill -INT $$": true, "exit 130": true, "exit 3": false, "kill -TERM $$": false} {
		err := exec.Command("/bin/sh", "-c", script).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("%s: %v", script, err)
		}
		if got := endedBy(exit, syscall.SIGINT); got != want {
			t.Errorf("%s: ended by SIGINT: %v, want %v", script, got, want)
		}
	}
}
