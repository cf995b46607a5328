// Conditions, semaphores, barriers. The argument of a wait for a condition is the lock that it gives back.
#include "recorder.h"
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#define SIGNALS(name, T, op) \
	STANDS_FOR(name) \
	EXPORT int name(T *c) { \
		if (OFF) return REAL(name)(c); \
		MARK(op, c, 1); \
		return REAL(name)(c); \
	}
#define CHANGES(name, params, args, op, object, arg) \
	STANDS_FOR(name) \
	EXPORT int name params { \
		if (!OFF) MARK(op, object, arg); \
		return REAL(name) args; \
	}
#define WITH(n) ((int64_t)(n) << 16)

OPERATION(int, pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m), OP_COND_WAIT, c, (int64_t)OBJECT(m), v == 0)
OPERATION(int, pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t), (c, m, t), OP_COND_WAIT, c, (int64_t)OBJECT(m), v == 0)
OPERATION(int, pthread_cond_clockwait, (pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, const struct timespec *t), (c, m, k, t), OP_COND_WAIT, c, (int64_t)OBJECT(m), v == 0)
OPERATION(int, cnd_wait, (cnd_t *c, mtx_t *m), (c, m), OP_COND_WAIT, c, (int64_t)OBJECT(m), v == thrd_success)
OPERATION(int, cnd_timedwait, (cnd_t *c, mtx_t *m, const struct timespec *t), (c, m, t), OP_COND_WAIT, c, (int64_t)OBJECT(m), v == thrd_success)
SIGNALS(pthread_cond_signal, pthread_cond_t, OP_SIGNAL)
SIGNALS(pthread_cond_broadcast, pthread_cond_t, OP_BROADCAST)
SIGNALS(cnd_signal, cnd_t, OP_SIGNAL)
SIGNALS(cnd_broadcast, cnd_t, OP_BROADCAST)
CHANGES(pthread_cond_init, (pthread_cond_t *c, const pthread_condattr_t *a), (c, a), OP_INIT, c, OP_COND_WAIT)
CHANGES(pthread_cond_destroy, (pthread_cond_t *c), (c), OP_DESTROY, c, 0)

STANDS_FOR(sem_wait)
STANDS_FOR(sem_trywait)
EXPORT int sem_trywait(sem_t *s) {
	if (OFF) return REAL(sem_trywait)(s);
	int e = REAL(sem_trywait)(s), err = errno;
	MARK(OP_TRY_ACQUIRE, s, e == 0);
	errno = err;
	return e;
}
EXPORT int sem_wait(sem_t *s) {
	if (OFF) return REAL(sem_wait)(s);
	me.inside = 1;
	struct known *at = HERE;
	int e = REAL(sem_trywait)(s);
	if (e == 0) put(OP_ACQUIRE | BOTH, at->id, OBJECT(s), 1);
	else {
		put(OP_ACQUIRE, at->id, OBJECT(s), 1);
		e = CALL(int, REAL(sem_wait)(s));
		int err = errno;
		put(OP_ACQUIRE | END, at->id, OBJECT(s), e == 0);
		errno = err;
	}
	me.inside = 0;
	return e;
}
OPERATION(int, sem_timedwait, (sem_t *s, const struct timespec *t), (s, t), OP_ACQUIRE, s, 1, v == 0)
OPERATION(int, sem_clockwait, (sem_t *s, clockid_t c, const struct timespec *t), (s, c, t), OP_ACQUIRE, s, 1, v == 0)
SIGNALS(sem_post, sem_t, OP_RELEASE)
CHANGES(sem_init, (sem_t *s, int p, unsigned n), (s, p, n), OP_INIT, s, OP_ACQUIRE | WITH(n))
CHANGES(sem_destroy, (sem_t *s), (s), OP_DESTROY, s, 0)
OPERATION(int, pthread_barrier_wait, (pthread_barrier_t *b), (b), OP_BARRIER, b, 0, 1)
CHANGES(pthread_barrier_init, (pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n), (b, a, n), OP_INIT, b, OP_BARRIER | WITH(n))
CHANGES(pthread_barrier_destroy, (pthread_barrier_t *b), (b), OP_DESTROY, b, 0)
