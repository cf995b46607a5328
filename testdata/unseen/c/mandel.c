/* mandel - draws the Mandelbrot set with a small thread pool
 *
 * usage: mandel [-t threads] [-s size] [-T tile] [-i iterations]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct job {
	void (*run)(void *);
	void *arg;
	struct job *next;
} job_t;

typedef struct {
	pthread_mutex_t mu;
	pthread_cond_t work, idle;
	job_t *head, *tail;
	int nthreads, busy, shutdown;
	pthread_t *threads;
} pool_t;

static void *pool_main(void *p) {
	pool_t *pool = p;
	for (;;) {
		pthread_mutex_lock(&pool->mu);
		while (!pool->head && !pool->shutdown)
			pthread_cond_wait(&pool->work, &pool->mu);
		if (!pool->head && pool->shutdown) {
			pthread_mutex_unlock(&pool->mu);
			return NULL;
		}
		job_t *j = pool->head;
		pool->head = j->next;
		if (!pool->head) pool->tail = NULL;
		pool->busy++;
		pthread_mutex_unlock(&pool->mu);

		j->run(j->arg);
		free(j);

		pthread_mutex_lock(&pool->mu);
		pool->busy--;
		if (!pool->busy && !pool->head) pthread_cond_signal(&pool->idle);
		pthread_mutex_unlock(&pool->mu);
	}
}

static pool_t *pool_new(int n) {
	pool_t *p = calloc(1, sizeof *p);
	pthread_mutex_init(&p->mu, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->idle, NULL);
	p->nthreads = n;
	p->threads = calloc(n, sizeof(pthread_t));
	for (int i = 0; i < n; i++) pthread_create(&p->threads[i], NULL, pool_main, p);
	return p;
}

static void pool_submit(pool_t *p, void (*run)(void *), void *arg) {
	job_t *j = malloc(sizeof *j);
	j->run = run; j->arg = arg; j->next = NULL;
	pthread_mutex_lock(&p->mu);
	if (p->tail) p->tail->next = j; else p->head = j;
	p->tail = j;
	pthread_cond_signal(&p->work);
	pthread_mutex_unlock(&p->mu);
}

static void pool_wait(pool_t *p) {
	pthread_mutex_lock(&p->mu);
	while (p->busy || p->head) pthread_cond_wait(&p->idle, &p->mu);
	pthread_mutex_unlock(&p->mu);
}

static void pool_free(pool_t *p) {
	pthread_mutex_lock(&p->mu);
	p->shutdown = 1;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->mu);
	for (int i = 0; i < p->nthreads; i++) pthread_join(p->threads[i], NULL);
	free(p->threads);
	free(p);
}

static int size = 900, iterations = 300;
static unsigned char *image;

typedef struct { int x, y, w, h; } tile_t;

static void draw(void *a) {
	tile_t *t = a;
	for (int y = t->y; y < t->y + t->h; y++)
		for (int x = t->x; x < t->x + t->w; x++) {
			double cr = 3.0 * x / size - 2.2, ci = 3.0 * y / size - 1.5, zr = 0, zi = 0;
			int n = 0;
			while (n < iterations && zr * zr + zi * zi < 4) {
				double s = zr * zr - zi * zi + cr;
				zi = 2 * zr * zi + ci;
				zr = s;
				n++;
			}
			image[y * size + x] = n & 255;
		}
	free(t);
}

int main(int argc, char **argv) {
	int threads = 4, tile = 50, c;
	while ((c = getopt(argc, argv, "t:s:T:i:")) != -1) switch (c) {
		case 't': threads = atoi(optarg); break;
		case 's': size = atoi(optarg); break;
		case 'T': tile = atoi(optarg); break;
		case 'i': iterations = atoi(optarg); break;
		default: fprintf(stderr, "usage: mandel [-t threads] [-s size] [-T tile] [-i iterations]\n"); return 2;
	}
	image = malloc((size_t)size * size);
	pool_t *p = pool_new(threads);
	for (int y = 0; y < size; y += tile)
		for (int x = 0; x < size; x += tile) {
			tile_t *t = malloc(sizeof *t);
			t->x = x; t->y = y;
			t->w = x + tile > size ? size - x : tile;
			t->h = y + tile > size ? size - y : tile;
			pool_submit(p, draw, t);
		}
	pool_wait(p);
	pool_free(p);
	unsigned long sum = 0;
	for (long i = 0; i < (long)size * size; i++) sum = sum * 31 + image[i];
	printf("%lx\n", sum);
	return 0;
}
