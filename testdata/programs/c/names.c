// names does what it is called: two threads that lock a mutex, if its name ends in "lock".
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(int argc, char **argv) {
	size_t n = strlen(argv[0]);
	if (n < 4 || strcmp(argv[0] + n - 4, "lock")) {
		fprintf(stderr, "%s: the name says nothing\n", argv[0]);
		return 2;
	}
	pthread_t t[2];
	for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, locks, 0);
	for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	return argc < 1;
}
