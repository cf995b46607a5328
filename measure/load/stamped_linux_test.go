package load

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// An answer that lies in the kernel, because nobody reads it yet, has come when the
// server wrote it.
func TestAnAnswerComesWhenItIsThereNotWhenItIsRead(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	s, ok := stamp(c).(*stamped)
	if !ok {
		t.Fatal("this kernel stamps no packets")
	}
	// The kernel begins to stamp packets for the first who asks when one of its own threads comes to it: until then they are
	// stamped as they are read.
	p := make([]byte, 100)
	for began, asIsRead := time.Now(), true; asIsRead; {
		if time.Since(began) > time.Minute {
			t.Fatal("a minute after it was asked to, the kernel stamps no packets")
		}
		if _, err := server.Write([]byte("first")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		reads := time.Now()
		if _, err := s.Read(p); err != nil {
			t.Fatal(err)
		}
		asIsRead = s.arrived().After(reads.Add(-10 * time.Millisecond))
	}
	wrote := time.Now()
	if _, err := server.Write([]byte("answer")); err != nil {
		t.Fatal(err)
	}
	written := time.Now()
	time.Sleep(20 * time.Millisecond)
	if n, err := s.Read(p); err != nil || string(p[:n]) != "answer" {
		t.Fatalf("%q, %v", p[:n], err)
	}
	const clock = time.Millisecond // by which two clocks that are read one after the other may differ
	if came := s.arrived(); came.Before(wrote.Add(-clock)) || came.After(written.Add(clock)) {
		t.Errorf("the answer came %v after it was written", came.Sub(written))
	}
	server.Close()
	if _, err := s.Read(p); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v, want EOF", err)
	}
	if came := s.arrived(); came.After(written.Add(clock)) {
		t.Errorf("the end of the connection is taken for that of the answer, %v later", came.Sub(written))
	}
	if err := s.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(p); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("past the deadline: %v, want a timeout", err)
	}
}
