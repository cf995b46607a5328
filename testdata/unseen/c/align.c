// align: Smith-Waterman alignment of two sequences in blocks, OpenMP tasks with dependences, best score under a critical section.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n = 6000, block = 300;
static int *h;
static char *a, *b;
static int best;

static int max(int x, int y) { return x > y ? x : y; }

static void cell_block(int bi, int bj) {
	int local = 0;
	for (int i = bi * block + 1; i <= (bi + 1) * block; i++)
		for (int j = bj * block + 1; j <= (bj + 1) * block; j++) {
			int s = a[i - 1] == b[j - 1] ? 3 : -2;
			int v = max(0, h[(size_t)(i - 1) * (n + 1) + j - 1] + s);
			v = max(v, h[(size_t)(i - 1) * (n + 1) + j] - 2);
			v = max(v, h[(size_t)i * (n + 1) + j - 1] - 2);
			h[(size_t)i * (n + 1) + j] = v;
			local = max(local, v);
		}
#pragma omp critical
	best = max(best, local);
}

int main(int argc, char **argv) {
	int threads = 2;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-t")) threads = atoi(argv[i + 1]);
		if (!strcmp(argv[i], "-n")) n = atoi(argv[i + 1]);
		if (!strcmp(argv[i], "-b")) block = atoi(argv[i + 1]);
	}
	omp_set_num_threads(threads);
	n = n / block * block;
	a = malloc(n);
	b = malloc(n);
	srand(1);
	for (int i = 0; i < n; i++) {
		a[i] = "ACGT"[rand() & 3];
		b[i] = "ACGT"[rand() & 3];
	}
	h = calloc((size_t)(n + 1) * (n + 1), sizeof *h);
	int blocks = n / block;
	char *done = calloc((size_t)(blocks + 1) * (blocks + 1), 1);
#pragma omp parallel
#pragma omp single
	for (int r = 0; r < 3; r++) {
		for (int i = 0; i < blocks; i++)
			for (int j = 0; j < blocks; j++) {
				char *up = &done[(size_t)i * (blocks + 1) + j + 1], *left = &done[(size_t)(i + 1) * (blocks + 1) + j];
				char *me = &done[(size_t)(i + 1) * (blocks + 1) + j + 1];
#pragma omp task depend(in : *up, *left) depend(out : *me) firstprivate(i, j)
				cell_block(i, j);
			}
#pragma omp taskwait
	}
	printf("best %d\n", best);
}
