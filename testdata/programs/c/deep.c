// deep divides a square into four parts, these too, and so on, and counts the smallest under a lock of a library's; then a
// thread works by turns with the first one.
//
//	deep LEVELS TURNS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "turns.h"

void enter(pthread_mutex_t *), leave(pthread_mutex_t *);

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static volatile long smallest;

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
	int n = divide(atoi(argv[1]), 0);
	byTurns(atoi(argv[2]));
	return n == 0;
}
