package vector

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svg is a page whose text is text, in fonts of which the file holds the
// letters that it uses.
type svg struct {
	*vgsvg.Canvas
	about  About
	inline bool         // fonts are somewhere else
	faces  []*sfnt.Font // in the order of first use
	used   map[*sfnt.Font]map[rune]bool
}

func newSVG(w, h vg.Length, about About) *svg {
	return &svg{Canvas: vgsvg.New(w, h), about: about, used: map[*sfnt.Font]map[rune]bool{}}
}

// FillString implements vg.Canvas.
func (s *svg) FillString(f font.Face, pt vg.Point, text string) {
	if s.used[f.Face] == nil {
		s.used[f.Face] = map[rune]bool{}
		s.faces = append(s.faces, f.Face)
	}
	for _, r := range text {
		s.used[f.Face][r] = true
	}
	if _, bold := names(f.Face); bold {
		f.Font.Weight = xfont.WeightBold
	}
	s.Canvas.FillString(f, pt, text)
}

// names returns the family of a face, and whether it is a bold one.
func names(face *sfnt.Font) (family string, bold bool) {
	var b sfnt.Buffer
	family, err := face.Name(&b, sfnt.NameIDFamily)
	if err != nil {
		family = "sans-serif"
	}
	style, err := face.Name(&b, sfnt.NameIDSubfamily)
	return family, err == nil && strings.Contains(style, "Bold")
}

// WriteTo implements io.WriterTo.
func (s *svg) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := s.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	head, body, ok := strings.Cut(b.String(), "<svg ")
	if !ok {
		return 0, fmt.Errorf("vector: the canvas wrote no <svg> element")
	}
	attributes, body, _ := strings.Cut(body, ">\n")
	var out strings.Builder
	if s.inline {
		head = ""
	}
	out.WriteString(head + `<svg role="img" ` + attributes + ">\n")
	for _, e := range []Fact{{"title", s.about.Title}, {"desc", s.about.Description}, {"metadata", s.about.json()}} {
		if e.Value != "" && e.Value != "{}" {
			fmt.Fprintf(&out, "<%s>%s</%[1]s>\n", e.Name, html.EscapeString(e.Value))
		}
	}
	if len(s.faces) > 0 && !s.inline {
		out.WriteString("<style>\n")
		for _, face := range s.faces {
			out.WriteString(fontFace(face, s.used[face]))
		}
		out.WriteString("</style>\n")
	}
	out.WriteString(body)
	n, err := io.WriteString(w, out.String())
	return int64(n), err
}

// FontFaces are the rules of a style sheet for the letters of a text.
func FontFaces(text string, faces ...*sfnt.Font) string {
	used := map[rune]bool{}
	for _, r := range text {
		used[r] = true
	}
	out := ""
	for _, face := range faces {
		out += fontFace(face, used)
	}
	return out
}

// fontFace is the rule of a style sheet that holds the letters of a face.
func fontFace(face *sfnt.Font, used map[rune]bool) string {
	var runes []rune
	for r := range used {
		runes = append(runes, r)
	}
	slices.Sort(runes)
	family, bold := names(face)
	weight := "normal"
	if bold {
		weight = "bold"
	}
	return fmt.Sprintf("@font-face{font-family:%q;font-weight:%s;src:url(data:font/ttf;base64,%s) format(\"truetype\")}\n",
		family, weight, base64.StdEncoding.EncodeToString(subset(face, runes)))
}
