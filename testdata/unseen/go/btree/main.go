// Btree is a store on a B-tree with a write-ahead log. Writers that come while
// the log is being written are put into the next write together.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
)

const degree = 32 // least number of children of a node

type item struct{ key, value uint64 }

type node struct {
	items    []item
	children []*node
}

func (n *node) find(key uint64) (int, bool) {
	return slices.BinarySearchFunc(n.items, key, func(i item, k uint64) int {
		switch {
		case i.key < k:
			return -1
		case i.key > k:
			return 1
		}
		return 0
	})
}

// split divides child i, which is full.
func (n *node) split(i int) {
	left := n.children[i]
	middle := left.items[degree-1]
	right := &node{items: slices.Clone(left.items[degree:])}
	if len(left.children) > 0 {
		right.children = slices.Clone(left.children[degree:])
		left.children = left.children[:degree]
	}
	left.items = left.items[:degree-1]
	n.items = slices.Insert(n.items, i, middle)
	n.children = slices.Insert(n.children, i+1, right)
}

type tree struct {
	mu   sync.RWMutex
	root *node
	size int
}

func (t *tree) put(key, value uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.root.items) == 2*degree-1 {
		t.root = &node{children: []*node{t.root}}
		t.root.split(0)
	}
	n := t.root
	for {
		i, ok := n.find(key)
		if ok {
			n.items[i].value = value
			return
		}
		if len(n.children) == 0 {
			n.items = slices.Insert(n.items, i, item{key, value})
			t.size++
			return
		}
		if len(n.children[i].items) == 2*degree-1 {
			n.split(i)
			if key > n.items[i].key {
				i++
			} else if key == n.items[i].key {
				n.items[i].value = value
				return
			}
		}
		n = n.children[i]
	}
}

func (t *tree) get(key uint64) (uint64, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for n := t.root; ; {
		i, ok := n.find(key)
		if ok {
			return n.items[i].value, true
		}
		if len(n.children) == 0 {
			return 0, false
		}
		n = n.children[i]
	}
}

// write is an entry of the log that somebody waits for.
type write struct {
	item
	done chan error
}

// committer writes what has gathered and syncs once.
func committer(file *os.File, in <-chan write, limit int, commits *int) {
	buffered := bufio.NewWriter(file)
	for w := range in {
		group := []write{w}
	gather:
		for len(group) < limit {
			select {
			case w, ok := <-in:
				if !ok {
					break gather
				}
				group = append(group, w)
			default:
				break gather
			}
		}
		for _, w := range group {
			var entry [16]byte
			binary.LittleEndian.PutUint64(entry[:], w.key)
			binary.LittleEndian.PutUint64(entry[8:], w.value)
			buffered.Write(entry[:])
		}
		err := buffered.Flush()
		if err == nil {
			err = file.Sync()
		}
		*commits++
		for _, w := range group {
			w.done <- err
		}
	}
}

func main() {
	clients := flag.Int("clients", 6, "threads that read and write")
	operations := flag.Int("operations", 200, "of each")
	reads := flag.Float64("reads", 0.7, "share of operations that read")
	group := flag.Int("group", 16, "writes that are committed together, at most")
	preload := flag.Int("preload", 50000, "keys at the beginning")
	scan := flag.Int("scan", 300, "keys that a read looks up")
	flag.Parse()

	file, err := os.CreateTemp("", "btree-*.log")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.Remove(file.Name())

	store := &tree{root: &node{}}
	for i := range *preload {
		store.put(uint64(i)*7, uint64(i))
	}
	commits := 0
	log := make(chan write, 64)
	committed := make(chan struct{})
	go func() {
		defer close(committed)
		committer(file, log, *group, &commits)
	}()

	var wg sync.WaitGroup
	for id := range *clients {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(id), 9))
			for range *operations {
				if random.Float64() < *reads {
					from := random.Uint64N(uint64(*preload) * 7)
					for i := range *scan {
						store.get(from + uint64(i))
					}
					continue
				}
				w := write{item{random.Uint64(), uint64(id)}, make(chan error, 1)}
				log <- w
				if err := <-w.done; err != nil {
					fmt.Fprintln(os.Stderr, err)
					return
				}
				store.put(w.key, w.value)
			}
		})
	}
	wg.Wait()
	close(log)
	<-committed
	fmt.Printf("%d keys, %d commits\n", store.size, commits)
}
