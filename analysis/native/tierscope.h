// tierscope.h: probes that a programmer puts into C or C++ source where Tierscope cannot see by itself what a program
// does (Tarvo & Reiss, simulation paper, §IV). There is nothing to link: without the recorder each is a load and a
// branch that is not taken. Names are string literals, or live as long as the program.
#ifndef TIERSCOPE_H
#define TIERSCOPE_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
extern void tierscope_mark(int what, const void *object, int64_t value) __attribute__((weak));
#ifdef __cplusplus
}
#endif
#define TIERSCOPE_MARK(what, object, value) \
	do { \
		if (tierscope_mark) tierscope_mark(what, (const void *)(uintptr_t)(object), (int64_t)(value)); \
	} while (0)

// A task (request, transaction) is taken up by this thread, or leaves the program or goes to another pool. id: a number
// that says which, the same at both ends.
#define TIERSCOPE_TASK_RECEIVE(id) TIERSCOPE_MARK(0, 0, id)
#define TIERSCOPE_TASK_SEND(id) TIERSCOPE_MARK(1, 0, id)

// A queue that no lock shows: a lock-free ring, a list behind an atomic. queue: an address. A thread may begin to wait
// before it puts or gets; item: what is moved, the same at both ends, not 0. CLOSE: no more comes; who then gets
// nothing says so by the item 0.
#define TIERSCOPE_QUEUE(queue, capacity) TIERSCOPE_MARK(2, queue, capacity)
#define TIERSCOPE_WAIT_PUT(queue) TIERSCOPE_MARK(3, queue, 0)
#define TIERSCOPE_WAIT_GET(queue) TIERSCOPE_MARK(4, queue, 0)
#define TIERSCOPE_PUT(queue, item) TIERSCOPE_MARK(5, queue, (uintptr_t)(item))
#define TIERSCOPE_GET(queue, item) TIERSCOPE_MARK(6, queue, (uintptr_t)(item))
#define TIERSCOPE_CLOSE(queue) TIERSCOPE_MARK(7, queue, 0)

// A code fragment: what lies between is computed under this name.
#define TIERSCOPE_FRAGMENT_BEGIN(name) TIERSCOPE_MARK(8, name, 0)
#define TIERSCOPE_FRAGMENT_END(name) TIERSCOPE_MARK(9, name, 0)

// A number from outside that decides something inside: threads of a pool, the capacity of a queue.
#define TIERSCOPE_PARAMETER(name, value) TIERSCOPE_MARK(10, name, value)
#endif
