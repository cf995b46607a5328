package cmd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ofLanguages are the trees that know languages: front ends, the table of run-time
// systems, and the tools for programs of one language, which have a file for each.
var ofLanguages = []string{"analysis/golang", "analysis/java", "analysis/runtimes",
	"analysis/capture", "analysis/loops", "analysis/predictability", "analysis/prolong"}

// neutral are the trees that know none.
var neutral = []string{"analysis", "calibrate", "core", "gui", "measure", "project", "simulation"}

// named is what only programs of one language have.
var named = regexp.MustCompile(`(?i)^(go|java|-D)$|GOMAXPROCS|GOGC|^time\.goFunc$`)

// "It is the same for every language" (package analysis): what differs between run-time
// systems is data, trace.Runtime, so that a new front end touches its own package.
func TestNeutralPackagesAskForNoLanguage(t *testing.T) {
	t.Parallel()
	read := 0
	for _, tree := range neutral {
		err := filepath.WalkDir(filepath.Join("..", tree), func(path string, e fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
			switch {
			case err != nil:
				return err
			case e.IsDir() && (slices.Contains(ofLanguages, name) || e.Name() == "testdata"):
				return fs.SkipDir
			case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			read++
			found, err := languageTests(path, nil)
			for _, f := range found {
				t.Errorf("%s: what differs between run-time systems is data of trace.Runtime", f)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 100 {
		t.Fatalf("%d files were read; where are the others?", read)
	}
}

// languageTests lists where a file of Go tests for a language: by the field that is for
// readers, by comparing with a name, or by asking a table for one. source is as for
// parser.ParseFile.
func languageTests(path string, source any) (found []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	compared := func(what string, es ...ast.Expr) {
		for _, e := range es {
			lit, ok := e.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && named.MatchString(text) {
				found = append(found, fmt.Sprintf("%s: %s %q", files.Position(e.Pos()), what, text))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared("comparison with", n.X, n.Y)
			}
		case *ast.CaseClause:
			compared("case", n.List...)
		case *ast.IndexExpr:
			compared("index", n.Index)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				if p, ok := f.X.(*ast.Ident); ok && p.Name == "strings" {
					compared("strings."+f.Sel.Name+" with", n.Args...)
				}
			}
		case *ast.SelectorExpr:
			if n.Sel.Name == "Language" && !strings.HasSuffix(filepath.ToSlash(path), "analysis/trace/file.go") { // which completes older files
				found = append(found, fmt.Sprintf("%s: .Language", files.Position(n.Pos())))
			}
		}
		return true
	})
	return found, nil
}

// The test above finds what it is there for, and nothing else.
func TestAskingForALanguageIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		`if name == "go" {}`:                             1,
		`switch name { case "c", "java": }`:              1,
		`_ = env["GOMAXPROCS"]`:                          1,
		`_ = strings.HasPrefix(name, "-D")`:              1,
		`_ = t.Language`:                                 1,
		`_ = exec.Command("go", "build")`:                0,
		`if name == "gopher" { _ = "set GOMAXPROCS=2" }`: 0,
	} {
		found, err := languageTests("a.go", "package a\nfunc f() {\n"+source+"\n}")
		if err != nil || len(found) != want {
			t.Errorf("%s: found %q (%v), want %d", source, found, err, want)
		}
	}
}
