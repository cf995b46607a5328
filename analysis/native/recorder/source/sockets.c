// Sockets, and waiting for any of several descriptors.
#include "recorder.h"
#include "descriptors.h"
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#define ACCEPTS(name, params, args) \
	STANDS_FOR(name) \
	EXPORT int name params { \
		if (OFF) return REAL(name) args; \
		int r = AROUND(OP_ACCEPT, DESCRIPTOR(f), 0, int, REAL(name) args, v); \
		forget(r); \
		return r; \
	}
ACCEPTS(accept, (int f, struct sockaddr *a, socklen_t *l), (f, a, l))
ACCEPTS(accept4, (int f, struct sockaddr *a, socklen_t *l, int g), (f, a, l, g))

OPERATION(ssize_t, recv, (int f, void *b, size_t n, int g), (f, b, n, g), OP_NET_READ, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, recvfrom, (int f, void *b, size_t n, int g, struct sockaddr *a, socklen_t *l), (f, b, n, g, a, l), OP_NET_READ, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, recvmsg, (int f, struct msghdr *m, int g), (f, m, g), OP_NET_READ, DESCRIPTOR(f), 0, v)
OPERATION(ssize_t, send, (int f, const void *b, size_t n, int g), (f, b, n, g), OP_NET_WRITE, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, sendto, (int f, const void *b, size_t n, int g, const struct sockaddr *a, socklen_t l), (f, b, n, g, a, l), OP_NET_WRITE, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, sendmsg, (int f, const struct msghdr *m, int g), (f, m, g), OP_NET_WRITE, DESCRIPTOR(f), 0, v)
OPERATION(int, connect, (int f, const struct sockaddr *a, socklen_t l), (f, a, l), OP_CONNECT, DESCRIPTOR(f), 0, v)

OPERATION(int, poll, (struct pollfd *p, nfds_t n, int t), (p, n, t), OP_POLL, 0, t, v)
OPERATION(int, ppoll, (struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s), OP_POLL, 0, t ? t->tv_sec * 1000 + t->tv_nsec / 1000000 : -1, v)
OPERATION(int, select, (int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t), (n, r, w, e, t), OP_POLL, 0, t ? t->tv_sec * 1000 + t->tv_usec / 1000 : -1, v)
OPERATION(int, epoll_wait, (int f, struct epoll_event *e, int n, int t), (f, e, n, t), OP_POLL, DESCRIPTOR(f), t, v)
OPERATION(int, epoll_pwait, (int f, struct epoll_event *e, int n, int t, const sigset_t *s), (f, e, n, t, s), OP_POLL, DESCRIPTOR(f), t, v)
