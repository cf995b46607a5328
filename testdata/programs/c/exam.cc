// The exam of the front ends (exam.c) in C++20: std::thread, std::mutex, std::condition_variable.
//   g++ -std=c++20 -O2 -pthread exam.cc
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

template <typename T> class Queue {
	std::mutex lock;
	std::condition_variable filled, room;
	std::deque<T> items;
	const std::size_t capacity;
	bool closed = false;

public:
	explicit Queue(std::size_t capacity) : capacity(capacity) {}

	void send(T x) {
		std::unique_lock held(lock);
		room.wait(held, [&] { return items.size() < capacity; });
		items.push_back(x);
		filled.notify_one();
	}

	std::optional<T> receive() {
		std::unique_lock held(lock);
		filled.wait(held, [&] { return !items.empty() || closed; });
		if (items.empty()) return {};
		T x = items.front();
		items.pop_front();
		room.notify_one();
		return x;
	}

	void close() {
		std::lock_guard held(lock);
		closed = true;
		filled.notify_all();
	}
};

static double compute(int x) {
	double y = x;
	for (int i = 0; i < 100000; i++) y = std::sqrt(y * y + i % 7) * 0.999 + 0.1;
	return y;
}

int main(int n, char **args) {
	if (n != 3) {
		std::fprintf(stderr, "usage: exam TASKS WORKERS\n");
		return 3;
	}
	int tasks = std::atoi(args[1]), workers = std::atoi(args[2]);
	Queue<int> queue(4);
	std::mutex lock;
	double sum = 0;
	{
		std::vector<std::jthread> threads;
		for (int i = 0; i < workers; i++)
			threads.emplace_back([&] {
				while (auto x = queue.receive()) {
					double y = compute(*x);
					std::lock_guard held(lock);
					sum += y;
				}
			});
		for (int i = 0; i < tasks; i++) queue.send(i);
		std::this_thread::sleep_for(std::chrono::milliseconds(100)); // nothing comes for a while, so that workers wait
		queue.close();
	}
	std::printf("%g\n", sum);
}
