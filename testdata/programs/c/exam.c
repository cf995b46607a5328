// What every front end is examined with (package analysis/targettest): WORKERS threads take TASKS numbers from a
// queue of capacity 4, compute, and add to a sum under a lock. gcc -O2 -pthread exam.c -lm
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CAPACITY = 4 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	int ring[CAPACITY], first, items, closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .room = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void send(int x) {
	pthread_mutex_lock(&queue.lock);
	while (queue.items == CAPACITY) pthread_cond_wait(&queue.room, &queue.lock);
	queue.ring[(queue.first + queue.items++) % CAPACITY] = x;
	pthread_cond_signal(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

static int receive(int *x) {
	pthread_mutex_lock(&queue.lock);
	while (queue.items == 0 && !queue.closed) pthread_cond_wait(&queue.filled, &queue.lock);
	int got = queue.items > 0;
	if (got) {
		*x = queue.ring[queue.first];
		queue.first = (queue.first + 1) % CAPACITY;
		queue.items--;
		pthread_cond_signal(&queue.room);
	}
	pthread_mutex_unlock(&queue.lock);
	return got;
}

static void finish(void) {
	pthread_mutex_lock(&queue.lock);
	queue.closed = 1;
	pthread_cond_broadcast(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

static double compute(int x) {
	double y = x;
	for (int i = 0; i < 100000; i++) y = sqrt(y * y + i % 7) * 0.999 + 0.1;
	return y;
}

static void *work(void *unused) {
	int x;
	while (receive(&x)) {
		double y = compute(x);
		pthread_mutex_lock(&lock);
		sum += y;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(int n, char **args) {
	if (n != 3) {
		fprintf(stderr, "usage: exam TASKS WORKERS\n");
		return 3;
	}
	int tasks = atoi(args[1]), workers = atoi(args[2]);
	pthread_t *threads = calloc(workers, sizeof *threads);
	for (int i = 0; i < workers; i++) pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < tasks; i++) send(i);
	usleep(100000); // nothing comes for a while, so that workers wait
	finish();
	for (int i = 0; i < workers; i++) pthread_join(threads[i], 0);
	printf("%g\n", sum);
	free(threads);
	return 0;
}
