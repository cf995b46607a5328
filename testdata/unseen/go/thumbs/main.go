// Thumbs is a web service that draws pictures, GET /picture?id=N. A few threads
// draw; who asks for a picture that is being drawn already waits for that one.
package main

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
)

// call is a picture that is being drawn.
type call struct {
	id   int
	done chan struct{}
	data []byte
	err  error
}

type studio struct {
	mu      sync.Mutex
	open    map[int]*call
	jobs    chan *call
	buffers sync.Pool
	edge    int
	limit   int
}

// picture joins a call for the same picture, or makes one.
func (s *studio) picture(id int) ([]byte, error) {
	s.mu.Lock()
	c, ok := s.open[id]
	if !ok {
		c = &call{id: id, done: make(chan struct{})}
		s.open[id] = c
	}
	s.mu.Unlock()
	if !ok {
		s.jobs <- c
	}
	<-c.done
	return c.data, c.err
}

func (s *studio) draw() {
	for c := range s.jobs {
		b := s.buffers.Get().(*bytes.Buffer)
		b.Reset()
		c.err = png.Encode(b, s.julia(c.id))
		c.data = bytes.Clone(b.Bytes())
		s.buffers.Put(b)
		s.mu.Lock()
		delete(s.open, c.id)
		s.mu.Unlock()
		close(c.done)
	}
}

func (s *studio) julia(id int) image.Image {
	m := image.NewGray(image.Rect(0, 0, s.edge, s.edge))
	k := complex(-0.8+float64(id%40)/100, 0.156)
	for y := range s.edge {
		for x := range s.edge {
			z := complex(3*float64(x)/float64(s.edge)-1.5, 3*float64(y)/float64(s.edge)-1.5)
			n := 0
			for n < s.limit && real(z)*real(z)+imag(z)*imag(z) < 4 {
				z = z*z + k
				n++
			}
			m.SetGray(x, y, color.Gray{uint8(n)})
		}
	}
	return m
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8083", "address to listen on")
	painters := flag.Int("painters", 2, "threads that draw")
	edge := flag.Int("edge", 80, "of a picture, pixels")
	limit := flag.Int("iterations", 120, "of a point, at most")
	queue := flag.Int("queue", 32, "pictures that wait")
	flag.Parse()

	s := &studio{open: map[int]*call{}, jobs: make(chan *call, *queue), edge: *edge, limit: *limit}
	s.buffers.New = func() any { return new(bytes.Buffer) }
	for range *painters {
		go s.draw()
	}
	http.HandleFunc("/picture", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.URL.Query().Get("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		data, err := s.picture(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		w.Write(data)
	})
	web := &http.Server{Addr: *addr}
	go func() {
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
		<-stop
		web.Close()
	}()
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
