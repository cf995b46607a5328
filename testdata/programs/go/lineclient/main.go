// Lineclient sends requests to a server with a protocol of text, and prints when each was due, sent and answered: a client
// for tierctl --load-command.
//
//	tierctl analyze --out kv.tier --load-url 127.0.0.1:11211 --load-rate 500/s \
//		--load-command 'lineclient -rate {rate} -connections {connections} -think {think} -seconds {seconds} -seed {seed} -send "get k%d" -end END {address}' ./kv
//
// With a rate, requests come as a Poisson process, each over a connection that is idle then, or a new one; without, every
// connection sends its next request when it has its answer.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

type client struct {
	address, send, end string
	keys               int
	began              time.Time

	mu   sync.Mutex
	idle []*connection
	out  *bufio.Writer
}

type connection struct {
	net.Conn
	lines *bufio.Reader
}

func main() {
	rate := flag.Float64("rate", 0, "requests per second")
	connections := flag.Int("connections", 0, "users, without a rate")
	think := flag.Float64("think", 0, "mean of their think time in seconds")
	length := flag.Float64("seconds", 10, "how long to send")
	seed := flag.Uint64("seed", 1, "of times and keys")
	c := &client{out: bufio.NewWriter(os.Stdout), began: time.Now()}
	flag.StringVar(&c.send, "send", "get k%d", "request; %d is a number")
	flag.IntVar(&c.keys, "keys", 1000, "how many numbers")
	flag.StringVar(&c.end, "end", "", "what the last line of an answer begins with")
	flag.Parse()
	if c.address = flag.Arg(0); c.address == "" {
		log.Fatal("no address; lineclient [FLAGS] HOST:PORT")
	}
	fmt.Fprintln(c.out, "due_s,sent_s,end_s,error")
	last := time.Duration(*length * float64(time.Second))
	var wg sync.WaitGroup
	random := rand.New(rand.NewPCG(*seed, 0))
	if *rate > 0 {
		for due := time.Duration(0); ; {
			if due += time.Duration(random.ExpFloat64() / *rate * 1e9); due >= last {
				break
			}
			key := random.IntN(c.keys)
			time.Sleep(due - time.Since(c.began))
			wg.Go(func() { c.request(due, key) })
		}
		time.Sleep(last - time.Since(c.began))
	} else {
		for user := range *connections {
			own := rand.New(rand.NewPCG(*seed, uint64(user)))
			wg.Go(func() {
				for due := time.Since(c.began); due < last; due = time.Since(c.began) {
					c.request(due, own.IntN(c.keys))
					time.Sleep(time.Duration(*think * own.ExpFloat64() * 1e9))
				}
			})
		}
	}
	wg.Wait()
	c.out.Flush()
}

// request sends one and waits for the last line of its answer.
func (c *client) request(due time.Duration, key int) {
	sent := time.Since(c.began)
	problem := ""
	conn, err := c.connect()
	if err == nil {
		err = conn.ask(strings.ReplaceAll(c.send, "%d", fmt.Sprint(key)), c.end)
	}
	end := time.Since(c.began)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.idle = append(c.idle, conn)
	} else {
		problem = strings.ReplaceAll(err.Error(), ",", ";")
	}
	fmt.Fprintf(c.out, "%.7f,%.7f,%.7f,%s\n", due.Seconds(), sent.Seconds(), end.Seconds(), problem)
}

// connect is an idle connection, or a new one.
func (c *client) connect() (*connection, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		conn := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		return conn, nil
	}
	c.mu.Unlock()
	conn, err := net.Dial("tcp", c.address)
	if err != nil {
		return nil, err
	}
	return &connection{conn, bufio.NewReader(conn)}, nil
}

// ask sends a line and reads up to the last one of the answer.
func (c *connection) ask(line, end string) error {
	c.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := c.Write([]byte(line + "\r\n")); err != nil {
		return err
	}
	for {
		answer, err := c.lines.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(answer, end) {
			return nil
		}
	}
}
