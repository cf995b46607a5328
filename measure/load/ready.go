package load

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// Await polls until a server answers: ready is a URL that must not answer
// with a server error, or a host:port that must accept a connection. exited,
// if not nil, tells that the server has ended, after which waiting is vain.
func Await(ctx context.Context, ready string, exited <-chan struct{}) error {
	const (
		patience = 30 * time.Second
		pause    = 10 * time.Millisecond
	)
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %v", patience))
	defer cancel()
	var last error
	for {
		if last = knock(ctx, ready); last == nil {
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("load: the server ended before it answered at %s (%w)", ready, last)
		case <-ctx.Done():
			return fmt.Errorf("load: waiting for the server at %s: %w (last: %w)", ready, context.Cause(ctx), last)
		case <-time.After(pause):
		}
	}
}

func knock(ctx context.Context, ready string) error {
	if !strings.Contains(ready, "://") {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", ready)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, ready, nil)
	if err != nil {
		return err
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode >= 500 {
		return fmt.Errorf("status %s", response.Status)
	}
	return nil
}
