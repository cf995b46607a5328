// The C counterpart of go/planted: five modules, and one dependency of the kind that is asked for (lock or none), which no
// call shows. A module's own work is a wait for something outside the program.
//
//   gcc -g -O1 -pthread -finstrument-functions planted.c -o planted && ./planted lock 40
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t vat = PTHREAD_MUTEX_INITIALIZER;
static int locked, times;

__attribute__((no_instrument_function)) static void outside(void) {
	struct timespec t = {0, 1000000};
	nanosleep(&t, 0);
}

__attribute__((noinline)) static void brew(void) {
	if (locked) pthread_mutex_lock(&vat);
	outside();
	if (locked) pthread_mutex_unlock(&vat);
}

__attribute__((noinline)) static void bake(void) {
	if (locked) pthread_mutex_lock(&vat);
	outside();
	if (locked) pthread_mutex_unlock(&vat);
}

__attribute__((noinline)) static void carve(void) { outside(); }
__attribute__((noinline)) static void dye(void) { outside(); }
__attribute__((noinline)) static void etch(void) { outside(); }

typedef void (*module)(void);

__attribute__((no_instrument_function)) static void *each(void *m) {
	for (int i = 0; i < times; i++) ((module)m)();
	return 0;
}

int main(int argc, char **argv) {
	if (argc != 3) return fprintf(stderr, "usage: planted lock|none TIMES\n"), 2;
	locked = !strcmp(argv[1], "lock"), times = atoi(argv[2]);
	module modules[] = {brew, bake, carve, dye, etch};
	pthread_t threads[5];
	for (int i = 0; i < 5; i++) pthread_create(&threads[i], 0, each, (void *)modules[i]);
	for (int i = 0; i < 5; i++) pthread_join(threads[i], 0);
	return 0;
}
