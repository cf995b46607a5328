package scan

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// wanted returns what the comments "WANT …" of a program say, by line.
func wanted(t *testing.T, dir string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var want []string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if _, all, ok := strings.Cut(lines.Text(), "// WANT "); ok {
			for w := range strings.SplitSeq(all, "; ") {
				want = append(want, fmt.Sprintf("%d %s", n, w))
			}
		}
	}
	slices.Sort(want)
	return want
}

// facts are what the scan says of a program, in a short test of one alone: a scan loads half of Go's library each time.
func facts(t *testing.T, dir string) *trace.Facts {
	t.Helper()
	return factsOf(t, dir, nil)
}

// factsOf are those of a run that was given numbers in files.
func factsOf(t *testing.T, dir string, files map[string]float64) *trace.Facts {
	t.Helper()
	if testing.Short() && dir != "testdata/shares" {
		t.Skip("it scans another program")
	}
	f, err := Program(context.Background(), trace.Workload{Program: dir, Files: files}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every flag and environment variable is followed to what it decides: the
// number of threads, how work is divided, capacities, cores, loops.
func TestSettingsAreFollowedToWhatTheyDecide(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/shares")
}

// "n = runtime.NumCPU()": a number that the program asks the machine for is
// followed as well, through arithmetic, bounds and the default values of flags,
// with what it is in the end as a function of the number of cores.
func TestNumbersOfTheMachineAreFollowedWithTheirArithmetic(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/machine")
}

// A pool that grows while it is smaller than the number that its constructor got
// and an atomic variable keeps: the setting decides how many threads there are.
func TestASettingInAnAtomicVariableIsFollowed(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/grows")
}

// A function that starts a thread for what it is given starts one for its caller, whatever starts it inside; one that
// starts several, or none where there are enough, does not.
func TestAThreadThatAFunctionIsAskedToStartIsOfWhoAsks(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/starters")
}

// A file says {"workers": 3, "cache": {"size": 8, "most": 100}}, and a structure has fields of these names.
func TestNumbersInFilesAreFollowedFromTheFieldsThatHaveTheirNames(t *testing.T) {
	t.Parallel()
	const dir = "testdata/configured"
	settingsIn(t, dir, factsOf(t, dir, map[string]float64{"argument 1 file workers": 3, "argument 1 file cache.size": 8, "argument 1 file cache.most": 100}))
}

// The length of a slice is a number as well; the one that a queue of the program's
// own making is full at is its capacity.
func TestACapacityThatTheProgramTestsItselfIsFollowed(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/ring")
}

// So is that of a slice to which every round of a loop appends an element.
func TestTheLengthOfASliceThatIsAppendedToIsFollowed(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/appended")
}

// Threads that are started in rounds are not as many as there are rounds; who
// does what a remainder says shares work out, who finds its neighbour by one does not;
// and the arguments of a program are settings.
func TestRoundsOfThreadsAreNotTheirNumber(t *testing.T) {
	t.Parallel()
	settings(t, "testdata/nested")
}

// A program that calls C has no file left without it; the scan reads it with C.
func TestAProgramThatCallsCIsScanned(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath(cmp.Or(os.Getenv("CC"), "cc")); err != nil {
		t.Skip("no C compiler: ", err)
	}
	settings(t, "testdata/cgo")
}

func settings(t *testing.T, dir string) {
	t.Helper()
	settingsIn(t, dir, facts(t, dir))
}

func settingsIn(t *testing.T, dir string, facts *trace.Facts) {
	t.Helper()
	var got []string
	for _, s := range facts.Inputs {
		for _, u := range s.Uses {
			text := fmt.Sprintf("%d %s %s", u.Frame.Line, s.Name, u.Kind)
			switch {
			case u.Loose:
				text += " loose"
			case u.Value != (core.Linear{}) || u.Default != "":
				text += " " + u.Value.Of("x")
			}
			if u.Default != "" {
				text += " unless " + u.Default
			}
			got = append(got, text)
		}
	}
	slices.Sort(got)
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("settings:\ngot  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// A thread whose loops count to what has nothing to do with the number of threads
// does as much however many there are. One that begins where another one stops, or
// counts to what is divided among them, does not.
func TestThreadsWithLoopsOfTheirOwnBringTheirOwnWork(t *testing.T) {
	t.Parallel()
	const dir = "testdata/repeats"
	var got []string
	for _, f := range facts(t, dir).Repeats {
		got = append(got, fmt.Sprintf("%d repeats", f.Line))
	}
	slices.Sort(got)
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("threads with work of their own: got %v, want %v", got, want)
	}
}

// A spin loop and a barrier of the program's own making are suspected; taking
// numbers from an atomic counter is not waiting.
func TestHomeMadePrimitivesAreSuspected(t *testing.T) {
	t.Parallel()
	const dir = "testdata/homemade"
	var got []string
	for _, s := range facts(t, dir).Suspects {
		got = append(got, fmt.Sprintf("%d %s", s.Frame.Line, s.Kind))
	}
	slices.Sort(got)
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("suspects: got %v, want %v", got, want)
	}
}

// "The class of the CF and the type of synchronization operation optype are
// inferred from the name and the signature of the called function"
// (Tarvo & Reiss 2014, §4.2).
func TestOperationsAreFoundWithTheirClass(t *testing.T) {
	t.Parallel()
	got := map[string]int{}
	for _, s := range facts(t, "testdata/shares").Sites {
		got[s.Class+" "+s.Op+" "+s.Kind]++
	}
	for _, want := range []string{"sync lock mutex", "sync unlock mutex", "sync send channel", "sync receive channel", "spawn spawn ", "dispatch make channel"} {
		if got[want] != 1 {
			t.Errorf("%q was found %d times, want once; all: %v", want, got[want], got)
		}
	}
}

func TestAProgramThatDoesNotCompileIsRefusedWithThePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module broken\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() { undefined() }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Program(context.Background(), trace.Workload{Program: dir}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "main.go:3") {
		t.Errorf("error %v, want one that names main.go:3", err)
	}
}

// Loops that a variable or the clock ends are found where they ask; a question that
// ends no loop is none of them.
func TestLoopsThatAreToldToStopAreFound(t *testing.T) {
	t.Parallel()
	const dir = "testdata/stops"
	var got []string
	for _, s := range facts(t, dir).Stops {
		got = append(got, fmt.Sprintf("%d %s", s.Frame.Line, map[bool]string{false: "flag", true: "clock"}[s.Clock]))
	}
	slices.Sort(got)
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("loops that are told to stop, by line: %q, want %q", got, want)
	}
}

