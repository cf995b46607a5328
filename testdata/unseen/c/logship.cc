// logship: collects log lines in batches, packs them, and writes one file
// usage: logship --sources N --packers N --lines N --batch N --out FILE
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

using Batch = std::vector<std::string>;

template <class T>
class Channel {
	std::queue<T> items;
	std::mutex m;
	std::condition_variable filled, room;
	size_t limit;
	bool closed = false;

public:
	explicit Channel(size_t limit) : limit(limit) {}
	void push(T item) {
		std::unique_lock<std::mutex> lk(m);
		room.wait(lk, [&] { return items.size() < limit; });
		items.push(std::move(item));
		lk.unlock();
		filled.notify_one();
	}
	bool pop(T &out) {
		std::unique_lock<std::mutex> lk(m);
		filled.wait(lk, [&] { return closed || !items.empty(); });
		if (items.empty()) return false;
		out = std::move(items.front());
		items.pop();
		lk.unlock();
		room.notify_one();
		return true;
	}
	void close() {
		{
			std::lock_guard<std::mutex> lk(m);
			closed = true;
		}
		filled.notify_all();
	}
};

class Batcher {
	Channel<Batch> &out;
	std::mutex m;
	Batch current;
	size_t size;

public:
	Batcher(Channel<Batch> &out, size_t size) : out(out), size(size) {}
	void add(std::string line) {
		Batch full;
		{
			std::lock_guard<std::mutex> lk(m);
			current.push_back(std::move(line));
			if (current.size() < size) return;
			full.swap(current);
		}
		out.push(std::move(full));
	}
	void flush() {
		std::lock_guard<std::mutex> lk(m);
		if (!current.empty()) out.push(std::move(current));
	}
};

static std::string pack(const Batch &b) { // run lengths and a dictionary of the last 4096 bytes, badly
	std::string in, out;
	for (auto &l : b) in += l;
	for (size_t i = 0; i < in.size();) {
		size_t best = 0, at = 0, from = i > 400 ? i - 400 : 0;
		for (size_t j = from; j < i; j++) {
			size_t k = 0;
			while (k < 60 && i + k < in.size() && in[j + k] == in[i + k]) k++;
			if (k > best) best = k, at = i - j;
		}
		if (best > 3) {
			out += char(best);
			out += char(at);
			i += best;
		} else {
			out += in[i++];
		}
	}
	return out;
}

int main(int argc, char **argv) {
	int sources = 3, packers = 2, lines = 6000, batch = 50;
	std::string file = "/dev/null";
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--sources")) sources = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--packers")) packers = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--lines")) lines = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--batch")) batch = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--out")) file = argv[i + 1];
		else return 2;
	}
	Channel<Batch> batches(4);
	Channel<std::string> packed(16);
	Batcher batcher(batches, batch);
	std::vector<std::thread> producers, workers;
	for (int s = 0; s < sources; s++)
		producers.emplace_back([&, s] {
			unsigned seed = s + 1;
			for (int i = 0; i < lines / sources; i++) {
				std::string l = "2024-11-03T10:" + std::to_string(i % 60) + " source" + std::to_string(s) + " ";
				for (int k = 0; k < 12; k++) {
					seed = seed * 1103515245 + 12345;
					l += "abcdefgh"[seed >> 29];
					l += seed >> 28 & 1 ? "error " : "ok ";
				}
				batcher.add(l + "\n");
			}
		});
	for (int p = 0; p < packers; p++)
		workers.emplace_back([&] {
			Batch b;
			while (batches.pop(b)) packed.push(pack(b));
		});
	size_t written = 0;
	std::thread writer([&] {
		FILE *f = fopen(file.c_str(), "w");
		std::string s;
		while (packed.pop(s)) {
			fwrite(s.data(), 1, s.size(), f);
			fflush(f);
			written += s.size();
		}
		fclose(f);
	});
	for (auto &t : producers) t.join();
	batcher.flush();
	batches.close();
	for (auto &t : workers) t.join();
	packed.close();
	writer.join();
	std::cout << written << " bytes\n";
}
