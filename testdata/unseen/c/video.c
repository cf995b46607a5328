/* video - decodes, filters and encodes synthetic frames in three stages
 *
 * usage: video [--frames N] [--filters N] [--encoders N] [--depth N] [--size N]
 */
#include <getopt.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frame { int number; uint8_t *pixels; };

struct ring {
	struct frame **slot;
	int size, head, count, closed;
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
};

static int frames = 240, filters = 2, encoders = 1, depth = 8, size = 160;

static void ring_init(struct ring *r, int n) {
	memset(r, 0, sizeof *r);
	r->slot = calloc(n, sizeof *r->slot);
	r->size = n;
	pthread_mutex_init(&r->lock, 0);
	pthread_cond_init(&r->not_empty, 0);
	pthread_cond_init(&r->not_full, 0);
}

static void ring_put(struct ring *r, struct frame *f) {
	pthread_mutex_lock(&r->lock);
	while (r->count == r->size) pthread_cond_wait(&r->not_full, &r->lock);
	r->slot[(r->head + r->count++) % r->size] = f;
	pthread_cond_signal(&r->not_empty);
	pthread_mutex_unlock(&r->lock);
}

static struct frame *ring_get(struct ring *r) {
	struct frame *f = 0;
	pthread_mutex_lock(&r->lock);
	while (r->count == 0 && !r->closed) pthread_cond_wait(&r->not_empty, &r->lock);
	if (r->count) {
		f = r->slot[r->head];
		r->head = (r->head + 1) % r->size;
		r->count--;
		pthread_cond_signal(&r->not_full);
	}
	pthread_mutex_unlock(&r->lock);
	return f;
}

static void ring_close(struct ring *r) {
	pthread_mutex_lock(&r->lock);
	r->closed = 1;
	pthread_cond_broadcast(&r->not_empty);
	pthread_mutex_unlock(&r->lock);
}

static struct ring decoded, filtered;

static void *decode(void *unused) {
	uint32_t seed = 1;
	for (int n = 0; n < frames; n++) {
		struct frame *f = malloc(sizeof *f);
		f->number = n;
		f->pixels = malloc(size * size);
		for (int i = 0; i < size * size; i++) {
			seed = seed * 1664525 + 1013904223;
			f->pixels[i] = seed >> 24;
		}
		ring_put(&decoded, f);
	}
	ring_close(&decoded);
	return unused;
}

static void *filter(void *unused) {
	struct frame *f;
	uint8_t *tmp = malloc(size * size);
	while ((f = ring_get(&decoded))) {
		for (int pass = 0; pass < 6; pass++) {
			for (int y = 1; y < size - 1; y++)
				for (int x = 1; x < size - 1; x++) {
					int s = 0;
					for (int j = -1; j <= 1; j++)
						for (int i = -1; i <= 1; i++) s += f->pixels[(y + j) * size + x + i];
					tmp[y * size + x] = s / 9;
				}
			memcpy(f->pixels, tmp, size * size);
		}
		ring_put(&filtered, f);
	}
	free(tmp);
	return unused;
}

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total;

static void *encode(void *unused) {
	struct frame *f;
	while ((f = ring_get(&filtered))) {
		uint64_t bits = 0;
		for (int pass = 0; pass < 8; pass++) {
			uint8_t last = pass;
			for (int i = 0; i < size * size; i++) {
				int d = f->pixels[i] - last;
				last = f->pixels[i];
				bits += __builtin_clz(d * d + 1) ^ 31;
			}
		}
		pthread_mutex_lock(&total_lock);
		total += bits;
		pthread_mutex_unlock(&total_lock);
		free(f->pixels);
		free(f);
	}
	return unused;
}

int main(int argc, char **argv) {
	static struct option o[] = {{"frames", 1, 0, 'n'}, {"filters", 1, 0, 'f'}, {"encoders", 1, 0, 'e'}, {"depth", 1, 0, 'd'}, {"size", 1, 0, 's'}, {0}};
	int c;
	while ((c = getopt_long(argc, argv, "", o, 0)) != -1) switch (c) {
		case 'n': frames = atoi(optarg); break;
		case 'f': filters = atoi(optarg); break;
		case 'e': encoders = atoi(optarg); break;
		case 'd': depth = atoi(optarg); break;
		case 's': size = atoi(optarg); break;
		default: return 2;
	}
	ring_init(&decoded, depth);
	ring_init(&filtered, depth);
	pthread_t d, *f = calloc(filters, sizeof *f), *e = calloc(encoders, sizeof *e);
	pthread_create(&d, 0, decode, 0);
	for (int i = 0; i < filters; i++) pthread_create(&f[i], 0, filter, 0);
	for (int i = 0; i < encoders; i++) pthread_create(&e[i], 0, encode, 0);
	pthread_join(d, 0);
	for (int i = 0; i < filters; i++) pthread_join(f[i], 0);
	ring_close(&filtered);
	for (int i = 0; i < encoders; i++) pthread_join(e[i], 0);
	printf("%d frames, %lu bits\n", frames, (unsigned long)total);
	return 0;
}
