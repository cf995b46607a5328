/* spell - checks words of a made-up text against a dictionary: C11 threads, a queue of blocks
 * usage: spell --checkers N --queue N --blocks N --words N */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#define BLOCK 400
typedef struct { char word[BLOCK][12]; } block;

static mtx_t lock;
static cnd_t room, work;
static block **queue;
static int queue_size = 6, head, fill, over, checkers = 3, blocks = 300, words = 3000;
static char (*dict)[12];
static int unknown;

static unsigned next(unsigned *s) { return *s = *s * 1103515245 + 12345; }

static void make(char *w, unsigned *s) {
	int n = 4 + (next(s) >> 28) % 5;
	for (int i = 0; i < n; i++) w[i] = 'a' + (next(s) >> 27) % 12;
	w[n] = 0;
}

static int distance(const char *a, const char *b) {
	int la = strlen(a), lb = strlen(b), row[16];
	for (int j = 0; j <= lb; j++) row[j] = j;
	for (int i = 1; i <= la; i++) {
		int diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int up = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
			if (up + 1 < best) best = up + 1;
			if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
			diagonal = up;
			row[j] = best;
		}
	}
	return row[lb];
}

static int check(void *arg) {
	(void)arg;
	for (;;) {
		mtx_lock(&lock);
		while (!fill && !over) cnd_wait(&work, &lock);
		if (!fill) { mtx_unlock(&lock); return 0; }
		block *b = queue[head];
		head = (head + 1) % queue_size;
		fill--;
		cnd_signal(&room);
		mtx_unlock(&lock);
		int bad = 0;
		for (int i = 0; i < BLOCK; i += 40) {
			int best = 99;
			for (int d = 0; d < words && best; d += 5) {
				int e = distance(b->word[i], dict[d]);
				if (e < best) best = e;
			}
			bad += best > 2;
		}
		free(b);
		mtx_lock(&lock);
		unknown += bad;
		mtx_unlock(&lock);
	}
}

int main(int argc, char **argv) {
	for (int i = 1; i + 1 < argc; i += 2) {
		int v = atoi(argv[i + 1]);
		if (!strcmp(argv[i], "--checkers")) checkers = v;
		else if (!strcmp(argv[i], "--queue")) queue_size = v;
		else if (!strcmp(argv[i], "--blocks")) blocks = v;
		else if (!strcmp(argv[i], "--words")) words = v;
		else return 2;
	}
	mtx_init(&lock, mtx_plain);
	cnd_init(&room);
	cnd_init(&work);
	queue = calloc(queue_size, sizeof *queue);
	dict = calloc(words, sizeof *dict);
	unsigned seed = 7;
	for (int i = 0; i < words; i++) make(dict[i], &seed);
	thrd_t *t = calloc(checkers, sizeof *t);
	for (int i = 0; i < checkers; i++) thrd_create(&t[i], check, NULL);
	for (int n = 0; n < blocks; n++) {
		block *b = malloc(sizeof *b);
		for (int i = 0; i < BLOCK; i++) make(b->word[i], &seed);
		mtx_lock(&lock);
		while (fill == queue_size) cnd_wait(&room, &lock);
		queue[(head + fill++) % queue_size] = b;
		cnd_signal(&work);
		mtx_unlock(&lock);
	}
	mtx_lock(&lock);
	over = 1;
	cnd_broadcast(&work);
	mtx_unlock(&lock);
	for (int i = 0; i < checkers; i++) thrd_join(t[i], NULL);
	printf("%d unknown words\n", unknown);
	return 0;
}
