package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// toy is a package with numbers of all classes.
const toy = `package toy

import "time"

// rare is how rare rare is.
const rare = 0.05 // Theory: told by chance once in 20

const (
	most   = 7
	never  = 1 << 40
	none   = -1
	patience = 20 * time.Second
)

// Kind names cases: no quantities.
type Kind int

const (
	first Kind = iota + 3
	second Kind = 9
)

var grid = []float64{1, 4, 16}
var kinds = []Kind{first, second}
var ties = []int{3: 0, 4: 1}

func f(x float64, n int) bool {
	const fewest = 5
	if n < 30 || n > 1 && n > 30 { // of a sample
		return x > 0.9
	}
	return x/1e9 < float64(max(n, 12)) || n<<20 > 0 || n < 2*fewest || int(x+0.5) == n || x == 3.5*7 || x < 1.5
}
`

func toyModule(t *testing.T) (dir string, all []Constant) {
	t.Helper()
	dir = t.TempDir()
	for path, text := range map[string]string{"go.mod": "module tierscope\n\ngo 1.26\n", "toy/toy.go": toy} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Find(dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), []string{"toy"})
	if err != nil {
		t.Fatal(err)
	}
	return dir, all
}

// Named constants and tables are found wherever they are, other numbers where something is
// compared or limited: those are what decides.
func TestNumbersAreFoundAndToldApart(t *testing.T) {
	t.Parallel()
	_, all := toyModule(t)
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%s %s = %s × %d", c.Class, c.ID, c.Value, len(c.spots)))
	}
	want := []string{
		"unit toy.f 0.5 = 0.5 × 1",
		"threshold toy.f 0.9 = 0.9 × 1",
		"threshold toy.f 1.5 = 1.5 × 1",
		"threshold toy.f 12 = 12 × 1",
		"unit toy.f 1e9 = 1e9 × 1",
		"format toy.f 20 = 20 × 1",
		"threshold toy.f 3.5 = 3.5 × 1",
		"threshold toy.f 30 = 30 × 2",
		"threshold toy.f 7 = 7 × 1",
		"threshold toy.f.fewest = 5 × 1",
		"grid toy.grid = 3 numbers × 3",
		"threshold toy.most = 7 × 1",
		"format toy.never = 1 << 40 × 1",
		"format toy.none = -1 × 1",
		"threshold toy.patience = 20 * time.Second × 1",
		"threshold toy.rare = 0.05 × 1",
		"threshold toy.ties = 2 numbers × 2",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("found\n%s\nwant\n%s", g, w)
	}
}

// The comment of a constant is that of its group, its own, and that at its line.
func TestCommentsBelongToNumbers(t *testing.T) {
	t.Parallel()
	_, all := toyModule(t)
	for _, c := range all {
		if want := map[string]string{
			"toy.rare": "rare is how rare rare is. Theory: told by chance once in 20",
			"toy.f 30": "of a sample",
		}[c.ID]; want != "" && c.Comment != want {
			t.Errorf("%s: comment %q, want %q", c.ID, c.Comment, want)
		}
	}
}

// Halves and doubles: whole numbers stay whole (7 / 2 is 3), a share above one half gets nearer to
// the whole instead (0.9, 0.95), a factor
// nearer to one or farther (1.25, 1.5, 2), every element of a table by index is multiplied, a grid has every
// other value (1, 16) or one more between two (2.5 between 1 and 4).
func TestNumbersAreHalvedAndDoubledInTheSource(t *testing.T) {
	t.Parallel()
	_, all := toyModule(t)
	for _, want := range []struct {
		id     string
		way    Way
		value  string
		source string
	}{
		{"toy.most", Halved, "3", "most   = ((7) / 2)\n"},
		{"toy.most", Doubled, "14", "most   = ((7) * 2)\n"},
		{"toy.rare", Halved, "0.025", "const rare = ((0.05) / 2) // Theory"},
		{"toy.f 0.9", Doubled, "0.95", "x > ((1 + (0.9)) / 2)"},
		{"toy.f 0.9", Halved, "0.45", "x > ((0.9) / 2)"},
		{"toy.f 1.5", Halved, "1.25", "x < ((1 + (1.5)) / 2)"},
		{"toy.f 1.5", Doubled, "2", "x < ((1.5)*2 - 1)"},
		{"toy.f 30", Doubled, "60", "n < ((30) * 2) || n > 1 && n > ((30) * 2) {"},
		{"toy.patience", Halved, "1e+10", "((20 * time.Second) / 2)"},
		{"toy.ties", Doubled, "all doubled", "{3: ((0) * 2), 4: ((1) * 2)}"},
		{"toy.grid", Halved, "2 numbers", "{1, 16}"},
		{"toy.grid", Doubled, "5 numbers", "{1, 2.5, 4, 10, 16}"},
	} {
		for _, c := range all {
			if c.ID != want.id {
				continue
			}
			source, value, err := c.Varied(want.way)
			if err != nil {
				t.Fatal(err)
			}
			if value != want.value || !strings.Contains(source, want.source) {
				t.Errorf("%s %s is %s, want %s; the source lacks %q:\n%s", want.id, want.way, value, want.value, want.source, source)
			}
		}
	}
}
