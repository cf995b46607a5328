/* cells: particles in cells: each step sorts them into cells, computes forces by dynamic chunks, sums energy.
   cells STEPS PARTICLES, OMP_NUM_THREADS */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	int steps = argc > 1 ? atoi(argv[1]) : 200, n = argc > 2 ? atoi(argv[2]) : 10000, cells = 64;
	double *x = malloc(n * sizeof *x), *v = calloc(n, sizeof *v), energy = 0;
	int *cell = malloc(n * sizeof *cell), *count = malloc(cells * sizeof *count);
	int *members = malloc(cells * n * sizeof *members);
	for (int i = 0; i < n; i++) x[i] = fmod(i * 0.6180339887 * (1 + (i % 3) * 0.01), 1);
	for (int s = 0; s < steps; s++) {
		for (int c = 0; c < cells; c++) count[c] = 0;
		for (int i = 0; i < n; i++) {
			cell[i] = (int)(x[i] * x[i] * cells) % cells;
			members[cell[i] * n + count[cell[i]]++] = i;
		}
		double e = 0;
#pragma omp parallel reduction(+ : e)
		{
#pragma omp for schedule(dynamic, 1)
			for (int c = 0; c < cells; c++)
				for (int a = 0; a < count[c]; a++) {
					double f = 0;
					int i = members[c * n + a];
					for (int b = 0; b < count[c]; b++) {
						double d = x[members[c * n + b]] - x[i];
						f += d / (fabs(d * d * d) + 0.01);
					}
					v[i] += f * 1e-7;
				}
#pragma omp for schedule(static)
			for (int i = 0; i < n; i++) {
				x[i] = fabs(fmod(x[i] + v[i], 1));
				e += v[i] * v[i];
			}
#pragma omp single
			{
				double m = 0;
				for (int i = 0; i < n; i++) m += sqrt(x[i] + s);
				energy += m * 1e-9;
			}
#pragma omp critical
			energy += 1e-12 * omp_get_thread_num();
		}
		energy += e;
	}
	printf("%g\n", energy);
}
