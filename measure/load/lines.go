package load

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
)

// lines is the scheme of servers to which requests are lines of text, such as memcached and Redis: the path is the line.
const lines = "tcp"

// askLine sends a line; its answer is what comes up to its last line.
func (t *transport) askLine(c *connection, r *http.Request) (*http.Response, error) {
	if _, err := c.out.WriteString(strings.TrimPrefix(r.URL.Path, "/") + "\r\n"); err != nil {
		return nil, err
	}
	if err := c.out.Flush(); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: http.StatusText(http.StatusOK), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(&answerLines{in: c.in, last: []byte(t.last)}),
	}, nil
}

// answerLines reads up to the line that begins with last.
type answerLines struct {
	in   *bufio.Reader
	last []byte
	line []byte // what of the line was not read yet
	over bool   // it is the last
}

// Read reads the lines (io.Reader).
func (a *answerLines) Read(p []byte) (int, error) {
	if len(a.line) == 0 {
		if a.over {
			return 0, io.EOF
		}
		line, err := a.in.ReadBytes('\n')
		switch {
		case err == io.EOF:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		a.line, a.over = line, bytes.HasPrefix(line, a.last)
	}
	n := copy(p, a.line)
	a.line = a.line[n:]
	return n, nil
}
