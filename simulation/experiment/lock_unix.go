//go:build unix

package experiment

import "syscall"

// tryLock makes this process the only writer of the file, and reports whether it is. Where locks are not supported, as
// on some network file systems, nobody is.
func (s *segment) tryLock() bool {
	return syscall.Flock(int(s.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

func (s *segment) unlock() { _ = syscall.Flock(int(s.file.Fd()), syscall.LOCK_UN) }
