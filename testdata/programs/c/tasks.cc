// Tasks of OpenMP of all kinds: with arguments that have constructors and need their places, in groups, with priorities, not deferred,
// final, made by several threads, and pieces of a loop. It fails if one is lost, or gets other arguments than its own.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

static std::atomic<long> sum{0}, alive{0};

struct Name {
	std::string s;
	alignas(64) long v;
	explicit Name(long v) : s(40, (char)('a' + v % 26)), v(v) { alive++; }
	Name(const Name &o) : s(o.s), v(o.v) {
		alive++;
		if ((uintptr_t)this % 64) abort();
	}
	~Name() { alive--; }
};

static long work(const Name &n) {
	long h = n.v;
	for (int i = 0; i < 200; i++)
		for (char c : n.s) h = h * 31 + c;
	return h & 1023;
}

static void tree(int depth) {
	if (depth == 0) return;
	Name n(depth);
#pragma omp task firstprivate(n) final(depth < 3)
	{
		sum += work(n);
		tree(depth - 1);
	}
#pragma omp task firstprivate(n) priority(depth) if (depth > 1)
	{
		sum += work(n);
		tree(depth - 1);
	}
#pragma omp taskwait
}

static void loop() {
#pragma omp taskloop grainsize(4)
	for (int i = 0; i < 64; i++) {
		Name n(i);
		sum += work(n);
	}
}

static void chain(long *steps, int n) {
	for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : *steps)
		*steps = *steps * 31 + i;
	}
}

int main(int argc, char **argv) {
	int threads = argc > 1 ? atoi(argv[1]) : 3;
	tree(6);
	long one = sum.exchange(0);
	loop();
	long all = 8 * one + sum.exchange(0), steps = 1, want = 1;
	for (int i = 0; i < 50; i++) want = want * 31 + i;
#pragma omp parallel num_threads(threads)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 8; i++) {
#pragma omp taskgroup
			tree(6);
		}
#pragma omp single
		loop();
#pragma omp master
		chain(&steps, 50);
	}
	if (sum != all || alive != 0 || steps != want) {
		fprintf(stderr, "sum %ld for %ld, %ld alive, steps %ld for %ld\n", sum.load(), all, alive.load(), steps, want);
		return 1;
	}
}
