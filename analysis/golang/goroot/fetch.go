package goroot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Cache is the folder where we keep what we make of programs.
func Cache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	return filepath.Join(base, "tierscope"), nil
}

// Fetch gets a package of the module proxy, path@version, and returns its path and
// the folder of a module, in cache, that requires it and nothing else. go install
// takes such a name as well, but go list and the static analysis do not, and it
// refuses modules of which the proxy has single versions only.
func (i Installation) Fetch(ctx context.Context, program string, env []string, cache string) (path, dir string, err error) {
	path, _, _ = strings.Cut(program, "@")
	dir = filepath.Join(cache, "module", strings.NewReplacer("/", "_", "@", "_").Replace(program))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return path, dir, err
	}
	if err := i.require(ctx, program, env, dir); err != nil {
		return "", "", err
	}
	return path, dir, nil
}

// require makes the module in dir, whole or not at all.
func (i Installation) require(ctx context.Context, program string, env []string, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte("module tierscope.invalid/subject\n"), 0o644); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if _, err := i.Run(ctx, tmp, env, "get", program); err != nil {
		return fmt.Errorf("%s cannot be had: %w", program, err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, made := os.Stat(dir); made != nil {
			return fmt.Errorf("fetch: %w", err)
		}
	}
	return nil
}
