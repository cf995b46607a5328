// Threads: who starts them, when they begin and end, who waits for their ends.
#include "recorder.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static uint32_t threads = 1; // numbers given
static pthread_key_t key;
static pthread_once_t keyMade = PTHREAD_ONCE_INIT;

// A thread has ended when its last destructor of thread-specific data is called: others may use locks before.
static void ended(void *unused) {
	enum { LAST = 3 }; // of PTHREAD_DESTRUCTOR_ITERATIONS, 4
	if (++me.endings < LAST && !pthread_setspecific(key, &me)) return;
	(void)unused;
	if (on && !me.ended) put(OP_THREAD_END | BOTH, 0, 0, 0);
	me.ended = 1;
}
static void makeKey(void) { pthread_key_create(&key, ended); }

static void began(uint32_t id, const void *function) {
	me.inside = 1;
	me.id = id;
	noteStack();
	pthread_once(&keyMade, makeKey);
	pthread_setspecific(key, &me); // is called after pthread_exit and cancellation, too
	put(OP_THREAD_BEGIN | BOTH, 0, OBJECT(function), 0);
	sampleThread();
	me.inside = 0;
}

// enter gives a thread that was made by something else, clone(2) or a library that calls the C library's own, its number.
int enter(void) {
	if (LIKELY(me.id)) return 1;
	began(__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED), 0);
	return 1;
}

struct start {
	void *(*function)(void *);
	void *arg;
	const void *named;
	uint32_t id;
	int used;
};

// Threads that are about to begin. What is in the program's heap stays where it is without us, but for more of them at a time.
enum { BEGINNING = 64 };
static struct start beginning[BEGINNING];

static struct start *newStart(void) {
	for (int i = 0; i < BEGINNING; i++)
		if (!__atomic_exchange_n(&beginning[i].used, 1, __ATOMIC_ACQUIRE)) return &beginning[i];
	return malloc(sizeof(struct start));
}

static void done(struct start *s) {
	if (s >= beginning && s < beginning + BEGINNING) __atomic_store_n(&s->used, 0, __ATOMIC_RELEASE);
	else free(s);
}

static void *begin(void *arg) {
	struct start s = *(struct start *)arg;
	done(arg);
	began(s.id, s.named);
	return s.function(s.arg);
}

// nameOf is the function that a thread executes: one of std::thread begins in libstdc++, with an object whose
// third virtual function, after two destructors, is the program's (std::thread::_State::_M_run).
static const void *nameOf(void *(*function)(void *), void *arg) {
	Dl_info d;
	if (arg && dladdr((void *)function, &d) && d.dli_fname && strstr(d.dli_fname, "libstdc++")) return (*(const void ***)arg)[2];
	return (const void *)function;
}

STANDS_FOR(pthread_create)
static int create(struct known *at, pthread_t *t, const pthread_attr_t *attr, void *(*function)(void *), void *arg) {
	struct start *s = newStart();
	if (!s) return EAGAIN;
	*s = (struct start){function, arg, nameOf(function, arg), __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED), 1};
	uint32_t id = s->id;
	put(OP_SPAWN, at->id, 0, id);
	int e = REAL(pthread_create)(t, attr, begin, s);
	if (e) done(s);
	put(OP_SPAWN | END, at->id, e ? 0 : OBJECT(*t), e ? -1 : (int64_t)id);
	return e;
}

EXPORT int pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*function)(void *), void *arg) {
	if (OFF) return REAL(pthread_create)(t, attr, function, arg);
	me.inside = 1;
	int e = create(HERE, t, attr, function, arg);
	me.inside = 0;
	return e;
}

STANDS_FOR(thrd_create)
EXPORT int thrd_create(thrd_t *t, thrd_start_t function, void *arg) {
	if (OFF) return REAL(thrd_create)(t, function, arg);
	me.inside = 1;
	int e = create(HERE, t, 0, (void *(*)(void *))(uintptr_t)function, arg); // its int is read from the register of a pointer
	me.inside = 0;
	return e == 0 ? thrd_success : e == ENOMEM || e == EAGAIN ? thrd_nomem : thrd_error;
}

OPERATION(int, pthread_join, (pthread_t t, void **r), (t, r), OP_JOIN, t, 0, v == 0)
OPERATION(int, pthread_timedjoin_np, (pthread_t t, void **r, const struct timespec *a), (t, r, a), OP_JOIN, t, 0, v == 0)
OPERATION(int, pthread_clockjoin_np, (pthread_t t, void **r, clockid_t c, const struct timespec *a), (t, r, c, a), OP_JOIN, t, 0, v == 0)
OPERATION(int, thrd_join, (thrd_t t, int *r), (t, r), OP_JOIN, t, 0, v == thrd_success)
OPERATION(int, sched_yield, (void), (), OP_YIELD, 0, 0, v)
