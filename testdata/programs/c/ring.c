// Threads that hand on work by a ring without locks, which nothing shows but the probes in it (tierscope.h).
//
//   gcc -O2 -pthread -I../../../analysis/native ring.c -o ring -lm && ./ring TASKS WORKERS
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tierscope.h"

enum { CAPACITY = 8 };

// A bounded queue after Dmitry Vyukov: each slot has the number of the turn in which it may be written or read.
static struct {
	atomic_ulong turn;
	long item;
} slots[CAPACITY];
static atomic_ulong head, tail;

// Waits for the turn of a slot: at first by giving the core away, then for longer and longer.
static void wait_for(unsigned long at, unsigned long turn) {
	enum { YIELDS = 16, LONGEST = 1000000 };
	struct timespec pause = {0, 1000};
	for (int tries = 0; atomic_load(&slots[at % CAPACITY].turn) != turn; tries++) {
		if (tries < YIELDS) {
			sched_yield();
			continue;
		}
		nanosleep(&pause, 0);
		if (pause.tv_nsec < LONGEST) pause.tv_nsec *= 2;
	}
}

static void put(long item) {
	TIERSCOPE_WAIT_PUT(slots);
	unsigned long at = atomic_fetch_add(&tail, 1);
	wait_for(at, at / CAPACITY * 2);
	slots[at % CAPACITY].item = item;
	TIERSCOPE_PUT(slots, item);
	atomic_fetch_add(&slots[at % CAPACITY].turn, 1);
}

static long get(void) {
	TIERSCOPE_WAIT_GET(slots);
	unsigned long at = atomic_fetch_add(&head, 1);
	wait_for(at, at / CAPACITY * 2 + 1);
	long item = slots[at % CAPACITY].item;
	TIERSCOPE_GET(slots, item > 0 ? item : 0);
	atomic_fetch_add(&slots[at % CAPACITY].turn, 1);
	return item;
}

static double compute(long x, int n) {
	double y = x;
	for (int i = 0; i < n; i++) y = sqrt(y * y + i % 7) * 0.999 + 0.1;
	return y;
}

static void *work(void *sum) {
	for (long x; (x = get()) > 0;) {
		TIERSCOPE_FRAGMENT_BEGIN("look");
		double y = compute(x, 100000);
		TIERSCOPE_FRAGMENT_END("look");
		TIERSCOPE_FRAGMENT_BEGIN("render");
		y += compute(x, 200000);
		TIERSCOPE_FRAGMENT_END("render");
		*(double *)sum += y;
	}
	return 0;
}

int main(int n, char **args) {
	if (n != 3) {
		fprintf(stderr, "usage: ring TASKS WORKERS\n");
		return 3;
	}
	int tasks = atoi(args[1]), workers = atoi(args[2]);
	double *sums = calloc(workers, 64), sum = 0;
	pthread_t *threads = calloc(workers, sizeof *threads);
	TIERSCOPE_QUEUE(slots, CAPACITY);
	TIERSCOPE_PARAMETER("workers", workers);
	for (int i = 0; i < workers; i++) pthread_create(&threads[i], 0, work, sums + 8 * i);
	for (int i = 1; i <= tasks; i++) {
		sum += compute(i, 10000);
		put(i);
	}
	TIERSCOPE_CLOSE(slots);
	for (int i = 0; i < workers; i++) {
		unsigned long at = atomic_fetch_add(&tail, 1); // the end is no message
		wait_for(at, at / CAPACITY * 2);
		slots[at % CAPACITY].item = -1;
		atomic_fetch_add(&slots[at % CAPACITY].turn, 1);
	}
	for (int i = 0; i < workers; i++) {
		pthread_join(threads[i], 0);
		sum += sums[8 * i];
	}
	printf("%g\n", sum);
	return 0;
}
