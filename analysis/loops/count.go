package loops

import (
	"context"
	_ "embed" // for the probe
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
)

//go:embed probe.go.txt
var probe []byte

// Plan says what to count.
type Plan struct {
	Program string   // folder or import path of the main package
	Args    []string // {n} stands for the size
	Env     []string
	Sizes   []int
	Timeout time.Duration // of a run, 0: a minute
}

// SizePlaceholder stands for the problem size in arguments and environment.
const SizePlaceholder = "{n}"

// Loop is one loop in one chain of call sites, with its counts.
type Loop struct {
	Function   string  `json:"function"` // in which the loop stands
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Chain      string  `json:"chain"` // call sites, innermost first: "main.norm:12 < main.main:30"
	Entries    []int64 `json:"entries"`
	Iterations []int64 `json:"iterations"` // in the order of the sizes
	Model      Model   `json:"model"`
}

// Result is the loops of a program in the order in which they were first
// entered.
type Result struct {
	Sizes  []int    `json:"sizes"`
	Loops  []Loop   `json:"loops"`
	Failed []string `json:"failed,omitempty"` // sizes at which the program failed
}

// leastSizes are needed to tell complexities apart.
const leastSizes = 5

// Count builds the program with counters, runs it at every size and fits the
// models. Sizes at which the program fails are left out.
func Count(ctx context.Context, p Plan) (*Result, error) {
	if p.Timeout == 0 {
		p.Timeout = time.Minute
	}
	if !strings.Contains(strings.Join(append(p.Args, p.Env...), "\x00"), SizePlaceholder) {
		return nil, fmt.Errorf("loops: no argument has the problem size: write %s where it belongs", SizePlaceholder)
	}
	dir, err := os.MkdirTemp("", "tierscope-loops-*")
	if err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	defer os.RemoveAll(dir)
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	sites := insert(program)
	exe, err := program.Build(ctx, dir, probe)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	index := map[string]int{}
	for _, n := range p.Sizes {
		counts, err := p.run(ctx, exe, dir, n)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			r.Failed = append(r.Failed, fmt.Sprintf("size %d: %v", n, err))
			continue
		}
		for _, c := range counts {
			key := fmt.Sprint(c.loop, " ", c.chain)
			i, ok := index[key]
			if !ok {
				i = len(r.Loops)
				index[key] = i
				site := sites[c.loop]
				r.Loops = append(r.Loops, Loop{Function: site.function, File: site.file, Line: site.line, Chain: c.chain})
			}
			l := &r.Loops[i]
			for len(l.Iterations) < len(r.Sizes)+1 {
				l.Entries, l.Iterations = append(l.Entries, 0), append(l.Iterations, 0)
			}
			// Two calls in one line are one chain.
			l.Entries[len(r.Sizes)] += c.entries
			l.Iterations[len(r.Sizes)] += c.iterations
		}
		r.Sizes = append(r.Sizes, n)
	}
	if len(r.Sizes) < leastSizes {
		return nil, fmt.Errorf("loops: the program ran at %d sizes, at least %d are needed (%s)", len(r.Sizes), leastSizes, strings.Join(r.Failed, "; "))
	}
	for i := range r.Loops {
		l := &r.Loops[i]
		for len(l.Iterations) < len(r.Sizes) {
			l.Entries, l.Iterations = append(l.Entries, 0), append(l.Iterations, 0)
		}
		counts := make([]float64, len(l.Iterations))
		for k, c := range l.Iterations {
			counts[k] = float64(c)
		}
		l.Model = Fit(r.Sizes, counts)
	}
	return r, nil
}

type position struct {
	function, file string
	line           int
}

// insert puts counters into all loops.
func insert(p *instrument.Program) []position {
	var sites []position
	p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		function := instrument.Function(pkg, d)
		jumps := map[string]bool{} // labels that a goto leads to: a block around them would be jumped into
		labels := map[ast.Stmt]*ast.LabeledStmt{}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BranchStmt:
				if n.Tok == token.GOTO && n.Label != nil {
					jumps[n.Label.Name] = true
				}
			case *ast.LabeledStmt:
				labels[n.Stmt] = n
			}
			return true
		})
		ast.Inspect(d.Body, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.ForStmt:
				body = n.Body
			case *ast.RangeStmt:
				body = n.Body
			default:
				return true
			}
			begin := n.Pos()
			if l := labels[n.(ast.Stmt)]; l != nil {
				if jumps[l.Label.Name] {
					return true
				}
				begin = l.Pos()
			}
			at := p.Fset.Position(n.Pos())
			counter := fmt.Sprintf("zzLoop%d", len(sites))
			p.Insert(begin, fmt.Sprintf("{ %s := %s.Loop(%d); ", counter, instrument.ProbeName, len(sites)))
			p.Insert(body.Lbrace+1, " "+counter+".Add();")
			p.Insert(n.End(), " }")
			sites = append(sites, position{function, filepath.Base(at.Filename), at.Line})
			return true
		})
	})
	return sites
}

type count struct {
	loop                int
	chain               string
	entries, iterations int64
}

const slots, slotBytes = 1 << 16, 16

// run runs the program at one size.
func (p Plan) run(ctx context.Context, exe, dir string, n int) ([]count, error) {
	file := filepath.Join(dir, "counts")
	if err := os.WriteFile(file, make([]byte, slots*slotBytes), 0o600); err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	if err := os.WriteFile(file+".names", nil, 0o600); err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	sized := func(list []string) []string {
		var out []string
		for _, s := range list {
			out = append(out, strings.ReplaceAll(s, SizePlaceholder, strconv.Itoa(n)))
		}
		return out
	}
	subject := execution.Program{Path: exe, Args: sized(p.Args),
		Env: append(append(os.Environ(), sized(p.Env)...), "TIERSCOPE_LOOPS="+file)}
	if _, _, err := subject.Finish(ctx, p.Timeout); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	names, err := os.ReadFile(file + ".names")
	if err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	return decode(data, string(names))
}

func decode(data []byte, names string) ([]count, error) {
	var out []count
	for line := range strings.Lines(names) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(f) != 3 {
			return nil, errors.New("loops: the file of names is damaged")
		}
		slot, err1 := strconv.Atoi(f[0])
		loop, err2 := strconv.Atoi(f[1])
		if err1 != nil || err2 != nil || slot < 0 || (slot+1)*slotBytes > len(data) {
			return nil, errors.New("loops: the file of names is damaged")
		}
		out = append(out, count{loop: loop, chain: f[2],
			entries:    int64(binary.NativeEndian.Uint64(data[slot*slotBytes:])),
			iterations: int64(binary.NativeEndian.Uint64(data[slot*slotBytes+8:]))})
	}
	return out, nil
}
