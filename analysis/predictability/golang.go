package predictability

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // for the probe
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
)

// goProgram is a Go program; the limit of its heap is GOMEMLIMIT.
type goProgram struct {
	plain, probed string // executables
	record        string // the probe's file
	args, env     []string
}

//go:embed probe.go.txt
var probe []byte

// newGo builds the program twice: unchanged, and with a probe of its memory.
func newGo(ctx context.Context, program string, args, env []string, dir string) (*goProgram, error) {
	for _, e := range env {
		if strings.HasPrefix(e, "GOMEMLIMIT=") {
			return nil, fmt.Errorf("predictability: leave %s out: the limit is what is varied", e)
		}
	}
	p, err := instrument.Load(ctx, program, env)
	if err != nil {
		return nil, err
	}
	plain, err := p.Rebuild(ctx, dir, "plain", nil, nil, nil)
	if err != nil {
		return nil, err
	}
	decls := p.Packages[len(p.Packages)-1].Syntax[0].Decls
	for _, pkg := range p.Packages {
		if pkg.Name == "main" {
			decls = pkg.Syntax[0].Decls
		}
	}
	p.Insert(decls[len(decls)-1].End(), "; func init() { "+instrument.ProbeName+".Follow() }")
	probed, err := p.Build(ctx, dir, probe)
	if err != nil {
		return nil, err
	}
	return &goProgram{plain: plain, probed: probed, record: filepath.Join(dir, "memory"), args: args, env: append(os.Environ(), env...)}, nil
}

// startUp is nothing: a Go program starts in a millisecond, compiled.
func (g *goProgram) startUp(context.Context) (Point, error) { return Point{}, nil }

func (g *goProgram) once(ctx context.Context, n int, heap int64, patience time.Duration) (Point, error) {
	point, trace, err := g.execute(ctx, g.plain, g.env, n, heap, patience)
	if err != nil {
		if strings.Contains(err.Error(), "out of memory") || strings.Contains(err.Error(), "did not end within") {
			err = tightError{err}
		}
		return point, fmt.Errorf("size %d in %s: %w", n, Megabytes(heap), err)
	}
	point.Collections = len(trace)
	for _, c := range trace {
		point.Collect += c.cpu
		point.Peak = max(point.Peak, c.peak)
	}
	return point, nil
}

// live is the most that a collection found alive, and the memory that the
// limit covers but the heap cannot use: stacks, the runtime's own structures,
// fragments. With GOGC=10 there are enough collections to see both. The world
// stands still for them: a collection beside the program calls alive what is
// allocated while it marks, which for small sizes is more than what is.
func (g *goProgram) live(ctx context.Context, n int, heap int64) (Footprint, error) {
	if err := os.WriteFile(g.record, make([]byte, 16), 0o600); err != nil {
		return Footprint{}, fmt.Errorf("predictability: %w", err)
	}
	often := append(append([]string(nil), g.env...), "GOGC=10", "TIERSCOPE_MEMORY="+g.record)
	if _, _, err := g.execute(ctx, g.probed, often, n, heap, livePatience, "gcstoptheworld=1"); err != nil {
		return Footprint{}, fmt.Errorf("size %d: live data: %w", n, err)
	}
	b, err := os.ReadFile(g.record)
	if err != nil || len(b) != 16 {
		return Footprint{}, errors.New("predictability: the program changed the file of the probe")
	}
	f := Footprint{Size: n, Live: int64(binary.NativeEndian.Uint64(b)), Reserve: headroom + int64(binary.NativeEndian.Uint64(b[8:]))}
	if f.Live == 0 {
		return f, fmt.Errorf("size %d: there was no collection: the program allocates less than the least heap, 4 MB", n)
	}
	return f, nil
}

// headroom is what the collector leaves below the limit, in bytes (package
// runtime, memoryLimitHeapGoalHeadroom).
const headroom = 1 << 20

func (g *goProgram) execute(ctx context.Context, exe string, env []string, n int, heap int64, patience time.Duration, debug ...string) (Point, []collection, error) {
	settings := append(debug, "gctrace=1")
	for _, e := range env {
		if own, ok := strings.CutPrefix(e, "GODEBUG="); ok {
			settings = append([]string{own}, settings...)
		}
	}
	p := execution.Program{Path: exe, Args: sized(g.args, n),
		Env: append(append([]string(nil), env...), "GODEBUG="+strings.Join(settings, ","), fmt.Sprintf("GOMEMLIMIT=%d", heap))}
	o, output, err := p.Finish(ctx, patience)
	return Point{CPU: o.CPU.Seconds(), Wall: o.Wall.Seconds()}, collections(output), err
}

// collection is one line of gctrace.
type collection struct {
	cpu  float64 // seconds of CPU time, of the collector and of assists
	peak int64   // bytes, to the next megabyte
}

// reCollection is a line of gctrace (package runtime):
//
//	gc 3 @0.038s 5%: 0.02+1.2+0.01 ms clock, 0.1+0.3/1.1/0+0.02 ms cpu, 4->5->2 MB, 5 MB goal, …
//
// CPU times are those of stop, assists, dedicated and fractional workers, idle
// workers, and stop.
var reCollection = regexp.MustCompile(`^gc \d+ @.* ms clock, ([\d.e+-]+)\+([\d.e+-]+)/([\d.e+-]+)/([\d.e+-]+)\+([\d.e+-]+) ms cpu, \d+->(\d+)->\d+ MB`)

func collections(output []byte) []collection {
	const mega = 1 << 20
	var out []collection
	in := bufio.NewScanner(bytes.NewReader(output))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		m := reCollection.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		var c collection
		for _, i := range []int{1, 2, 3, 4, 5} {
			ms, err := strconv.ParseFloat(m[i], 64)
			if err != nil {
				continue
			}
			c.cpu += ms / 1e3
		}
		high, _ := strconv.ParseInt(m[6], 10, 64)
		c.peak = (high + 1) * mega
		out = append(out, c)
	}
	return out
}
