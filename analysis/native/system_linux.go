package native

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// privileges refuses programs that get more rights than their user has: for them the loader
// ignores libraries that the user names.
func privileges(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if st.Mode()&os.ModeSetuid != 0 && int(sys.Uid) != os.Getuid() || st.Mode()&os.ModeSetgid != 0 && int(sys.Gid) != os.Getgid() {
		return fmt.Errorf("%s runs with the rights of its owner (setuid or setgid): the loader ignores the recorder there. Analyse a copy without these bits, or be that user", path)
	}
	var none [1]byte
	if n, err := unix.Getxattr(path, "security.capability", none[:]); os.Getuid() != 0 && (err == nil && n > 0 || errors.Is(err, syscall.ERANGE)) {
		return fmt.Errorf("%s has capabilities (getcap): the loader ignores the recorder there. Analyse a copy, which has none", path)
	}
	return nil
}
