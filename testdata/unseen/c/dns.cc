// dns: resolvers that share a cache of names, which expires; usage: dns -r readers -u updaters -n lookups -k names
#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

struct Entry {
	std::string address;
	uint64_t version;
};

class Cache {
	mutable std::shared_mutex lock;
	std::unordered_map<std::string, Entry> entries;

public:
	bool find(const std::string &name, Entry &out) const {
		std::shared_lock hold(lock);
		auto it = entries.find(name);
		if (it == entries.end()) return false;
		out = it->second;
		return true;
	}
	void put(const std::string &name, Entry e) {
		std::unique_lock hold(lock);
		entries[name] = std::move(e);
	}
	void refresh(uint64_t version) {
		std::unique_lock hold(lock);
		for (auto &[name, e] : entries) {
			uint64_t h = 1469598103934665603ull;
			for (char c : name + e.address) h = (h ^ c) * 1099511628211ull;
			e.version = version + (h & 1);
		}
	}
};

static std::string resolve(const std::string &name) { // what a server far away would say
	uint64_t h = 1469598103934665603ull;
	for (int round = 0; round < 3000; round++)
		for (char c : name) h = (h ^ c) * 1099511628211ull;
	std::ostringstream out;
	out << (h >> 24 & 255) << '.' << (h >> 16 & 255) << '.' << (h >> 8 & 255) << '.' << (h & 255);
	return out.str();
}

static uint64_t check(const std::string &name, const Entry &e) {
	uint64_t h = e.version;
	for (int round = 0; round < 40; round++)
		for (char c : name + e.address) h = (h ^ c) * 1099511628211ull;
	return h;
}

int main(int argc, char **argv) {
	int readers = 3, updaters = 1, lookups = 60000, names = 2000, o;
	while ((o = getopt(argc, argv, "r:u:n:k:")) != -1) switch (o) {
		case 'r': readers = atoi(optarg); break;
		case 'u': updaters = atoi(optarg); break;
		case 'n': lookups = atoi(optarg); break;
		case 'k': names = atoi(optarg); break;
		default: return 2;
	}
	Cache cache;
	std::vector<std::thread> threads;
	std::vector<uint64_t> sums(readers);
	for (int r = 0; r < readers; r++)
		threads.emplace_back([&, r] {
			uint64_t seed = r * 7919 + 17;
			for (int i = 0; i < lookups / readers; i++) {
				seed = seed * 6364136223846793005ull + 1442695040888963407ull;
				std::string name = "host" + std::to_string((seed >> 33) % names) + ".example.org";
				Entry e;
				if (!cache.find(name, e)) {
					e = {resolve(name), 1};
					cache.put(name, e);
				}
				sums[r] += check(name, e);
			}
		});
	std::vector<std::thread> refreshers;
	for (int u = 0; u < updaters; u++)
		refreshers.emplace_back([&, u] {
			for (int i = 0; i < 20; i++) {
				std::this_thread::sleep_for(std::chrono::milliseconds(10));
				cache.refresh(i + u);
			}
		});
	for (auto &t : threads) t.join();
	for (auto &t : refreshers) t.join();
	uint64_t sum = 0;
	for (auto s : sums) sum += s;
	std::cout << std::hex << sum << "\n";
}
