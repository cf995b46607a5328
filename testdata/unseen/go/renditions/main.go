// Command renditions renders a set of images, scales them to several sizes, encodes them
// as JPEG and uploads them over a limited pool of storage connections.
package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

var (
	images   = flag.Int("images", 48, "number of images")
	size     = flag.Int("size", 560, "edge of a source image (pixels)")
	workers  = flag.Int("workers", 4, "image workers")
	conns    = flag.Int("conns", 2, "storage connections")
	uploadMs = flag.Int("uploadms", 6, "latency of an upload (ms)")
	dialMs   = flag.Int("dialms", 10, "time for opening a connection (ms)")
	quality  = flag.Int("quality", 85, "JPEG quality")
	queue    = flag.Int("queue", 8, "capacity of the job queue")
	deadline = flag.Duration("deadline", 60*time.Second, "deadline of the whole run")
)

var widths = []int{240, 120, 48}

type job struct {
	id   int
	name string
}

type thumb struct {
	key  string
	size int
	sum  [16]byte
}

// Conn is a connection to the object storage.
type Conn struct {
	id   int
	sent int
}

func dial(id int) *Conn {
	time.Sleep(time.Duration(*dialMs) * time.Millisecond)
	return &Conn{id: id}
}

func (c *Conn) Put(key string, body []byte) ([16]byte, error) {
	if len(body) == 0 {
		return [16]byte{}, errors.New("empty object " + key)
	}
	sum := md5.Sum(body)
	time.Sleep(time.Duration(*uploadMs) * time.Millisecond)
	c.sent += len(body)
	return sum, nil
}

// ConnPool opens connections lazily up to its limit.
type ConnPool struct {
	idle   chan *Conn
	slots  chan struct{}
	opened atomic.Int32
}

func NewConnPool(limit int) *ConnPool {
	return &ConnPool{idle: make(chan *Conn, limit), slots: make(chan struct{}, limit)}
}

func (p *ConnPool) Get(ctx context.Context) (*Conn, error) {
	select {
	case c := <-p.idle:
		return c, nil
	default:
	}
	select {
	case c := <-p.idle:
		return c, nil
	case p.slots <- struct{}{}:
		return dial(int(p.opened.Add(1))), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *ConnPool) Release(c *Conn) {
	p.idle <- c
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Manifest records the stored thumbnails.
type Manifest struct {
	mu      sync.Mutex
	entries map[string]thumb
	bytes   int
}

func (m *Manifest) Add(t thumb) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[t.key] = t
	m.bytes += t.size
}

func render(id, n int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, n, n))
	fx, fy := 0.01+0.003*float64(id%7), 0.012+0.002*float64(id%5)
	for y := 0; y < n; y++ {
		for x := 0; x < n; x++ {
			a := math.Sin(fx*float64(x)+float64(id)) * math.Cos(fy*float64(y))
			d := math.Hypot(float64(x-n/2), float64(y-n/2)) / float64(n)
			img.SetRGBA(x, y, color.RGBA{uint8(127 + 120*a), uint8(255 * (1 - d) * 0.9), uint8((x ^ y) + id), 255})
		}
	}
	return img
}

// scale reduces an image with a box filter.
func scale(src *image.RGBA, w int) *image.RGBA {
	n := src.Bounds().Dx()
	dst := image.NewRGBA(image.Rect(0, 0, w, w))
	for y := 0; y < w; y++ {
		y0, y1 := y*n/w, (y+1)*n/w
		for x := 0; x < w; x++ {
			x0, x1 := x*n/w, (x+1)*n/w
			var r, g, b, cnt int
			for sy := y0; sy < y1; sy++ {
				for sx := x0; sx < x1; sx++ {
					o := src.PixOffset(sx, sy)
					r += int(src.Pix[o])
					g += int(src.Pix[o+1])
					b += int(src.Pix[o+2])
					cnt++
				}
			}
			if cnt == 0 {
				cnt = 1
			}
			dst.SetRGBA(x, y, color.RGBA{uint8(r / cnt), uint8(g / cnt), uint8(b / cnt), 255})
		}
	}
	return dst
}

func process(ctx context.Context, j job, pool *ConnPool, m *Manifest) error {
	src := render(j.id, *size)
	for _, w := range widths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := store(ctx, fmt.Sprintf("%s_%d.jpg", j.name, w), scale(src, w), pool, m); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return nil
}

func store(ctx context.Context, key string, img image.Image, pool *ConnPool, m *Manifest) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer buffers.Put(buf)
	if err := jpeg.Encode(buf, img, &jpeg.Options{Quality: *quality}); err != nil {
		return err
	}
	c, err := pool.Get(ctx)
	if err != nil {
		return err
	}
	defer pool.Release(c)
	sum, err := c.Put(key, buf.Bytes())
	if err != nil {
		return err
	}
	m.Add(thumb{key, buf.Len(), sum})
	return nil
}

func main() {
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *deadline)
	defer cancel()

	pool := NewConnPool(*conns)
	manifest := &Manifest{entries: make(map[string]thumb)}
	jobs := make(chan job, *queue)
	errs := make(chan error, *workers)

	var wg sync.WaitGroup
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				if err := process(ctx, j, pool, manifest); err != nil {
					errs <- err
					cancel()
					return
				}
			}
		}()
	}

feed:
	for i := 0; i < *images; i++ {
		select {
		case jobs <- job{i, fmt.Sprintf("img%03d", i)}:
		case <-ctx.Done():
			break feed
		}
	}
	close(jobs)
	wg.Wait()
	close(errs)
	for err := range errs {
		log.Fatal(err)
	}

	keys := make([]string, 0, len(manifest.entries))
	for k := range manifest.entries {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	h := md5.New()
	for _, k := range keys {
		t := manifest.entries[k]
		fmt.Fprintf(h, "%s %d %x\n", t.key, t.size, t.sum)
	}
	fmt.Printf("thumbnails=%d bytes=%d manifest=%x\n", len(keys), manifest.bytes, h.Sum(nil))
}
