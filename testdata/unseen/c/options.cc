// options: prices options by simulation; tasks with futures on a pool of threads
#include <cmath>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <vector>

class ThreadPool {
public:
	explicit ThreadPool(size_t n) {
		for (size_t i = 0; i < n; ++i)
			workers.emplace_back([this] {
				for (;;) {
					std::function<void()> task;
					{
						std::unique_lock<std::mutex> lock(mutex);
						condition.wait(lock, [this] { return stop || !tasks.empty(); });
						if (stop && tasks.empty()) return;
						task = std::move(tasks.front());
						tasks.pop();
					}
					task();
				}
			});
	}
	template <class F>
	auto enqueue(F &&f) -> std::future<decltype(f())> {
		auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::forward<F>(f));
		auto result = task->get_future();
		{
			std::unique_lock<std::mutex> lock(mutex);
			tasks.emplace([task] { (*task)(); });
		}
		condition.notify_one();
		return result;
	}
	~ThreadPool() {
		{
			std::unique_lock<std::mutex> lock(mutex);
			stop = true;
		}
		condition.notify_all();
		for (auto &w : workers) w.join();
	}

private:
	std::vector<std::thread> workers;
	std::queue<std::function<void()>> tasks;
	std::mutex mutex;
	std::condition_variable condition;
	bool stop = false;
};

static double price(double strike, int paths, unsigned seed) {
	std::mt19937 g(seed);
	std::normal_distribution<double> z;
	double sum = 0;
	for (int i = 0; i < paths; i++) {
		double s = 100;
		for (int d = 0; d < 12; d++) s *= std::exp(0.002 + 0.05 * z(g));
		sum += std::max(s - strike, 0.0);
	}
	return sum / paths;
}

int main(int argc, char **argv) {
	size_t threads = 2;
	int options = 100, paths = 4000;
	for (int i = 1; i < argc; i++) {
		std::string a = argv[i];
		auto v = [&](const char *name) { return a.rfind(name, 0) == 0 ? std::stoi(a.substr(std::string(name).size())) : -1; };
		if (int n = v("--threads="); n > 0) threads = n;
		if (int n = v("--options="); n > 0) options = n;
		if (int n = v("--paths="); n > 0) paths = n;
	}
	ThreadPool pool(threads);
	std::vector<std::future<double>> prices;
	for (int i = 0; i < options; i++) prices.push_back(pool.enqueue([=] { return price(80 + i * 0.4, paths, i); }));
	double total = 0;
	for (auto &p : prices) total += p.get();
	std::cout << total << "\n";
}
