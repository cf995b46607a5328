// Broker passes messages from publishers to subscribers. A topic has groups; of
// each group one member gets a message. Members acknowledge what they have
// handled, and a publisher may have only so many messages without an answer.
package main

import (
	"crypto/md5"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
)

type message struct {
	topic   string
	payload []byte
	acks    *ack
}

// ack tells the publisher when every group has handled a message.
type ack struct {
	left atomic.Int32
	done chan<- struct{}
}

func (a *ack) handled() {
	if a.left.Add(-1) == 0 {
		a.done <- struct{}{}
	}
}

type broker struct {
	mu     sync.RWMutex
	groups map[string][]chan message // by topic
	buffer int
}

func (b *broker) subscribe(topic string) <-chan message {
	c := make(chan message, b.buffer)
	b.mu.Lock()
	b.groups[topic] = append(b.groups[topic], c)
	b.mu.Unlock()
	return c
}

func (b *broker) publish(m message) {
	b.mu.RLock()
	groups := b.groups[m.topic]
	b.mu.RUnlock()
	m.acks.left.Store(int32(len(groups)))
	for _, g := range groups {
		g <- m
	}
}

func (b *broker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, groups := range b.groups {
		for _, g := range groups {
			close(g)
		}
	}
}

func handle(m message, rounds int) byte {
	sum := md5.Sum(m.payload)
	for range rounds {
		sum = md5.Sum(sum[:])
	}
	return sum[0]
}

func main() {
	publishers := flag.Int("publishers", 2, "threads that publish")
	topics := flag.Int("topics", 2, "topics")
	groups := flag.Int("groups", 2, "groups of each topic")
	members := flag.Int("members", 2, "threads of each group")
	messages := flag.Int("messages", 300, "of each publisher")
	window := flag.Int("window", 8, "messages of a publisher without an answer")
	buffer := flag.Int("buffer", 4, "messages that wait for a group")
	rounds := flag.Int("rounds", 1500, "of work per message and group")
	flag.Parse()

	b := &broker{groups: map[string][]chan message{}, buffer: *buffer}
	var subscribers sync.WaitGroup
	var handled atomic.Int64
	for t := range *topics {
		for range *groups {
			inbox := b.subscribe(fmt.Sprint("topic-", t))
			for range *members {
				subscribers.Add(1)
				go func() {
					defer subscribers.Done()
					for m := range inbox {
						handle(m, *rounds)
						handled.Add(1)
						m.acks.handled()
					}
				}()
			}
		}
	}

	var sending sync.WaitGroup
	for p := range *publishers {
		sending.Add(1)
		go func() {
			defer sending.Done()
			answers := make(chan struct{}, *window)
			open := 0
			for i := range *messages {
				if open == *window {
					<-answers
					open--
				}
				b.publish(message{fmt.Sprint("topic-", (p+i)%*topics), fmt.Appendf(nil, "message %d of %d", i, p), &ack{done: answers}})
				open++
			}
			for ; open > 0; open-- {
				<-answers
			}
		}()
	}
	sending.Wait()
	b.close()
	subscribers.Wait()
	fmt.Println(handled.Load(), "handled")
}
