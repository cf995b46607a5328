package load

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// filled is a request with the headers and the body of the load.
func (t *transport) filled(r *http.Request) *http.Request {
	sent := *r
	sent.Close = t.reconnect
	if t.header != nil {
		sent.Header = t.header
		sent.Host = t.header.Get("Host")
	}
	if t.body != "" {
		sent.Method = http.MethodPost
		sent.Body, sent.ContentLength = io.NopCloser(strings.NewReader(t.body)), int64(len(t.body))
	}
	return &sent
}

// headers reads lines of the form "Name: value" (RFC 9110, §5).
func headers(all []string) (http.Header, error) {
	var h http.Header
	for _, line := range all {
		name, value, colon := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !colon || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, fmt.Errorf("header %q: a line such as \"Accept-Encoding: gzip\" was expected", line)
		}
		if h == nil {
			h = http.Header{}
		}
		h.Add(name, value)
	}
	return h, nil
}
