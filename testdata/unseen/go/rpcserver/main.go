// Rpcserver serves remote procedure calls over the loopback interface; its
// clients live in the same process.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/rpc"
	"os"
	"sync"
)

// Inventory is the service.
type Inventory struct {
	mu    sync.RWMutex
	stock map[string]int
	work  int
}

// Order asks for some of an item.
type Order struct {
	Item  string
	Count int
}

// Receipt answers an order.
type Receipt struct {
	Left int
	Sum  uint64
}

func (s *Inventory) checksum(item string) uint64 {
	h := uint64(14695981039346656037)
	for i := range s.work {
		h = (h ^ uint64(item[i%len(item)])) * 1099511628211
	}
	return h
}

// Buy takes from the stock.
func (s *Inventory) Buy(o Order, r *Receipt) error {
	r.Sum = s.checksum(o.Item)
	s.mu.Lock()
	defer s.mu.Unlock()
	left, ok := s.stock[o.Item]
	if !ok {
		return fmt.Errorf("no %s", o.Item)
	}
	s.stock[o.Item] = left - o.Count
	r.Left = left - o.Count
	return nil
}

// Look tells what is there.
func (s *Inventory) Look(item string, r *Receipt) error {
	s.mu.RLock()
	r.Left = s.stock[item]
	s.mu.RUnlock()
	r.Sum = s.checksum(item)
	return nil
}

func client(addr string, id, calls, items int) error {
	c, err := rpc.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	random := rand.New(rand.NewPCG(uint64(id), 5))
	for range calls {
		item := fmt.Sprintf("item-%d", random.IntN(items))
		var r Receipt
		if random.IntN(5) == 0 {
			err = c.Call("Inventory.Buy", Order{item, 1 + random.IntN(3)}, &r)
		} else {
			err = c.Call("Inventory.Look", item, &r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func main() {
	clients := flag.Int("clients", 4, "clients, each with a connection")
	calls := flag.Int("calls", 150, "calls of each")
	items := flag.Int("items", 50, "different items")
	work := flag.Int("work", 400000, "steps of computing per call")
	flag.Parse()

	service := &Inventory{stock: map[string]int{}, work: *work}
	for i := range *items {
		service.stock[fmt.Sprintf("item-%d", i)] = 1000
	}
	server := rpc.NewServer()
	if err := server.Register(service); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go server.Accept(listener)

	errs := make(chan error, *clients)
	for id := range *clients {
		go func() { errs <- client(listener.Addr().String(), id, *calls, *items) }()
	}
	failed := 0
	for range *clients {
		if err := <-errs; err != nil {
			fmt.Fprintln(os.Stderr, err)
			failed++
		}
	}
	listener.Close()
	fmt.Printf("%d calls, %d clients failed\n", *clients**calls, failed)
}
