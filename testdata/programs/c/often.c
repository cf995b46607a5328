// often locks a mutex very often, and then starts a thread that works by turns with the first one.
//
//	often TIMES TURNS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turns, turn;

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

int main(int argc, char **argv) {
	if (argc != 3) {
		fprintf(stderr, "usage: often TIMES TURNS\n");
		return 2;
	}
	turns = atoi(argv[2]);
	volatile long sum = 0;
	for (long i = 0, n = atol(argv[1]); i < n; i++) {
		pthread_mutex_lock(&busy);
		sum += i;
		pthread_mutex_unlock(&busy);
	}
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	works(0);
	pthread_join(t, 0);
	return 0;
}
