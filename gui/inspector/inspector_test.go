package inspector

import "testing"

func TestAPathIsBrokenAfterSlashesOnly(t *testing.T) {
	for path, want := range map[string]string{
		"cmd/shop/main.go:12":                       "cmd/shop/main.go:12",
		"testdata/programs/go/docserver/main.go:65": "testdata/programs/go/docserver/\nmain.go:65",
		"averyveryverylongnamewithoutanyslashes.go": "averyveryverylongnamewithoutanyslashes.go",
	} {
		if got := folded(path); got != want {
			t.Errorf("%s is written %q, want %q", path, got, want)
		}
	}
}
