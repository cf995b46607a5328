// Command feed runs an in-process message broker with market-data publishers and
// subscribers of different speed: analytics, alerts, a slow archive and a
// lossy dashboard.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	publishers = flag.Int("publishers", 3, "publishing goroutines")
	messages   = flag.Int("messages", 4500, "messages per publisher")
	symbols    = flag.Int("symbols", 3, "symbols per publisher")
	analysts   = flag.Int("analysts", 2, "analytics subscribers (symbols are split between them)")
	buffer     = flag.Int("buffer", 64, "queue of a subscriber")
	window     = flag.Int("window", 1000, "ticks in the analytics window")
	archiveN   = flag.Int("archive", 150, "messages per archive block")
	archiveMs  = flag.Int("archivems", 5, "latency of storing an archive block (ms)")
	dashMs     = flag.Int("dashms", 1, "time the dashboard takes for a refresh (ms)")
	seed       = flag.Int64("seed", 3, "random seed")
)

type Message struct {
	Topic string
	Seq   int
	Price float64
	Size  int
	Note  string
}

type Subscription struct {
	C       chan Message
	lossy   bool
	dropped atomic.Int64
}

// Broker delivers each published message to all subscriptions of its topic.
type Broker struct {
	mu     sync.RWMutex
	topics map[string][]*Subscription
}

func NewBroker() *Broker {
	return &Broker{topics: make(map[string][]*Subscription)}
}

func (b *Broker) Subscribe(lossy bool, topics ...string) *Subscription {
	s := &Subscription{C: make(chan Message, *buffer), lossy: lossy}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range topics {
		b.topics[t] = append(b.topics[t], s)
	}
	return s
}

func (b *Broker) Publish(m Message) {
	b.mu.RLock()
	subs := b.topics[m.Topic]
	b.mu.RUnlock()
	for _, s := range subs {
		if !s.lossy {
			s.C <- m
			continue
		}
		select {
		case s.C <- m:
		default:
			s.dropped.Add(1)
		}
	}
}

func (b *Broker) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[*Subscription]bool{}
	for _, subs := range b.topics {
		for _, s := range subs {
			if !seen[s] {
				seen[s] = true
				close(s.C)
			}
		}
	}
}

func publish(b *Broker, id int) {
	rng := rand.New(rand.NewSource(*seed + int64(id)))
	prices := make([]float64, *symbols)
	for i := range prices {
		prices[i] = 50 + 10*float64(i)
	}
	venues := []string{"XETRA", "NYSE", "LSE", "CBOE"}
	for n := 0; n < *messages; n++ {
		k := rng.Intn(*symbols)
		prices[k] *= math.Exp(0.002 * rng.NormFloat64())
		note := fmt.Sprintf("venue=%s order=%08x flags=%d", venues[rng.Intn(len(venues))], rng.Uint32(), rng.Intn(16))
		if rng.Intn(150) == 0 {
			note += " HALT"
		}
		b.Publish(Message{topic(id, k), n, prices[k], 1 + rng.Intn(500), note})
	}
}

func topic(publisher, k int) string {
	return fmt.Sprintf("md.%d.%d", publisher, k)
}

type series struct {
	prices     []float64
	volatility float64
	trend      float64
}

// analyse keeps a sliding window for each symbol and recomputes its statistics.
func analyse(s *Subscription) map[string]*series {
	all := map[string]*series{}
	for m := range s.C {
		sr := all[m.Topic]
		if sr == nil {
			sr = &series{}
			all[m.Topic] = sr
		}
		sr.prices = append(sr.prices, m.Price)
		if len(sr.prices) > *window {
			sr.prices = sr.prices[1:]
		}
		if len(sr.prices) < 3 {
			continue
		}
		var sum, sq, sxy, sxx float64
		n := float64(len(sr.prices) - 1)
		for i := 1; i < len(sr.prices); i++ {
			r := math.Log(sr.prices[i] / sr.prices[i-1])
			sum += r
			sq += r * r
			x := float64(i) - n/2
			sxy += x * math.Sqrt(sr.prices[i])
			sxx += x * x
		}
		sr.volatility = math.Sqrt(math.Max(0, sq/n-(sum/n)*(sum/n)))
		sr.trend = sxy / sxx
	}
	return all
}

func alerts(s *Subscription) (halts int) {
	for m := range s.C {
		if strings.Contains(m.Note, "HALT") && m.Size > 50 {
			halts++
		}
	}
	return
}

func archive(s *Subscription) (blocks, count int, digest uint64) {
	var raw bytes.Buffer
	pending := 0
	store := func() {
		var out bytes.Buffer
		zw := gzip.NewWriter(&out)
		zw.Write(raw.Bytes())
		zw.Close()
		time.Sleep(time.Duration(*archiveMs) * time.Millisecond)
		raw.Reset()
		pending = 0
		blocks++
	}
	for m := range s.C {
		line := fmt.Sprintf("%s,%d,%.4f,%d,%s\n", m.Topic, m.Seq, m.Price, m.Size, m.Note)
		h := fnv.New64a()
		h.Write([]byte(line))
		digest ^= h.Sum64()
		raw.WriteString(line)
		count++
		if pending++; pending == *archiveN {
			store()
		}
	}
	if pending > 0 {
		store()
	}
	return
}

func main() {
	flag.Parse()
	b := NewBroker()
	var all []string
	for p := 0; p < *publishers; p++ {
		for k := 0; k < *symbols; k++ {
			all = append(all, topic(p, k))
		}
	}

	var consumers sync.WaitGroup
	results := make([]map[string]*series, *analysts)
	for i := 0; i < *analysts; i++ {
		var mine []string
		for j := i; j < len(all); j += *analysts {
			mine = append(mine, all[j])
		}
		sub := b.Subscribe(false, mine...)
		consumers.Add(1)
		go func() {
			defer consumers.Done()
			results[i] = analyse(sub)
		}()
	}
	var halts, blocks, stored int
	var digest uint64
	consumers.Add(3)
	alertSub, archiveSub, dashSub := b.Subscribe(false, all...), b.Subscribe(false, all...), b.Subscribe(true, all...)
	go func() {
		defer consumers.Done()
		halts = alerts(alertSub)
	}()
	go func() {
		defer consumers.Done()
		blocks, stored, digest = archive(archiveSub)
	}()
	shown := 0
	go func() {
		defer consumers.Done()
		for range dashSub.C {
			shown++
			time.Sleep(time.Duration(*dashMs) * time.Millisecond)
		}
	}()

	var producers sync.WaitGroup
	for p := 0; p < *publishers; p++ {
		producers.Add(1)
		go func() {
			defer producers.Done()
			publish(b, p)
		}()
	}
	producers.Wait()
	b.Close()
	consumers.Wait()

	var lines []string
	for _, r := range results {
		for t, s := range r {
			lines = append(lines, fmt.Sprintf("%s vol=%.6f trend=%.6f", t, s.volatility, s.trend))
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	fmt.Printf("halts=%d blocks=%d archived=%d digest=%016x dashboard=%d\n",
		halts, blocks, stored, digest, shown+int(dashSub.dropped.Load()))
}
