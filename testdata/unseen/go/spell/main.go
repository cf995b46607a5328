// Spell proposes corrections: workers compare misspelt words with a dictionary.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
)

type shard struct {
	mu   sync.Mutex
	best map[string]string
}

type table []*shard

func newTable(n int) table {
	t := make(table, n)
	for i := range t {
		t[i] = &shard{best: map[string]string{}}
	}
	return t
}

func (t table) put(word, best string) {
	h := fnv.New32a()
	h.Write([]byte(word))
	s := t[int(h.Sum32())%len(t)]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.best[word] = best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func randomWords(n, seed int) []string {
	r := rand.New(rand.NewPCG(uint64(seed), 5))
	out := make([]string, n)
	for i := range out {
		b := make([]byte, 5+r.IntN(8))
		for j := range b {
			b[j] = byte('a' + r.IntN(26))
		}
		out[i] = string(b)
	}
	return out
}

func main() {
	workers := flag.Int("workers", 3, "threads that compare")
	words := flag.Int("words", 400, "misspelt words")
	size := flag.Int("dictionary", 4000, "words that are right")
	shards := flag.Int("shards", 8, "locks of the table")
	flag.Parse()

	dictionary := randomWords(*size, 1)
	queue := make(chan string, 16)
	found := newTable(*shards)
	var wg sync.WaitGroup
	for range *workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for w := range queue {
				best, least := "", 1<<30
				for _, d := range dictionary {
					if n := distance(w, d); n < least {
						best, least = d, n
					}
				}
				found.put(w, best)
			}
		}()
	}
	for _, w := range randomWords(*words, 2) {
		queue <- w
	}
	close(queue)
	wg.Wait()
	n := 0
	for _, s := range found {
		n += len(s.best)
	}
	fmt.Println(n, "corrected")
}
