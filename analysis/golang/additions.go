package golang

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Threads share work out by what atomic additions return (normalise.Counters). The compiler makes an instruction of an
// addition, which no probe sees, so that the program's own files are edited, too, in copies: an addition whose result is
// used calls what the edited package sync/atomic has beside it.

// recorded ends the names of the additions that are recorded.
const recorded = "Tierscope"

// withAdditions returns an overlay that is another one with the program's own files in which results of atomic additions
// are used; the other one if there are none. Its files are written below dir.
func (p *program) withAdditions(ctx context.Context, overlay, dir string) (string, error) {
	files, err := p.additions(ctx)
	if err != nil || len(files) == 0 {
		return overlay, err
	}
	b, err := os.ReadFile(overlay)
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(b, &list); err != nil {
		return "", fmt.Errorf("overlay %s: %w", overlay, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, fmt.Sprintf("%x-%s", sha256.Sum256([]byte(name)), filepath.Base(name)))
		if err := writeFile(to, files[name]); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
		list.Replace[name] = to
	}
	if b, err = json.MarshalIndent(list, "", " "); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	to := filepath.Join(dir, "overlay.json")
	return to, writeFile(to, b)
}

// additions returns the edited files of the program's module, by path. What does not load, or not pass the type checker, or has parts in C,
// stays as it is: building it says why.
func (p *program) additions(ctx context.Context) (map[string][]byte, error) {
	if len(p.atomic) == 0 {
		return nil, nil
	}
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: p.dir, Env: p.env,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports}, p.atomic...)
	if err != nil {
		return nil, ctx.Err()
	}
	files := map[string][]byte{}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			continue
		}
		for _, f := range pkg.Syntax {
			name := pkg.Fset.Position(f.FileStart).Filename
			at := offsets(pkg, f)
			if len(at) == 0 {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("overlay: %w", err)
			}
			for _, offset := range slices.Backward(at) {
				text = slices.Insert(text, offset, []byte(recorded)...)
			}
			files[name] = text
		}
	}
	return files, nil
}

// offsets are where the names of the atomic additions of a file end whose results are used, in order.
func offsets(pkg *packages.Package, f *ast.File) (at []int) {
	unused := map[ast.Node]bool{}
	for n := range ast.Preorder(f) {
		switch x := n.(type) {
		case *ast.ExprStmt:
			unused[ast.Unparen(x.X)] = true
		case *ast.GoStmt:
			unused[x.Call] = true
		case *ast.DeferStmt:
			unused[x.Call] = true
		case *ast.CallExpr:
			name, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok || unused[x] {
				continue
			}
			if fn, ok := pkg.TypesInfo.Uses[name.Sel].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && strings.HasPrefix(fn.Name(), "Add") {
				at = append(at, pkg.Fset.Position(name.Sel.End()).Offset)
			}
		}
	}
	slices.Sort(at)
	return at
}
