// Stack samples, by a timer on the CPU clock of each thread. TIERSCOPE_HZ says how many in a second of CPU; without it there are none.
#include "recorder.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

int unwindFrom(uint64_t from, struct context *c);

static long hz;
static int number;             // of the signal
enum { MOST = CONTEXTS / 2 };  // of the contexts are samples

static uint64_t counter(const ucontext_t *u) {
#if defined __x86_64__
	return u->uc_mcontext.gregs[REG_RIP];
#else
	return u->uc_mcontext.pc;
#endif
}

static void sample(int signal, siginfo_t *info, void *context) {
	(void)signal, (void)info;
	me.ticked++;
	if (!on || me.inside || me.ended || !me.id || file->contexts >= MOST) return; // inside, locks of the loader may be held
	int err = errno;
	me.inside = 1;
	struct context c;
	memset(&c, 0, sizeof c);
	if (unwindFrom(counter(context), &c)) {
		uint64_t id = __atomic_add_fetch(&file->contexts, 1, __ATOMIC_RELAXED);
		*((struct context *)((char *)file + PAGE) + id) = c;
		put(OP_SAMPLE | BOTH, id, 0, 0);
	}
	me.inside = 0;
	errno = err;
}

void startSampling(void) {
	const char *text = getenv("TIERSCOPE_HZ");
	hz = text ? atol(text) : 0;
	if (hz <= 0) return;
	number = SIGRTMAX - 3;
	struct sigaction a = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigaction(number, &a, 0);
}

// sampleThread gives the thread its timer, which ends with it.
void sampleThread(void) {
	if (hz <= 0) return;
	enum { OF_THREAD = 4, SCHEDULER = 2, CLOCK_BITS = 3 }; // include/linux/posix-timers.h
	clockid_t clock = (clockid_t)(~(unsigned)syscall(SYS_gettid) << CLOCK_BITS | OF_THREAD | SCHEDULER);
	struct sigevent e;
	memset(&e, 0, sizeof e);
	e.sigev_notify = SIGEV_THREAD_ID;
	e.sigev_signo = number;
	e._sigev_un._tid = syscall(SYS_gettid);
	int timer;
	long ns = 1000000000l / hz;
	struct itimerspec s = {{0, ns}, {0, ns}};
	if (!syscall(SYS_timer_create, clock, &e, &timer)) syscall(SYS_timer_settime, timer, 0, &s, 0);
}
