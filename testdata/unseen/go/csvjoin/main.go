// Command csvjoin joins two CSV files on their first column by partitioned hashing: both are split into
// parts on disk, and workers join one part after the other.
package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "csvjoin:", err)
		os.Exit(1)
	}
}

func generate(path string, rows, keys int, seed int64) {
	f, err := os.Create(path)
	must(err)
	w := csv.NewWriter(bufio.NewWriterSize(f, 1<<16))
	r := rand.New(rand.NewSource(seed))
	for i := 0; i < rows; i++ {
		must(w.Write([]string{strconv.Itoa(r.Intn(keys)), "name " + strconv.Itoa(i), strconv.FormatFloat(r.Float64()*1000, 'f', 2, 64)}))
	}
	w.Flush()
	must(f.Close())
}

// split distributes the rows of a file over parts.
func split(path, dir string, parts int) []string {
	in, err := os.Open(path)
	must(err)
	defer in.Close()
	names := make([]string, parts)
	files := make([]*os.File, parts)
	outs := make([]*csv.Writer, parts)
	for i := range outs {
		names[i] = filepath.Join(dir, fmt.Sprintf("%s.%d", filepath.Base(path), i))
		files[i], err = os.Create(names[i])
		must(err)
		outs[i] = csv.NewWriter(files[i])
	}
	r := csv.NewReader(bufio.NewReader(in))
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		must(err)
		h := fnv.New32a()
		h.Write([]byte(row[0]))
		must(outs[h.Sum32()%uint32(parts)].Write(row))
	}
	for i := range outs {
		outs[i].Flush()
		must(files[i].Close())
	}
	return names
}

type pair struct{ left, right string }

type result struct {
	part, rows int
	sum        float64
}

func rows(path string) [][]string {
	f, err := os.Open(path)
	must(err)
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	must(err)
	return all
}

func join(part int, p pair) result {
	table := map[string][][]string{}
	for _, row := range rows(p.left) {
		table[row[0]] = append(table[row[0]], row)
	}
	res := result{part: part}
	for _, row := range rows(p.right) {
		for _, match := range table[row[0]] {
			a, _ := strconv.ParseFloat(match[2], 64)
			b, _ := strconv.ParseFloat(row[2], 64)
			res.sum += a * b
			res.rows++
		}
	}
	return res
}

func main() {
	var (
		workers = flag.Int("workers", 2, "parts joined at once")
		parts   = flag.Int("parts", 24, "parts of each file")
		rows    = flag.Int("rows", 300000, "rows of each file")
		keys    = flag.Int("keys", 150000, "different keys")
		tmp     = flag.String("tmp", os.TempDir(), "folder for the parts")
	)
	flag.Parse()
	dir, err := os.MkdirTemp(*tmp, "csvjoin")
	must(err)
	defer os.RemoveAll(dir)
	left, right := filepath.Join(dir, "left.csv"), filepath.Join(dir, "right.csv")
	var wg sync.WaitGroup
	var ls, rs []string
	wg.Add(2)
	go func() { defer wg.Done(); generate(left, *rows, *keys, 1); ls = split(left, dir, *parts) }()
	go func() { defer wg.Done(); generate(right, *rows, *keys, 2); rs = split(right, dir, *parts) }()
	wg.Wait()

	work := make(chan int)
	results := make(chan result, *parts)
	for i := 0; i < *workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range work {
				results <- join(p, pair{ls[p], rs[p]})
			}
		}()
	}
	go func() {
		for p := 0; p < *parts; p++ {
			work <- p
		}
		close(work)
		wg.Wait()
		close(results)
	}()
	n, sum := 0, 0.0
	for r := range results {
		n += r.rows
		sum += r.sum
	}
	fmt.Printf("%d rows, %.4g\n", n, sum)
}
