// sorter: merge sort by OpenMP tasks; small parts are sorted in place.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <string>
#include <vector>

static long least = 20000;

static void sort(uint32_t *a, uint32_t *b, long n) {
	if (n <= least) {
		std::sort(a, a + n);
		return;
	}
	long m = n / 2;
#pragma omp task
	sort(a, b, m);
#pragma omp task
	sort(a + m, b + m, n - m);
#pragma omp taskwait
	std::merge(a, a + m, a + m, a + n, b);
	std::copy(b, b + n, a);
}

int main(int argc, char **argv) {
	int threads = argc > 1 ? atoi(argv[1]) : 2;
	long n = argc > 2 ? atol(argv[2]) : 4000000;
	least = argc > 3 ? atol(argv[3]) : least;
	std::vector<uint32_t> a(n), b(n);
	uint64_t x = 88172645463325252ull;
	for (auto &v : a) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		v = x;
	}
#pragma omp parallel num_threads(threads)
#pragma omp single
	sort(a.data(), b.data(), n);
	printf("%d\n", std::is_sorted(a.begin(), a.end()));
}
