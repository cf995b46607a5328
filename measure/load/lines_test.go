package load

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"tierscope/analysis/trace"
)

// shelf answers "get k" with two lines, of which the last is END, and hangs up on anything else.
func shelf(t *testing.T) (address string, asked func() map[string]int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	lines := map[string]int{}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for in := bufio.NewScanner(c); in.Scan(); {
					mu.Lock()
					lines[in.Text()]++
					mu.Unlock()
					if !strings.HasPrefix(in.Text(), "get ") {
						return
					}
					fmt.Fprintf(c, "VALUE %s 1\r\nEND\r\n", in.Text()[4:])
				}
			}()
		}
	}()
	return l.Addr().String(), func() map[string]int { mu.Lock(); defer mu.Unlock(); return lines }
}

func TestRequestsMayBeLinesOfText(t *testing.T) {
	address, asked := shelf(t)
	for name, l := range map[string]trace.Load{
		"open":   {Rate: 200},
		"closed": {Connections: 2, Think: 0.005},
	} {
		l.URL, l.Targets, l.End, l.Duration = "tcp://"+address, []string{"get a/b?c %d:3"}, "END", 0.2
		r, err := Drive(t.Context(), l, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		want := len("VALUE a/b?c 0 1\r\nEND\r\n")
		for _, h := range r.Hits {
			if h.Error != "" || h.Bytes != int64(want) && l.Rate == 0 || h.End < h.Sent { // vegeta counts no bytes of an answer that does not say its length
				t.Fatalf("%s: a request was answered like this: %+v, want %d bytes", name, h, want)
			}
		}
		if len(r.Hits) < 10 || r.Failures > 0 {
			t.Errorf("%s: %d requests, %d of them failed", name, len(r.Hits), r.Failures)
		}
	}
	if got := asked(); got["get a/b?c 0"] == 0 || got["get a/b?c 2"] == 0 || len(got) != 3 {
		t.Errorf("the server was asked for %v", got)
	}
}

func TestAServerThatHangsUpHasNotAnswered(t *testing.T) {
	address, _ := shelf(t)
	_, err := Drive(t.Context(), trace.Load{URL: "tcp://" + address, Targets: []string{"put a"}, Rate: 50, Duration: 0.2}, Hooks{})
	if err == nil || !strings.Contains(err.Error(), "failed, the first with") {
		t.Errorf("the error is %v", err)
	}
}

func TestLinesNeedTargets(t *testing.T) {
	if err := Check(trace.Load{URL: "tcp://127.0.0.1:1", Rate: 1, Duration: 1}); err == nil || !strings.Contains(err.Error(), "the lines to send") {
		t.Errorf("the error is %v", err)
	}
}
