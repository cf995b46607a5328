// What a mark of tierscope.h costs: CPU time of a round of a loop without one, and with one.
//
//   gcc -O2 -I../../../analysis/native markcost.c -o markcost && ./markcost ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tierscope.h"

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int n, char **args) {
	if (n != 2) {
		fprintf(stderr, "usage: markcost ROUNDS\n");
		return 3;
	}
	long rounds = atol(args[1]);
	for (int marked = 0; marked < 2; marked++) {
		double begin = now();
		for (long i = 0; i < rounds; i++) {
			__asm__ volatile("" ::: "memory"); // a round is not optimised away
			if (marked) TIERSCOPE_FRAGMENT_BEGIN("round");
		}
		printf("%s %.2f ns\n", marked ? "with a mark" : "without", (now() - begin) / rounds);
	}
	return 0;
}
