// Bank moves money between accounts: bank TELLERS TRANSFERS
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
)

type account struct {
	mu      sync.Mutex
	id      int
	balance int
	seal    [32]byte
}

func transfer(a, b *account, sum int) {
	if a.id == b.id {
		return
	}
	first, second := a, b
	if first.id > second.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	a.balance -= sum
	b.balance += sum
	for range 100 {
		a.seal = sha256.Sum256(a.seal[:])
		b.seal = sha256.Sum256(b.seal[:])
	}
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: bank TELLERS TRANSFERS")
	}
	tellers, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	transfers, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	accounts := make([]*account, 8)
	for i := range accounts {
		accounts[i] = &account{id: i, balance: 1000}
	}
	var wg sync.WaitGroup
	for t := 0; t < tellers; t++ {
		wg.Add(1)
		go func(seed uint64) {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(seed, seed))
			for i := 0; i < transfers/tellers; i++ {
				from, to := rng.IntN(len(accounts)), rng.IntN(len(accounts))
				transfer(accounts[from], accounts[to], rng.IntN(10))
			}
		}(uint64(t))
	}
	wg.Wait()
	fmt.Println(accounts[0].balance)
}
