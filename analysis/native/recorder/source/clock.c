// CPU time of a thread without a system call. Each thread has an area that it shares with the kernel (rseq(2)).
// When the kernel takes the thread off its core, or gives it a signal, it clears the pointer rseq_cs there, unless
// the thread is in the critical section that it points to. Ours points to a section without an instruction, so
// it is always cleared. While it is not, the thread has not been off its core, and what it has used is what has gone by.
#include "recorder.h"
#include <stddef.h>
#include <linux/rseq.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel looks for a signature before the address to which a section is left, and kills without one.
#if defined __x86_64__
__asm__(".pushsection .text\n.long 0x53053053\n.hidden recorder_abort\n.globl recorder_abort\nrecorder_abort: ud2\n.popsection");
#else
__asm__(".pushsection .text\n.long 0xd428bc00\n.hidden recorder_abort\n.globl recorder_abort\nrecorder_abort: brk #1\n.popsection");
#endif
extern char recorder_abort[] __attribute__((visibility("hidden")));
static struct rseq_cs nothing __attribute__((aligned(32)));

extern const ptrdiff_t __rseq_offset __attribute__((weak)); // of glibc 2.35 and later
extern const unsigned __rseq_size __attribute__((weak));
static ptrdiff_t area; // from the thread pointer; 0: there is none

static inline struct rseq *ours(void) { return (struct rseq *)((char *)__builtin_thread_pointer() + area); }

uint64_t nanoseconds(clockid_t c) {
	struct timespec t;
	clock_gettime(c, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

uint64_t threadCPU(uint64_t now) {
	if (UNLIKELY(!area)) return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	if (UNLIKELY(ours()->rseq_cs != (uint64_t)&nothing)) { // or the program's allocator uses it, too
		__atomic_store_n(&ours()->rseq_cs, (uint64_t)&nothing, __ATOMIC_RELAXED);
		uint64_t cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
		me.base = cpu - (uint64_t)(ticks() * file->perTick);
	}
	return me.base + (uint64_t)(now * file->perTick);
}

static void nap(void) {
	struct timespec t = {0, 100000};
	syscall(SYS_nanosleep, &t, 0);
}

// works tries whether the kernel clears the pointer of a thread that sleeps.
static int works(void) {
	uint64_t before = ours()->rseq_cs;
	__atomic_store_n(&ours()->rseq_cs, (uint64_t)&nothing, __ATOMIC_RELAXED);
	nap();
	int cleared = ours()->rseq_cs != (uint64_t)&nothing;
	__atomic_store_n(&ours()->rseq_cs, before, __ATOMIC_RELAXED);
	return cleared;
}

void startClock(void) {
	uint64_t t0 = ticks(), m0 = nanoseconds(CLOCK_MONOTONIC), m1;
	const uint64_t span = 1000000; // ns; the clock is exact to some 25
	do m1 = nanoseconds(CLOCK_MONOTONIC); while (m1 - m0 < span);
	file->perTick = (double)(m1 - m0) / (double)(ticks() - t0);
	nothing.start_ip = nothing.abort_ip = (uint64_t)recorder_abort;
	if (&__rseq_size && __rseq_size > 0 && !getenv("TIERSCOPE_NORSEQ")) {
		area = __rseq_offset;
		if (!works()) area = 0;
	}
	file->rseq = area != 0;
}
