// Futexes that come through syscall(): those of std::atomic::wait, latches, semaphores and futures of libstdc++ and of
// Rust's standard library. Who finds a lock free asks no kernel, so that only waits and those who end them are seen.
#include "recorder.h"
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COMMAND = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME) };

STANDS_FOR(syscall)
EXPORT long syscall(long number, ...) {
	long a[6];
	va_list l;
	va_start(l, number);
	for (int i = 0; i < 6; i++) a[i] = va_arg(l, long);
	va_end(l);
#define ASK REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5])
	if (number != SYS_futex || OFF) return ASK;
	switch (a[1] & COMMAND) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return AROUND(OP_PARK, a[0], (int)a[2], long, ASK, v == 0);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		MARK(OP_UNPARK, a[0], a[2]);
	}
	return ASK;
}
