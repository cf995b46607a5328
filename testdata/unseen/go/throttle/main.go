// Throttle renders messages and sends them to a service that takes only so many
// a second: all senders wait for the ticks of one ticker.
package main

import (
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
)

var letter = template.Must(template.New("letter").Parse(`Dear {{.Name}},

{{range .Lines}}{{.Count}} of {{.What | printf "%-20s"}} {{.Price | printf "%8.2f"}}
{{end}}
Yours, the shop
`))

type line struct {
	Count int
	What  string
	Price float64
}

type message struct {
	Name  string
	Lines []line
}

func invent(id, lines int) message {
	m := message{Name: fmt.Sprintf("customer %d", id)}
	for i := range lines {
		m.Lines = append(m.Lines, line{1 + i%7, strings.Repeat("part ", 1+i%3), float64(id*i%1000) / 7})
	}
	return m
}

func render(m message) ([]byte, error) {
	var text, out bytes.Buffer
	if err := letter.Execute(&text, m); err != nil {
		return nil, err
	}
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func main() {
	senders := flag.Int("senders", 3, "threads that send")
	messages := flag.Int("messages", 400, "to send")
	lines := flag.Int("lines", 400, "of a message")
	every := flag.Duration("every", 4*time.Millisecond, "between two messages")
	flag.Parse()

	limit := time.NewTicker(*every)
	defer limit.Stop()
	queue := make(chan int, 16)
	var sent atomic.Int64
	var wg sync.WaitGroup
	for range *senders {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for id := range queue {
				body, err := render(invent(id, *lines))
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					continue
				}
				<-limit.C
				sent.Add(int64(len(body)))
			}
		}()
	}
	for id := range *messages {
		queue <- id
	}
	close(queue)
	wg.Wait()
	fmt.Printf("%d messages, %d bytes\n", *messages, sent.Load())
}
