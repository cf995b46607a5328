// often locks a mutex very often, and then starts a thread that works by turns with the first one.
//
//	often TIMES TURNS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv) {
	if (argc != 3) {
		fprintf(stderr, "usage: often TIMES TURNS\n");
		return 2;
	}
	volatile long sum = 0;
	for (long i = 0, n = atol(argv[1]); i < n; i++) {
		pthread_mutex_lock(&busy);
		sum += i;
		pthread_mutex_unlock(&busy);
	}
	byTurns(atoi(argv[2]));
	return 0;
}
