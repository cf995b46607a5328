package main

import (
	"io"
	"net"
	"net/http"
	"sync"
)

// WANT+ main.main: connect net-write net-read
// WANT+ net/http.(*conn).serve: net-read lock unlock net-write
// WANT+ main.https.func2: accept spawn accept
func https() {
	var mu sync.Mutex
	n := 0
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		mu.Unlock()
		io.WriteString(w, "hello")
	})}
	go func() { srv.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	check(err)
	_, err = io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
	check(err)
	_, err = io.ReadAll(c)
	check(err)
	check(c.Close())
}
