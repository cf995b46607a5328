// Mutexes, spin locks, read-write locks. Most are free when they are asked for: trying first tells, and one
// record is enough. The record of a release comes before it: after it the lock may be somebody else's, or gone.
#include "recorder.h"
#include <pthread.h>
#include <threads.h>

#define LOCKS(name, T, try, busy, op) \
	STANDS_FOR(name) \
	EXPORT int name(T *m) { \
		if (OFF) return REAL(name)(m); \
		me.inside = 1; \
		struct known *at = HERE; \
		int e; \
		if (at->muted) e = REAL(name)(m); \
		else if ((e = REAL(try)(m)) != (busy)) put((op) | BOTH, at->id, OBJECT(m), e == 0 || e == EOWNERDEAD); \
		else { \
			put(op, at->id, OBJECT(m), 0); \
			e = REAL(name)(m); \
			put((op) | END, at->id, OBJECT(m), e == 0 || e == EOWNERDEAD); \
		} \
		me.inside = 0; \
		return e; \
	}
#define TRIES(name, T, op) \
	STANDS_FOR(name) \
	EXPORT int name(T *m) { \
		if (OFF) return REAL(name)(m); \
		int e = REAL(name)(m); \
		MARK(op, m, e == 0 || e == EOWNERDEAD); \
		return e; \
	}
#define RELEASES(name, T, op) \
	STANDS_FOR(name) \
	EXPORT int name(T *m) { \
		if (OFF) return REAL(name)(m); \
		MARK(op, m, 0); \
		return REAL(name)(m); \
	}
#define TIMED(name, T, params, args, op, good) OPERATION(int, name, params, args, op, m, 0, v == (good))
#define CHANGES(name, T, params, args, op, arg) \
	STANDS_FOR(name) \
	EXPORT int name params { \
		if (!OFF) MARK(op, m, arg); \
		return REAL(name) args; \
	}

TRIES(pthread_mutex_trylock, pthread_mutex_t, OP_TRY_LOCK)
TRIES(pthread_spin_trylock, pthread_spinlock_t, OP_TRY_LOCK)
TRIES(pthread_rwlock_tryrdlock, pthread_rwlock_t, OP_TRY_R_LOCK)
TRIES(pthread_rwlock_trywrlock, pthread_rwlock_t, OP_TRY_LOCK)
TRIES(mtx_trylock, mtx_t, OP_TRY_LOCK)
LOCKS(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, EBUSY, OP_LOCK)
LOCKS(pthread_spin_lock, pthread_spinlock_t, pthread_spin_trylock, EBUSY, OP_LOCK)
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, EBUSY, OP_R_LOCK)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, EBUSY, OP_LOCK)
LOCKS(mtx_lock, mtx_t, mtx_trylock, thrd_busy, OP_LOCK)
RELEASES(pthread_mutex_unlock, pthread_mutex_t, OP_UNLOCK)
RELEASES(pthread_spin_unlock, pthread_spinlock_t, OP_UNLOCK)
RELEASES(pthread_rwlock_unlock, pthread_rwlock_t, OP_R_UNLOCK) // or a writer's: the decoder knows
RELEASES(mtx_unlock, mtx_t, OP_UNLOCK)
TIMED(pthread_mutex_timedlock, pthread_mutex_t, (pthread_mutex_t *m, const struct timespec *t), (m, t), OP_LOCK, 0)
TIMED(pthread_mutex_clocklock, pthread_mutex_t, (pthread_mutex_t *m, clockid_t c, const struct timespec *t), (m, c, t), OP_LOCK, 0)
TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_t, (pthread_rwlock_t *m, const struct timespec *t), (m, t), OP_R_LOCK, 0)
TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_t, (pthread_rwlock_t *m, const struct timespec *t), (m, t), OP_LOCK, 0)
TIMED(mtx_timedlock, mtx_t, (mtx_t *m, const struct timespec *t), (m, t), OP_LOCK, thrd_success)
CHANGES(pthread_mutex_init, pthread_mutex_t, (pthread_mutex_t *m, const pthread_mutexattr_t *a), (m, a), OP_INIT, OP_LOCK)
CHANGES(pthread_rwlock_init, pthread_rwlock_t, (pthread_rwlock_t *m, const pthread_rwlockattr_t *a), (m, a), OP_INIT, OP_R_LOCK)
CHANGES(pthread_spin_init, pthread_spinlock_t, (pthread_spinlock_t *m, int p), (m, p), OP_INIT, OP_LOCK)
CHANGES(pthread_mutex_destroy, pthread_mutex_t, (pthread_mutex_t *m), (m), OP_DESTROY, 0)
CHANGES(pthread_rwlock_destroy, pthread_rwlock_t, (pthread_rwlock_t *m), (m), OP_DESTROY, 0)
CHANGES(pthread_spin_destroy, pthread_spinlock_t, (pthread_spinlock_t *m), (m), OP_DESTROY, 0)
