package capture

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tierscope/analysis/journal"
	"tierscope/analysis/regress"
)

const program = `package main

import (
	"flag"
	"os"
	"sync"
)

type job struct{ size, fixed int }

var rounds int

func main() {
	n := flag.Int("n", 1, "")
	threads := flag.Int("threads", 1, "")
	flag.IntVar(&rounds, "rounds", 1, "")
	flag.Parse()
	if *n > 900 {
		panic("too large")
	}
	j := job{size: *n, fixed: 5}
	sum := 0
	for i := 0; i < 500; i++ {
		sum += i
	}
	data := make([]int, 2**n)
	var wait sync.WaitGroup
	for t := 0; t < *threads; t++ {
		wait.Add(1)
		go work(data, rounds, &wait)
	}
	wait.Wait()
	other := j.size // after the threads: no input
	if other < 0 {
		os.Exit(1)
	}
	os.Exit(0)
}

func work(data []int, rounds int, wait *sync.WaitGroup) {
	defer wait.Done()
	for r := 0; r < rounds; r++ {
		for i := range data {
			data[i] += r
		}
	}
}
`

func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/subject\n\ngo 1.26\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Variables have the values of the moment at which the first thread is created;
// the four filters leave the inputs and what is derived of them; n is the number
// of threads from creation to join; the program that fails for one input goes on
// with the others.
// The least of each behaviour counts, and what is left of the wall-clock time of
// threads that never wait is no synchronization.
func TestTheLeastDisturbedOfEveryBehaviourCounts(t *testing.T) {
	t.Parallel()
	run := func(cpu, wall, sync float64) *record {
		return &record{threads: []threadRecord{{alive: 2, behaviours: map[string]float64{"cpu_s": cpu, "wall_s": wall, "sync_s": sync},
			sources: map[string]string{"cpu_s": "clock", "wall_s": "clock", "sync_s": "clock"}}}}
	}
	for _, c := range []struct {
		runs []*record
		want map[string]float64
	}{
		{[]*record{run(1.0, 3, 0.5), run(1.2, 2, 0.7)}, map[string]float64{"cpu_s": 1, "wall_s": 2, "sync_s": 0.5}},
		{[]*record{run(1, 1.01, 0.009), run(1, 1.1, 0.1)}, map[string]float64{"cpu_s": 1, "wall_s": 1.01, "sync_s": 0}},
	} {
		k := collector{threads: []string{"worker"}, result: &Result{Sources: map[string]string{}}}
		if err := k.add(0, Input{}, c.runs); err != nil {
			t.Fatal(err)
		}
		for name, want := range c.want {
			if got := k.result.Rows[0].Behaviours[name]; got != want {
				t.Errorf("%s is %g, want %g", name, got, want)
			}
		}
	}
}

