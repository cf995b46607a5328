package project

import (
	"errors"
	"os"
	"syscall"
)

var errLocked = errors.New("locked")

// openLocked opens a file that nobody else can write until it is closed, or fails with
// errLocked.
func openLocked(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	const sharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION
	switch {
	case errors.Is(err, sharingViolation):
		return nil, errLocked
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}

// removeLocked removes the file; on Windows only a closed one can be.
func removeLocked(f *os.File, name string) {
	f.Close()
	os.Remove(name)
}
