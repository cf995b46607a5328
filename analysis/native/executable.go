package native

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"tierscope/analysis/trace"
)

// program is an executable that can be recorded.
type program struct {
	path        string // absolute, without symbolic links: as the kernel tells it
	called      string // absolute, as it is given: one program may go by several names, and do what its name says
	interpreter string // the loader
}

// find finds the executable of a workload, as a shell would: as it is called, and without symbolic links.
func find(w trace.Workload) (called, path string, err error) {
	path = w.Program
	if w.Dir != "" && strings.ContainsRune(path, filepath.Separator) && !filepath.IsAbs(path) {
		if inDir := filepath.Join(w.Dir, path); isFile(inDir) {
			path = inDir
		}
	}
	if called, err = exec.LookPath(path); err != nil {
		if st, statErr := os.Stat(w.Program); statErr == nil && st.IsDir() {
			return "", "", fmt.Errorf("%s is a folder, not an executable file (a Go package: --target go)", w.Program)
		}
		if errors.Is(err, fs.ErrPermission) {
			return "", "", fmt.Errorf("%s must not be executed: give it the permission (chmod +x): %w", w.Program, err)
		}
		return "", "", fmt.Errorf("there is no program %s: %w", w.Program, err)
	}
	if called, err = filepath.Abs(called); err != nil {
		return "", "", err
	}
	path, err = filepath.EvalSymlinks(called)
	return called, path, err
}

// IsExecutable reports whether what a user types is an executable file of this system, or a script that starts one.
func IsExecutable(name string) bool {
	path, err := exec.LookPath(name)
	if err != nil || !isFile(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	n, _ := f.Read(magic)
	return strings.HasPrefix(string(magic[:n]), elf.ELFMAG) || strings.HasPrefix(string(magic[:n]), "#!")
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// machines are the architectures that the recorder knows.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// inspect finds the program and says why it cannot be recorded, if it cannot. The loader would
// ignore the recorder without a word.
func inspect(ctx context.Context, w trace.Workload) (*program, error) {
	called, path, err := find(w)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, notExecutable(path, err)
	}
	defer f.Close()
	switch machine, known := machines[runtime.GOARCH]; {
	case !known:
		return nil, fmt.Errorf("the recorder knows x86-64 and arm64, not %s", runtime.GOARCH)
	case f.Machine != machine || f.Class != elf.ELFCLASS64:
		return nil, fmt.Errorf("%s is compiled for another machine (%v, %v) than this one (%v): analyse a build for this machine", path, f.Machine, f.Class, machine)
	case f.Section(".go.buildinfo") != nil:
		return nil, fmt.Errorf("%s is a Go program, whose goroutines are no threads: analyse its package (--target go FOLDER)", path)
	}
	p := &program{path: path, called: called}
	for _, s := range f.Progs {
		if s.Type == elf.PT_INTERP {
			b := make([]byte, s.Filesz)
			if _, err := s.ReadAt(b, 0); err == nil {
				p.interpreter = strings.TrimRight(string(b), "\x00")
			}
		}
	}
	switch {
	case p.interpreter == "":
		return nil, fmt.Errorf("%s is statically linked: there is no loader that could put the recorder between it and the C library. "+
			"Link it dynamically (without -static), or take a package of it that is", path)
	case strings.Contains(p.interpreter, "ld-musl"):
		return nil, fmt.Errorf("%s is linked with musl and the recorder with the C library of this system: take a build for glibc", path)
	}
	if err := privileges(path); err != nil {
		return nil, err
	}
	return p, p.loads(ctx, w)
}

func notExecutable(path string, err error) error {
	b, readErr := os.ReadFile(path)
	if readErr != nil {
		return fmt.Errorf("%s cannot be read: %w", path, readErr)
	}
	if first, _, _ := strings.Cut(string(b), "\n"); strings.HasPrefix(first, "#!") {
		return fmt.Errorf("%s is a script for %s: name the program that it starts, with its arguments", path, strings.TrimSpace(first[2:]))
	}
	return fmt.Errorf("%s is no executable of this system: %w", path, err)
}

// loads asks the loader whether it finds all libraries, without running the program.
func (p *program) loads(ctx context.Context, w trace.Workload) error {
	cmd := exec.CommandContext(ctx, p.interpreter, p.path)
	cmd.Dir, cmd.Env = w.Dir, environment(w, "LD_TRACE_LOADED_OBJECTS=1") // as ldd does
	out, err := cmd.CombinedOutput()
	var missing []string
	for line := range strings.Lines(string(out)) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), " => "); ok && strings.Contains(rest, "not found") {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s needs libraries that are not there: %s. Install them, or say where they are (--env LD_LIBRARY_PATH=…)", p.path, strings.Join(missing, ", "))
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s cannot be loaded: %s", p.path, strings.TrimSpace(string(out)))
	}
	return ctx.Err()
}
