package load

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"tierscope/analysis/trace"
)

// In a closed loop and in an open one every request has the headers and the body of the load, and is a POST if it has one.
func TestRequestsHaveTheHeadersAndTheBodyOfTheLoad(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{\"n\": 3}"} {
		for _, load := range []trace.Load{{Connections: 2}, {Rate: 200}} {
			type seen struct{ method, encoding, host, body string }
			var came sync.Map
			s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				text, _ := io.ReadAll(r.Body)
				came.Store(seen{r.Method, r.Header.Get("Accept-Encoding"), r.Host, string(text)}, true)
			}))
			load.URL, load.Duration, load.Body = s.URL, 0.1, body
			load.Headers = []string{"Accept-Encoding: gzip", "Host: shop.example"}
			_, err := Drive(t.Context(), load, Hooks{})
			s.Close()
			want := seen{http.MethodGet, "gzip", "shop.example", body}
			if body != "" {
				want.method = http.MethodPost
			}
			_, all := came.LoadAndDelete(want)
			if err != nil || !all {
				t.Fatalf("%+v: no request %+v came (%v)", load, want, err)
			}
			came.Range(func(other, _ any) bool {
				t.Errorf("%+v: a request %+v, want %+v", load, other, want)
				return true
			})
		}
	}
}

func TestAHeaderThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	fine := trace.Load{URL: "http://127.0.0.1:1", Connections: 1, Duration: 1}
	for _, bad := range []string{"gzip", ": gzip", "Accept Encoding: gzip", "A: b\r\nC: d"} {
		l := fine
		l.Headers = []string{bad}
		if Check(l) == nil {
			t.Errorf("header %q is taken", bad)
		}
	}
	lines := trace.Load{URL: "tcp://127.0.0.1:1", Targets: []string{"get"}, Connections: 1, Duration: 1, Body: "x"}
	if Check(lines) == nil {
		t.Error("a body is taken for lines of text")
	}
}