func TestInputsAndBehavioursOfThreadsAreCaptured(t *testing.T) {
	t.Parallel()
	var inputs []Input
	for i, n := range []int{100, 200, 300, 1000} {
		inputs = append(inputs, Input{Args: []string{"-n=" + strconv.Itoa(n), "-threads=" + strconv.Itoa(1+i), "-rounds=" + strconv.Itoa(10*(1+i*i))}})
	}
	dir := write(t, program)
	r, err := Run(context.Background(), Plan{Program: dir + "/.", Inputs: inputs, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 3 || len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "too large") {
		t.Fatalf("%d rows, failed %q; want 3, and the reason for n = 1000", len(r.Rows), r.Failed)
	}
	for i, row := range r.Rows {
		n := float64(100 * (i + 1))
		if row.Threads != float64(i+1) {
			t.Errorf("n is %g, %d threads were created before the join", row.Threads, i+1)
		}
		if row.Program != filepath.Base(dir) {
			t.Errorf("the program in %s is called %q", dir, row.Program)
		}
		for name, want := range map[string]float64{"main.main.*n": n, "main.rounds": float64(10 * (1 + i*i)), "main.main.j.size": n, "main.main.len(data)": 2 * n} {
			if got, ok := row.Variables[name]; !ok || got != want {
				t.Errorf("run %d: %s is %g (%v), want %g; there is %v", i, name, got, ok, want, row.Variables)
			}
		}
		for _, name := range []string{"main.main.sum", "main.main.i", "main.main.j.fixed", "main.main.other"} {
			if _, ok := row.Variables[name]; ok {
				t.Errorf("%s is an input", name)
			}
		}
		if row.Behaviours["wall_s"] < row.Behaviours["cpu_s"]/2 || row.Behaviours["cpu_s"] <= 0 || row.Sources["cpu_s"] != "clock" {
			t.Errorf("run %d: behaviours %v, sources %v", i, row.Behaviours, row.Sources)
		}
		// Where a C compiler is there, a thread loads and stores each of 2n numbers
		// once a round; the compiler may keep the slice's head in registers or not.
		if loads, ok := row.Behaviours["stores"]; ok {
			want := 2 * n * float64(10*(1+i*i))
			if math.Abs(loads-want) > 0.1*want+100 {
				t.Errorf("run %d: %g stores, want about %g", i, loads, want)
			}
			if set := row.Behaviours["working_set_bytes"]; set < 16*n || set > 16*n+16<<10 {
				t.Errorf("run %d: a working set of %g bytes, want the %g of the numbers and little more", i, set, 16*n)
			}
		} else if len(r.Warnings) == 0 {
			t.Error("accesses were not counted, and nothing says why")
		}
	}
}

func TestAProgramWithoutThreadsIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Run(context.Background(), Plan{Program: write(t, "package main\n\nfunc main() {}\n"), Inputs: []Input{{}}})
	if err == nil || !strings.Contains(err.Error(), "no go statement") {
		t.Errorf("error %v", err)
	}
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"v 1 2\n", "t 0\n", "t 0 1 clock cpu_s\n", "x\n", "v -1 2 3\n"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

const phased = `package main

import (
	"flag"
	"sync"
)

type barrier struct {
	mu    sync.Mutex
	cond  *sync.Cond
	there, parties, round int
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.there++; b.there == b.parties {
		b.there, b.round = 0, round+1
		b.cond.Broadcast()
		return
	}
	for round == b.round {
		b.cond.Wait()
	}
}

// queue waits and wakes in one execution: no barrier.
func (b *barrier) put() {
	b.mu.Lock()
	for b.parties < 0 {
		b.cond.Wait()
	}
	b.cond.Broadcast()
	b.mu.Unlock()
}

func main() {
	n := flag.Int("n", 1, "")
	flag.Parse()
	b := &barrier{parties: 2}
	b.cond = sync.NewCond(&b.mu)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			data := make([]int, 8**n)
			for range 3 {
				write(data[:*n])
				b.wait()
				b.put()
				write(data)
				b.wait()
			}
		})
	}
	wait.Wait()
}

func write(data []int) {
	for k := range 1000 {
		for i := range data {
			data[i] += k
		}
	}
}
`

// Between the first barrier of a round and the second, eight times as much is
// written as between the second and the first of the next; the numbers are those of
// one execution, so that n and the round do not matter.
func TestPhasesBetweenBarriersAreCaptured(t *testing.T) {
	t.Parallel()
	r, err := Run(context.Background(), Plan{Program: write(t, phased), Inputs: []Input{{Args: []string{"-n=10"}}, {Args: []string{"-n=20"}}}, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	stores := map[string][]float64{}
	for _, row := range r.Rows {
		if row.Behaviours["wall_s"] <= 0 || row.Threads != 2 || len(row.Variables) == 0 {
			t.Errorf("phase %q: %+v", row.Phase, row)
		}
		if v, ok := row.Behaviours["stores"]; ok {
			stores[row.Phase] = append(stores[row.Phase], v)
		}
	}
	if len(r.Rows) != 2*5 {
		t.Fatalf("%d rows, want the whole thread and four phases for each input: %+v", len(r.Rows), r.Rows)
	}
	if len(stores) == 0 {
		t.Skip("accesses are not counted here: ", r.Warnings)
	}
	for phase, want := range map[string]float64{"": 3 * 9000, "start→main.go:49": 1000, "main.go:49→main.go:52": 8000, "main.go:52→main.go:49": 1000, "main.go:52→end": 0} {
		for i, n := range []float64{10, 20} {
			if len(stores[phase]) != 2 || math.Abs(stores[phase][i]-want*n) > 0.05*want*n+100 {
				t.Errorf("phase %q of %g: %v stores, want about %g", phase, n, stores[phase], want*n)
			}
		}
	}
}

// A program reads its input where it likes: a positional argument, the environment, the
// standard input, a file that a command generates.
const reader = `package main

import (
	"bufio"
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	extra, _ := strconv.Atoi(os.Getenv("EXTRA"))
	lines := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		lines++
	}
	info, err := os.Stat(os.Args[2])
	if err != nil {
		panic(err)
	}
	size := int(info.Size())
	started := int(time.Now().UnixNano())
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for range (rounds + extra + lines + size) * 1000 {
			started++
		}
	}()
	wait.Wait()
	os.Exit(3)
}
`

func TestInputsComeFromEverywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "lines")
	if err := os.WriteFile(in, []byte("a\nb\nc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "generated")
	var inputs []Input
	for i := range 3 {
		n := strconv.Itoa(10 * (i + 1))
		inputs = append(inputs, Input{Args: []string{n, file}, Env: []string{"EXTRA=" + n}, Stdin: in, Prepare: "head -c " + n + " /dev/zero > " + file,
			Given: map[string]float64{"n": float64(10 * (i + 1)), "bytes": float64(10 * (i + 1))}})
	}
	r, err := Run(context.Background(), Plan{Program: write(t, reader), Inputs: inputs, Repeats: 2, Exit: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range r.Rows {
		n := float64(10 * (i + 1))
		for _, name := range []string{"main.main.rounds", "main.main.extra", "main.main.size"} {
			if got, ok := row.Variables[name]; !ok || got != n {
				t.Errorf("run %d: %s is %g (%v), want %g; there is %v", i, name, got, ok, n, row.Variables)
			}
		}
		for name, want := range map[string]float64{"size of argument 2": n, "size of standard input": 6, "input n": n, "bytes": n} {
			if got, ok := row.Variables[name]; !ok || got != want || !slices.Contains(row.Given, name) {
				t.Errorf("run %d was given %s of %g, want %g: %v", i, name, got, want, row.Given)
			}
		}
		if _, ok := row.Variables["main.main.started"]; ok {
			t.Errorf("the time of the day is an input: %v", row.Variables)
		}
	}
	if why := slices.IndexFunc(r.Dropped, func(d regress.Dropped) bool { return d.Name == "main.main.started" }); why < 0 || !strings.Contains(r.Dropped[why].Reason, "differs between runs") {
		t.Errorf("dropped: %v", r.Dropped)
	}
}

// A thread of the subject iterates its outer loop 10·(1+i²) times and the inner one 2n times each, and
// calls work once; in a simulated processor an iteration of the inner loop is a few instructions
// and at least one branch, the same in every run.
func TestLoopsCallsAndASimulatedProcessorAreBehaviours(t *testing.T) {
	t.Parallel()
	const text = `package main

import (
	"flag"
	"sync"
)

func main() {
	n := flag.Int("n", 1, "")
	flag.Parse()
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for i := range *n {
				work(i)
			}
		})
	}
	wait.Wait()
}

//go:noinline
func work(i int) (sum int) {
	for k := 0; k < 100; k++ {
		sum += k * i
	}
	return sum
}
`
	_, missing := findSimulator()
	p := Plan{Program: write(t, text), Inputs: []Input{{Args: []string{"-n=10"}}, {Args: []string{"-n=30"}}}, Repeats: 1, Simulate: missing == nil}
	r, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range []float64{10, 30} {
		b := r.Rows[i].Behaviours
		if b["loop_iterations"] != 101*n || b["calls"] != n {
			t.Errorf("n = %g: %g iterations and %g calls, want n iterations of one loop with 100 of the other each, and n calls", n, b["loop_iterations"], b["calls"])
		}
		if missing != nil {
			continue
		}
		if r.Rows[i].Sources["instructions"] != "simulated" || b["instructions"] < 200*n || b["instructions"] > 2000*n+5000 {
			t.Errorf("n = %g: %g instructions (%s), want a few for each of %g iterations, simulated", n, b["instructions"], r.Rows[i].Sources["instructions"], 101*n)
		}
		if b["branches"] < 101*n || b["branch_misses"] >= b["branches"] {
			t.Errorf("n = %g: %g branches, %g of them mispredicted, want one for each iteration at least, and fewer missed", n, b["branches"], b["branch_misses"])
		}
	}
}

// testdata/programs/c/exam.c computes once for each of its tasks: six times as many take about six times as many instructions, and locks.
func TestThreadsOfExecutablesAreCaptured(t *testing.T) {
	t.Parallel()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler here")
	}
	exe := filepath.Join(t.TempDir(), "exam")
	if out, err := exec.CommandContext(t.Context(), cc, "-O2", "-pthread", "-o", exe, "../../testdata/programs/c/exam.c", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, missing := findSimulator()
	r, err := Run(t.Context(), Plan{Program: exe, Inputs: []Input{{Args: []string{"10", "2"}}, {Args: []string{"60", "2"}}}, Repeats: 1, Simulate: missing == nil})
	if err != nil {
		t.Fatal(err)
	}
	of := map[float64]regress.Row{}
	for _, row := range r.Rows {
		if row.Threads == 2 {
			of[row.Variables["argument 1"]] = row
		}
	}
	few, many := of[10].Behaviours, of[60].Behaviours
	if of[10].ThreadType == "" || of[10].ThreadType != of[60].ThreadType {
		t.Fatalf("no row of two threads with each number of tasks: %+v", r.Rows)
	}
	behaviours := []string{"locks"}
	if missing == nil {
		behaviours = append(behaviours, "instructions")
	}
	for _, b := range behaviours {
		if ratio := many[b] / few[b]; ratio < 4 || ratio > 7 {
			t.Errorf("%s of a thread: %v and %v, want about 6 times as many", b, few[b], many[b])
		}
	}
}

// Normal values deviate from their median by √(2/π) = 0.798 standard deviations on average, however few of them there are to tell.
func TestAFewRunsTellHowMuchManyWouldDiffer(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, runs := range []int{2, 3, 5, 12} {
		const rounds = 20_000
		sum := 0.0
		for range rounds {
			var values []float64
			for range runs {
				values = append(values, 100+random.NormFloat64())
			}
			sum += 100 * scatter(values) / rounds
		}
		if want := math.Sqrt(2 / math.Pi); math.Abs(sum/want-1) > 0.03 {
			t.Errorf("of %d runs: %.3f standard deviations, want %.3f", runs, sum, want)
		}
	}
	if got := scatter([]float64{0, 0, 3}); got < 1 {
		t.Errorf("a fault in one of three runs: they differ by %g, want as much as there is", got)
	}
	if got := scatter([]float64{0, 0}); got != 0 {
		t.Errorf("nothing happened in two runs, and they differ by %g", got)
	}
}

// A disk that is full when the table is written costs no run: the next capture has them all. When the table is there they are
// forgotten, and the next capture measures anew.
func TestRunsAreForgottenWhenWhatTheyShowedIsSafe(t *testing.T) {
	t.Parallel()
	identity := t.TempDir()
	open := func() *journal.Journal {
		j, err := journal.Open("capture", identity)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	kept := open()
	if _, err := journal.Do(kept, "input 0", func() (float64, error) { return 1, nil }); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	if err := (Plan{kept: kept, Done: func(*Result) error { return full }}).finish(&Result{}); !errors.Is(err, full) {
		t.Errorf("the capture ends with %v, want that nothing could be written", err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	kept = open()
	if n := kept.Known(); n != 1 {
		t.Errorf("%d runs are kept, want 1", n)
	}
	if err := (Plan{kept: kept, Done: func(*Result) error { return nil }}).finish(&Result{}); err != nil {
		t.Fatal(err)
	}
	kept = open()
	if n := kept.Known(); n != 0 {
		t.Errorf("%d runs are kept of a capture that is done", n)
	}
	if err := kept.Finish(); err != nil {
		t.Fatal(err)
	}
}
