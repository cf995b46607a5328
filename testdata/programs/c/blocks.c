// A pipeline as compressors have it: a reader takes buffers from a stock and queues them, WORKERS threads work on them, and
// a writer takes the results in the order of the blocks: each is a promise with a lock and a condition of its own.
//
//   gcc -O2 -pthread blocks.c -o blocks -lm && ./blocks BLOCKS WORKERS BUFFERS
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct block {
	struct block *next;
	pthread_mutex_t lock;
	pthread_cond_t done;
	int finished;
	double value;
};

struct list {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct block *first, **last;
	int closed;
};

static struct list queue, order;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t back;
	int left;
} stock = {.lock = PTHREAD_MUTEX_INITIALIZER, .back = PTHREAD_COND_INITIALIZER};

static void init(struct list *l) {
	pthread_mutex_init(&l->lock, 0);
	pthread_cond_init(&l->filled, 0);
	l->last = &l->first;
}

static void take(void) {
	pthread_mutex_lock(&stock.lock);
	while (stock.left == 0) pthread_cond_wait(&stock.back, &stock.lock);
	stock.left--;
	pthread_mutex_unlock(&stock.lock);
}

static void bring(void) {
	pthread_mutex_lock(&stock.lock);
	stock.left++;
	pthread_cond_signal(&stock.back);
	pthread_mutex_unlock(&stock.lock);
}

// A block is in two lists: what it holds is a pair.
struct pair {
	struct pair *next;
	struct block *block;
};

static void put(struct list *l, struct block *b) {
	struct pair *p = malloc(sizeof *p);
	p->next = 0;
	p->block = b;
	pthread_mutex_lock(&l->lock);
	*(struct pair **)l->last = p;
	l->last = (struct block **)&p->next;
	pthread_cond_signal(&l->filled);
	pthread_mutex_unlock(&l->lock);
}

static struct block *get(struct list *l) {
	pthread_mutex_lock(&l->lock);
	while (!l->first && !l->closed) pthread_cond_wait(&l->filled, &l->lock);
	struct pair *p = (struct pair *)l->first;
	struct block *b = 0;
	if (p) {
		l->first = (struct block *)p->next;
		if (!l->first) l->last = &l->first;
		b = p->block;
	}
	pthread_mutex_unlock(&l->lock);
	free(p);
	return b;
}

static void finish(struct list *l) {
	pthread_mutex_lock(&l->lock);
	l->closed = 1;
	pthread_cond_broadcast(&l->filled);
	pthread_mutex_unlock(&l->lock);
}

static double compute(double y, int n) {
	for (int i = 0; i < n; i++) y = sqrt(y * y + i % 7) * 0.999 + 0.1;
	return y;
}

static void *work(void *unused) {
	for (struct block *b; (b = get(&queue));) {
		double y = compute(b->value, 300000);
		pthread_mutex_lock(&b->lock);
		b->value = y;
		b->finished = 1;
		pthread_cond_signal(&b->done);
		pthread_mutex_unlock(&b->lock);
	}
	return unused;
}

static void *write(void *sum) {
	for (struct block *b; (b = get(&order));) {
		pthread_mutex_lock(&b->lock);
		while (!b->finished) pthread_cond_wait(&b->done, &b->lock);
		pthread_mutex_unlock(&b->lock);
		*(double *)sum += compute(b->value, 20000);
		pthread_mutex_destroy(&b->lock);
		pthread_cond_destroy(&b->done);
		free(b);
		bring();
	}
	return 0;
}

int main(int n, char **args) {
	if (n != 4) {
		fprintf(stderr, "usage: blocks BLOCKS WORKERS BUFFERS\n");
		return 3;
	}
	int blocks = atoi(args[1]), workers = atoi(args[2]);
	stock.left = atoi(args[3]);
	init(&queue);
	init(&order);
	double sum = 0;
	pthread_t writer, *threads = calloc(workers, sizeof *threads);
	pthread_create(&writer, 0, write, &sum);
	for (int i = 0; i < workers; i++) pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < blocks; i++) {
		take();
		struct block *b = calloc(1, sizeof *b);
		pthread_mutex_init(&b->lock, 0);
		pthread_cond_init(&b->done, 0);
		b->value = compute(i, 10000);
		put(&queue, b);
		put(&order, b);
	}
	finish(&queue);
	finish(&order);
	for (int i = 0; i < workers; i++) pthread_join(threads[i], 0);
	pthread_join(writer, 0);
	printf("%g\n", sum);
	return 0;
}
