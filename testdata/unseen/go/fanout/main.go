// Fanout digests files, each in a goroutine of its own, some at a time. The
// first error ends it all.
package main

import (
	"context"
	"crypto/sha1"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// group runs functions in goroutines, not more than its limit at a time, and
// keeps the first error.
type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	slots  chan struct{}
	cancel context.CancelCauseFunc
	err    error
}

func withContext(ctx context.Context, limit int) (*group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &group{slots: make(chan struct{}, limit), cancel: cancel}, ctx
}

func (g *group) Go(f func() error) {
	g.slots <- struct{}{}
	g.wg.Add(1)
	go func() {
		defer func() {
			<-g.slots
			g.wg.Done()
		}()
		if err := f(); err != nil {
			g.once.Do(func() {
				g.err = err
				g.cancel(err)
			})
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	g.cancel(g.err)
	return g.err
}

func digest(ctx context.Context, name string, passes int) ([sha1.Size]byte, error) {
	var sum [sha1.Size]byte
	for range passes {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		f, err := os.Open(name)
		if err != nil {
			return sum, err
		}
		h := sha1.New()
		_, err = io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return sum, err
		}
		h.Sum(sum[:0])
	}
	return sum, nil
}

func generate(dir string, files, size int) ([]string, error) {
	random := rand.New(rand.NewPCG(4, 2))
	var names []string
	for i := range files {
		data := make([]byte, size/2+random.IntN(size))
		for j := range data {
			data[j] = byte(random.Uint32())
		}
		name := filepath.Join(dir, fmt.Sprintf("file-%03d", i))
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func main() {
	limit := flag.Int("limit", 3, "files at a time")
	files := flag.Int("files", 250, "files")
	size := flag.Int("size", 64<<10, "bytes of each, on average")
	passes := flag.Int("passes", 3, "times that each is read")
	flag.Parse()

	dir, err := os.MkdirTemp("", "fanout-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(dir)
	names, err := generate(dir, *files, *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}

	var mu sync.Mutex
	sums := map[string][sha1.Size]byte{}
	g, ctx := withContext(context.Background(), *limit)
	for _, name := range names {
		g.Go(func() error {
			sum, err := digest(ctx, name, *passes)
			if err != nil {
				return err
			}
			mu.Lock()
			sums[name] = sum
			mu.Unlock()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(len(sums), "files")
}
