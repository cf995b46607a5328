package widget

import (
	"image"
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"tierscope/gui/background"
)

// checkers is a picture in which every pixel says where it is.
func checkers(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{R: uint8(x), G: uint8(y), B: 1, A: 255})
		}
	}
	return img
}

func TestAMovedPictureShowsTheSameContentElsewhere(t *testing.T) {
	t.Parallel()
	paper := color.NRGBA{R: 9, G: 9, B: 9, A: 255}
	blank := color.RGBA{R: 9, G: 9, B: 9, A: 255}
	src := checkers(100, 60)
	here := Mapping{SX: 1, SY: 1}
	for _, c := range []struct {
		name string
		to   Mapping
		x, y int
		want color.RGBA
	}{
		{"where it was", here, 30, 20, color.RGBA{R: 30, G: 20, B: 1, A: 255}},
		{"10 to the right and 5 down", Mapping{SX: 1, SY: 1, X: 10, Y: 5}, 30, 20, color.RGBA{R: 20, G: 15, B: 1, A: 255}},
		{"paper comes in from the left", Mapping{SX: 1, SY: 1, X: 10, Y: 5}, 9, 20, blank},
		{"paper comes in from above", Mapping{SX: 1, SY: 1, X: 10, Y: 5}, 30, 4, blank},
		{"paper comes in from the right", Mapping{SX: 1, SY: 1, X: -10}, 95, 20, blank},
		{"twice as large", Mapping{SX: 2, SY: 2}, 61, 40, color.RGBA{R: 30, G: 20, B: 1, A: 255}},
		{"wider only", Mapping{SX: 2, SY: 1}, 61, 40, color.RGBA{R: 30, G: 40, B: 1, A: 255}},
		{"half as large", Mapping{SX: 0.5, SY: 0.5}, 30, 20, color.RGBA{R: 61, G: 41, B: 1, A: 255}},
		{"half as large, beyond it paper", Mapping{SX: 0.5, SY: 0.5}, 60, 20, blank},
	} {
		dst := image.NewRGBA(src.Bounds())
		Move(dst, src, dst.Bounds(), here, c.to, paper)
		if got := dst.RGBAAt(c.x, c.y); got != c.want {
			t.Errorf("%s: pixel %d, %d is %v, want %v", c.name, c.x, c.y, got, c.want)
		}
	}
}

// What is outside the region that moves stays as it is.
func TestOnlyTheRegionMoves(t *testing.T) {
	t.Parallel()
	src, dst := checkers(100, 60), image.NewRGBA(image.Rect(0, 0, 100, 60))
	Move(dst, src, image.Rect(20, 10, 100, 60), Mapping{SX: 1, SY: 1}, Mapping{SX: 1, SY: 1, X: 5}, color.NRGBA{A: 255})
	if got := dst.RGBAAt(10, 30); got != (color.RGBA{}) {
		t.Errorf("left of the region there is %v", got)
	}
	if got := dst.RGBAAt(22, 30); got != (color.RGBA{A: 255}) {
		t.Errorf("the region shows %v of what is left of it, want paper", got)
	}
}

// A picture that is too dear for a frame moves at once, and is exact as soon
// as the background is done.
func TestALargeGraphMovesAtOnceAndIsExactSoon(t *testing.T) {
	app(t)
	r := background.NewLocal()
	g := NewGraph()
	g.PaintWith(r)
	g.Resize(fyne.NewSize(300, 200))
	g.SetDiagram(big(30))
	g.paint(300, 200)
	g.motion.cost = time.Second // as if it were large
	g.Pan(40, 0)
	moved := g.paint(300, 200)
	if moved == image.Image(g.motion.exact) {
		t.Fatal("a dear picture was painted before the frame was shown")
	}
	r.Settle()
	exact := g.paint(300, 200).(*image.RGBA)
	alone := NewGraph()
	alone.Resize(fyne.NewSize(300, 200))
	alone.SetDiagram(big(30))
	alone.Pan(40, 0)
	want := alone.paint(300, 200).(*image.RGBA)
	if string(exact.Pix) != string(want.Pix) {
		t.Error("after the background is done the picture is not the exact one")
	}
	if again := g.paint(300, 200); again != image.Image(exact) {
		t.Error("an exact picture that is there is painted again")
	}
}

// The frame that is shown while 2 000 nodes are dragged or zoomed; what the
// exact picture costs is BenchmarkGraphFrame.
func BenchmarkGraphInMotion(b *testing.B) {
	app(b)
	for _, c := range []struct {
		name string
		move func(g *Graph, i int)
	}{
		{"pan", func(g *Graph, i int) { g.Pan(float32(i%3-1), 1) }},
		{"zoom", func(g *Graph, i int) { g.Zoom(fyne.NewPos(600, 400), 1+0.01*float32(i%3-1)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := NewGraph()
			g.PaintWith(background.NewLocal()) // nothing comes home: every frame is a moved one
			g.Resize(fyne.NewSize(1200, 800))
			g.SetDiagram(big(2000))
			g.paint(1200, 800)
			g.motion.cost = time.Second
			i := 0
			for b.Loop() {
				i++
				c.move(g, i)
				g.paint(1200, 800)
			}
		})
	}
}
