package main

import (
	"os"
	"path/filepath"
)

// WANT+ main.main: change-file open write=5 fsync close-file open read=5 read=0 close-file stat open read-dir read-dir=0 close-file change-file change-file
func files() {
	dir := filepath.Join(os.TempDir(), "tierscope-construct")
	check(os.Mkdir(dir, 0o755))
	name := filepath.Join(dir, "f")
	f, err := os.Create(name)
	check(err)
	_, err = f.WriteString("hello")
	check(err)
	check(f.Sync())
	check(f.Close())
	f, err = os.Open(name)
	check(err)
	b := make([]byte, 100)
	f.Read(b)
	f.Read(b)
	check(f.Close())
	_, err = os.Stat(name)
	check(err)
	_, err = os.ReadDir(dir)
	check(err)
	check(os.Remove(name))
	check(os.Remove(dir))
}
