// A builder of modules that need others: a module is given to the pool when the last one that it needs is built, by whoever built
// that, and asks for the results of all of them. main checks them in their order.
// usage: modules THREADS MODULES WORK
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
	explicit Pool(int threads) {
		for (int i = 0; i < threads; i++) workers.emplace_back([this] { work(); });
	}
	~Pool() {
		{
			std::lock_guard<std::mutex> l(m);
			over = true;
		}
		more.notify_all();
		for (auto &w : workers) w.join();
	}
	template <class F> std::future<uint64_t> submit(F f) {
		std::packaged_task<uint64_t()> task(std::move(f));
		auto result = task.get_future();
		{
			std::lock_guard<std::mutex> l(m);
			tasks.push(std::move(task));
		}
		more.notify_one();
		return result;
	}

private:
	void work() {
		for (;;) {
			std::packaged_task<uint64_t()> task;
			{
				std::unique_lock<std::mutex> l(m);
				more.wait(l, [this] { return over || !tasks.empty(); });
				if (tasks.empty()) return;
				task = std::move(tasks.front());
				tasks.pop();
			}
			task();
		}
	}
	std::mutex m;
	std::condition_variable more;
	std::queue<std::packaged_task<uint64_t()>> tasks;
	bool over = false;
	std::vector<std::thread> workers;
};

struct Module {
	std::vector<int> needs, users;
	std::atomic<int> missing{0};
	std::promise<uint64_t> built;
	std::shared_future<uint64_t> object = built.get_future().share();
};

struct Build {
	Pool &pool;
	std::vector<std::unique_ptr<Module>> modules;
	int effort;

	void start(int i) {
		pool.submit([this, i] { return compile(i); });
	}
	uint64_t compile(int i) {
		Module &me = *modules[i];
		uint64_t h = i + 1;
		for (int n : me.needs) h ^= modules[n]->object.get() * 31;
		for (long k = 0; k < effort * (1L + i % 5); k++) h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull + k;
		me.built.set_value(h);
		for (int u : me.users)
			if (--modules[u]->missing == 0) start(u);
		return h;
	}
};

int main(int argc, char **argv) {
	int threads = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 300, effort = argc > 3 ? atoi(argv[3]) : 400000;
	Pool pool(threads);
	Build build{pool, {}, effort};
	unsigned seed = 7;
	for (int i = 0; i < n; i++) {
		auto m = std::make_unique<Module>();
		for (int k = 0; i > 2 && k < 2; k++) {
			seed = seed * 1664525u + 1013904223u;
			int d = i - 1 - int(seed >> 16) % (i < 30 ? i : 30);
			m->needs.push_back(d);
			build.modules[d]->users.push_back(i);
		}
		m->missing = int(m->needs.size());
		build.modules.push_back(std::move(m));
	}
	std::vector<int> first;
	for (int i = 0; i < n; i++)
		if (build.modules[i]->needs.empty()) first.push_back(i);
	for (int i : first) build.start(i);
	uint64_t sum = 0;
	for (auto &m : build.modules) sum = sum * 1000003 + m->object.get();
	printf("%d modules, %016llx\n", n, (unsigned long long)sum);
}
