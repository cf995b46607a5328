// Tiles renders a picture of reflecting spheres by ray tracing, as Sunflow
// does (Tarvo & Reiss 2014, §5.1): the main thread cuts the frame into tiles
// and puts them into a queue, a pool of workers renders them.
//
//	main ──tiles (channel)──▶ workers ──▶ frame (every tile its own pixels)
//
// Tiles cost different amounts of work: sky is cheap, spheres that mirror
// spheres are dear. So the last tiles decide how well the pool is used.
package main

import (
	"flag"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"sync"
	"time"

	"tierscope/testdata/programs/go/report"
)

// tile is a task: a rectangle of the frame.
type tile struct {
	image.Rectangle
	sent time.Time
}

func main() {
	workers := flag.Int("workers", 2, "threads in the pool")
	width := flag.Int("width", 640, "of the picture, pixels")
	height := flag.Int("height", 480, "of the picture, pixels")
	edge := flag.Int("tile", 32, "edge of a tile, pixels")
	samples := flag.Int("samples", 2, "rays per pixel and axis")
	spheres := flag.Int("spheres", 60, "in the scene")
	queue := flag.Int("queue", 1024, "capacity of the tile queue")
	seed := flag.Uint64("seed", 1, "of the scene")
	out := flag.String("out", "", "PNG file to write; empty: none")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON")
	flag.Parse()
	if *workers < 1 || *width < 1 || *height < 1 || *edge < 1 || *samples < 1 || *spheres < 0 || *queue < 0 {
		log.Fatal("tiles: sizes must be positive, -spheres and -queue not negative")
	}

	started := time.Now()
	world := newScene(*spheres, *seed)
	frame := image.NewRGBA(image.Rect(0, 0, *width, *height))
	pending := make(chan tile, *queue)
	times := make([][]time.Duration, *workers)
	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			for t := range pending {
				render(frame, t.Rectangle, world, *samples)
				times[w] = append(times[w], time.Since(t.sent))
			}
		})
	}
	for y := 0; y < *height; y += *edge {
		for x := 0; x < *width; x += *edge {
			area := image.Rect(x, y, x+*edge, y+*edge).Intersect(frame.Rect)
			pending <- tile{Rectangle: area, sent: time.Now()}
		}
	}
	close(pending)
	pool.Wait()

	check := fmt.Sprintf("crc32 %08x", crc32.ChecksumIEEE(frame.Pix))
	if *asJSON {
		if err := report.New("tiles", *workers, started, check, times...).Print(os.Stdout); err != nil {
			log.Fatal(err)
		}
	} else {
		fmt.Println(check)
	}
	if *out != "" {
		if err := save(*out, frame); err != nil {
			log.Fatal(err)
		}
	}
}

// render computes the pixels of one tile.
func render(frame *image.RGBA, area image.Rectangle, world *scene, samples int) {
	width, height := float64(frame.Rect.Dx()), float64(frame.Rect.Dy())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			var sum vector
			for i := range samples * samples {
				dx := (float64(i%samples) + 0.5) / float64(samples)
				dy := (float64(i/samples) + 0.5) / float64(samples)
				direction := vector{
					(float64(x) + dx - width/2) / height,
					(height/2 - float64(y) - dy) / height,
					1,
				}
				sum = sum.plus(world.trace(ray{vector{0, 1, -4}, direction.unit()}, 0))
			}
			c := sum.times(1 / float64(samples*samples))
			frame.SetRGBA(x, y, color.RGBA{channel(c.x), channel(c.y), channel(c.z), 255})
		}
	}
}

// channel turns an intensity 0…1 into a byte.
func channel(intensity float64) uint8 { return uint8(min(max(intensity, 0), 1)*255 + 0.5) }

func save(name string, frame image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(f, frame); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
