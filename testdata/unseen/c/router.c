// router: a reader puts packets in one of two rings, workers look up routes under a read-write lock, an updater changes routes.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RING 64
struct packet { unsigned to, len; };
static struct packet ring[RING];
static int head, tail, count, over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notEmpty = PTHREAD_COND_INITIALIZER, notFull = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static unsigned routes[4096];
static volatile int stop;
static unsigned long long sent[64];
static int work = 3000;

static unsigned mix(unsigned x, int n) {
	for (int i = 0; i < n; i++) x = x * 1664525 + 1013904223 + (x >> 7);
	return x;
}
static void *reader(void *a) {
	int packets = *(int *)a;
	unsigned seed = 42;
	for (int i = 0; i < packets; i++) {
		seed = mix(seed, 400);
		pthread_mutex_lock(&lock);
		while (count == RING) pthread_cond_wait(&notFull, &lock);
		ring[tail].to = seed;
		ring[tail].len = 64 + seed % 1400;
		tail = (tail + 1) % RING;
		count++;
		pthread_cond_signal(&notEmpty);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	over = 1;
	pthread_cond_broadcast(&notEmpty);
	pthread_mutex_unlock(&lock);
	return 0;
}
static void *forward(void *a) {
	long me = (long)a;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (!count && !over) pthread_cond_wait(&notEmpty, &lock);
		if (!count) {
			pthread_mutex_unlock(&lock);
			return 0;
		}
		struct packet p = ring[head];
		head = (head + 1) % RING;
		count--;
		pthread_cond_signal(&notFull);
		pthread_mutex_unlock(&lock);
		pthread_rwlock_rdlock(&table);
		unsigned hop = routes[p.to % 4096];
		hop = mix(hop ^ p.to, work);
		pthread_rwlock_unlock(&table);
		sent[me] += mix(hop, p.len * 20) % 7;
	}
}
static void *update(void *unused) {
	unsigned x = 1;
	while (!stop) {
		usleep(5000);
		pthread_rwlock_wrlock(&table);
		for (int i = 0; i < 4096; i++) routes[i] = x = mix(x, 20);
		pthread_rwlock_unlock(&table);
	}
	return unused;
}
int main(int n, char **args) {
	int threads = 2, packets = 30000, o;
	while ((o = getopt(n, args, "t:n:w:")) != -1) {
		if (o == 't') threads = atoi(optarg);
		else if (o == 'n') packets = atoi(optarg);
		else if (o == 'w') work = atoi(optarg);
		else return 2;
	}
	pthread_t r, u, t[64];
	pthread_create(&u, 0, update, 0);
	for (long i = 0; i < threads; i++) pthread_create(&t[i], 0, forward, (void *)i);
	pthread_create(&r, 0, reader, &packets);
	pthread_join(r, 0);
	for (int i = 0; i < threads; i++) pthread_join(t[i], 0);
	stop = 1;
	pthread_join(u, 0);
	unsigned long long all = 0;
	for (int i = 0; i < threads; i++) all += sent[i];
	printf("%llu\n", all);
}
