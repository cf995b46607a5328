/* pyramid - smooths a picture level by level with a thread pool; each level waits for the one before
 * usage: pyramid -j threads -l levels -s size -b band */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task { int from, to; struct task *next; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static struct task *first, *last;
static int outstanding, quit, size = 700, levels = 8, band = 20, jobs = 2;
static float *src, *dst;

static void smooth(struct task *t) {
	for (int y = t->from; y < t->to; y++)
		for (int x = 0; x < size; x++) {
			float s = 0;
			int n = 0;
			for (int j = y - 2; j <= y + 2; j++)
				for (int i = x - 2; i <= x + 2; i++)
					if (j >= 0 && j < size && i >= 0 && i < size) { s += src[j * size + i]; n++; }
			dst[y * size + x] = s / n;
		}
}

static void *helper(void *arg) {
	(void)arg;
	pthread_mutex_lock(&m);
	for (;;) {
		while (!first && !quit) pthread_cond_wait(&more, &m);
		if (!first) break;
		struct task *t = first;
		first = t->next;
		if (!first) last = NULL;
		pthread_mutex_unlock(&m);
		smooth(t);
		free(t);
		pthread_mutex_lock(&m);
		if (--outstanding == 0) pthread_cond_broadcast(&finished);
	}
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv) {
	int c;
	while ((c = getopt(argc, argv, "j:l:s:b:")) != -1) switch (c) {
		case 'j': jobs = atoi(optarg); break;
		case 'l': levels = atoi(optarg); break;
		case 's': size = atoi(optarg); break;
		case 'b': band = atoi(optarg); break;
		default: return 2;
	}
	src = calloc(size * size, sizeof *src);
	dst = calloc(size * size, sizeof *dst);
	for (int i = 0; i < size * size; i++) src[i] = i * 2654435761u >> 24;
	pthread_t *t = calloc(jobs, sizeof *t);
	for (int i = 0; i < jobs; i++) pthread_create(&t[i], NULL, helper, NULL);
	for (int l = 0; l < levels; l++) {
		for (int y = 0; y < size; y += band) {
			struct task *k = malloc(sizeof *k);
			k->from = y; k->to = y + band < size ? y + band : size; k->next = NULL;
			pthread_mutex_lock(&m);
			if (last) last->next = k; else first = k;
			last = k;
			outstanding++;
			pthread_cond_signal(&more);
			pthread_mutex_unlock(&m);
		}
		pthread_mutex_lock(&m);
		while (outstanding) pthread_cond_wait(&finished, &m);
		pthread_mutex_unlock(&m);
		float *x = src; src = dst; dst = x;
	}
	pthread_mutex_lock(&m);
	quit = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < jobs; i++) pthread_join(t[i], NULL);
	double sum = 0;
	for (int i = 0; i < size * size; i++) sum += src[i];
	printf("%g\n", sum);
	return 0;
}
