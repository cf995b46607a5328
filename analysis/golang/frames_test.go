package golang

import (
	"os"
	"path/filepath"
	"testing"
)

// A goroutine of os/exec reads the output of a child with a method that the compiler made
// for an embedded field. It is library code like the rest of what it does.
func TestAGeneratedMethodBelongsToTheLibraryIfItsPackageDoes(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, p := range []string{"os", "net/http", "sync/atomic", "strings"} {
		if err := os.MkdirAll(filepath.Join(root, "src", p), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	std := newLibrary(root)
	for _, c := range []struct {
		function, file string
		want           bool
	}{
		{"os.fileWithoutWriteTo.Read", generated, true},
		{"net/http.(*bufferedReadCloser).Close", generated, true},
		{"sync/atomic.(*Pointer[example.com/shop/cart.Item]).Load", generated, true},
		{"main.logger.Write", generated, false},
		{"example.com/shop/cart.(*Cart).Lock", generated, false},
		{"strings.Cut", root + "/src/strings/strings.go", true},
		{"main.main", "/home/user/src/shop/main.go", false},
		{"sync/atomic.(*Bool).Load", "/usr/lib/another-go/src/sync/atomic/type.go", true}, // as the go command has kept it
		{"strings.Cut", "/home/user/strings/strings.go", false},
		{"main.main", "/home/user/src/main/main.go", false},
	} {
		if got := std.has(c.function, c.file); got != c.want {
			t.Errorf("%s in %s is of the library: %v, want %v", c.function, c.file, got, c.want)
		}
	}
}
