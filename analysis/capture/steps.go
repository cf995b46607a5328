package capture

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"

	"tierscope/analysis/golang/instrument"
)

// steps puts counters into the loops of a function, and of the closures in it, and where each
// of them begins.
func (r *recorder) steps(d *ast.FuncDecl) {
	at := func(body *ast.BlockStmt, counter string) {
		r.p.Insert(body.Lbrace+1, " "+instrument.ProbeName+"."+counter+"();")
	}
	at(d.Body, "Called")
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			at(n.Body, "Called")
		case *ast.ForStmt:
			at(n.Body, "Iterated")
		case *ast.RangeStmt:
			at(n.Body, "Iterated")
		}
		return true
	})
}

// buildFor builds the program once more for another purpose.
func buildFor(ctx context.Context, p *instrument.Program, dir, name string, only purpose) (string, error) {
	dir = filepath.Join(dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("capture: %w", err)
	}
	p.Reset()
	r := &recorder{p: p, only: only}
	r.insert()
	return p.Build(ctx, dir, r.probe(), instrument.Goroutine()...)
}

// accessBuild builds what has been built once more, so that every access to memory is
// counted: the compiler's calls for the memory sanitizer go to counters of our own.
func accessBuild(ctx context.Context, p *instrument.Program, dir string) (string, error) {
	compiler := ""
	for _, name := range []string{"gcc", "clang", "cc"} {
		if path, err := exec.LookPath(name); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		return "", errors.New("they need a C compiler, such as gcc")
	}
	// The sanitizer's own library is not linked.
	wrapper := filepath.Join(dir, "cc")
	script := "#!/bin/sh\nfor a do shift; [ \"$a\" = -fsanitize=memory ] || set -- \"$@\" \"$a\"; done\nexec " + compiler + " \"$@\"\n"
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil { //nolint:gosec // it is to be run
		return "", fmt.Errorf("capture: %w", err)
	}
	source := filepath.Join(dir, "msan.go")
	if err := os.WriteFile(source, msan, 0o600); err != nil {
		return "", fmt.Errorf("capture: %w", err)
	}
	return p.Rebuild(ctx, dir, "accesses", map[string]string{filepath.Join(p.GOROOT(), "src/runtime/msan/msan.go"): source},
		[]string{"-msan"}, []string{"CGO_ENABLED=1", "CC=" + wrapper})
}
