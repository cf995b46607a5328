package project

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// LockedError says that another process is writing the same file.
type LockedError struct{ Path, Owner string }

// Error names the file, who writes it and the remedy.
func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is being written by %s; wait for its end, or write to another file", e.Path, e.Owner)
}

// Lock keeps other processes from writing the file at path, in whose folder we must be
// able to write, until release is called or this process ends, however it ends. It
// does not wait: another writer is a LockedError. who is what the other one reads
// about us.
func Lock(path, who string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, explain(err)
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	for {
		f, err := openLocked(name)
		if errors.Is(err, errLocked) {
			owner, _ := os.ReadFile(name) // a guess is better than nothing
			text := strings.TrimSpace(string(owner))
			if text == "" {
				text = "another process"
			}
			return nil, &LockedError{path, text}
		}
		if err != nil {
			return nil, explain(err)
		}
		// Whoever held the lock before has removed the file; then we have locked one
		// that nobody else will find.
		mine, err1 := f.Stat()
		there, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !os.SameFile(mine, there) {
			f.Close()
			continue
		}
		if err := errors.Join(f.Truncate(0), write(f, fmt.Sprintf("%s (process %d)\n", who, os.Getpid()))); err != nil {
			return nil, explain(errors.Join(err, f.Close()))
		}
		return func() {
			removeLocked(f, name)
		}, nil
	}
}

// Change changes a file of the project that others may change at the same time, such as another window: change reads
// what is there by now and writes what it makes of it, while nobody else does. It waits for them for some seconds; then
// their LockedError is returned.
func (p *Project) Change(change func() error, elements ...string) error {
	path := p.Path(elements...)
	if err := p.MayWrite(path); err != nil {
		return err
	}
	for until := time.Now().Add(changing); ; time.Sleep(changing / 1000) {
		release, err := Lock(path, "another change")
		if locked := (*LockedError)(nil); errors.As(err, &locked) && time.Now().Before(until) {
			continue
		}
		if err != nil {
			return err
		}
		defer release()
		return change()
	}
}

// changing is how long a change of a small file is waited for: a disk that has much else to write takes a second.
const changing = 10 * time.Second

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
