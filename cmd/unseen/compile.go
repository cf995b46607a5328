//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// compiled is the folder of what the compilers made of the programs of a language.
func (r *runner) compiled(language string) string {
	return filepath.Join(r.work, map[string]string{"java": "classes", "c": "executables"}[language])
}

// compile compiles those of the programs that tierctl does not build itself: all in Java at
// once, and each in C and C++ as its README says.
func (r *runner) compile(ctx context.Context, programs []program) error {
	if slices.ContainsFunc(programs, func(p program) bool { return p.Language == "java" }) {
		sources, err := filepath.Glob(filepath.Join(r.folder, "java", "*.java"))
		if err != nil {
			return err
		}
		if err := compiler(ctx, r.compiled("java"), "javac", append([]string{"-g", "-d", r.compiled("java")}, sources...)...); err != nil {
			return err
		}
	}
	for _, p := range programs {
		if p.Language != "c" {
			continue
		}
		sources, err := filepath.Glob(filepath.Join(r.folder, "c", p.Name+".[cr]*")) // C, C++, Rust
		if err != nil || len(sources) != 1 {
			return fmt.Errorf("%s: %d files are its source, not one", p.Name, len(sources))
		}
		out := filepath.Join(r.compiled("c"), p.Name)
		name, args := "cc", []string{"-std=gnu17", "-O2", "-pthread", "-fopenmp", "-o", out, sources[0], "-lm"}
		switch filepath.Ext(sources[0]) {
		case ".cc":
			name, args[0] = "c++", "-std=c++20"
		case ".rs":
			name, args = "rustc", []string{"-O", "-o", out, sources[0]}
		}
		if err := compiler(ctx, r.compiled("c"), name, args...); err != nil {
			return err
		}
	}
	return nil
}

// compiler runs a compiler after it made the folder that this one writes to.
func compiler(ctx context.Context, folder, name string, args ...string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}
