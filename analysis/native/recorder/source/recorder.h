// What the parts of the recorder share: the format of the recording, the state of a thread, and the macros of
// which the functions are made that stand between the program and the C library.
#ifndef RECORDER_H
#define RECORDER_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdint.h>
#include <time.h>
#include "operations.h" // made of package trace: OP_LOCK, …

#define EXPORT __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// The recording is one file, mapped shared, so that it outlives the process: a head, the calling contexts, and
// chunks of records of one thread each. Numbers are the machine's own, little-endian.
enum { CHUNK = 1 << 14, DEPTH = 10, CONTEXTS = 1 << 15, RECENT = 8, PAGE = 4096 };

struct record {
	uint64_t ticks, cpu; // cpu: ns that the thread has used
	uint64_t object;
	int64_t arg;
	uint32_t context;
	uint16_t op, unused; // op is written last: a record without is not there
};
enum { END = 0x100, BOTH = 0x200 }; // BOTH: began and ended here, nobody had to wait

struct chunk {
	uint32_t thread, os;
	uint64_t ticks, mono; // when it was begun, by two clocks
	uint64_t unused[2];
	struct record records[];
};
enum { PER_CHUNK = (CHUNK - sizeof(struct chunk)) / sizeof(struct record) };

struct context {
	uint64_t n, ip[DEPTH]; // return addresses, innermost first
};

struct head {
	char magic[8];
	uint32_t version, pid;
	uint64_t size, next; // bytes: of the file, in use
	uint64_t contexts, main, full, rseq;
	uint64_t unwound, checked, wrong; // contexts: unwound, compared with a full unwinding, found different
	uint64_t children;                // processes that the program made
	uint64_t lost;                    // contexts that there was no room for
	uint64_t execs;                   // times that the program put itself in its own place
	uint64_t startCPU;                // ns that the process had used when the recorder was ready
	uint64_t replaced;                // times that it put another program there
	double perTick;                   // ns
	double cost;                      // ns that a record costs
};
enum { HEAD = PAGE + CONTEXTS * sizeof(struct context) };

extern struct head *file;
extern int on; // records are made

// A known calling context: at[i] is where, counted from the frame of the operation, the return address ip[i] lies.
struct known {
	struct known *next;
	uint64_t ip[DEPTH];
	int32_t at[DEPTH];
	uint32_t n, id, muted, fitsAll; // fitsAll: has no callers, as there are too many with one
};

struct thread {
	struct record *next, *past;
	uint64_t base;   // CPU time is base + ticks
	char *top;       // end of its stack; 0: not known
	uint64_t blocks; // that it has read from disks
	uint32_t id, os, ticked;
	int inside, ended; // inside: of the recorder, nothing is recorded
	int endings;
	struct known *recent[RECENT]; // contexts that it was in
};
extern __thread struct thread me __attribute__((tls_model("initial-exec")));

#if defined __x86_64__
#include <x86intrin.h>
static inline uint64_t ticks(void) { return __rdtsc(); }
enum { CALL_SLOT = 8 }; // the return address lies so many bytes below the frame of the caller
#elif defined __aarch64__
static inline uint64_t ticks(void) { uint64_t v; __asm__ volatile("mrs %0, cntvct_el0" : "=r"(v)); return v; }
enum { CALL_SLOT = 0 }; // in a register
#else
#error "the recorder knows x86-64 and arm64"
#endif

uint64_t nanoseconds(clockid_t c);
uint64_t threadCPU(uint64_t now); // clock.c: ns that this thread has used, at ticks now
int newChunk(void);               // recording.c
int enter(void);                  // threads.c: gives a thread that nobody saw begin its number
struct known *contextOf(uint64_t returnAddress, char *frame);
void startClock(void);
void startContexts(const char *mute);
void startSampling(void);
void sampleThread(void);
void noteStack(void);
void noteMaps(void);
void noteName(const char *name); // in pieces of 8 bytes; the decoder knows it by its address
void resolveAll(void);
void *resolve(const char *name, void **where);

// put writes a record of what happens now.
static inline void putAt(uint64_t now, uint64_t cpu, unsigned op, uint32_t context, uint64_t object, int64_t arg) {
	if (UNLIKELY(me.next == me.past) && !newChunk()) return;
	struct record *r = me.next++;
	r->ticks = now;
	r->cpu = cpu;
	r->object = object;
	r->arg = arg;
	r->context = context;
	__atomic_store_n(&r->op, (uint16_t)op, __ATOMIC_RELEASE);
}
static inline void put(unsigned op, uint32_t context, uint64_t object, int64_t arg) {
	uint64_t now = ticks();
	putAt(now, threadCPU(now), op, context, object, arg);
}

// The functions of the C library that are stood in for. All are looked up when the recorder starts: later, the
// lookup might need a lock that the program's own allocator takes through one of them.
struct real {
	const char *name;
	void **where;
};
#define STANDS_FOR(name) \
	static __typeof__(name) *real_##name; \
	static struct real entry_##name __attribute__((section("reals"), used)) = {#name, (void **)&real_##name};
#define REAL(name) (LIKELY(real_##name) ? real_##name : (__typeof__(name) *)resolve(#name, (void **)&real_##name))

#define OFF UNLIKELY(!on || me.inside || me.ended || !enter())
#define HERE contextOf((uint64_t)__builtin_return_address(0), (char *)__builtin_dwarf_cfa())
#define OBJECT(o) ((uint64_t)(uintptr_t)(o))

// A call that our sampling interrupted is called again: the program knows nothing of it.
#define CALL(type, call) ({ \
	type v_; \
	uint32_t ticked_; \
	do { ticked_ = me.ticked; v_ = call; } while (UNLIKELY((long)v_ == -1 && errno == EINTR && me.ticked != ticked_)); \
	v_; })

// An operation with a record before it and one after it.
#define AROUND(op, object, arg, type, call, result) ({ \
	me.inside = 1; \
	struct known *at_ = HERE; \
	type v; \
	if (at_->muted) { v = CALL(type, call); } else { \
		put(op, at_->id, OBJECT(object), arg); \
		v = CALL(type, call); \
		int err_ = errno; \
		put((op) | END, at_->id, OBJECT(object), result); \
		errno = err_; \
	} \
	me.inside = 0; \
	v; })

// An operation at which nobody waits: one record.
#define MARK(op, object, arg) do { \
	me.inside = 1; \
	struct known *at_ = HERE; \
	if (!at_->muted) put((op) | BOTH, at_->id, OBJECT(object), arg); \
	me.inside = 0; \
} while (0)

// A function of the library whose call is an operation.
#define OPERATION(ret, name, params, args, op, object, arg, result) \
	STANDS_FOR(name) \
	EXPORT ret name params { \
		if (OFF) return REAL(name) args; \
		return AROUND(op, object, arg, ret, REAL(name) args, result); \
	}
#endif
