// blockpack: packs a (generated) log in independent blocks.
// readers -> [raw] -> compressors -> [packed] -> sealers -> [sealed] -> ordered writer -> file
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

template <class T>
class BoundedQueue {
public:
    BoundedQueue(size_t capacity, int producers) : capacity_(capacity), producers_(producers) {}

    void push(T item) {
        std::unique_lock lk(mutex_);
        not_full_.wait(lk, [&] { return items_.size() < capacity_; });
        items_.push_back(std::move(item));
        not_empty_.notify_one();
    }

    // Empty result: all producers are done and the queue is drained.
    std::optional<T> pop() {
        std::unique_lock lk(mutex_);
        not_empty_.wait(lk, [&] { return !items_.empty() || producers_ == 0; });
        if (items_.empty()) return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        not_full_.notify_one();
        return item;
    }

    void producer_done() {
        std::lock_guard lk(mutex_);
        if (--producers_ == 0) not_empty_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable not_full_, not_empty_;
    std::deque<T> items_;
    size_t capacity_;
    int producers_;
};

struct Block {
    uint64_t seq = 0;
    uint32_t raw_size = 0, crc = 0;
    std::string data;
};

struct Options {
    int readers = 1, compressors = 3, sealers = 1, blocks = 700, kbytes = 64, capacity = 8, effort = 32;
};

static std::string make_log(uint64_t seq, size_t bytes) {
    static const char *levels[] = {"INFO", "WARN", "DEBUG", "ERROR"};
    static const char *verbs[] = {"opened", "closed", "retried", "rejected", "forwarded", "cached"};
    std::mt19937_64 rng(seq * 1000003 + 17);
    std::string out;
    char line[160];
    while (out.size() < bytes) {
        uint64_t r = rng();
        snprintf(line, sizeof line, "2024-03-%02u %02u:%02u:%02u %s worker-%u %s request %08x in %u us\n",
                 unsigned(r % 28 + 1), unsigned(r >> 8) % 24, unsigned(r >> 16) % 60, unsigned(r >> 24) % 60,
                 levels[(r >> 30) & 3], unsigned(r >> 32) % 16, verbs[(r >> 40) % 6], unsigned(rng()), unsigned(r >> 48));
        out += line;
    }
    out.resize(bytes);
    return out;
}

// LZ77 with hash chains: literal runs (0, len, bytes) and matches (len, distance16).
static std::string compress(const std::string &in, int effort) {
    std::vector<int> head(1 << 14, -1), prev(in.size(), -1);
    std::string out, literals;
    auto flush = [&] {
        if (!literals.empty()) { out += '\0'; out += char(literals.size()); out += literals; literals.clear(); }
    };
    for (size_t i = 0; i < in.size();) {
        size_t best = 0, dist = 0, step = 1;
        if (i + 4 <= in.size()) {
            auto hash = [&](size_t p) { uint32_t w; memcpy(&w, &in[p], 4); return (w * 2654435761u) >> 18; };
            int tries = effort;
            for (int c = head[hash(i)]; c >= 0 && tries-- > 0 && i - c < 65536; c = prev[c]) {
                size_t m = 0;
                while (m < 255 && i + m < in.size() && in[c + m] == in[i + m]) m++;
                if (m > best) { best = m; dist = i - c; }
            }
            if (best >= 4) step = best;
            for (size_t k = i; k < i + step && k + 4 <= in.size(); k++) { prev[k] = head[hash(k)]; head[hash(k)] = int(k); }
        }
        if (best >= 4) { flush(); out += char(best); out += char(dist & 255); out += char(dist >> 8); }
        else { literals += in[i]; if (literals.size() == 255) flush(); }
        i += step;
    }
    flush();
    return out;
}

static uint32_t crc32(const std::string &s) {
    uint32_t c = ~0u;
    for (unsigned char b : s) { c ^= b; for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xEDB88320u & -(c & 1)); }
    return ~c;
}

// XTEA in counter mode.
static void encrypt(Block &b) {
    static const uint32_t key[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    for (size_t i = 0; i < b.data.size(); i += 8) {
        uint32_t x = uint32_t(b.seq), y = uint32_t(i), sum = 0;
        for (int r = 0; r < 32; r++) {
            x += ((y << 4 ^ y >> 5) + y) ^ (sum + key[sum & 3]); sum += 0x9E3779B9;
            y += ((x << 4 ^ x >> 5) + x) ^ (sum + key[sum >> 11 & 3]);
        }
        for (size_t k = 0; k < 8 && i + k < b.data.size(); k++) b.data[i + k] ^= char((k < 4 ? x : y) >> 8 * (k & 3));
    }
}

int main(int argc, char **argv) {
    Options o;
    std::map<std::string, int *> names = {{"--readers", &o.readers}, {"--compressors", &o.compressors}, {"--sealers", &o.sealers},
        {"--blocks", &o.blocks}, {"--kbytes", &o.kbytes}, {"--capacity", &o.capacity}, {"--effort", &o.effort}};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!names.count(argv[i])) { fprintf(stderr, "unknown option %s\n", argv[i]); return 2; }
        *names[argv[i]] = atoi(argv[i + 1]);
    }
    BoundedQueue<Block> raw(o.capacity, o.readers), packed(o.capacity, o.compressors), sealed(o.capacity, o.sealers);
    std::atomic<uint64_t> next_seq{0}, bytes_in{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < o.readers; i++) threads.emplace_back([&] {
        for (uint64_t seq; (seq = next_seq.fetch_add(1)) < uint64_t(o.blocks);) {
            Block b{seq, uint32_t(o.kbytes) * 1024, 0, make_log(seq, size_t(o.kbytes) * 1024)};
            bytes_in += b.data.size();
            raw.push(std::move(b));
        }
        raw.producer_done();
    });
    for (int i = 0; i < o.compressors; i++) threads.emplace_back([&] {
        while (auto b = raw.pop()) { b->crc = crc32(b->data); b->data = compress(b->data, o.effort); packed.push(std::move(*b)); }
        packed.producer_done();
    });
    for (int i = 0; i < o.sealers; i++) threads.emplace_back([&] {
        while (auto b = packed.pop()) { encrypt(*b); sealed.push(std::move(*b)); }
        sealed.producer_done();
    });

    char path[] = "/tmp/blockpackXXXXXX";
    FILE *f = fdopen(mkstemp(path), "w+b");
    uint64_t bytes_out = 0, want = 0;
    uint32_t check = 0;
    std::thread writer([&] {
        std::map<uint64_t, Block> waiting;
        while (auto b = sealed.pop()) {
            waiting.emplace(b->seq, std::move(*b));
            for (auto it = waiting.begin(); it != waiting.end() && it->first == want; it = waiting.erase(it), want++) {
                Block &w = it->second;
                uint32_t header[3] = {w.raw_size, w.crc, uint32_t(w.data.size())};
                fwrite(header, sizeof header, 1, f);
                fwrite(w.data.data(), 1, w.data.size(), f);
                check = check * 31 + crc32(w.data);
                bytes_out += sizeof header + w.data.size();
            }
        }
        fflush(f);
    });
    for (auto &t : threads) t.join();
    writer.join();
    fclose(f);
    unlink(path);
    printf("%llu blocks, %llu -> %llu bytes, check %08x\n", (unsigned long long)want, (unsigned long long)bytes_in.load(),
           (unsigned long long)bytes_out, check);
    return 0;
}
