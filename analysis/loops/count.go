package loops

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"tierscope/analysis/java/hotspot"
	"tierscope/project/scratch"
)

// Plan says what to count.
type Plan struct {
	Program string   // folder or import path of a Go main package; java, or a jar
	Args    []string // {n} stands for the size
	Env     []string
	Sizes   []int
	Timeout time.Duration // of a run, 0: a minute

	tries []sizes // at which the classes of a Java program are found, nil: Sizes
}

// SizePlaceholder stands for the problem size in arguments and environment.
const SizePlaceholder = "{n}"

// Loop is one loop in one chain of call sites, with its counts.
type Loop struct {
	Function   string  `json:"function"` // in which the loop stands
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Chain      string  `json:"chain"`      // call sites, innermost first: "main.norm:12 < main.main:30"
	Entries    []int64 `json:"entries"`    // how often its condition was not taken, unless it was left by a break
	Iterations []int64 `json:"iterations"` // how often it was taken; in the order of the sizes
	Beyond     []int64 `json:"beyond,omitempty"`
	Model      Model   `json:"model"`   // of the iterations
	Entered    Model   `json:"entered"` // of the entries
}

// Result is the loops of a program in the order in which they were first
// entered.
type Result struct {
	Sizes []int  `json:"sizes"`
	Loops []Loop `json:"loops"`
	// Beyond are larger sizes, which no model is fitted to: the first tells orders
	// apart, the others confirm. None: the program ran at no larger size.
	Beyond []int    `json:"beyond,omitempty"`
	Failed []string `json:"failed,omitempty"` // sizes at which the program failed
	// Warnings are what was not counted.
	Warnings []string `json:"warnings,omitempty"`
}

// leastSizes are needed to tell complexities apart.
const leastSizes = 5

// counter is a program with counters in its loops.
type counter interface {
	// count runs it with the sizes in its arguments.
	count(ctx context.Context, at sizes) ([]count, error)
	// position is where a loop stands.
	position(loop int) position
	// warnings are what the counters do not see.
	warnings() []string
}

type position struct {
	function, file string
	line           int
}

// count is what one run showed of one loop in one chain of call sites.
type count struct {
	loop                int
	function            string // in which it stands; closures have their own names
	chain               string
	entries, iterations int64
}

// Count puts counters into the program, runs it at every size and fits the
// models. Sizes at which the program fails are left out.
func Count(ctx context.Context, p Plan) (*Result, error) {
	if p.Timeout == 0 {
		p.Timeout = time.Minute
	}
	c, end, err := p.counter(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	r := &Result{Warnings: c.warnings()}
	t := table{result: r, index: map[string]int{}}
	var took time.Duration
	for _, n := range p.Sizes {
		began := time.Now()
		counts, err := c.count(ctx, size(n))
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.Failed = append(r.Failed, fmt.Sprintf("size %d: %v", n, err))
			continue
		}
		if n >= slices.Max(append(r.Sizes, 0)) {
			took = time.Since(began)
		}
		r.Sizes = append(r.Sizes, n)
		t.add(c, counts)
	}
	if len(r.Sizes) < leastSizes {
		return nil, fmt.Errorf("loops: the program ran at %d sizes, at least %d are needed (%s)", len(r.Sizes), leastSizes, strings.Join(r.Failed, "; "))
	}
	return r, t.fit(ctx, c, p.Timeout, took)
}

// counter puts counters into the program; end removes what they need.
func (p Plan) counter(ctx context.Context) (c counter, end func(), err error) {
	if p.Timeout == 0 {
		p.Timeout = time.Minute
	}
	if !strings.Contains(strings.Join(append(slices.Clone(p.Args), p.Env...), "\x00"), SizePlaceholder) {
		return nil, nil, fmt.Errorf("loops: no argument has the problem size: write %s where it belongs", SizePlaceholder)
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-loops-"))
	if err != nil {
		return nil, nil, fmt.Errorf("loops: %w", err)
	}
	end = func() { os.RemoveAll(dir) }
	if hotspot.Runs(p.Program) {
		c, err = newJava(ctx, p, dir)
	} else {
		c, err = newGo(ctx, p, dir)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return c, end, nil
}

// sizes are problem sizes by name.
type sizes map[string]int

// size is a single one.
func size(n int) sizes { return sizes{"n": n} }

// chainSeparator stands between the call sites of a chain, innermost first.
const chainSeparator = " < "

// unwound cuts recursion out of a chain: what recursive calls do counts where
// the recursion began. Otherwise there would be a chain for every depth.
func unwound(function, chain string) string {
	if chain == "" {
		return ""
	}
	sites := strings.Split(chain, chainSeparator)
	callers := []string{function} // callers[i] is what sites[i] calls
	for _, s := range sites {
		callers = append(callers, caller(s))
	}
	var kept []string
	for i := 0; i < len(sites); i++ {
		for k := len(sites); k > i; k-- {
			if callers[k] == callers[i] {
				i = k
				break
			}
		}
		if i < len(sites) {
			kept = append(kept, sites[i])
		}
	}
	return strings.Join(kept, chainSeparator)
}

// caller is the function of a call site.
func caller(site string) string {
	if i := strings.LastIndexByte(site, ':'); i >= 0 {
		return site[:i]
	}
	return site
}

// sized puts sizes into arguments or an environment.
func sized(list []string, at sizes) []string {
	var out []string
	for _, s := range list {
		for name, n := range at {
			s = strings.ReplaceAll(s, "{"+name+"}", strconv.Itoa(n))
		}
		out = append(out, s)
	}
	return out
}
