// Actors: accounts are goroutines with a mailbox each; tellers send transfers and wait for the answer.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
)

type message struct {
	amount int
	reply  chan int
}

type account struct {
	mailbox chan message
	balance int
}

func audit(x uint64, n int) uint64 {
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

func (a *account) run(effort int, done *sync.WaitGroup) {
	defer done.Done()
	for m := range a.mailbox {
		a.balance += m.amount + int(audit(uint64(a.balance)|1, effort)&1)
		m.reply <- a.balance
	}
}

func main() {
	accounts := flag.Int("accounts", 6, "actors")
	tellers := flag.Int("tellers", 3, "clients")
	transfers := flag.Int("transfers", 1500, "per teller")
	effort := flag.Int("effort", 60000, "work per message")
	flag.Parse()
	var bank []*account
	var open sync.WaitGroup
	for range *accounts {
		a := &account{mailbox: make(chan message, 4)}
		bank = append(bank, a)
		open.Add(1)
		go a.run(*effort, &open)
	}
	var busy sync.WaitGroup
	for t := range *tellers {
		busy.Add(1)
		go func() {
			defer busy.Done()
			random := rand.New(rand.NewPCG(uint64(t), 7))
			reply := make(chan int)
			for range *transfers {
				a, b := bank[random.IntN(len(bank))], bank[random.IntN(len(bank))]
				amount := random.IntN(100)
				a.mailbox <- message{-amount, reply}
				<-reply
				b.mailbox <- message{amount, reply}
				<-reply
			}
		}()
	}
	busy.Wait()
	for _, a := range bank {
		close(a.mailbox)
	}
	open.Wait()
	sum := 0
	for _, a := range bank {
		sum += a.balance
	}
	fmt.Println(sum)
}
