// Sleeps, signals that are waited for, and other processes.
#include "recorder.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND = 1000000000 };
static int64_t span(const struct timespec *t) { return t->tv_sec * (int64_t)SECOND + t->tv_nsec; }

// left is how long a sleep until a time of a clock takes.
static int64_t left(clockid_t c, int flags, const struct timespec *t) {
	return flags & TIMER_ABSTIME ? span(t) - (int64_t)nanoseconds(c) : span(t);
}

OPERATION(int, nanosleep, (const struct timespec *t, struct timespec *r), (t, r), OP_SLEEP, 0, span(t), v)
OPERATION(int, clock_nanosleep, (clockid_t c, int g, const struct timespec *t, struct timespec *r), (c, g, t, r), OP_SLEEP, 0, left(c, g, t), v)
OPERATION(int, usleep, (useconds_t u), (u), OP_SLEEP, 0, u * 1000ll, v)
OPERATION(unsigned, sleep, (unsigned s), (s), OP_SLEEP, 0, s * (int64_t)SECOND, v)
OPERATION(int, sigwait, (const sigset_t *s, int *n), (s, n), OP_SIGNALLED, 0, 0, v)
OPERATION(int, sigwaitinfo, (const sigset_t *s, siginfo_t *i), (s, i), OP_SIGNALLED, 0, 0, v)
OPERATION(int, sigtimedwait, (const sigset_t *s, siginfo_t *i, const struct timespec *t), (s, i, t), OP_SIGNALLED, 0, 0, v)
OPERATION(int, sigsuspend, (const sigset_t *s), (s), OP_SIGNALLED, 0, 0, v)
OPERATION(int, pause, (void), (), OP_SIGNALLED, 0, 0, v)

// childTime is the CPU time of the children that were waited for so far, ns.
static int64_t childTime(void) {
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * (int64_t)SECOND + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000ll;
}
#define WAITS(ret, name, params, args) \
	STANDS_FOR(name) \
	EXPORT ret name params { \
		if (OFF) return REAL(name) args; \
		int64_t before = childTime(); \
		return AROUND(OP_EXTERNAL, 0, 0, ret, REAL(name) args, childTime() - before); \
	}
WAITS(pid_t, wait, (int *s), (s))
WAITS(pid_t, waitpid, (pid_t p, int *s, int g), (p, s, g))
WAITS(pid_t, wait4, (pid_t p, int *s, int g, struct rusage *u), (p, s, g, u))
WAITS(int, system, (const char *c), (c))
