// Match is an exchange: traders send orders to the engine of their symbol; each engine keeps a book.
package main

import (
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
)

type order struct {
	trader, price int
	buy           bool
	done          chan int
}

type book []int

func (b book) Len() int           { return len(b) }
func (b book) Less(i, j int) bool { return b[i] < b[j] }
func (b book) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *book) Push(x any)        { *b = append(*b, x.(int)) }
func (b *book) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// sign stands for the check of a signature.
func sign(trader, price, rounds int) int {
	var data [16]byte
	binary.LittleEndian.PutUint64(data[:], uint64(trader*price))
	sum := sha256.Sum256(data[:])
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return int(sum[0])
}

func engine(orders <-chan order, rounds int) (trades int) {
	var sells book
	for o := range orders {
		sign(o.trader, o.price, rounds)
		if !o.buy {
			heap.Push(&sells, o.price)
			o.done <- 0
			continue
		}
		if len(sells) > 0 && sells[0] <= o.price {
			heap.Pop(&sells)
			trades++
			o.done <- 1
			continue
		}
		o.done <- 0
	}
	return trades
}

func main() {
	engines := setting("ENGINES", 2)
	traders := setting("TRADERS", 6)
	each := setting("ORDERS", 300)
	rounds := setting("ROUNDS", 1200)

	queues := make([]chan order, engines)
	trades := make([]int, engines)
	var running, trading sync.WaitGroup
	for i := range queues {
		queues[i] = make(chan order, 32)
		running.Add(1)
		go func() {
			defer running.Done()
			trades[i] = engine(queues[i], rounds)
		}()
	}
	for t := range traders {
		trading.Add(1)
		go func() {
			defer trading.Done()
			r := rand.New(rand.NewPCG(uint64(t), 3))
			done := make(chan int)
			for range each {
				queues[r.IntN(engines)] <- order{t, 90 + r.IntN(20), r.IntN(2) == 0, done}
				<-done
			}
		}()
	}
	trading.Wait()
	for _, q := range queues {
		close(q)
	}
	running.Wait()
	sum := 0
	for _, n := range trades {
		sum += n
	}
	fmt.Println(sum, "trades")
}
