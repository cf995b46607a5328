// Resize makes small pictures of large ones. Workers send what they have made
// to a channel of results, which is closed when the last of them is done.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"sync"
)

type job struct {
	id   int
	data []byte
}

type result struct {
	id   int
	size int
	err  error
}

func paint(id, edge int) ([]byte, error) {
	m := image.NewRGBA(image.Rect(0, 0, edge, edge))
	for y := range edge {
		for x := range edge {
			m.SetRGBA(x, y, color.RGBA{uint8(x * id), uint8(y + id), uint8(x ^ y), 255})
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, nil)
	return b.Bytes(), err
}

func shrink(data []byte, by int) (int, error) {
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	w, h := m.Bounds().Dx()/by, m.Bounds().Dy()/by
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var r, g, b uint32
			for dy := range by {
				for dx := range by {
					cr, cg, cb, _ := m.At(x*by+dx, y*by+dy).RGBA()
					r, g, b = r+cr, g+cg, b+cb
				}
			}
			n := uint32(by * by)
			small.SetRGBA(x, y, color.RGBA{uint8(r / n >> 8), uint8(g / n >> 8), uint8(b / n >> 8), 255})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: 80}); err != nil {
		return 0, err
	}
	return out.Len(), nil
}

func main() {
	workers := flag.Int("workers", 3, "threads that resize")
	images := flag.Int("images", 120, "pictures")
	edge := flag.Int("edge", 192, "of a picture, pixels")
	by := flag.Int("by", 4, "how many times smaller they become")
	flag.Parse()

	jobs := make(chan job, *workers)
	results := make(chan result)
	go func() {
		defer close(jobs)
		originals := map[int][]byte{}
		for id := range *images {
			kind := id % 8
			if originals[kind] == nil {
				data, err := paint(kind, *edge)
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					return
				}
				originals[kind] = data
			}
			jobs <- job{id, originals[kind]}
		}
	}()

	var wg sync.WaitGroup
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				size, err := shrink(j.data, *by)
				results <- result{j.id, size, err}
			}
		}()
	}
	go func() {
		wg.Wait()
		close(results)
	}()

	total, failed := 0, 0
	for r := range results {
		if r.err != nil {
			failed++
			continue
		}
		total += r.size
	}
	fmt.Printf("%d bytes, %d failed\n", total, failed)
}
