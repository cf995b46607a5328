// Command geocode looks up the nearest known places of coordinates. Its settings are in a JSON file.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"sync"
)

type config struct {
	Workers int `json:"workers"`
	Places  int `json:"places"`
	Queries int `json:"queries"`
	Batch   int `json:"batch"`
	Cache   struct {
		Cells int `json:"cells"`
		Limit int `json:"limit"`
	} `json:"cache"`
}

type point struct{ lat, lon float64 }

type place struct {
	point
	name string
}

// group runs functions at once and keeps the first error.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error { g.wg.Wait(); return g.err }

type cache struct {
	mu    sync.Mutex
	cells map[int]string
	limit int
	hits  int
}

func (c *cache) get(k int) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.cells[k]
	if ok {
		c.hits++
	}
	return n, ok
}

func (c *cache) put(k int, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.cells) >= c.limit {
		for old := range c.cells {
			delete(c.cells, old)
			break
		}
	}
	c.cells[k] = name
}

type geocoder struct {
	places []place
	cells  int
	cache  *cache
}

func haversine(a, b point) float64 {
	dlat, dlon := b.lat-a.lat, b.lon-a.lon
	h := math.Pow(math.Sin(dlat/2), 2) + math.Cos(a.lat)*math.Cos(b.lat)*math.Pow(math.Sin(dlon/2), 2)
	return 2 * math.Asin(math.Sqrt(h))
}

func (g *geocoder) cell(p point) int {
	n := float64(g.cells)
	return int((p.lat+math.Pi/2)/math.Pi*n)*g.cells + int((p.lon+math.Pi)/(2*math.Pi)*n)
}

func (g *geocoder) find(p point) string {
	k := g.cell(p)
	if name, ok := g.cache.get(k); ok {
		return name
	}
	best, at := math.Inf(1), 0
	for i := range g.places {
		if d := haversine(p, g.places[i].point); d < best {
			best, at = d, i
		}
	}
	g.cache.put(k, g.places[at].name)
	return g.places[at].name
}

func read(path string) (c config, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

func random(r *rand.Rand) point {
	return point{(r.Float64() - 0.5) * math.Pi, (r.Float64() - 0.5) * 2 * math.Pi}
}

func main() {
	path := flag.String("config", "geocode.json", "settings")
	flag.Parse()
	c, err := read(*path)
	if err != nil {
		log.Fatal(err)
	}
	r := rand.New(rand.NewSource(7))
	g := &geocoder{cells: c.Cache.Cells, cache: &cache{cells: map[int]string{}, limit: c.Cache.Limit}}
	for i := range c.Places {
		g.places = append(g.places, place{random(r), fmt.Sprint("place ", i)})
	}
	batches := make(chan []point, c.Workers)
	counts := make([]map[string]int, c.Workers)
	var eg group
	for w := range c.Workers {
		counts[w] = map[string]int{}
		eg.Go(func() error {
			for b := range batches {
				for _, p := range b {
					counts[w][g.find(p)]++
				}
			}
			return nil
		})
	}
	for sent := 0; sent < c.Queries; sent += c.Batch {
		b := make([]point, 0, c.Batch)
		for range min(c.Batch, c.Queries-sent) {
			b = append(b, random(r))
		}
		batches <- b
	}
	close(batches)
	if err := eg.Wait(); err != nil {
		log.Fatal(err)
	}
	all := map[string]int{}
	for _, m := range counts {
		for k, n := range m {
			all[k] += n
		}
	}
	fmt.Println(len(all), "places,", g.cache.hits, "hits")
}
