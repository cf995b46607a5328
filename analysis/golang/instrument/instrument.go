// Package instrument compiles statements into a copy of a Go program's own
// source, with go build -overlay: nothing of the user's is edited. Statements
// are inserted within lines, so that positions stay what they were.
//
// It is for what the runtime cannot see (variables, loops, modules). Locks,
// channels and files are recorded by package golang, which replaces no more of the
// program's own source than the names of atomic additions.
package instrument

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"tierscope/analysis/golang/goroot"
	"tierscope/analysis/journal"
)

// Program is the source of a main package and of the packages of its module
// that it imports.
type Program struct {
	Packages []*packages.Package // of the main module, with syntax and types
	Fset     *token.FileSet

	dir, pattern           string // where the go command runs, and on what
	env                    []string
	toolchain              goroot.Installation
	modulePath, moduleRoot string
	inserts                []insert
	imported               map[string]bool   // files that call the probe
	replaced               map[string]string // files of the overlay, as last built
}

type insert struct {
	file   string
	offset int
	text   string
}

// Load reads the program in a folder, or the main package of that import path
// seen from the working directory.
func Load(ctx context.Context, program string, env []string) (*Program, error) {
	p := &Program{pattern: program, env: append(os.Environ(), env...), imported: map[string]bool{}}
	if info, err := os.Stat(program); err == nil && info.IsDir() {
		p.dir, p.pattern = program, "."
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	if p.toolchain, err = goroot.Find(ctx, p.dir, p.env, filepath.Join(cache, "tierscope")); err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	overview, err := packages.Load(&packages.Config{Context: ctx, Dir: p.dir, Env: p.env,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}, p.pattern)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	if len(overview) != 1 || overview[0].Name != "main" {
		return nil, fmt.Errorf("load %s: it is not one main package", program)
	}
	if err := defects(overview); err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	module := overview[0].Module
	if module == nil || !module.Main {
		return nil, fmt.Errorf("load %s: its module is not the main module: statements can only be compiled into source of one's own, run in its folder", program)
	}
	p.modulePath, p.moduleRoot = module.Path, module.Dir
	var own []string
	packages.Visit(overview, nil, func(pkg *packages.Package) {
		if pkg.Module != nil && pkg.Module.Main {
			own = append(own, pkg.PkgPath)
		}
	})
	slices.Sort(own)
	own[slices.Index(own, overview[0].PkgPath)] = p.pattern
	p.Packages, err = packages.Load(&packages.Config{Context: ctx, Dir: p.dir, Env: p.env,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule | packages.NeedExportFile}, own...)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	if err := defects(p.Packages); err != nil {
		return nil, fmt.Errorf("load %s: %w", program, err)
	}
	p.Fset = p.Packages[0].Fset
	return p, nil
}

func defects(pkgs []*packages.Package) error {
	const most = 10
	var errs []error
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			errs = append(errs, e)
		}
	})
	return errors.Join(errs[:min(len(errs), most)]...)
}

// ProbeName is how inserted text calls the probe package.
const ProbeName = "zzTierscope"

// probeDir is the folder, and the import path below the module, of the probe.
const probeDir = "zz_tierscope"

// Insert puts text before pos. Texts at one place come out in the order of the
// calls. Text must not contain a line break. It panics if it does.
func (p *Program) Insert(pos token.Pos, text string) {
	if strings.Contains(text, "\n") {
		panic("instrument: inserted text has a line break: positions would shift")
	}
	at := p.Fset.PositionFor(pos, false)
	p.inserts = append(p.inserts, insert{at.Filename, at.Offset, text})
	if strings.Contains(text, ProbeName) {
		p.imported[at.Filename] = true
	}
}

// Reset forgets all insertions.
func (p *Program) Reset() { p.inserts, p.imported = nil, map[string]bool{} }

// Function returns the name of a declared function as the runtime gives it:
// main.Handle, example.org/shop.(*Cart).Add.
func Function(pkg *packages.Package, d *ast.FuncDecl) string {
	path := pkg.PkgPath
	if pkg.Name == "main" {
		path = "main"
	}
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return path + "." + d.Name.Name
	}
	t, star := d.Recv.List[0].Type, false
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t, star = u.X, true
			continue
		case *ast.ParenExpr:
			t = u.X
			continue
		case *ast.IndexExpr:
			t = u.X
			continue
		case *ast.IndexListExpr:
			t = u.X
			continue
		}
		break
	}
	name := "?"
	if id, ok := t.(*ast.Ident); ok {
		name = id.Name
	}
	if star {
		return path + ".(*" + name + ")." + d.Name.Name
	}
	return path + "." + name + "." + d.Name.Name
}

