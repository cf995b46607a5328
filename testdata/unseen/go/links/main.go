// Links follows the links of a site and counts its words: a goroutine for each
// page that was found, a list of links from each, tokens for those at work.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
)

type site struct {
	pages int
	words int
}

// fetch makes up a page with a few links to others.
func (s site) fetch(url string) string {
	var id uint64
	fmt.Sscanf(url, "/page/%d", &id)
	r := rand.New(rand.NewPCG(id, 3))
	var b strings.Builder
	for n := range s.words {
		if n%(s.words/6) == 0 {
			fmt.Fprintf(&b, "<a href=\"/page/%d\">more</a> ", r.IntN(s.pages))
		}
		fmt.Fprintf(&b, "word%d ", r.IntN(3000))
	}
	return b.String()
}

var (
	link = regexp.MustCompile(`<a href="([^"]+)">`)
	word = regexp.MustCompile(`\w+`)
)

type counter struct {
	mu    sync.Mutex
	words map[string]int
}

func (c *counter) add(words []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range words {
		c.words[w]++
	}
}

func main() {
	atOnce := flag.Int("at-once", 3, "pages that are read at a time")
	pages := flag.Int("pages", 300, "of the site")
	words := flag.Int("words", 4000, "of a page")
	flag.Parse()

	s := site{*pages, *words}
	count := counter{words: map[string]int{}}
	tokens := make(chan struct{}, *atOnce)
	crawl := func(url string) []string {
		tokens <- struct{}{}
		defer func() { <-tokens }()
		text := s.fetch(url)
		count.add(word.FindAllString(text, -1))
		var found []string
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		return found
	}

	worklist := make(chan []string)
	go func() { worklist <- []string{"/page/0"} }()
	seen := map[string]bool{}
	for n := 1; n > 0; n-- {
		list := <-worklist
		for _, url := range list {
			if seen[url] {
				continue
			}
			seen[url] = true
			n++
			go func() {
				worklist <- crawl(url)
			}()
		}
	}
	fmt.Printf("%d pages, %d different words\n", len(seen), len(count.words))
}
