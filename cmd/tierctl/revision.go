package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// revision is a package at a state of its repository: "./cmd/shop@v1.8".
type revision struct {
	text   string // as it was given
	folder string // of the package; "": it is no folder of a repository at a state
	state  string // as git names it
}

// parseRevision reads PACKAGE[@STATE]. A path that is no folder here is left to the front end.
func parseRevision(text string) revision {
	folder, state, ok := strings.Cut(text, "@")
	if info, err := os.Stat(folder); !ok || err != nil || !info.IsDir() {
		return revision{text: text}
	}
	return revision{text: text, folder: folder, state: state}
}

// checkOut writes the repository at that state below dir and returns the package in it. The
// repository itself is left as it is.
func (r revision) checkOut(ctx context.Context, dir string) (string, error) {
	if r.folder == "" {
		return r.text, nil
	}
	git := func(args ...string) *exec.Cmd {
		return exec.CommandContext(ctx, "git", append([]string{"-C", r.folder}, args...)...)
	}
	top, err := git("rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %s is in no git repository: %w", r.text, r.folder, err)
	}
	prefix, err := git("rev-parse", "--show-prefix").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.text, err)
	}
	archive := exec.CommandContext(ctx, "git", "-C", strings.TrimSpace(string(top)), "archive", "--format=tar", r.state)
	var says strings.Builder
	archive.Stderr = &says
	files, err := archive.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := archive.Start(); err != nil {
		return "", fmt.Errorf("%s: %w", r.text, err)
	}
	unpacked := unpack(files, dir)
	_, _ = io.Copy(io.Discard, files) // an archive that nobody reads would not end; its error is git's, or unpack's
	if err := errors.Join(archive.Wait(), unpacked); err != nil {
		return "", fmt.Errorf("%s: git cannot give the state %q: %w %s", r.text, r.state, err, strings.TrimSpace(says.String()))
	}
	return filepath.Join(dir, strings.TrimSpace(string(prefix))), nil
}

// unpack writes the folders, files and symbolic links of an archive below dir.
func unpack(archive io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case h.Typeflag == tar.TypeDir:
			err = root.MkdirAll(filepath.Clean(h.Name), 0o700)
		case h.Typeflag == tar.TypeSymlink:
			err = root.Symlink(h.Linkname, h.Name)
		case h.Typeflag == tar.TypeReg:
			err = unpackFile(root, h, r)
		}
		if err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, h *tar.Header, content io.Reader) error {
	f, err := root.OpenFile(h.Name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, h.FileInfo().Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
