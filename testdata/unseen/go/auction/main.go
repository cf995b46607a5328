// Command auction is an auction house: one goroutine owns all state and selects over
// bids, timers and results of a pool that verifies signatures.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand"
	"sync"
	"time"
)

type bid struct {
	lot, bidder int
	amount      int
	sig         []byte
	reply       chan bool
}

type verified struct {
	bid
	ok bool
}

type house struct {
	bids    chan bid
	checks  chan bid
	results chan verified
	best    []int
	closed  int
}

func sign(key []byte, lot, bidder, amount, strength int) []byte {
	buf := make([]byte, 24)
	binary.LittleEndian.PutUint64(buf, uint64(lot))
	binary.LittleEndian.PutUint64(buf[8:], uint64(bidder))
	binary.LittleEndian.PutUint64(buf[16:], uint64(amount))
	for i := 0; i < strength; i++ {
		m := hmac.New(sha256.New, key)
		m.Write(buf)
		buf = m.Sum(nil)
	}
	return buf
}

func (h *house) verifier(key []byte, strength int, wg *sync.WaitGroup) {
	defer wg.Done()
	for b := range h.checks {
		want := sign(key, b.lot, b.bidder, b.amount, strength)
		h.results <- verified{b, hmac.Equal(want, b.sig)}
	}
}

func (h *house) run(ctx context.Context, tick time.Duration) (accepted, rejected int) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var pending []bid
	for {
		var checks chan bid
		var first bid
		if len(pending) > 0 {
			checks, first = h.checks, pending[0]
		}
		select {
		case b := <-h.bids:
			pending = append(pending, b)
		case checks <- first:
			pending = pending[1:]
		case v := <-h.results:
			ok := v.ok && v.amount > h.best[v.lot]
			if ok {
				h.best[v.lot] = v.amount
				accepted++
			} else {
				rejected++
			}
			v.reply <- ok
		case <-ticker.C:
			h.closed++
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	verifiers := flag.Int("verifiers", 3, "goroutines that verify signatures")
	bidders := flag.Int("bidders", 8, "clients")
	rounds := flag.Int("rounds", 150, "bids of each")
	lots := flag.Int("lots", 40, "lots")
	strength := flag.Int("strength", 600, "rounds of the signature")
	tick := flag.Duration("tick", 20*time.Millisecond, "clock of the house")
	flag.Parse()

	key := []byte("the house always wins")
	h := &house{bids: make(chan bid), checks: make(chan bid, *verifiers), results: make(chan verified, *verifiers), best: make([]int, *lots)}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for i := 0; i < *verifiers; i++ {
		wg.Add(1)
		go h.verifier(key, *strength, &wg)
	}
	done := make(chan [2]int)
	go func() {
		a, r := h.run(ctx, *tick)
		done <- [2]int{a, r}
	}()
	var clients sync.WaitGroup
	for c := 0; c < *bidders; c++ {
		clients.Add(1)
		go func() {
			defer clients.Done()
			r := rand.New(rand.NewSource(int64(c)))
			reply := make(chan bool, 1)
			for i := 0; i < *rounds; i++ {
				lot, amount := r.Intn(*lots), 100+i*3+r.Intn(50)
				h.bids <- bid{lot, c, amount, sign(key, lot, c, amount, *strength), reply}
				select {
				case <-reply:
				case <-time.After(5 * time.Second):
					fmt.Println("no answer")
				}
			}
		}()
	}
	clients.Wait()
	cancel()
	n := <-done
	close(h.checks)
	wg.Wait()
	fmt.Println(n[0], "accepted,", n[1], "rejected,", h.closed, "ticks")
}
