// OpenMP by libgomp. Its threads wait for each other by instructions that no library call shows; what the compiler made
// of the program's pragmas calls the functions below. libomp, of clang, uses pthreads.
#include "recorder.h"
#include <stdlib.h>
#include <string.h>

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
	if (recorded) put(OP_TEAM, t->context, t->number, (int64_t)OBJECT(t->function));
	t->function(t->data);
	if (recorded) put(OP_TEAM | END, t->context, t->number, 0);
}

// A function that begins a region: its parameters function and data are replaced.
#define REGION(type, name, params, args) \
	type name params; \
	STANDS_FOR(name) \
	EXPORT type name params { \
		if (OFF) return REAL(name) args; \
		me.inside = 1; \
		struct team t = {function, data, __atomic_add_fetch(&teams, 1, __ATOMIC_RELAXED), HERE->id}; \
		put(OP_REGION, t.context, t.number, 0); \
		me.inside = 0; \
		function = member; \
		data = &t; \
		FINISH(type, REAL(name) args) \
	}
#define FINISH(type, call) FINISH_##type(call)
#define FINISH_void(call) call; over(&t);
#define FINISH_unsigned(call) unsigned v = call; over(&t); return v;

static void over(struct team *t) {
	me.inside = 1;
	put(OP_REGION | END, t->context, t->number, 0);
	me.inside = 0;
}

#define BODY void (*function)(void *), void *data, unsigned threads
#define CHUNKED(name) REGION(void, name, (BODY, long from, long to, long by, long chunk, unsigned flags), \
	(function, data, threads, from, to, by, chunk, flags))
#define UNCHUNKED(name) REGION(void, name, (BODY, long from, long to, long by, unsigned flags), \
	(function, data, threads, from, to, by, flags))
