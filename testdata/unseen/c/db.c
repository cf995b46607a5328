/* db: clients read and write records under a read-write lock; a write also goes to a log under a mutex, which takes a moment. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static double table[1 << 16];
static int threads = 4, operations = 4000, writes = 20, span = 20000;
static long logged;

static double scan(unsigned from) {
	double s = 0;
	for (int i = 0; i < span; i++)
		s += table[(from + i * 13u) & 0xffff] * 1.0000001;
	return s;
}
static void append(void) {
	pthread_mutex_lock(&log_lock);
	struct timespec t = {0, 300000};
	nanosleep(&t, NULL);
	logged++;
	pthread_mutex_unlock(&log_lock);
}
static void *client(void *arg) {
	long me = (long)arg;
	unsigned seed = 77 + me;
	double *sum = malloc(sizeof *sum);
	*sum = 0;
	for (int i = me; i < operations; i += threads) {
		seed = seed * 1103515245u + 12345u;
		if ((unsigned)i * 2654435761u % 100 < (unsigned)writes) {
			pthread_rwlock_wrlock(&table_lock);
			for (int k = 0; k < span / 4; k++)
				table[(seed + k) & 0xffff] += 1;
			pthread_rwlock_unlock(&table_lock);
			append();
		} else {
			pthread_rwlock_rdlock(&table_lock);
			*sum += scan(seed);
			pthread_rwlock_unlock(&table_lock);
		}
	}
	return sum;
}
int main(int argc, char **argv) {
	int c;
	while ((c = getopt(argc, argv, "t:n:w:s:")) != -1)
		switch (c) {
		case 't': threads = atoi(optarg); break;
		case 'n': operations = atoi(optarg); break;
		case 'w': writes = atoi(optarg); break;
		case 's': span = atoi(optarg); break;
		}
	pthread_t *t = calloc(threads, sizeof *t);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, client, (void *)i);
	double sum = 0;
	for (int i = 0; i < threads; i++) {
		void *r;
		pthread_join(t[i], &r);
		sum += *(double *)r;
	}
	printf("%.0f logged %ld\n", sum, logged);
	return 0;
}
