package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// Build returns the executable of a program: the program itself if it is one,
// or a command in PATH, else a Go main package (directory, import path, or path@version of the
// module proxy) built into dir as its user would build it.
func Build(ctx context.Context, program, workingDir, dir string) (string, error) {
	if info, err := os.Stat(program); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
		return filepath.Abs(program)
	}
	if !strings.Contains(program, "/") { // a command, such as java
		if command, err := exec.LookPath(program); err == nil {
			return command, nil
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("measure: %w", err)
	}
	var cmd *exec.Cmd
	var executable string
	if importPath, _, versioned := strings.Cut(program, "@"); versioned {
		executable = filepath.Join(dir, commandName(importPath))
		cmd = exec.CommandContext(ctx, "go", "install", program)
		cmd.Env = append(os.Environ(), "GOBIN="+dir)
	} else {
		executable = filepath.Join(dir, "program")
		cmd = exec.CommandContext(ctx, "go", "build", "-o", executable, program)
		if info, err := os.Stat(program); err == nil && info.IsDir() {
			// Built from inside, so that a module of its own is found.
			cmd = exec.CommandContext(ctx, "go", "build", "-o", executable, ".")
			workingDir = program
		}
		cmd.Dir = workingDir
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("measure: %s does not build (%w):\n%s", program, err, tail(stderr.Bytes()))
	}
	return executable, nil
}

// commandName is the name that go install gives: the last element of the
// path, or the one before a major version suffix.
func commandName(importPath string) string {
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		return path.Base(path.Dir(importPath))
	}
	return base
}

// tail is the end of an output: the part that says why.
func tail(output []byte) string {
	const most = 2000
	if len(output) > most {
		output = output[len(output)-most:]
	}
	return strings.TrimSpace(string(output))
}
