package look

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"golang.org/x/image/font/sfnt"
)

// A letter that the window's face does not have shows as a box. Texts of the
// window are made in gui, and numbers in core/quantity.
func TestTheFaceHasEveryLetterOfTheWindow(t *testing.T) {
	t.Parallel()
	for _, bold := range []bool{false, true} {
		face, err := sfnt.Parse(Theme{}.Font(fyne.TextStyle{Bold: bold}).Content())
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range []string{"..", "../../core/quantity"} {
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
					checkLetters(t, face, path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkLetters(t *testing.T, face *sfnt.Font, path string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true
		}
		var buf sfnt.Buffer
		for _, r := range text {
			if r < 128 || unicode.IsControl(r) {
				continue
			}
			if i, err := face.GlyphIndex(&buf, r); err != nil || i == 0 {
				t.Errorf("%s: the face has no %q (U+%04X), in %q", files.Position(lit.Pos()), r, r, text)
			}
		}
		return true
	})
}
