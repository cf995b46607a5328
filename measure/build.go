package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tierscope/analysis/execution"
	"tierscope/analysis/golang/goroot"
	"tierscope/analysis/trace"
)

// Build returns the executable of a workload's program: the program itself if it is one,
// or a command in PATH, else a Go main package (directory, import path, or path@version of the
// module proxy) built into dir as its user would build it.
func Build(ctx context.Context, w trace.Workload, dir string) (string, error) {
	program := w.Program
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
	executable := filepath.Join(dir, "program")
	folder, pkg := w.Dir, program
	env := execution.Environment(w.Env) // GOFLAGS may be there
	if strings.Contains(program, "@") {
		cache, err := goroot.Cache()
		if err != nil {
			return "", fmt.Errorf("measure: %w", err)
		}
		if pkg, folder, err = (goroot.Installation{}).Fetch(ctx, program, env, cache); err != nil {
			return "", fmt.Errorf("measure: %w", err)
		}
	} else if info, err := os.Stat(program); err == nil && info.IsDir() {
		folder, pkg = program, "." // built from inside, so that a module of its own is found
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", executable, pkg)
	cmd.Dir, cmd.Env = folder, env
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

// tail is the end of an output: the part that says why.
func tail(output []byte) string {
	const most = 2000
	if len(output) > most {
		output = output[len(output)-most:]
	}
	return strings.TrimSpace(string(output))
}
