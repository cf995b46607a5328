package session

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tierscope/gui/background"
	"tierscope/project"
)

// A project that cannot be written to, such as a sample of an installed package, opens: with what it has, and the word that
// nothing will be kept.
func TestAProjectOnAReadOnlyDiskOpens(t *testing.T) {
	t.Parallel()
	m, err := project.LoadModel("../../testdata/models/version-1-web-server.json")
	if err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, ""); err != nil {
		t.Skip("cannot be judged here: mounting a file system needs root: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	p, err := project.Create(filepath.Join(disk, "shop.tier"), project.Manifest{}, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	o, err := Read(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	s := New(background.NewLocal(), nil)
	s.Show(o, "")
	if n := s.Notice(); n == nil || n.Level != Warning || !strings.Contains(n.What, "nothing will be kept") {
		t.Errorf("the notice is %+v, want that nothing will be kept", n)
	}
	s.AddScenario(0)
	s.Runner.Settle()
	if n := s.Notice(); n != nil && n.Level != Warning {
		t.Errorf("a scenario on a read-only disk: %+v", n)
	}
}
