package paint

import (
	"fmt"
	"image"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// capHeight is the height of capitals as a share of the em, about equal in
// all sans-serif faces; half of it centres a line of text.
const capHeight = 0.71

// Fonts measures and draws text in a regular and a bold face. It is safe for
// concurrent use.
type Fonts struct {
	regular, bold *sfnt.Font

	mu    sync.Mutex
	faces map[faceKey]font.Face
	masks map[maskKey]mask
}

type faceKey struct {
	px   float32
	bold bool
}

type maskKey struct {
	faceKey
	s string
}

// mask is the coverage of a line of text; origin is the baseline start.
type mask struct {
	img    *image.Alpha
	origin image.Point
}

// maxMasks bounds the cache of text pictures: about 2 kB each.
const maxMasks = 4096

// NewFonts parses two TrueType or OpenType files.
func NewFonts(regular, bold []byte) (*Fonts, error) {
	r, err := sfnt.Parse(regular)
	if err != nil {
		return nil, fmt.Errorf("paint: regular font: %w", err)
	}
	b, err := sfnt.Parse(bold)
	if err != nil {
		return nil, fmt.Errorf("paint: bold font: %w", err)
	}
	return &Fonts{regular: r, bold: b, faces: map[faceKey]font.Face{}, masks: map[maskKey]mask{}}, nil
}

// Liberation returns the faces of the window and of all figures, which are part
// of the program: pictures look the same on every machine.
func Liberation() *Fonts { return liberation() }

var liberation = sync.OnceValue(func() *Fonts {
	f, err := NewFonts(liberationsansregular.TTF, liberationsansbold.TTF)
	if err != nil {
		panic(err.Error())
	}
	return f
})

func (f *Fonts) font(bold bool) *sfnt.Font {
	if bold {
		return f.bold
	}
	return f.regular
}

// face returns the face for a size in pixels; f.mu is held.
func (f *Fonts) face(k faceKey) font.Face {
	if face, ok := f.faces[k]; ok {
		return face
	}
	face, err := opentype.NewFace(f.font(k.bold), &opentype.FaceOptions{Size: float64(k.px), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic("paint: " + err.Error()) // only for a negative size
	}
	f.faces[k] = face
	return face
}

// Width returns the width of a line of text, in the unit of size.
func (f *Fonts) Width(s string, size float32, bold bool) float32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	const em = 64 // measured at one size, so that a label's width is proportional to its size
	w := font.MeasureString(f.face(faceKey{em, bold}), s)
	return float32(w) / 64 * size / em
}

// Fit shortens s with an ellipsis until it is at most width wide.
func (f *Fonts) Fit(s string, size float32, bold bool, width float32) string {
	rs := []rune(s)
	return f.shorten(rs, size, bold, width, func(n int) string { return string(rs[:n]) + "…" })
}

// FitMiddle is Fit for names, of which beginning and end tell them apart.
func (f *Fonts) FitMiddle(s string, size float32, bold bool, width float32) string {
	rs := []rune(s)
	return f.shorten(rs, size, bold, width, func(n int) string { return string(rs[:n-n/2]) + "…" + string(rs[len(rs)-n/2:]) })
}

// shorten keeps as many letters of a text as there is room for, in the way that
// keep says.
func (f *Fonts) shorten(rs []rune, size float32, bold bool, width float32, keep func(n int) string) string {
	if f.Width(string(rs), size, bold) <= width {
		return string(rs)
	}
	lo, hi := 0, len(rs)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if f.Width(keep(mid), size, bold) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return keep(lo)
}

// mask returns the picture of a line of text at a size in pixels.
func (f *Fonts) mask(s string, px float32, bold bool) mask {
	px = float32(int(px*4+.5)) / 4 // quarter pixels, so that zooming reuses pictures
	f.mu.Lock()
	defer f.mu.Unlock()
	k := maskKey{faceKey{px, bold}, s}
	if m, ok := f.masks[k]; ok {
		return m
	}
	if len(f.masks) >= maxMasks {
		clear(f.masks)
		clear(f.faces)
	}
	face := f.face(k.faceKey)
	b, _ := font.BoundString(face, s)
	r := image.Rect(b.Min.X.Floor()-1, b.Min.Y.Floor()-1, b.Max.X.Ceil()+1, b.Max.Y.Ceil()+1)
	img := image.NewAlpha(image.Rect(0, 0, r.Dx(), r.Dy()))
	d := font.Drawer{Dst: img, Src: image.Opaque, Face: face, Dot: fixed.P(-r.Min.X, -r.Min.Y)}
	d.DrawString(s)
	m := mask{img, image.Pt(-r.Min.X, -r.Min.Y)}
	f.masks[k] = m
	return m
}