// Functions calls f for every declared function with a body.
func (p *Program) Functions(f func(pkg *packages.Package, d *ast.FuncDecl)) {
	for _, pkg := range p.Packages {
		for _, file := range pkg.Syntax {
			if !strings.HasSuffix(p.Fset.Position(file.Package).Filename, ".go") {
				continue
			}
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
					f(pkg, d)
				}
			}
		}
	}
}

// Build builds the program with everything inserted, the probe package of the
// given source and files added to the standard library, into the absolute path dir.
// It returns the executable.
func (p *Program) Build(ctx context.Context, dir string, probe []byte, more ...File) (string, error) {
	replaced := map[string]string{}
	write := func(original string, text []byte) error {
		name := filepath.Join(dir, fmt.Sprintf("%d_%s", len(replaced), filepath.Base(original)))
		replaced[original] = name
		return os.WriteFile(name, text, 0o644)
	}
	slices.SortStableFunc(p.inserts, func(a, b insert) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset))
	})
	for len(p.inserts) > 0 {
		n := 1
		for n < len(p.inserts) && p.inserts[n].file == p.inserts[0].file {
			n++
		}
		text, err := p.edited(p.inserts[:n])
		if err != nil {
			return "", err
		}
		if err := write(p.inserts[0].file, text); err != nil {
			return "", fmt.Errorf("instrument: %w", err)
		}
		p.inserts = p.inserts[n:]
	}
	if err := write(filepath.Join(p.moduleRoot, probeDir, "probe.go"), probe); err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	for _, f := range more {
		if err := write(filepath.Join(p.GOROOT(), "src", f.Path), f.Text); err != nil {
			return "", fmt.Errorf("instrument: %w", err)
		}
	}
	p.replaced = replaced
	return p.Rebuild(ctx, dir, "program", nil, nil, nil)
}

// GOROOT is the root of the Go installation, by the name that Rebuild replaces
// its files by.
func (p *Program) GOROOT() string { return p.toolchain.Root }

// Rebuild builds what Build has written once more under another name, with
// more files replaced (original name to new one), more flags and environment.
func (p *Program) Rebuild(ctx context.Context, dir, name string, more map[string]string, flags, env []string) (string, error) {
	replaced := maps.Clone(p.replaced)
	maps.Copy(replaced, more)
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	overlayFile := filepath.Join(dir, name+".overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	exe := filepath.Join(dir, name)
	args := append([]string{"build", "-buildvcs=false", "-trimpath=false", "-overlay", overlayFile, "-o", exe}, flags...)
	if _, err := p.toolchain.Run(ctx, p.dir, append(slices.Clone(p.env), env...), append(args, p.pattern)...); err != nil {
		return "", fmt.Errorf("the program with probes does not build: %w", err)
	}
	return exe, nil
}

// edited returns a file with its insertions.
func (p *Program) edited(inserts []insert) ([]byte, error) {
	name := inserts[0].file
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("instrument: %w", err)
	}
	if p.imported[name] {
		inserts = append([]insert{{name, p.packageClause(name), fmt.Sprintf("; import %s %q", ProbeName, p.modulePath+"/"+probeDir)}}, inserts...)
	}
	var out bytes.Buffer
	at := 0
	for _, i := range inserts {
		out.Write(source[at:i.offset])
		out.WriteString(i.text)
		at = i.offset
	}
	out.Write(source[at:])
	return out.Bytes(), nil
}

// packageClause returns the offset of the end of a file's package clause.
func (p *Program) packageClause(name string) int {
	for _, pkg := range p.Packages {
		for _, file := range pkg.Syntax {
			if at := p.Fset.PositionFor(file.Name.End(), false); at.Filename == name {
				return at.Offset
			}
		}
	}
	panic("instrument: text was inserted into a file that is not of the program: " + name)
}

// State identifies the source of the packages of the main module.
func (p *Program) State() string {
	var files []string
	for _, pkg := range p.Packages {
		files = append(files, pkg.CompiledGoFiles...)
	}
	return journal.State(files...)
}
