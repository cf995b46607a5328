package capture

import (
	"context"
	_ "embed" // for the probe
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/golang/instrument"
	"tierscope/analysis/regress"
	"tierscope/project/scratch"
)

//go:embed predict.go.txt
var predictor []byte

// Predictor says into which program prediction code is compiled.
type Predictor struct {
	Program string // folder or import path of the main package
	Env     []string
	Report  *regress.Report // of a capture of this program, in its present state
	// Hook is a function of the program, NAME or PACKAGE.NAME, of type
	// func(kind string, predict func(behaviour string, threads int) (float64, bool)).
	Hook string
	Out  string // executable
}

// hookType is the type of a hook.
const hookType = "func(kind string, predict func(behaviour string, threads int) (float64, bool))"

// Predicted is what was compiled in.
type Predicted struct {
	Kinds     []string // of threads that are predicted
	Variables []string // that the program reads
	Left      []string // behaviours that follow from what no variable of the program says
}

// Build builds the program with prediction code (Wu et al. 2010, §2.1): just before it
// creates threads of a kind, it reads the variables that their models need and calls the hook, which can
// ask what a thread would do if there were so many of them.
func (p Predictor) Build(ctx context.Context) (*Predicted, error) {
	program, err := instrument.Load(ctx, p.Program, p.Env)
	if err != nil {
		return nil, err
	}
	rec := &recorder{p: program, only: predictions, wanted: map[string]bool{}}
	out := &Predicted{}
	models := map[string][]regress.Behaviour{} // by kind
	for _, b := range p.Report.Behaviours {
		needs := b.Selection.Model.Inputs()
		switch {
		case b.Phase != "" || !b.Acceptable():
			continue
		case slices.ContainsFunc(needs, func(name string) bool { return len(b.Samples) > 0 && slices.Contains(b.Samples[0].Given, name) }):
			out.Left = append(out.Left, fmt.Sprintf("%s needs %s, and the program has no variable of that value", b.Label(), strings.Join(needs, ", ")))
			continue
		}
		models[b.ThreadType] = append(models[b.ThreadType], b)
		for _, name := range needs {
			rec.wanted[name] = true
		}
	}
	if len(models) == 0 {
		return nil, errors.New("predict: the report has no acceptable model of a whole thread whose inputs are variables of the program")
	}
	if err := rec.hook(p.Hook); err != nil {
		return nil, err
	}
	rec.insert()
	out.Variables = slices.Compact(slices.Sorted(slices.Values(rec.sites)))
	for name := range rec.wanted {
		if name != shared && !slices.Contains(out.Variables, name) {
			return nil, fmt.Errorf("predict: the program has no variable %s, which models of the report need: capture it anew", name)
		}
	}
	text, err := rec.predictor(models, out)
	if err != nil {
		return nil, err
	}
	if len(out.Kinds) == 0 {
		return nil, fmt.Errorf("predict: the program creates threads at %s, the report is about others: capture it anew", strings.Join(rec.threads, ", "))
	}
	beside := filepath.Dir(p.Out) // so that the executable can be moved
	dir, err := os.MkdirTemp(beside, scratch.Name(beside, ".predict-"))
	if err != nil {
		return nil, fmt.Errorf("predict: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("predict: %w", err)
	}
	exe, err := program.Build(ctx, dir, text)
	if err != nil {
		return nil, err
	}
	return out, os.Rename(exe, p.Out)
}

// hook gives the probe the program's hook.
func (r *recorder) hook(name string) error {
	want, err := types.Eval(token.NewFileSet(), nil, token.NoPos, hookType)
	if err != nil {
		panic("capture: " + err.Error()) // it is a constant
	}
	in, short := "main", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		in, short = name[:i], name[i+1:]
	}
	err = fmt.Errorf("predict: the program has no function %s; a hook is a %s", name, hookType)
	r.p.Functions(func(pkg *packages.Package, d *ast.FuncDecl) {
		if d.Recv != nil || d.Name.Name != short || pkg.Name != in && pkg.PkgPath != in {
			return
		}
		if t := pkg.TypesInfo.Defs[d.Name].Type(); !types.Identical(t, want.Type) {
			err = fmt.Errorf("predict: %s is a %s; a hook is a %s", name, t, hookType)
			return
		}
		err = nil
		r.p.Insert(d.End(), fmt.Sprintf("; func init() { %s.Hook = %s }", instrument.ProbeName, short))
	})
	return err
}

// predictor is the source of the probe with the models.
func (r *recorder) predictor(models map[string][]regress.Behaviour, out *Predicted) ([]byte, error) {
	var tables strings.Builder
	var functions []regress.Function
	fmt.Fprintf(&tables, "\nvar names = []string{")
	for _, name := range r.sites {
		fmt.Fprintf(&tables, "%q,", name)
	}
	tables.WriteString("}\n\nvar kinds = []kind{\n")
	for _, kind := range r.threads {
		fmt.Fprintf(&tables, "{%q, map[string]model{\n", kind)
		for _, b := range models[kind] {
			name := "model" + strconv.Itoa(len(functions))
			functions = append(functions, regress.Function{Name: name, Model: b.Selection.Model})
			fmt.Fprintf(&tables, "%q: {%s, %#v},\n", b.Name, name, b.Selection.Model.Inputs())
		}
		tables.WriteString("}},\n")
		if len(models[kind]) > 0 {
			out.Kinds = append(out.Kinds, kind)
		}
	}
	tables.WriteString("}\n\n")
	source, err := regress.Source(functions...)
	return slices.Concat(predictor, []byte(tables.String()), []byte(source)), err
}

// predict calls for predictions where a thread is about to be created: before the
// outermost loop around the statement that does so, in the same function.
func (f function) predict(s ast.Stmt, kind int) {
	if f.only == predictions {
		f.p.Insert(beginning(f.body, s), fmt.Sprintf("%s.Predict(%d); ", instrument.ProbeName, kind))
	}
}

// beginning is where the phase begins in which a statement creates threads.
func beginning(body *ast.BlockStmt, s ast.Stmt) token.Pos {
	var path, to []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch {
		case n == nil:
			path = path[:len(path)-1]
			return true
		case n == s:
			to = slices.Clone(path)
		}
		path = append(path, n)
		return true
	})
	at := s.Pos()
	for i := len(to) - 1; i >= 0; i-- {
		switch n := to[i].(type) {
		case *ast.FuncLit:
			return at
		case *ast.ForStmt, *ast.RangeStmt:
			at = n.Pos()
			if i > 0 {
				if label, ok := to[i-1].(*ast.LabeledStmt); ok {
					at = label.Pos()
				}
			}
		}
	}
	return at
}
