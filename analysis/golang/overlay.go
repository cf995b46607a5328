package golang

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed probe/*.go probe/*.s
var probeFiles embed.FS

// A release is what has to be changed in GOROOT/src of one Go release so that
// programs built with it carry probes. An edit that does not fit exactly is an
// error: an unknown release is refused, never mis-patched.
type release struct {
	inserts []insert
	wraps   []wrap
}

// An insert replaces the one occurrence of an anchor in a function, or in a
// whole file if Func is empty. Without an anchor the text is added at the end.
type insert struct {
	File, Func string
	Anchor     string
	Text       string
	Calls      bool // Text calls package runtime from another package
}

// A wrap renames a function and puts one in its place that calls it between
// two probes. The expressions may name the function's parameters and receiver;
// those for the end also its results, r0, r1, …
type wrap struct {
	File, Recv, Func string
	Op               string // expression of the operation's number; see operation
	Object           string // expression of type uintptr
	Arg, Result      string // expressions of type uint64, "": 0
	Enter            string // the whole statement at the start, where it is a special one
	EndObject        string // "": Object
}

// releases lists the Go releases whose GOROOT is known.
func releases() map[string]release {
	return map[string]release{"go1.26": go126()}
}

// Overlay writes the edited files of the GOROOT of release version (as "go env
// GOVERSION" prints it) below dir, and returns the path of the file for
// go build -overlay. Files that are there already are not written again, so
// that the build cache stays valid.
func Overlay(goroot, version, dir string) (string, error) {
	r, ok := releases()[minor(version)]
	if !ok {
		return "", unknownRelease(version)
	}
	files, err := r.apply(os.DirFS(filepath.Join(goroot, "src")))
	if err != nil {
		return "", fmt.Errorf("the sources of %s in %s are not those of a released Go 1.26, the probes do not fit: %w", version, goroot, err)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
	}
	dir = filepath.Join(dir, fmt.Sprintf("%s-%x", version, sum.Sum(nil)[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	replace := map[string]string{}
	for name, text := range files {
		to := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		replace[filepath.Join(goroot, "src", filepath.FromSlash(name))] = to
		if err := writeOnce(to, text); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", " ")
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "overlay.json")
	if err := writeOnce(to, list); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return to, nil
}

// minor is "go1.26" of "go1.26.8", "go1.26rc1" or "go1.26.8 X:nodwarf5".
func minor(version string) string {
	end := len("go1.")
	for end < len(version) && version[end] >= '0' && version[end] <= '9' {
		end++
	}
	return version[:min(end, len(version))]
}

// apply returns the edited and added files, by their path below GOROOT/src.
func (r release) apply(src fs.FS) (map[string][]byte, error) {
	sources := map[string]*source{}
	get := func(name string) (*source, error) {
		if s := sources[name]; s != nil {
			return s, nil
		}
		s, err := readSource(src, name)
		if err == nil {
			sources[name] = s
		}
		return s, err
	}
	var errs []error
	for _, e := range r.inserts {
		s, err := get(e.File)
		if err == nil {
			err = s.insert(e)
		}
		errs = append(errs, err)
	}
	for _, w := range r.wraps {
		s, err := get(w.File)
		if err == nil {
			err = s.wrap(w)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := map[string][]byte{"runtime/zz_tierscope_operations.go": operations()}
	for name, s := range sources {
		out[name] = s.text()
	}
	probes, err := fs.Glob(probeFiles, "probe/*.*")
	if err != nil {
		return nil, err
	}
	for _, p := range probes {
		text, err := probeFiles.ReadFile(p)
		if err != nil {
			return nil, err
		}
		// without the build constraint that keeps it out of our own builds
		first, body, _ := strings.Cut(string(text), "\n")
		constraint, ok := strings.CutPrefix(first, "//go:build tierscope_probe")
		if !ok {
			return nil, fmt.Errorf("%s: no build constraint", p)
		}
		if rest, ok := strings.CutPrefix(constraint, " && "); ok {
			body = "//go:build " + rest + "\n" + body
		}
		out["runtime/zz_tierscope_"+path.Base(p)] = []byte(body)
	}
	return out, nil
}

// operations is the runtime's copy of the operation numbers.
func operations() []byte {
	var b strings.Builder
	b.WriteString("package runtime\n\nconst (\n")
	for _, name := range slices.Sorted(maps.Keys(probeOps)) {
		fmt.Fprintf(&b, "\tpmOp%s = %d\n", name, probeOps[name])
	}
	b.WriteString(")\n")
	return []byte(b.String())
}

// source is a file of GOROOT with the edits collected so far.
type source struct {
	name  string
	src   string
	file  *ast.File
	fset  *token.FileSet
	edits []edit
	tail  strings.Builder
	calls bool // calls package runtime from outside it
}

type edit struct {
	from, to int
	text     string
}

func readSource(fsys fs.FS, name string) (*source, error) {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{name: name, src: string(src), file: file, fset: fset}, nil
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) at(n ast.Node) string { return s.src[s.offset(n.Pos()):s.offset(n.End())] }

// function finds the one declaration of a function or method.
func (s *source) function(recv, name string) (*ast.FuncDecl, error) {
	var found []*ast.FuncDecl
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && receiver(f) == recv {
			found = append(found, f)
		}
	}
	if len(found) != 1 || found[0].Body == nil {
		return nil, fmt.Errorf("%s: %d functions %s, want 1 with a body", s.name, len(found), strings.TrimPrefix(recv+"."+name, "."))
	}
	return found[0], nil
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return "?"
}

func (s *source) insert(e insert) error {
	s.calls = s.calls || e.Calls
	if e.Anchor == "" {
		s.tail.WriteString(e.Text)
		return nil
	}
	lo, hi := 0, len(s.src)
	if e.Func != "" {
		recv, name, ok := strings.Cut(e.Func, ".")
		if !ok {
			recv, name = "", e.Func
		}
		f, err := s.function(recv, name)
		if err != nil {
			return err
		}
		lo, hi = s.offset(f.Pos()), s.offset(f.End())
	}
	if n := strings.Count(s.src[lo:hi], e.Anchor); n != 1 {
		return fmt.Errorf("%s: %s: anchor %q found %d times, want 1", s.name, e.Func, e.Anchor, n)
	}
	at := lo + strings.Index(s.src[lo:hi], e.Anchor)
	s.edits = append(s.edits, edit{at, at + len(e.Anchor), e.Text})
	return nil
}

const original = "tierscopeOrig_"

func (s *source) wrap(w wrap) error {
	f, err := s.function(w.Recv, w.Func)
	if err != nil {
		return err
	}
	at := s.offset(f.Name.Pos())
	s.edits = append(s.edits, edit{at, at + len(w.Func), original + w.Func})

	var params, args []string
	for i, p := range f.Type.Params.List {
		typ := s.at(p.Type)
		if len(p.Names) == 0 {
			p.Names = []*ast.Ident{ast.NewIdent("_")}
		}
		for j, n := range p.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("unnamed%d_%d", i, j)
			}
			params = append(params, name+" "+typ)
			if strings.HasPrefix(typ, "...") {
				name += "..."
			}
			args = append(args, name)
		}
	}
	var results, names []string
	if f.Type.Results != nil {
		for _, p := range f.Type.Results.List {
			for range max(1, len(p.Names)) {
				n := fmt.Sprintf("r%d", len(names))
				names = append(names, n)
				results = append(results, n+" "+s.at(p.Type))
			}
		}
	}
	runtime := "runtime."
	if s.file.Name.Name == "runtime" {
		runtime = ""
	} else {
		s.calls = true
	}
	call, recv := original+w.Func, ""
	if f.Recv != nil {
		r := f.Recv.List[0]
		call = r.Names[0].Name + "." + call
		recv = "(" + s.at(r) + ") "
	}
	or := func(v, otherwise string) string {
		if v == "" {
			return otherwise
		}
		return v
	}
	enter := or(w.Enter, fmt.Sprintf("%sTierscopeEnter(%s, %s, %s)", runtime, w.Op, or(w.Object, "0"), or(w.Arg, "0")))
	result := ""
	if len(results) > 0 {
		result = "(" + strings.Join(results, ", ") + ") "
		call = strings.Join(names, ", ") + " = " + call
	}
	fmt.Fprintf(&s.tail, "\n//go:noinline\nfunc %s%s(%s) %s{\n\t%s\n\t%s(%s)\n\t%sTierscopeLeave(%s, %s, %s)\n\treturn\n}\n",
		recv, w.Func, strings.Join(params, ", "), result, enter, call, strings.Join(args, ", "),
		runtime, w.Op, or(w.EndObject, or(w.Object, "0")), or(w.Result, "0"))
	return nil
}

// text is the edited file. Lines keep their numbers.
func (s *source) text() []byte {
	if s.calls {
		var add string
		for _, p := range []string{"runtime", "unsafe"} {
			if !slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool {
				return i.Path.Value == `"`+p+`"` && (i.Name == nil || i.Name.Name == p)
			}) {
				add += "; import \"" + p + "\""
			}
		}
		end := s.offset(s.file.Name.End())
		s.edits = append(s.edits, edit{end, end, add})
		s.tail.WriteString("\nvar _ unsafe.Pointer\n")
	}
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range s.edits {
		if e.from < at {
			panic("golang: edits of " + s.name + " overlap")
		}
		b.WriteString(s.src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(s.src[at:])
	b.WriteString(s.tail.String())
	return []byte(b.String())
}

// writeOnce writes a file unless it is there with the same size; the
// directory's name already stands for its content.
func writeOnce(name string, text []byte) error {
	if st, err := os.Stat(name); err == nil && st.Size() == int64(len(text)) {
		return nil
	}
	return writeFile(name, text)
}
