package diskio_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"tierscope/analysis/diskio"
)

// In a container threads have numbers of their own, and the kernel records its own: nothing that was recorded there would be found, and
// nobody would see why.
func TestAContainerWithNumbersOfItsOwnIsNotRecorded(t *testing.T) {
	const inside = "TIERSCOPE_IN_A_CONTAINER"
	if os.Getenv(inside) != "" {
		for _, r := range diskio.Recorders() {
			if err := r.Usable(); err == nil || !strings.Contains(err.Error(), "--pid=host") {
				t.Errorf("%s: error %v, want one with the remedy", r.Name(), err)
			}
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, os.ErrPermission) {
		t.Skip("skipped: a container needs root: ", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
