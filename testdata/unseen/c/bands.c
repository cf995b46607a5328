/* Bands of pictures: each worker has a lock, a condition and a status, who launches it waits for it with the same lock, and
 * does a band itself meanwhile. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum status { OFF, READY, WORK };
struct worker {
	pthread_mutex_t mu;
	pthread_cond_t cond;
	enum status status;
	pthread_t thread;
	int picture, from, to;
	uint64_t sum;
};
static int width = 6000, height = 120;

static uint64_t band(int picture, int from, int to) {
	uint64_t s = picture;
	for (int y = from; y < to; y++)
		for (int x = 0; x < width; x++) {
			s = s * 6364136223846793005u + (uint64_t)(x ^ y);
			s ^= s >> 29;
		}
	return s;
}

static void *loop(void *arg) {
	struct worker *w = arg;
	for (int done = 0; !done;) {
		pthread_mutex_lock(&w->mu);
		while (w->status == READY)
			pthread_cond_wait(&w->cond, &w->mu);
		if (w->status == WORK) {
			w->sum = band(w->picture, w->from, w->to);
			w->status = READY;
		} else {
			done = 1;
		}
		pthread_cond_signal(&w->cond);
		pthread_mutex_unlock(&w->mu);
	}
	return NULL;
}

static void change(struct worker *w, enum status status) {
	pthread_mutex_lock(&w->mu);
	while (w->status != READY)
		pthread_cond_wait(&w->cond, &w->mu);
	if (status != READY) {
		w->status = status;
		pthread_cond_signal(&w->cond);
	}
	pthread_mutex_unlock(&w->mu);
}

int main(int argc, char **argv) {
	int n = 3, pictures = 300, c;
	while ((c = getopt(argc, argv, "t:p:")) != -1) {
		if (c == 't')
			n = atoi(optarg);
		else if (c == 'p')
			pictures = atoi(optarg);
		else
			return 2;
	}
	struct worker *ws = calloc(n, sizeof *ws);
	for (int i = 1; i < n; i++) {
		pthread_mutex_init(&ws[i].mu, NULL);
		pthread_cond_init(&ws[i].cond, NULL);
		ws[i].status = READY;
		pthread_create(&ws[i].thread, NULL, loop, &ws[i]);
	}
	uint64_t sum = 0;
	for (int k = 0; k < pictures; k++) {
		for (int i = 1; i < n; i++) {
			ws[i].picture = k;
			ws[i].from = i * height / n;
			ws[i].to = (i + 1) * height / n;
			change(&ws[i], WORK);
		}
		sum += band(k, 0, height / n);
		for (int i = 1; i < n; i++) {
			change(&ws[i], READY);
			sum += ws[i].sum;
		}
	}
	for (int i = 1; i < n; i++) {
		change(&ws[i], OFF);
		pthread_join(ws[i].thread, NULL);
	}
	printf("%llx\n", (unsigned long long)sum);
	free(ws);
	return 0;
}
