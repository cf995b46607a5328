// Archive compresses files by an external program, a few at a time, and makes
// a checksum of what comes out.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
)

type file struct {
	name string
	text []byte
}

type packed struct {
	name string
	sum  [sha256.Size]byte
	size int
	err  error
}

// write makes up a log file.
func write(id, lines int) file {
	r := rand.New(rand.NewPCG(uint64(id), 1))
	verbs := []string{"GET", "PUT", "POST", "DELETE"}
	var b bytes.Buffer
	for n := range lines {
		fmt.Fprintf(&b, "%08d %s /item/%d %d %dms\n", n, verbs[r.IntN(len(verbs))], r.IntN(5000), 200+r.IntN(5), r.IntN(900))
	}
	return file{fmt.Sprintf("log-%03d", id), b.Bytes()}
}

func pack(program string, level int, f file) packed {
	cmd := exec.Command(program, fmt.Sprintf("-%d", level), "-c")
	cmd.Stdin = bytes.NewReader(f.text)
	out, err := cmd.Output()
	if err != nil {
		return packed{name: f.name, err: fmt.Errorf("%s: %w", f.name, err)}
	}
	return packed{name: f.name, sum: sha256.Sum256(out), size: len(out)}
}

func main() {
	workers := flag.Int("workers", 2, "files at a time")
	files := flag.Int("files", 60, "files to compress")
	lines := flag.Int("lines", 8000, "of a file")
	program := flag.String("program", "gzip", "that compresses standard input to standard output")
	level := flag.Int("level", 6, "of compression")
	flag.Parse()

	work := make(chan file)
	done := make(chan packed)
	var wg sync.WaitGroup
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for f := range work {
				done <- pack(*program, *level, f)
			}
		}()
	}
	go func() {
		for id := range *files {
			work <- write(id, *lines)
		}
		close(work)
		wg.Wait()
		close(done)
	}()

	total, failed := 0, 0
	index := map[string][sha256.Size]byte{}
	for p := range done {
		if p.err != nil {
			fmt.Fprintln(os.Stderr, p.err)
			failed++
			continue
		}
		index[p.name] = p.sum
		total += p.size
	}
	fmt.Printf("%d files, %d bytes, %d failed\n", len(index), total, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
