/* Smoothing with an adaptive grid: one region for all steps; rows are taken by dynamic chunks, as refined rows take longer,
   one thread refines, sections make statistics.   refine STEPS ROWS, OMP_NUM_THREADS */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
	int steps = argc > 1 ? atoi(argv[1]) : 50, rows = argc > 2 ? atoi(argv[2]) : 200;
	int *level = calloc(rows, sizeof *level);
	double *value = calloc(rows, sizeof *value), low = 0, high = 0;
#pragma omp parallel
	for (int s = 0; s < steps; s++) {
#pragma omp for schedule(dynamic, 2)
		for (int r = 0; r < rows; r++) {
			double v = value[r];
			for (int i = 0; i < 1000 << level[r]; i++) v = sqrt(v * v + i * 1e-3);
			value[r] = v;
		}
#pragma omp single
		for (int r = 0; r < rows; r++) {
			level[r] = (r * 7 + s) % 11 == 0 ? 4 : (r + s) % 3;
			for (int i = 0; i < 200; i++) value[r] += 1e-9 * sqrt(i);
		}
#pragma omp sections
		{
#pragma omp section
			for (int k = 0; k < 300; k++) for (int r = 0; r < rows; r++) low = fmin(low, value[r] - k);
#pragma omp section
			for (int k = 0; k < 300; k++) for (int r = 0; r < rows; r++) high = fmax(high, value[r] + k);
		}
	}
	printf("%g %g %g\n", value[rows / 2], low, high);
}
