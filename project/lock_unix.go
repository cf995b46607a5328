//go:build unix

package project

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

var errLocked = errors.New("locked")

// openLocked opens a file and locks it, or fails with errLocked. The lock ends with
// the process. In the place of the file may be a link that a stranger put there: what it leads to is not emptied.
func openLocked(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a link, where a lock is to be; remove it", name)
	}
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = errLocked
	}
	f.Close()
	return nil, err
}

// removeLocked removes the file while it is locked, and unlocks it.
func removeLocked(f *os.File, name string) {
	os.Remove(name)
	f.Close()
}
