// Pubsub has publishers that send events to all subscribers of a hub; slow subscribers lose nothing.
package main

import (
	"flag"
	"fmt"
	"hash/crc64"
	"sync"
)

type Event struct {
	Topic string
	Data  []byte
}

type Hub struct {
	mu   sync.RWMutex
	subs map[int]chan Event
	next int
}

func (h *Hub) Subscribe(buf int) (int, <-chan Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := make(chan Event, buf)
	id := h.next
	h.next++
	h.subs[id] = ch
	return id, ch
}

func (h *Hub) Publish(e Event) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, ch := range h.subs {
		ch <- e
	}
}

func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, ch := range h.subs {
		close(ch)
		delete(h.subs, id)
	}
}

var table = crc64.MakeTable(crc64.ECMA)

func main() {
	publishers := flag.Int("publishers", 2, "")
	subscribers := flag.Int("subscribers", 4, "")
	events := flag.Int("events", 500, "of each publisher")
	buf := flag.Int("buffer", 8, "")
	size := flag.Int("size", 20000, "bytes of an event")
	passes := flag.Int("passes", 10, "over the bytes by a subscriber")
	flag.Parse()

	hub := &Hub{subs: map[int]chan Event{}}
	var subs, pubs sync.WaitGroup
	sums := make([]uint64, *subscribers)
	for s := 0; s < *subscribers; s++ {
		_, ch := hub.Subscribe(*buf)
		subs.Add(1)
		go func() {
			defer subs.Done()
			for e := range ch {
				for p := 0; p < *passes; p++ {
					sums[s] ^= crc64.Update(uint64(p), table, e.Data)
				}
			}
		}()
	}
	for p := 0; p < *publishers; p++ {
		pubs.Add(1)
		go func() {
			defer pubs.Done()
			for i := 0; i < *events; i++ {
				data := make([]byte, *size)
				for j := range data {
					data[j] = byte(i*j + p)
				}
				hub.Publish(Event{"t", data})
			}
		}()
	}
	pubs.Wait()
	hub.Close()
	subs.Wait()
	fmt.Println(sums)
}
