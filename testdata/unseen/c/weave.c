/* weave: spinners make threads, weavers take them; classic bounded buffer of semaphores.
 * usage: weave -s spinners -w weavers -b bolts -r room -e effort */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t empty, full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t *room;
static int size = 6, in, out, spinners = 2, weavers = 3, bolts = 3000, effort = 60000;
static uint64_t cloth;

static uint64_t work(uint64_t x, int n) {
	for (int i = 0; i < n; i++) x = x * 6364136223846793005ull + 1442695040888963407ull;
	return x;
}

static void put(uint64_t x) {
	sem_wait(&empty);
	pthread_mutex_lock(&lock);
	room[in] = x;
	in = (in + 1) % size;
	pthread_mutex_unlock(&lock);
	sem_post(&full);
}

static uint64_t get(void) {
	sem_wait(&full);
	pthread_mutex_lock(&lock);
	uint64_t x = room[out];
	out = (out + 1) % size;
	pthread_mutex_unlock(&lock);
	sem_post(&empty);
	return x;
}

static void *spinner(void *arg) {
	long me = (long)arg;
	for (int i = me; i < bolts; i += spinners) put(work(i + 1, effort) | 1);
	return NULL;
}

static void *weaver(void *arg) {
	(void)arg;
	uint64_t mine = 0, x;
	while ((x = get()) != 0) mine ^= work(x, 3 * effort);
	pthread_mutex_lock(&lock);
	cloth ^= mine;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv) {
	int c;
	while ((c = getopt(argc, argv, "s:w:b:r:e:")) != -1) switch (c) {
		case 's': spinners = atoi(optarg); break;
		case 'w': weavers = atoi(optarg); break;
		case 'b': bolts = atoi(optarg); break;
		case 'r': size = atoi(optarg); break;
		case 'e': effort = atoi(optarg); break;
		default: return 2;
	}
	room = calloc(size, sizeof *room);
	sem_init(&empty, 0, size);
	sem_init(&full, 0, 0);
	pthread_t s[64], w[64];
	for (long i = 0; i < spinners; i++) pthread_create(&s[i], NULL, spinner, (void *)i);
	for (int i = 0; i < weavers; i++) pthread_create(&w[i], NULL, weaver, NULL);
	for (int i = 0; i < spinners; i++) pthread_join(s[i], NULL);
	for (int i = 0; i < weavers; i++) put(0);
	for (int i = 0; i < weavers; i++) pthread_join(w[i], NULL);
	printf("%016llx\n", (unsigned long long)cloth);
}
