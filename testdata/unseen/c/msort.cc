// msort: parallel merge sort. usage: msort COUNT DEPTH
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <random>
#include <vector>

template <class It>
void merge_sort(It first, It last, int depth) {
	auto n = last - first;
	if (n < 2) return;
	if (n <= 1024) {
		std::sort(first, last);
		return;
	}
	It middle = first + n / 2;
	if (depth > 0) {
		auto left = std::async(std::launch::async, [=] { merge_sort(first, middle, depth - 1); });
		merge_sort(middle, last, depth - 1);
		left.get();
	} else {
		merge_sort(first, middle, 0);
		merge_sort(middle, last, 0);
	}
	std::inplace_merge(first, middle, last);
}

int main(int argc, char **argv) {
	if (argc != 3) {
		std::fprintf(stderr, "usage: msort COUNT DEPTH\n");
		return 2;
	}
	std::vector<int> v(std::atol(argv[1]));
	std::mt19937 random(42);
	for (auto &x : v) x = random();
	merge_sort(v.begin(), v.end(), std::atoi(argv[2]));
	std::printf("%d %d sorted: %d\n", v.front(), v.back(), (int)std::is_sorted(v.begin(), v.end()));
}