REGION(void, GOMP_parallel, (BODY, unsigned flags), (function, data, threads, flags))
REGION(unsigned, GOMP_parallel_reductions, (BODY, unsigned flags), (function, data, threads, flags))
REGION(void, GOMP_parallel_sections, (BODY, unsigned count, unsigned flags), (function, data, threads, count, flags))
CHUNKED(GOMP_parallel_loop_static)
CHUNKED(GOMP_parallel_loop_dynamic)
CHUNKED(GOMP_parallel_loop_guided)
CHUNKED(GOMP_parallel_loop_nonmonotonic_dynamic)
CHUNKED(GOMP_parallel_loop_nonmonotonic_guided)
UNCHUNKED(GOMP_parallel_loop_runtime)
UNCHUNKED(GOMP_parallel_loop_nonmonotonic_runtime)
UNCHUNKED(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// Critical sections have no objects of their own.
static char critical, atomic;
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
WAITS(GOMP_barrier, (void), (), OP_MEET, 0)
WAITS(GOMP_loop_end, (void), (), OP_MEET, 0)
WAITS(GOMP_sections_end, (void), (), OP_MEET, 0)
WAITS(GOMP_critical_start, (void), (), OP_LOCK, &critical)
WAITS(GOMP_critical_name_start, (void **name), (name), OP_LOCK, name)
WAITS(GOMP_atomic_start, (void), (), OP_LOCK, &atomic)
LEAVES(GOMP_critical_end, (void), (), &critical)
LEAVES(GOMP_critical_name_end, (void **name), (name), name)
LEAVES(GOMP_atomic_end, (void), (), &atomic)

// Work that threads of a team share out as they come: pieces of a loop, by the first iteration of each, sections by their
// numbers, and what one of them does for all.
#define SHARES(type, name, params, args, op, got, size, first) \
	type name params; \
	STANDS_FOR(name) \
	EXPORT type name params { \
		if (OFF) return REAL(name) args; \
		me.inside = 1; \
		struct known *at = HERE; \
		type v = REAL(name) args; \
		if (!at->muted) put((op) | BOTH, at->id, (got) ? (uint64_t)(size) : 0, (got) ? (int64_t)(first) : -1); \
		me.inside = 0; \
		return v; \
	}
#define PIECE(name, params, args) SHARES(_Bool, name, params, args, OP_PIECE, v, *last - *first, *first & INT64_MAX)
#define START(name) PIECE(name##_start, (long from, long to, long by, long chunk, long *first, long *last), (from, to, by, chunk, first, last))
#define NEXT(name) PIECE(name##_next, (long *first, long *last), (first, last))
#define LOOP(name) START(name) NEXT(name)
#define LOOP_RUNTIME(name) \
	PIECE(name##_start, (long from, long to, long by, long *first, long *last), (from, to, by, first, last)) NEXT(name)
typedef unsigned long long wide;
#define NEXT_WIDE(name) PIECE(name##_next, (wide *first, wide *last), (first, last))
#define LOOP_WIDE(name) \
	PIECE(name##_start, (_Bool up, wide from, wide to, wide by, wide chunk, wide *first, wide *last), (up, from, to, by, chunk, first, last)) \
	NEXT_WIDE(name)
#define LOOP_WIDE_RUNTIME(name) \
	PIECE(name##_start, (_Bool up, wide from, wide to, wide by, wide *first, wide *last), (up, from, to, by, first, last)) NEXT_WIDE(name)
LOOP(GOMP_loop_dynamic)
LOOP(GOMP_loop_guided)
LOOP(GOMP_loop_nonmonotonic_dynamic)
LOOP(GOMP_loop_nonmonotonic_guided)
LOOP(GOMP_loop_ordered_dynamic)
LOOP(GOMP_loop_ordered_guided)
LOOP_RUNTIME(GOMP_loop_runtime)
LOOP_RUNTIME(GOMP_loop_nonmonotonic_runtime)
LOOP_RUNTIME(GOMP_loop_maybe_nonmonotonic_runtime)
LOOP_WIDE(GOMP_loop_ull_dynamic)
LOOP_WIDE(GOMP_loop_ull_guided)
LOOP_WIDE(GOMP_loop_ull_nonmonotonic_dynamic)
LOOP_WIDE(GOMP_loop_ull_nonmonotonic_guided)
LOOP_WIDE_RUNTIME(GOMP_loop_ull_runtime)
LOOP_WIDE_RUNTIME(GOMP_loop_ull_nonmonotonic_runtime)
LOOP_WIDE_RUNTIME(GOMP_loop_ull_maybe_nonmonotonic_runtime)
SHARES(unsigned, GOMP_sections_start, (unsigned count), (count), OP_PIECE, v, 1, v)
SHARES(unsigned, GOMP_sections_next, (void), (), OP_PIECE, v, 1, v)
SHARES(_Bool, GOMP_single_start, (void), (), OP_SINGLE, v, 1, 0)

// Tasks: who waits for a team, or for the tasks that it made, executes them. What the library keeps of one has our own before it:
// which function it is, where its arguments lie, and where it was made.
struct task {
	void (*function)(void *);
	void (*copy)(void *, void *);
	void *data;
	long offset;
	uint32_t context;
};

static void executed(void *arg) {
	struct task *t = arg;
	int inside = me.inside; // the wait in which it is executed is ours
	me.inside = 0;
	int recorded = on && !me.ended && enter();
	if (recorded) put(OP_TASK, t->context, 0, 0);
	t->function((char *)arg + t->offset);
	if (recorded) put(OP_TASK | END, t->context, 0, 0);
	me.inside = inside;
}

static void copied(void *to, void *from) {
	struct task *t = from;
	memcpy(to, from, sizeof *t);
	t->copy((char *)to + t->offset, t->data);
}

static void unseen(struct known *at) {
	static char told;
	if (!__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED)) put(OP_TASKS | BOTH, at->id, 0, 0);
}

enum { DETACHED = 1 << 13 }; // its event is written into the arguments

void GOMP_task(void (*f)(void *), void *data, void (*copy)(void *, void *), long size, long align, _Bool now, unsigned flags, void **depend, int priority, void *detach);
STANDS_FOR(GOMP_task)
EXPORT void GOMP_task(void (*f)(void *), void *data, void (*copy)(void *, void *), long size, long align, _Bool now, unsigned flags, void **depend, int priority, void *detach) {
	if (OFF) {
		REAL(GOMP_task)(f, data, copy, size, align, now, flags, depend, priority, detach);
		return;
	}
	me.inside = 1;
	struct known *at = HERE;
	if (at->muted || flags & DETACHED) {
		unseen(at);
		me.inside = 0;
		REAL(GOMP_task)(f, data, copy, size, align, now, flags, depend, priority, detach);
		return;
	}
	me.inside = 0;
	long edge = align > 16 ? align : 16, offset = (sizeof(struct task) + edge - 1) / edge * edge;
	char room[offset + size + edge];
	struct task *t = (struct task *)(((uintptr_t)room + edge - 1) / edge * edge);
	*t = (struct task){f, copy, data, offset, at->id};
	if (!copy) memcpy((char *)t + offset, data, size);
	REAL(GOMP_task)(executed, t, copy ? copied : NULL, offset + size, edge, now, flags, depend, priority, detach);
}
WAITS(GOMP_taskwait, (void), (), OP_TASK_WAIT, 0)
WAITS(GOMP_taskgroup_end, (void), (), OP_TASK_WAIT, 0)

// The pieces of a loop that become tasks get their bounds from the library: they are not seen.
#define LOOP_TASKS(name, params, args) \
	void name params; \
	STANDS_FOR(name) \
	EXPORT void name params { \
		if (!OFF) { \
			me.inside = 1; \
			unseen(HERE); \
			me.inside = 0; \
		} \
		REAL(name) args; \
	}
LOOP_TASKS(GOMP_taskloop, (void (*f)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags, unsigned long tasks, int priority, long from, long to, long by), \
	(f, data, copy, size, align, flags, tasks, priority, from, to, by))
LOOP_TASKS(GOMP_taskloop_ull, (void (*f)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags, unsigned long tasks, int priority, wide from, wide to, wide by), \
	(f, data, copy, size, align, flags, tasks, priority, from, to, by))
