// deep divides a square into four parts, these too, and so on, and counts the smallest under a lock of a library's; then a
// thread works by turns with the first one.
//
//	deep LEVELS TURNS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void enter(pthread_mutex_t *), leave(pthread_mutex_t *);

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turns, turn;
static volatile long smallest;

static void works(int mine) {
	for (int i = 0; i < turns; i++) {
		pthread_mutex_lock(&lock);
		while (turn != mine) pthread_cond_wait(&changed, &lock);
		turn = !mine;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
}

static void *other(void *arg) {
	works(1);
	return arg;
}

static __attribute__((noinline)) int divide(int levels, int part) {
	if (!levels) {
		enter(&busy);
		smallest += part;
		leave(&busy);
		return 1;
	}
	int n = divide(levels - 1, part);
	n += divide(levels - 1, part + 1) * 2;
	n += divide(levels - 1, part + 2) * 3;
	return n + divide(levels - 1, part + 3) * 4;
}

int main(int argc, char **argv) {
	if (argc != 3) {
		fprintf(stderr, "usage: deep LEVELS TURNS\n");
		return 2;
	}
	turns = atoi(argv[2]);
	int n = divide(atoi(argv[1]), 0);
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	works(0);
	pthread_join(t, 0);
	return n == 0;
}
