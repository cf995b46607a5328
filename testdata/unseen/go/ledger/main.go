// Ledger moves money between accounts and writes everything into a signed
// journal. Large sums are moved one at a time, after a second look.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
)

type journal struct {
	mu    sync.Mutex
	last  [sha256.Size]byte
	lines int
	cost  int
}

// write signs a line together with the one before it.
func (j *journal) write(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	sum := sha256.Sum256(append(j.last[:], what...))
	for range j.cost {
		sum = sha256.Sum256(sum[:])
	}
	j.last = sum
	j.lines++
}

type bank struct {
	mu       sync.Mutex
	accounts []int
	journal  *journal

	large, rounds int
	second        sync.Mutex // held while a large sum is moved
}

func (b *bank) transfer(from, to, amount int) error {
	if amount >= b.large {
		b.second.Lock()
		defer b.second.Unlock()
		if !check(to, amount, b.rounds) {
			return fmt.Errorf("%d to %d looks suspicious", amount, to)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.accounts[from] < amount {
		b.journal.write(fmt.Sprintf("refused: %d from %d to %d", amount, from, to))
		return fmt.Errorf("account %d has only %d", from, b.accounts[from])
	}
	b.accounts[from] -= amount
	b.accounts[to] += amount
	b.journal.write(fmt.Sprintf("moved: %d from %d to %d", amount, from, to))
	return nil
}

func (b *bank) total() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := 0
	for _, a := range b.accounts {
		sum += a
	}
	return sum
}

// check computes whether somebody may move so much money.
func check(id, amount, rounds int) bool {
	data := binary.LittleEndian.AppendUint64(nil, uint64(id*amount))
	sum := sha256.Sum256(data)
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return sum[0] != 0
}

func main() {
	clerks := flag.Int("clerks", 3, "threads that move money")
	transfers := flag.Int("transfers", 250, "of a clerk")
	accounts := flag.Int("accounts", 100, "of the bank")
	rounds := flag.Int("rounds", 8000, "of hashing for a check")
	large := flag.Int("large", 200, "sum that gets a second look")
	cost := flag.Int("cost", 2000, "rounds of hashing for a line of the journal")
	flag.Parse()

	j := &journal{cost: *cost}
	b := &bank{accounts: make([]int, *accounts), journal: j, large: *large, rounds: *rounds}
	for i := range b.accounts {
		b.accounts[i] = 1000
	}
	var wg sync.WaitGroup
	for c := range *clerks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(c), 11))
			for range *transfers {
				from, to, amount := r.IntN(*accounts), r.IntN(*accounts), r.IntN(300)
				if !check(from, amount, *rounds) {
					j.write(fmt.Sprintf("suspicious: %d from %d", amount, from))
					continue
				}
				if err := b.transfer(from, to, amount); err != nil {
					j.write(err.Error())
				}
			}
		}()
	}
	wg.Wait()
	fmt.Printf("%d lines, %d in all\n", j.lines, b.total())
}
