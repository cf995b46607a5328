package predictability

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/execution"
)

// jvm is a Java program on a stock JVM.
type jvm struct {
	java string
	args []string // options of the JVM included
	env  []string
	dir  string // for its logs
}

// newJVM checks a java command.
func newJVM(command, env []string, dir string) (*jvm, error) {
	if len(command) < 2 || filepath.Base(command[0]) != "java" {
		return nil, errors.New("predictability: want the command of a JVM, as in: java -cp classes Main {n}")
	}
	for _, a := range command {
		if strings.HasPrefix(a, "-Xmx") || strings.HasPrefix(a, "-XX:MaxHeapSize") {
			return nil, fmt.Errorf("predictability: leave %s out: the heap is what is varied", a)
		}
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, fmt.Errorf("predictability: %w; install a JDK (Debian: apt install openjdk-17-jdk-headless)", err)
	}
	return &jvm{java: path, args: command[1:], env: append(os.Environ(), env...), dir: dir}, nil
}

// threads of a JVM by what they work for; their names are cut off after 15 bytes.
var (
	compilers  = []string{"C1 CompilerThre", "C2 CompilerThre", "JVMCI-native Co"}
	collectors = []string{"GC Thread#", "G1 ", "VM Thread", "ZDriver", "ZWorker", "ZDirector", "Shenandoah"}
)

func (j *jvm) startUp(ctx context.Context) (Point, error) {
	p, _, err := j.execute(ctx, []string{"-version"}, time.Minute, nil)
	return p, err
}

func (j *jvm) once(ctx context.Context, n int, heap int64, patience time.Duration) (Point, error) {
	log := filepath.Join(j.dir, "jvm.log")
	options := []string{fmt.Sprintf("-Xmx%dk", heap>>10),
		"-Xlog:jit+compilation=debug,jit+inlining=debug,gc+heap=debug:file=" + log + "::filecount=0"}
	p, output, err := j.execute(ctx, append(options, sized(j.args, n)...), patience, nil)
	if err != nil {
		if tooSmall(err, output) {
			err = tightError{err}
		}
		return p, fmt.Errorf("size %d in %s: %w", n, Megabytes(heap), err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return p, fmt.Errorf("predictability: log of the JVM: %w", err)
	}
	p.Compiled = compiled(text)
	before, _ := heapUse(text)
	for _, used := range before {
		p.Peak = max(p.Peak, used)
	}
	return p, nil
}

// tooSmall reports whether a run failed for want of heap.
func tooSmall(err error, output []byte) bool {
	text := err.Error() + string(output)
	for _, sign := range []string{"OutOfMemoryError", "did not end within", "Too small maximum heap", "Too small new size", "Initial heap size set to a larger value"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// live asks the JVM for full collections again and again while the program
// runs, and returns the most that one left.
func (j *jvm) live(ctx context.Context, n int, heap int64) (Footprint, error) {
	log := filepath.Join(j.dir, "live.log")
	// Serial would leave up to 5 % of dead objects in place.
	options := []string{fmt.Sprintf("-Xmx%dk", heap>>10), "-XX:MarkSweepDeadRatio=0",
		"-Xlog:gc+heap=debug:file=" + log + "::filecount=0"}
	_, _, err := j.execute(ctx, append(options, sized(j.args, n)...), livePatience, collectAgainAndAgain)
	if err != nil {
		return Footprint{}, fmt.Errorf("size %d: live data: %w", n, err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return Footprint{}, fmt.Errorf("predictability: log of the JVM: %w", err)
	}
	_, after := heapUse(text)
	if len(after) == 0 {
		return Footprint{}, fmt.Errorf("size %d: the JVM made no full collection on demand: the program ends too soon, or attaching is disabled", n)
	}
	return Footprint{Size: n, Live: slices.Max(after)}, nil
}

const livePatience = 5 * time.Minute

var (
	reInlined = regexp.MustCompile(`\[jit,inlining\s*\].*\)\s+inline`)
	reUsed    = regexp.MustCompile(`(?:generation|heap|PSYoungGen|ParOldGen)\s+total \d+K, used (\d+)K`)
)

// compiled counts the methods that a log says were compiled or inlined.
func compiled(log []byte) int {
	n := len(reInlined.FindAllIndex(log, -1))
	for line := range bytes.Lines(log) {
		if bytes.Contains(line, []byte("[jit,compilation")) && !bytes.Contains(line, []byte("made not entrant")) && !bytes.Contains(line, []byte("made zombie")) {
			n++
		}
	}
	return n
}

// heapUse returns the bytes in use before all collections, and after full ones.
func heapUse(log []byte) (before, after []int64) {
	in := bufio.NewScanner(bytes.NewReader(log))
	in.Buffer(nil, 1<<20)
	var list *[]int64
	full := 0
	for in.Scan() {
		line := in.Text()
		switch {
		case strings.Contains(line, "Heap before GC"):
			list = &before
			before = append(before, 0)
			full = fullCollections(line)
		case strings.Contains(line, "Heap after GC"):
			list = nil
			if now := fullCollections(line); now > full {
				list = &after
				after = append(after, 0)
			}
		case list != nil:
			if m := reUsed.FindStringSubmatch(line); m != nil {
				k, _ := strconv.ParseInt(m[1], 10, 64)
				(*list)[len(*list)-1] += k << 10
			}
		}
	}
	return before, after
}

var reFull = regexp.MustCompile(`\(full (\d+)\)`)

// fullCollections is the number of full collections in the head of a listing of
// the heap.
func fullCollections(line string) int {
	m := reFull.FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// execute runs the JVM and tells CPU times of its threads apart.
func (j *jvm) execute(ctx context.Context, args []string, patience time.Duration, beside func(pid int, done <-chan struct{})) (Point, []byte, error) {
	var threads threadClock
	p := execution.Program{Path: j.java, Args: args, Env: j.env, Beside: func(pid int, done <-chan struct{}) {
		if beside != nil {
			go beside(pid, done)
		}
		threads.follow(pid, done)
	}}
	o, output, err := p.Finish(ctx, patience)
	return Point{CPU: o.CPU.Seconds(), Wall: o.Wall.Seconds(), Compile: threads.of(compilers), Collect: threads.of(collectors)}, output, err
}
