package vector_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"

	"tierscope/gui/vector"
)

func TestEveryFormatStartsWithItsSignatureAndHoldsNoFonts(t *testing.T) {
	t.Parallel()
	face, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	for format, signature := range map[string]string{"pdf": "%PDF-", "eps": "%!PS-Adobe", "svg": "<?xml"} {
		page, err := vector.NewPage(format, 200, 100)
		if err != nil {
			t.Fatal(err)
		}
		var empty, b bytes.Buffer
		if _, err := page.WriteTo(&empty); err != nil {
			t.Fatal(err)
		}
		if page, err = vector.NewPage(format, 200, 100); err != nil {
			t.Fatal(err)
		}
		vector.FillText(page, face, 12, vg.Point{X: 5, Y: 20}, "λ = 10 … 130 /s")
		if _, err := page.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), signature) {
			t.Errorf("%s starts with %q, want %q", format, b.String()[:10], signature)
		}
		if b.Len() <= empty.Len() {
			t.Errorf("%s: the text left no trace: %d bytes, empty page %d", format, b.Len(), empty.Len())
		}
		for _, name := range []string{"<text", "Helvetica", "findfont"} {
			if strings.Contains(b.String(), name) {
				t.Errorf("%s refers to a font by name (%s)", format, name)
			}
		}
	}
	if _, err := vector.NewPage("bmp", 1, 1); err == nil {
		t.Error("an unknown format is accepted")
	}
}
