//go:build !linux

package load

import "net"

// stamp returns the connection as it is: answers are taken to arrive when they are read.
func stamp(c net.Conn) net.Conn { return c }
