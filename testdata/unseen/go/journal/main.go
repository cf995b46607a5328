// Journal appends records to a file that is synced before a client goes on. Clients that
// come while one of them writes are written together by the next.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"log"
	"os"
	"sync"
)

type record struct {
	data []byte
	err  error
	done bool
}

// journal is a file with the records that nobody has written yet.
type journal struct {
	mu      sync.Mutex
	written *sync.Cond
	file    *os.File
	pending []*record
	writing bool
	syncs   int
}

func create() (*journal, error) {
	file, err := os.CreateTemp("", "journal")
	if err != nil {
		return nil, err
	}
	j := &journal{file: file}
	j.written = sync.NewCond(&j.mu)
	return j, nil
}

// append returns when the data is on the disk.
func (j *journal) append(data []byte) error {
	r := &record{data: data}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pending = append(j.pending, r)
	for !r.done {
		if j.writing {
			j.written.Wait()
			continue
		}
		j.writing = true
		group := j.pending
		j.pending = nil
		j.mu.Unlock()
		err := j.write(group)
		j.mu.Lock()
		for _, g := range group {
			g.err, g.done = err, true
		}
		j.writing = false
		j.syncs++
		j.written.Broadcast()
	}
	return r.err
}

func (j *journal) write(group []*record) error {
	var all bytes.Buffer
	for _, g := range group {
		var head [8]byte
		binary.LittleEndian.PutUint32(head[:], uint32(len(g.data)))
		binary.LittleEndian.PutUint32(head[4:], crc32.ChecksumIEEE(g.data))
		all.Write(head[:])
		all.Write(g.data)
	}
	if _, err := j.file.Write(all.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

// order makes a record, which takes some work.
func order(client, number, effort int) []byte {
	data := make([]byte, 256)
	x := uint64(client)<<32 | uint64(number)
	for i := range effort {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		data[i%len(data)] += byte(x)
	}
	return data
}

func main() {
	clients := flag.Int("clients", 3, "threads that append records")
	records := flag.Int("records", 2400, "of all clients")
	effort := flag.Int("effort", 150_000, "steps to make a record")
	flag.Parse()

	j, err := create()
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(j.file.Name())
	var wg sync.WaitGroup
	for client := range *clients {
		wg.Go(func() {
			for n := client; n < *records; n += *clients {
				if err := j.append(order(client, n, *effort)); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
	wg.Wait()
	fmt.Printf("%d records in %d groups\n", *records, j.syncs)
}
