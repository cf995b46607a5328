// Mapreduce counts the words of documents: mappers count those of a document
// and hand each word to the reducer that is responsible for it.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
)

type document struct {
	id   int
	text string
}

// part is what one document has of the words of one reducer.
type part map[string]int

func write(id, words int) document {
	random := rand.New(rand.NewPCG(uint64(id), 1))
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "word%d ", int(random.ExpFloat64()*200))
	}
	return document{id, b.String()}
}

func mapper(d document, reducers int) []part {
	parts := make([]part, reducers)
	for i := range parts {
		parts[i] = part{}
	}
	for _, w := range strings.Fields(d.text) {
		h := fnv.New32a()
		h.Write([]byte(w))
		parts[int(h.Sum32())%reducers][strings.ToUpper(w)]++
	}
	return parts
}

func main() {
	mappers := flag.Int("mappers", 3, "threads that map")
	reducers := flag.Int("reducers", 2, "threads that reduce")
	docs := flag.Int("docs", 200, "documents")
	words := flag.Int("words", 3000, "per document")
	flag.Parse()

	input := make(chan document)
	shuffled := make([]chan part, *reducers)
	for i := range shuffled {
		shuffled[i] = make(chan part, 16)
	}

	var mapping sync.WaitGroup
	for range *mappers {
		mapping.Add(1)
		go func() {
			defer mapping.Done()
			for d := range input {
				for r, p := range mapper(d, *reducers) {
					shuffled[r] <- p
				}
			}
		}()
	}

	totals := make([]map[string]int, *reducers)
	var reducing sync.WaitGroup
	for r := range *reducers {
		reducing.Add(1)
		go func() {
			defer reducing.Done()
			total := map[string]int{}
			for p := range shuffled[r] {
				for w, n := range p {
					total[w] += n
				}
			}
			totals[r] = total
		}()
	}

	for id := range *docs {
		input <- write(id, *words)
	}
	close(input)
	mapping.Wait()
	for _, c := range shuffled {
		close(c)
	}
	reducing.Wait()

	different, all := 0, 0
	for _, t := range totals {
		different += len(t)
		for _, n := range t {
			all += n
		}
	}
	fmt.Printf("%d words, %d different\n", all, different)
}
