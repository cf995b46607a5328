package vector_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"

	"tierscope/gui/vector"
)

var about = vector.About{Title: "Response time R", Description: "2 series <of> 5 points.", Creator: "Tierscope test",
	Date: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), Facts: []vector.Fact{{Name: "seed", Value: "42"}, {Name: "command", Value: "tierctl run web.tier --seed 42"}}}

const written = "λ = 10 … 130 /s, µ é ≤"

// page writes a line in both faces.
func page(t *testing.T, format string) string {
	t.Helper()
	p, err := vector.NewPage(format, 200, 100, about)
	if err != nil {
		t.Fatal(err)
	}
	for i, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		face, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		vector.FillText(p, face, 12, vg.Point{X: 5, Y: 20 * vg.Length(i+1)}, written)
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Text can be searched and read aloud, and the file says what it shows.
func TestAnSVGHoldsItsTextItsFontsAndWhatItIsAbout(t *testing.T) {
	t.Parallel()
	file := page(t, "svg")
	var seen strings.Builder
	d := xml.NewDecoder(strings.NewReader(file))
	for {
		token, err := d.Token()
		if token == nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			break
		}
		switch x := token.(type) {
		case xml.StartElement:
			seen.WriteString("<" + x.Name.Local + ">")
		case xml.CharData:
			seen.Write(x)
		}
	}
	for _, want := range []string{"<title>Response time R", "<desc>2 series <of> 5 points.", `"seed":"42"`, `"date":"2026-11-23T00:00:00Z"`, "<text>" + written} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	if n := strings.Count(file, "@font-face"); n != 2 {
		t.Errorf("%d fonts are in the file, want the regular and the bold one", n)
	}
	if len(file) > 250_000 {
		t.Errorf("the file has %d bytes; whole fonts would make it as large", len(file))
	}
}

// What is drawn with the letters of the file is what the whole font draws: the
// outlines and widths are equal, also of é, which is put together from two glyphs.
func TestTheLettersOfAFileAreThoseOfItsFont(t *testing.T) {
	t.Parallel()
	whole, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`base64,([^)]*)\)`).FindStringSubmatch(page(t, "svg"))
	ttf, err := base64.StdEncoding.DecodeString(data[1])
	if err != nil {
		t.Fatal(err)
	}
	part, err := sfnt.Parse(ttf)
	if err != nil {
		t.Fatalf("the font of the file: %v", err)
	}
	var b sfnt.Buffer
	for _, r := range written + "W" {
		a, errA := whole.GlyphIndex(&b, r)
		k, errK := part.GlyphIndex(&b, r)
		if errA != nil || errK != nil || a != k {
			t.Fatalf("%q is glyph %d in the file and %d in the font", r, k, a)
		}
		want, err := whole.LoadGlyph(&b, a, fixed.I(100), nil)
		n := len(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := part.LoadGlyph(&b, k, fixed.I(100), nil)
		if r == 'W' { // not written, so not in the file
			n = 0
		}
		if err != nil || len(got) != n {
			t.Errorf("%q has %d segments in the file (%v), want %d", r, len(got), err, n)
		}
		wide, _ := whole.GlyphAdvance(&b, a, fixed.I(100), font.HintingNone)
		if w, err := part.GlyphAdvance(&b, k, fixed.I(100), font.HintingNone); err != nil || w != wide {
			t.Errorf("%q is %v wide in the file, want %v", r, w, wide)
		}
	}
}

// Embedded, with a table that maps glyphs back to letters (ISO 32000-2, §9.10).
func TestAPDFHoldsItsFontsAndSaysWhatItIsAbout(t *testing.T) {
	t.Parallel()
	file := page(t, "pdf")
	if !strings.HasPrefix(file, "%PDF-") {
		t.Errorf("the file begins with %q", file[:8])
	}
	for what, want := range map[string]int{"/FontFile2": 2, "/ToUnicode": 2, "/Title": 1, "/Subject": 1, "/Keywords": 1, "/CreationDate (D:20261123": 1, "Helvetica": 0} {
		if n := strings.Count(file, what); n != want {
			t.Errorf("%q is %d times in the file, want %d", what, n, want)
		}
	}
	if file != page(t, "pdf") {
		t.Error("equal pages are different files")
	}
}

func TestAnEPSRefersToNoFont(t *testing.T) {
	t.Parallel()
	file := page(t, "eps")
	if !strings.HasPrefix(file, "%!PS-Adobe") || !strings.Contains(file, "%%Title: Response time R") {
		t.Errorf("the file begins with %q, want its signature and title", file[:80])
	}
	if strings.Contains(file, "findfont") {
		t.Error("the file refers to a font by name")
	}
}

func TestAPNGSaysWhatItIsAbout(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	file := about.Describe(b.Bytes())
	if img, err := png.Decode(bytes.NewReader(file)); err != nil || img.Bounds().Dx() != 3 { // checks the sums of all chunks
		t.Fatalf("the picture is broken: %v", err)
	}
	for _, want := range []string{"Title\x00\x00\x00\x00\x00Response time R", `"seed":"42"`} {
		if !strings.Contains(string(file), want) {
			t.Errorf("the file lacks %q", want)
		}
	}
}

func TestAnUnknownFormatIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := vector.NewPage("bmp", 10, 10, about); err == nil || !strings.Contains(err.Error(), `"bmp"`) {
		t.Errorf("error %v, want one that names the format", err)
	}
}
