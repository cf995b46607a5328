// Futures of libstdc++ (std::promise, std::packaged_task). Room for a result is made with its state. The result is there when the
// flag of the state has been used once; who asks for one that is there already asks nobody, but calls the first virtual function
// after the state's destructors (std::__future_base::_State_baseV2::_M_complete_async). So a state with a result gets a table of
// virtual functions in which that one tells us. States of std::async join their thread there and are left alone, as are those that
// nobody computes ahead.
#include "recorder.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// What a state is, in every release of GCC since 5.
struct state {
	void **functions;
	void *result;
	uint32_t status; // at which a thread waits for the result
	uint8_t retrieved;
	pthread_once_t once;
};
enum { ONCE_DONE = 2, KINDS = 64, FUNCTIONS = 8, COMPLETE = 2, FAMILY = 23 };

// A kind of states: a table of functions, which the number and the type of the object lie in front of.
struct kind {
	void **functions; // 0: is not known yet
	void (*complete)(struct state *);
	void *table[2 + FUNCTIONS];
	int ready;
};
static struct kind kinds[KINDS];
static int known;

static void asked(struct state *s) {
	struct kind *k = (struct kind *)((char *)(s->functions - 2) - offsetof(struct kind, table));
	if (!OFF) MARK(OP_AWAIT, &s->status, 1);
	k->complete(s);
}

// readable copies what may not be there.
static int readable(void *to, const void *from, size_t n) {
	struct iovec here = {to, n}, there = {(void *)from, n};
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

// same compares the beginning of a type's name, which has a star before it if no other unit can name the type.
static int same(const char *name, const char *with) { return !strncmp(name + (*name == '*'), with, FAMILY); }

// isPromise reports whether functions are those of a state whose result another thread finds.
static int isPromise(void **functions, void **table) {
	struct { void *functions; const char *name; } type;
	char name[FAMILY + 1];
	return readable(table, functions - 2, (2 + FUNCTIONS) * sizeof *table) && !table[0] && readable(&type, table[1], sizeof type) &&
		readable(name, type.name, sizeof name) && (same(name, "NSt13__future_base11_Task_state") || same(name, "NSt13__future_base13_State_baseV2"));
}

// kindOf is the kind of states with these functions; 0: they are none, or there are too many.
static struct kind *kindOf(void **functions) {
	int n = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
	for (int i = 0; i < n && i < KINDS; i++)
		if (__atomic_load_n(&kinds[i].ready, __ATOMIC_ACQUIRE) && kinds[i].functions == functions) return &kinds[i];
	void *table[2 + FUNCTIONS];
	if (n >= KINDS || !isPromise(functions, table) || (n = __atomic_fetch_add(&known, 1, __ATOMIC_ACQ_REL)) >= KINDS) return 0;
	struct kind *k = &kinds[n]; // two threads may make one kind twice
	memcpy(k->table, table, sizeof table);
	k->functions = functions;
	k->complete = (void (*)(struct state *))table[2 + COMPLETE];
	k->table[2 + COMPLETE] = asked;
	__atomic_store_n(&k->ready, 1, __ATOMIC_RELEASE);
	return k;
}

void _ZNSt13__future_base12_Result_baseC2Ev(void *result); // std::__future_base::_Result_base::_Result_base()
STANDS_FOR(_ZNSt13__future_base12_Result_baseC2Ev)
EXPORT void _ZNSt13__future_base12_Result_baseC2Ev(void *result) {
	if (!OFF) MARK(OP_INIT, result, OP_DONE);
	REAL(_ZNSt13__future_base12_Result_baseC2Ev)(result);
}

// The function that is called once computes the result of a task; whoever waits learns of it when this has returned.
STANDS_FOR(pthread_once)
EXPORT int pthread_once(pthread_once_t *once, void (*f)(void)) {
	struct state *s = (struct state *)((char *)once - offsetof(struct state, once));
	if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == ONCE_DONE || OFF) return REAL(pthread_once)(once, f);
	int e = REAL(pthread_once)(once, f);
	void **functions;
	struct kind *k;
	if (readable(&functions, s, sizeof functions) && (k = kindOf(functions))) {
		MARK(OP_DONE, &s->status, (int64_t)OBJECT(s->result));
		__atomic_store_n(&s->functions, k->table + 2, __ATOMIC_RELEASE);
	}
	return e;
}
