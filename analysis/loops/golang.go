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

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/instrument"
)

//go:embed probe.go.txt
var probe []byte

// goProgram is a Go program with counters compiled into a copy of its source.
type goProgram struct {
	plan     Plan
	exe, dir string
	sites    []position
}

func newGo(ctx context.Context, p Plan, dir string) (*goProgram, error) {
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	sites := insert(program)
	exe, err := program.Build(ctx, dir, probe)
	if err != nil {
		return nil, err
	}
	return &goProgram{plan: p, exe: exe, dir: dir, sites: sites}, nil
}

func (g *goProgram) position(loop int) position { return g.sites[loop] }

func (g *goProgram) warnings() []string { return nil }

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

const slots, slotBytes = 1 << 16, 16

// count runs the program once.
func (g *goProgram) count(ctx context.Context, at sizes) ([]count, error) {
	file := filepath.Join(g.dir, "counts")
	if err := os.WriteFile(file, make([]byte, slots*slotBytes), 0o600); err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	if err := os.WriteFile(file+".names", nil, 0o600); err != nil {
		return nil, fmt.Errorf("loops: %w", err)
	}
	subject := execution.Program{Path: g.exe, Args: sized(g.plan.Args, at),
		Env: append(append(os.Environ(), sized(g.plan.Env, at)...), "TIERSCOPE_LOOPS="+file)}
	if _, _, err := subject.Finish(ctx, g.plan.Timeout); err != nil {
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
		own, chain, _ := strings.Cut(f[2], chainSeparator)
		out = append(out, count{loop: loop, function: caller(own), chain: chain,
			entries:    int64(binary.NativeEndian.Uint64(data[slot*slotBytes:])),
			iterations: int64(binary.NativeEndian.Uint64(data[slot*slotBytes+8:]))})
	}
	return out, nil
}
