package load

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tierscope/analysis/trace"
)

// counted starts a server that counts its connections.
func counted(t *testing.T, h http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var made atomic.Int64
	s := httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s, &made
}

// A user's requests go over one connection, whatever the form of the answers; with
// Reconnect each has its own.
func TestConnectionsAreKeptForTheNextRequestUnlessEachIsToHaveItsOwn(t *testing.T) {
	t.Parallel()
	const requests = 5
	for _, reconnect := range []bool{false, true} {
		s, made := counted(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/chunks":
				w.Write(bytes.Repeat([]byte("x"), 100_000))
				w.(http.Flusher).Flush()
				w.Write([]byte("end"))
			case "/empty":
				w.WriteHeader(http.StatusNoContent)
			default:
				w.Write([]byte("hello"))
			}
		})
		g := &generator{client: newClient(trace.Load{Reconnect: reconnect})}
		for i := range requests {
			path := []string{"/", "/chunks", "/empty"}[i%3]
			n, _, err := g.fetch(t.Context(), s.URL+path)
			if want := []int64{5, 100_003, 0}[i%3]; err != nil || n != want {
				t.Errorf("%s: %d bytes (%v), want %d", path, n, err, want)
			}
		}
		want := int64(1)
		if reconnect {
			want = requests
		}
		if n := made.Load(); n != want {
			t.Errorf("reconnect %v: %d connections for %d requests, want %d", reconnect, n, requests, want)
		}
		g.client.CloseIdleConnections()
	}
}

// RFC 9112, §9.3.1: a client may send a request again, on a new connection, if the one
// that it had kept was closed before the answer.
func TestARequestIsSentAgainIfTheConnectionHadBeenClosed(t *testing.T) {
	t.Parallel()
	s, made := counted(t, func(http.ResponseWriter, *http.Request) {})
	g := &generator{client: newClient(trace.Load{})}
	for range 2 {
		if _, _, err := g.fetch(t.Context(), s.URL); err != nil {
			t.Fatal(err)
		}
		s.CloseClientConnections()
	}
	if n := made.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestAnAnswerThatDoesNotComeInTimeIsAFailure(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	s, made := counted(t, func(http.ResponseWriter, *http.Request) { <-end })
	defer close(end)
	g := &generator{client: newClient(trace.Load{Timeout: 0.02})}
	if _, _, err := g.fetch(t.Context(), s.URL); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a server that does not answer: %v, want a timeout", err)
	}
	if n := made.Load(); n != 1 {
		t.Errorf("%d connections, want 1: a request that may be in work is not sent again", n)
	}
}
