package load

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"
)

// transport sends requests and reads answers in the goroutine that asks: HTTP/1.1, a
// connection for every request in flight, kept for the next one. That of net/http
// has two goroutines more for every connection and costs three times the CPU time,
// which is what a generator on one CPU has least of.
type transport struct {
	dialer    net.Dialer
	timeout   time.Duration // of a request
	reconnect bool          // a new connection for every request
	last      string        // what the last line of an answer of lines begins with
	header    http.Header   // of every request; nil: what HTTP needs
	body      string        // of every request, which is then a POST

	mu   sync.Mutex
	idle map[string][]*connection // by scheme and host; the last one was used last
}

// connection is one to a server.
type connection struct {
	net.Conn
	wire   net.Conn // below TLS
	in     *bufio.Reader
	out    *bufio.Writer
	server string // key in idle
	reused bool
}

const (
	readSize  = 16 << 10 // bytes at a time
	writeSize = 1 << 10
)

// RoundTrip sends a request (http.RoundTripper). A server may close a
// connection that nobody uses: then the request is sent again on another one.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	for {
		c, err := t.connect(r.Context(), r.URL)
		if err != nil {
			return nil, err
		}
		answer, err := t.exchange(c, r)
		if err == nil {
			return answer, nil
		}
		c.Close()
		if !c.reused || r.Context().Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, err
		}
	}
}

// connect takes an idle connection or makes one.
func (t *transport) connect(ctx context.Context, u *url.URL) (*connection, error) {
	server := u.Scheme + "://" + u.Host
	t.mu.Lock()
	if idle := t.idle[server]; len(idle) > 0 {
		c := idle[len(idle)-1]
		t.idle[server] = idle[:len(idle)-1]
		t.mu.Unlock()
		c.reused = true
		return c, nil
	}
	t.mu.Unlock()
	port := u.Port()
	if port == "" {
		port = u.Scheme // by its name
	}
	wire, err := t.dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return nil, err
	}
	wire = stamp(wire)
	c := wire
	if u.Scheme == "https" {
		secure := tls.Client(wire, &tls.Config{ServerName: u.Hostname()})
		if err := t.shakeHands(ctx, secure); err != nil {
			wire.Close()
			return nil, err
		}
		c = secure
	}
	return &connection{Conn: c, wire: wire, in: bufio.NewReaderSize(c, readSize), out: bufio.NewWriterSize(c, writeSize), server: server}, nil
}

func (t *transport) shakeHands(ctx context.Context, c *tls.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	return c.HandshakeContext(ctx)
}

// epoch is where the times of answers count from.
var epoch = time.Now()

// arrivedKey is the field of the head of an answer in which the transport leaves when
// its end arrived, in ns since epoch, whatever the server had there.
const arrivedKey = "Tierscope-Arrived"

// arrived is when what was read last from the connection had come: as the kernel stamped it,
// or now.
func (c *connection) arrived() time.Time {
	if s, ok := c.wire.(interface{ arrived() time.Time }); ok {
		return s.arrived()
	}
	return time.Now()
}

// arrivalOf is when the end of an answer that was read had come; at is when it was read.
func arrivalOf(head http.Header, at time.Time) time.Time {
	if v := head[arrivedKey]; len(v) > 0 {
		if ns, err := strconv.ParseInt(v[0], 10, 64); err == nil {
			return epoch.Add(time.Duration(ns))
		}
	}
	return at
}

// exchange sends a request and reads the head of the answer.
func (t *transport) exchange(c *connection, r *http.Request) (*http.Response, error) {
	if err := c.SetDeadline(time.Now().Add(t.timeout)); err != nil {
		return nil, err
	}
	past := time.Unix(1, 0)
	stop := context.AfterFunc(r.Context(), func() { _ = c.SetDeadline(past) }) // fails if it is closed already
	ask := t.ask
	if r.URL.Scheme == lines {
		ask = t.askLine
	}
	answer, err := ask(c, r)
	if err != nil {
		stop()
		return nil, err
	}
	answer.Body = &body{ReadCloser: answer.Body, head: answer.Header, t: t, c: c, stop: stop, keep: !answer.Close && !t.reconnect}
	return answer, nil
}

// ask sends a request of HTTP and reads the head of the answer.
func (t *transport) ask(c *connection, r *http.Request) (*http.Response, error) {
	sent := t.filled(r)
	if err := sent.Write(c.out); err != nil {
		return nil, err
	}
	if err := c.out.Flush(); err != nil {
		return nil, err
	}
	return http.ReadResponse(c.in, r)
}

// body is that of an answer; at its end the connection is idle again.
type body struct {
	io.ReadCloser
	head http.Header
	t    *transport
	c    *connection // nil: given back, or closed
	stop func() bool // watching the context of the request
	keep bool
}

// Read reads the body (io.Reader).
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.release(b.keep)
	}
	return n, err
}

// Close ends the reading; what was not read to its end is of no use any more.
func (b *body) Close() error {
	b.release(false)
	return nil
}

func (b *body) release(keep bool) {
	c := b.c
	if c == nil {
		return
	}
	b.c = nil
	b.head[arrivedKey] = []string{strconv.FormatInt(int64(c.arrived().Sub(epoch)), 10)}
	if !b.stop() || !keep {
		c.Close()
		return
	}
	b.t.mu.Lock()
	defer b.t.mu.Unlock()
	b.t.idle[c.server] = append(b.t.idle[c.server], c)
}

// CloseIdleConnections closes the connections that nobody uses
// (http.Client.CloseIdleConnections).
func (t *transport) CloseIdleConnections() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, cs := range t.idle {
		for _, c := range cs {
			c.Close()
		}
	}
	clear(t.idle)
}
