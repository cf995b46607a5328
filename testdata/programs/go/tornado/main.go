// Tornado is the small web server of Figure 1 in Tarvo & Reiss (2014, §3):
//
//	clients ──▶ accept loop ──task queue (bounded channel)──▶ pool of workers
//	worker: read the request, stat the file, read it, answer, close
//
// One connection carries one request (HTTP/1.0 style), so a connection is a
// task. The queue is bounded: when it is full the accept loop waits and
// connections pile up in the kernel's backlog.
//
// Without -root it serves a site that it generates: page 0 … files-1 of sizes
// spread around -bytes, at /page/N.html.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tierscope/testdata/programs/go/report"
)

// task is a connection that waits for a worker.
type task struct {
	conn     net.Conn
	accepted time.Time
}

// server is the state that all workers share.
type server struct {
	root           string
	timeout        time.Duration
	stat, readFile stopwatch
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	workers := flag.Int("workers", 4, "threads in the pool")
	queue := flag.Int("queue", 128, "capacity of the task queue")
	root := flag.String("root", "", "directory to serve; empty: generate a site")
	files := flag.Int("files", 500, "pages of the generated site")
	size := flag.Int("bytes", 32<<10, "mean size of a generated page")
	seed := flag.Uint64("seed", 1, "of the generated site")
	timeout := flag.Duration("timeout", 10*time.Second, "of reading a request and of writing an answer")
	asJSON := flag.Bool("json", false, "print a summary as one line of JSON when stopped")
	flag.Parse()
	if *workers < 1 || *queue < 0 || *files < 1 || *size < 1 {
		log.Fatal("tornado: -workers, -files and -bytes must be positive, -queue not negative")
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *root == "" {
		dir, err := os.MkdirTemp("", "tornado-site-")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := generate(dir, *files, *size, *seed); err != nil {
			log.Fatal(err)
		}
		*root = dir
	}

	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	fmt.Fprintf(os.Stderr, "tornado: serving %s on http://%s\n", *root, listener.Addr())

	started := time.Now()
	s := &server{root: *root, timeout: *timeout}
	pending := make(chan task, *queue)
	times := make([][]time.Duration, *workers)
	var pool sync.WaitGroup
	for w := range *workers {
		pool.Go(func() {
			for t := range pending {
				s.serve(t.conn)
				times[w] = append(times[w], time.Since(t.accepted))
			}
		})
	}
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			break
		}
		if err != nil {
			log.Print(err)
			continue
		}
		pending <- task{conn: conn, accepted: time.Now()}
	}
	close(pending)
	pool.Wait()

	if *asJSON {
		summary := report.New("tornado", *workers, started, "", times...)
		summary.Operations = map[string]float64{"stat": s.stat.mean(), "read": s.readFile.mean()}
		if err := summary.Print(os.Stdout); err != nil {
			log.Print(err)
		}
	}
}

// serve answers the one request of a connection.
func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(s.timeout))
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		answer(conn, http.StatusBadRequest, "text/plain", []byte(err.Error()+"\n"))
		return
	}
	if request.Method != http.MethodGet {
		answer(conn, http.StatusMethodNotAllowed, "text/plain", []byte("only GET\n"))
		return
	}
	body, err := s.read(request.URL.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		answer(conn, http.StatusNotFound, "text/plain", []byte("not found\n"))
	case err != nil:
		answer(conn, http.StatusInternalServerError, "text/plain", []byte(err.Error()+"\n"))
	default:
		answer(conn, http.StatusOK, "text/html; charset=utf-8", body)
	}
}

// read returns the file that a URL path names; a directory is its index.html.
func (s *server) read(path string) ([]byte, error) {
	name := filepath.Join(s.root, filepath.FromSlash(filepath.Clean("/"+path)))
	began := time.Now()
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	s.stat.add(time.Since(began))
	if info.IsDir() {
		name = filepath.Join(name, "index.html")
		if info, err = os.Stat(name); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body := make([]byte, info.Size())
	began = time.Now()
	_, err = io.ReadFull(f, body)
	s.readFile.add(time.Since(began))
	return body, err
}

// stopwatch sums up the times of an operation.
type stopwatch struct{ count, total atomic.Int64 }

func (w *stopwatch) add(d time.Duration) {
	w.count.Add(1)
	w.total.Add(int64(d))
}

// mean is in seconds.
func (w *stopwatch) mean() float64 {
	return time.Duration(w.total.Load()).Seconds() / float64(max(w.count.Load(), 1))
}

// answer writes a response. A client that went away is not the server's
// trouble, so errors end the connection silently.
func answer(w io.Writer, status int, contentType string, body []byte) {
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n",
		status, http.StatusText(status), contentType, len(body))
	if _, err := w.Write(head.Bytes()); err == nil {
		w.Write(body)
	}
}

// generate writes page/N.html for N in 0 … files-1, of sizes uniform between
// half and one and a half times the mean.
func generate(dir string, files, mean int, seed uint64) error {
	if err := os.Mkdir(filepath.Join(dir, "page"), 0o755); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range files {
		var page bytes.Buffer
		for length := mean/2 + random.IntN(mean) + 1; page.Len() < length; {
			fmt.Fprintf(&page, "<p>%016x</p>\n", random.Uint64())
		}
		name := filepath.Join(dir, "page", fmt.Sprintf("%d.html", i))
		if err := os.WriteFile(name, page.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
