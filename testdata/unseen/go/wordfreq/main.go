// Command wordfreq counts how often words occur in generated chapters. Settings are in wordfreq.yaml.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

type settings struct {
	readers, chapters, words, vocabulary, buffer int
}

func load(path string) (s settings, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	values := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if values[strings.TrimSpace(key)], err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
			return s, err
		}
	}
	return settings{values["readers"], values["chapters"], values["words"], values["vocabulary"], values["buffer"]}, lines.Err()
}

type crew struct{ wg sync.WaitGroup }

func (c *crew) start(f func()) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		f()
	}()
}

type page struct {
	chapter int
	counts  map[string]int
}

func read(chapter, words, vocabulary int) *page {
	r := rand.New(rand.NewSource(int64(chapter)))
	p := &page{chapter, map[string]int{}}
	for range words {
		h := fnv.New32a()
		fmt.Fprint(h, r.Intn(vocabulary))
		p.counts[strconv.Itoa(int(h.Sum32()%uint32(vocabulary)))]++
	}
	return p
}

func main() {
	path := "wordfreq.yaml"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	s, err := load(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	pages := make(chan *page, s.buffer)
	last := &page{}
	var mu sync.Mutex
	next := 0
	var c crew
	for range s.readers {
		c.start(func() {
			for {
				mu.Lock()
				at := next
				next++
				mu.Unlock()
				if at >= s.chapters {
					break
				}
				pages <- read(at, s.words, s.vocabulary)
			}
			pages <- last
		})
	}
	total := map[string]int{}
	for open := s.readers; open > 0; {
		p := <-pages
		if p == last {
			open--
			continue
		}
		for w, n := range p.counts {
			total[w] += n
		}
	}
	c.wg.Wait()
	type entry struct {
		word string
		n    int
	}
	var all []entry
	for w, n := range total {
		all = append(all, entry{w, n})
	}
	sort.Slice(all, func(i, k int) bool { return all[i].n > all[k].n })
	fmt.Println(len(all), "words, most often", all[0])
}