// The same program with an empty line and an edited comparison: only what does the comparison was edited, which is a
// function literal that sort.Slice calls for sorted, and not the thread that main starts.
func TestOnlyWhatDoesSomethingElseIsEdited(t *testing.T) {
	t.Parallel()
	source := `package main

import "sort"

func sorted(v []int) { sort.Slice(v, func(i, j int) bool { return v[i] < v[j] }) }

func shout() { println("hello") }

func main() {
	done := make(chan bool)
	go func() { shout(); done <- true }()
	sorted([]int{3, 1, 2})
	<-done
}
`
	build := func(text string) *trace.Facts {
		dir := t.TempDir()
		for name, content := range map[string]string{"go.mod": "module edited\n\ngo 1.26\n", "main.go": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return facts(t, dir)
	}
	before := build(source)
	for text, want := range map[string]map[string][]string{
		strings.Replace(source, "func sorted", "\n\nfunc sorted", 1): {"main.main": nil, "main.sorted": nil},
		strings.Replace(source, "v[i] < v[j]", "v[i] > v[j]", 1):     {"main.main": {"main.sorted.func1"}, "main.sorted": {"main.sorted.func1"}, "main.main.func1": nil},
		strings.Replace(source, "hello", "HELLO", 1):                 {"main.main": nil, "main.main.func1": {"main.shout"}},
	} {
		edited := trace.Edited(before, build(text))
		for function, names := range want {
			if got := edited(function); !slices.Equal(got, names) {
				t.Errorf("below %s %q were edited, want %q, in\n%s", function, got, names, text)
			}
		}
	}
}

// A function of the program asks the environment for the names that it is given; a flag that is a duration is a setting in
// milliseconds, and of what it decides only times are: threads sleep so many thousandths of a second.
func TestSettingsThatAHelperAsksForAndDurationsAreFound(t *testing.T) {
	t.Parallel()
	const source = `package main

import (
	"flag"
	"os"
	"strconv"
	"time"
)

var proof = flag.Duration("proof", time.Millisecond, "of the dough, for who bakes by a method")

type baker struct{}

func (*baker) waits() { time.Sleep(*proof) }

type shelf[T any] struct{ next T }

func (shelf[T]) waits() { time.Sleep(*proof) }

func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

func main() {
	bakers, ovens := setting("BAKERS", 3), make(chan int, setting("OVENS", 2))
	rest := flag.Duration("rest", 5*time.Millisecond, "between two loaves")
	slow := flag.Int("slow", 20, "microseconds for one loaf")
	flag.Parse()
	for i := 0; i < bakers; i++ {
		go func() { time.Sleep(*rest); time.Sleep(time.Duration(*slow) * time.Microsecond); ovens <- 1 }()
	}
	ovens = make(chan int, int(*rest))
	<-ovens
	new(baker).waits()
	shelf[int]{}.waits()
}

var late = flag.Int("late", 7, "milliseconds after which nobody waits any more")
var again = flag.Duration("again", 3*time.Millisecond, "until somebody looks again")

func init() {
	t := time.NewTimer(time.Duration(*late) * time.Millisecond)
	t.Reset(*again)
	<-time.After(time.Duration(*late) * time.Millisecond)
}
`
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module bakery\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, s := range facts(t, dir).Inputs {
		line := fmt.Sprintf("%s %g%s", s.Name, s.Initial, s.Unit)
		for _, u := range s.Uses {
			line += fmt.Sprintf(" %s:%d", u.Kind, u.Frame.Line)
			if u.Value.Factor != 0 {
				line += fmt.Sprintf(" ·%.6g", u.Value.Factor)
			}
		}
		got = append(got, line)
	}
	if want := []string{"-again 3ms sleep:46 ·0.001", "-late 7 sleep:47 ·0.001 sleep:45 ·0.001", "-proof 1ms sleep:18 ·0.001 sleep:14 ·0.001", "-rest 5ms sleep:33 ·0.001", "-slow 20 sleep:33 ·1e-06", "BAKERS 3 spawn:33", "OVENS 2 capacity:28"}; !slices.Equal(got, want) {
		t.Errorf("settings %q, want %q", got, want)
	}
}

// How many things are put into a list is how many are to be had where the program asks, under a lock, whether any is left.
func TestAStockIsAsLargeAsItsList(t *testing.T) {
	t.Parallel()
	const source = `package main

import (
	"flag"
	"sync"
)

type pool struct {
	mu   sync.Mutex
	some *sync.Cond
	free []int
}

func (p *pool) get() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.free) == 0 {
		p.some.Wait()
	}
	c := p.free[0]
	p.free = p.free[1:]
	return c
}

func main() {
	conns := flag.Int("conns", 4, "connections")
	flag.Parse()
	p := &pool{}
	p.some = sync.NewCond(&p.mu)
	for i := range *conns {
		p.free = append(p.free, i)
	}
	println(p.get())
}
`
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module stock\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inputs := facts(t, dir).Inputs
	if len(inputs) != 1 || !slices.ContainsFunc(inputs[0].Uses, func(u trace.SettingUse) bool { return u.Kind == trace.UseLimit && u.Frame.Line == 15 && !u.Loose }) {
		t.Errorf("settings %+v, want that -conns limits what is taken at line 15", inputs)
	}
}
