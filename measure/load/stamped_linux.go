package load

import (
	"encoding/binary"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stamped is a connection that knows when what it read last had arrived: the kernel
// stamps packets as they come (SO_TIMESTAMPNS, socket(7)). Who asks may be waiting for its
// own core then, behind other answers that it reads and requests that it sends; that is not
// the server's doing.
type stamped struct {
	*net.TCPConn

	raw  syscall.RawConn
	last time.Time
}

func (s *stamped) arrived() time.Time { return s.last }

// stamp returns the connection with stamps, or as it is where the kernel has none.
func stamp(c net.Conn) net.Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	refused := error(nil)
	if err := raw.Control(func(fd uintptr) { refused = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) }); err != nil || refused != nil {
		return c
	}
	return &stamped{TCPConn: tcp, raw: raw}
}

// Read reads (io.Reader).
func (s *stamped) Read(p []byte) (n int, err error) {
	var control [64]byte
	var used int
	var failed error
	err = s.raw.Read(func(fd uintptr) bool {
		for {
			n, used, _, _, failed = unix.Recvmsg(int(fd), p, control[:], 0)
			if failed != unix.EINTR {
				return failed != unix.EAGAIN
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case failed != nil:
		return 0, &net.OpError{Op: "read", Net: "tcp", Source: s.LocalAddr(), Addr: s.RemoteAddr(), Err: failed}
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	s.last = arrival(control[:used], time.Now())
	return n, nil
}

// arrival is the time in a control message, on the clocks of now. Those of stamps may be
// set while a program runs, so only how long ago it was counts.
func arrival(control []byte, now time.Time) time.Time {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return now
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= 16 {
			s, ns := binary.NativeEndian.Uint64(m.Data), binary.NativeEndian.Uint64(m.Data[8:])
			return now.Add(min(0, time.Unix(int64(s), int64(ns)).Sub(now)))
		}
	}
	return now
}
