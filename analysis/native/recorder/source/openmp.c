// OpenMP by libgomp. Its threads wait for each other by instructions that no library call shows; what the compiler made
// of the program's pragmas calls the functions below. libomp, of clang, uses pthreads.
#include "recorder.h"
#include <stdlib.h>

// A parallel region: all threads of a team execute one function. Its records tell when each began and ended.
struct team {
	void (*function)(void *);
	void *data;
	uint64_t number;
	uint32_t context;
};
static uint64_t teams;

static void member(void *arg) {
	struct team *t = arg;
	int recorded = on && !me.ended && enter();
	if (recorded) put(OP_TEAM, t->context, t->number, 0);
	t->function(t->data);
	if (recorded) put(OP_TEAM | END, t->context, t->number, 0);
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);
STANDS_FOR(GOMP_parallel)
EXPORT void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) {
	if (OFF) {
		REAL(GOMP_parallel)(function, data, threads, flags);
		return;
	}
	me.inside = 1;
	struct team t = {function, data, __atomic_add_fetch(&teams, 1, __ATOMIC_RELAXED), HERE->id};
	put(OP_REGION, t.context, t.number, 0);
	me.inside = 0;
	REAL(GOMP_parallel)(member, &t, threads, flags);
	me.inside = 1;
	put(OP_REGION | END, t.context, t.number, 0);
	me.inside = 0;
}

// Barriers and critical sections have no objects of their own.
static char barrier, critical, atomic;
#define WAITS(name, params, args, op, object) \
	void name params; \
	STANDS_FOR(name) \
	EXPORT void name params { \
		if (OFF) { \
			REAL(name) args; \
			return; \
		} \
		me.inside = 1; \
		struct known *at = HERE; \
		if (!at->muted) put(op, at->id, OBJECT(object), 0); \
		REAL(name) args; \
		if (!at->muted) put((op) | END, at->id, OBJECT(object), 1); \
		me.inside = 0; \
	}
#define LEAVES(name, params, args, object) \
	void name params; \
	STANDS_FOR(name) \
	EXPORT void name params { \
		if (!OFF) MARK(OP_UNLOCK, object, 0); \
		REAL(name) args; \
	}
WAITS(GOMP_barrier, (void), (), OP_BARRIER, &barrier)
WAITS(GOMP_critical_start, (void), (), OP_LOCK, &critical)
WAITS(GOMP_critical_name_start, (void **name), (name), OP_LOCK, name)
WAITS(GOMP_atomic_start, (void), (), OP_LOCK, &atomic)
LEAVES(GOMP_critical_end, (void), (), &critical)
LEAVES(GOMP_critical_name_end, (void **name), (name), name)
LEAVES(GOMP_atomic_end, (void), (), &atomic)

// Loops whose iterations threads take piece by piece: the first of a piece is the value of a counter.
#define SHARES(name, T) \
	_Bool name(T *from, T *to); \
	STANDS_FOR(name) \
	EXPORT _Bool name(T *from, T *to) { \
		if (OFF) return REAL(name)(from, to); \
		me.inside = 1; \
		struct known *at = HERE; \
		_Bool more = REAL(name)(from, to); \
		if (!at->muted) put(OP_PIECE | BOTH, at->id, more ? (uint64_t)(*to - *from) : 0, more ? (int64_t)*from : -1); \
		me.inside = 0; \
		return more; \
	}
SHARES(GOMP_loop_dynamic_next, long)
SHARES(GOMP_loop_guided_next, long)
SHARES(GOMP_loop_nonmonotonic_dynamic_next, long)
SHARES(GOMP_loop_nonmonotonic_guided_next, long)
