// pipejobs: the main thread writes numbers of jobs to a pipe, workers read them from it, and write results to another.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int jobsPipe[2], donePipe[2];
struct result { int job; unsigned value; };
static int cost = 60000;

static void *worker(void *unused) {
	int job;
	while (read(jobsPipe[0], &job, sizeof job) == sizeof job) {
		unsigned x = job;
		int n = cost * (1 + job % 4);
		for (int i = 0; i < n; i++) x = x * 1103515245 + 12345 + (x >> 9);
		struct result r = {job, x};
		if (write(donePipe[1], &r, sizeof r) != sizeof r) break;
	}
	return unused;
}
static void *collect(void *a) {
	int n = *(int *)a;
	unsigned sum = 0;
	struct result r;
	for (int i = 0; i < n && read(donePipe[0], &r, sizeof r) == sizeof r; i++) {
		for (int k = 0; k < 20000; k++) r.value = r.value * 69069 + 1;
		sum ^= r.value;
	}
	printf("%u\n", sum);
	return 0;
}
int main(int n, char **args) {
	int workers = n > 1 ? atoi(args[1]) : 2, jobs = n > 2 ? atoi(args[2]) : 4000;
	if (pipe(jobsPipe) || pipe(donePipe)) return 1;
	pthread_t t[64], c;
	for (int i = 0; i < workers; i++) pthread_create(&t[i], 0, worker, 0);
	pthread_create(&c, 0, collect, &jobs);
	for (int i = 0; i < jobs; i++)
		if (write(jobsPipe[1], &i, sizeof i) != sizeof i) return 1;
	close(jobsPipe[1]);
	for (int i = 0; i < workers; i++) pthread_join(t[i], 0);
	pthread_join(c, 0);
}
