// Package recorder is the part of the native front end that runs inside the program under
// study: a library in C (source). Its source is part of this binary; it is
// compiled when a program is analysed for the first time, by the C compiler that is
// there, and kept in the user's cache. A release has it compiled, beside its programs.
package recorder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

//go:embed source/*.c source/*.h
var source embed.FS

// Version of the recording's format.
const Version = 1

// ErrNoCompiler says that the recorder can neither be found nor made.
var ErrNoCompiler = errors.New("the recorder is a library in C and there is no C compiler to make it: install one (Debian: apt-get install gcc libc6-dev), " +
	"or name it in the environment variable CC")

// flags: the unwinder is linked in, so that the program needs no library more than before; all of it
// is resolved when it is loaded, as nothing may be while a signal is handled.
var flags = []string{"-std=gnu11", "-O2", "-g1", "-fPIC", "-shared", "-pthread", "-fexceptions", "-fasynchronous-unwind-tables",
	"-fvisibility=hidden", "-static-libgcc", "-Wall", "-Wl,-z,now"}

// libraries are for C libraries in which these are not part of libc.
var libraries = []string{"-ldl", "-lrt"}

// FileName is that of the library: it changes with the source.
func FileName() string {
	sum := sha256.New()
	for _, name := range files() {
		b, err := source.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum.Write(b)
	}
	sum.Write([]byte(header() + strings.Join(flags, " ")))
	return fmt.Sprintf("tierscope-recorder-%s-%.12x.so", runtime.GOARCH, sum.Sum(nil))
}

func files() []string {
	names, err := fs.Glob(source, "source/*")
	if err != nil {
		panic(err)
	}
	slices.Sort(names)
	return names
}

// Library returns the name of the library: the one beside our own executable, that in the
// folder cache, or, made there by the C compiler, a new one.
func Library(ctx context.Context, cache string) (string, error) {
	name := FileName()
	if exe, err := os.Executable(); err == nil {
		if shipped := filepath.Join(filepath.Dir(exe), name); exists(shipped) {
			return shipped, nil
		}
	}
	library := filepath.Join(cache, name)
	if exists(library) {
		return library, nil
	}
	return library, Compile(ctx, library)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Compile makes the library.
func Compile(ctx context.Context, library string) error {
	compiler, err := find()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(library), 0o755); err != nil {
		return fmt.Errorf("recorder: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(library), "recorder-*")
	if err != nil {
		return fmt.Errorf("recorder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, source); err != nil {
		return fmt.Errorf("recorder: %w", err)
	}
	sources := filepath.Join(dir, "source")
	if err := os.WriteFile(filepath.Join(sources, "operations.h"), []byte(header()), 0o644); err != nil {
		return fmt.Errorf("recorder: %w", err)
	}
	part := filepath.Join(dir, "recorder.so")
	args := slices.Concat(compiler[1:], flags, []string{"-o", part})
	for _, name := range files() {
		if strings.HasSuffix(name, ".c") {
			args = append(args, filepath.Join(dir, name))
		}
	}
	args = append(args, libraries...)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, compiler[0], args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("recorder: %s cannot compile it; are the headers of the C library there (Debian: libc6-dev)? %w\n%s", compiler[0], err, strings.TrimSpace(said.String()))
	}
	return os.Rename(part, library)
}

// find returns the command that compiles C.
func find() ([]string, error) {
	candidates := [][]string{strings.Fields(os.Getenv("CC")), {"cc"}, {"gcc"}, {"clang"}}
	for _, c := range candidates {
		if len(c) == 0 {
			continue
		}
		if path, err := exec.LookPath(c[0]); err == nil {
			return append([]string{path}, c[1:]...), nil
		}
	}
	return nil, ErrNoCompiler
}
