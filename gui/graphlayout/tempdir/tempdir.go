// Package tempdir gives go-graphviz a place of the user's own for what it
// compiles when a program starts.
//
// go-graphviz compiles Graphviz in an init function and keeps the result in
// TMPDIR/go-graphviz. That folder belongs to whoever on the machine was first: for
// everybody else the program would panic before main, and it would run code that
// another user can write. So TMPDIR is another one until Restore.
//
// It has a module of its own for the sake of its name: packages are initialised in
// the order of their paths (Go specification, "Program initialization"), and this
// one has to come before github.com.
package tempdir

import "os"

const variable = "TMPDIR"

var before, was = os.LookupEnv(variable)

func init() {
	_ = os.Setenv(variable, private()) // if it cannot be set, all is as without this package
}

// private returns a folder that the user can write, and others need not; or a
// path that cannot be one: then nothing is kept.
func private() string {
	const nowhere = os.DevNull + "/nowhere"
	cache, err := os.UserCacheDir()
	if err != nil {
		return nowhere
	}
	dir := cache + string(os.PathSeparator) + "tierscope"
	if os.MkdirAll(dir, 0o700) != nil {
		return nowhere
	}
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return nowhere
	}
	f.Close()
	os.Remove(f.Name())
	return dir
}

// Restore makes TMPDIR what it was when the program started.
func Restore() {
	if was {
		_ = os.Setenv(variable, before)
	} else {
		_ = os.Unsetenv(variable)
	}
}
