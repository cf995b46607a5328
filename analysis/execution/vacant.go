package execution

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"tierscope/analysis/trace"
)

// vacancy is how long an address of this machine may take to answer before it counts as
// vacant.
const vacancy = time.Second

// Vacant returns an error if somebody answers on this machine where a server that has not
// been started yet is to be asked: it would be analysed, or measured, instead.
func Vacant(ctx context.Context, l *trace.Load) error {
	if l == nil {
		return nil
	}
	var errs []error
	asked := map[string]bool{}
	for _, where := range []string{l.URL, l.Ready} {
		address := addressOf(where)
		if address == "" || asked[address] || !ours(ctx, address) {
			continue
		}
		asked[address] = true
		d := net.Dialer{Timeout: vacancy}
		conn, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			continue
		}
		conn.Close()
		errs = append(errs, fmt.Errorf("%s answers before the program was started%s: end that, or let the program listen elsewhere", address, listener(address)))
	}
	return errors.Join(errs...)
}

// addressOf is the host:port of a URL or of host:port; "" if it is neither.
func addressOf(where string) string {
	if !strings.Contains(where, "://") {
		if _, _, err := net.SplitHostPort(where); err != nil {
			return ""
		}
		return where
	}
	u, err := url.Parse(where)
	if err != nil || u.Host == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// ours reports whether an address is one of this machine.
func ours(ctx context.Context, address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "" {
		return true
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return false
	}
	local, _ := net.InterfaceAddrs() // without them, only loopback is known to be ours
	for _, a := range addresses {
		ip := net.ParseIP(a)
		if ip.IsLoopback() || ip.IsUnspecified() {
			return true
		}
		for _, l := range local {
			if n, ok := l.(*net.IPNet); ok && n.IP.Equal(ip) {
				return true
			}
		}
	}
	return false
}
