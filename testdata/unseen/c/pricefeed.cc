// pricefeed - collect quotes from a remote service and keep an indexed book.
//
//   fetchers --> [inbox] --> batcher --> [batch queue] --> appliers --> shards
//
// Fetchers call a remote service (nanosleep stands for the round trip); a
// counting_semaphore is the rate limiter on calls in flight.  The batcher
// collects quotes until a batch is full or FLUSH-US have passed since its
// first quote.  Appliers commit batches: every commit pays a fixed latency (a
// round trip to a journal), then updates per-shard books under their mutexes.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

struct Options {
    int fetchers = 8;         // -f
    int in_flight = 6;        // -i  concurrent remote calls allowed
    int appliers = 2;         // -a
    int shards = 8;           // -s
    int calls = 2800;         // -n  remote calls in total
    int quotes = 24;          // -q  quotes per call
    int batch = 128;          // -b
    int flush_us = 3000;      // -u
    int rtt_us = 2000;        // -r
    int commit_us = 600;      // -c
    int inbox = 1024;         // -x  inbox capacity, quotes
    int queue = 4;            // -k  batch queue capacity
    int rounds = 60;          // -w  validation work per quote
};

struct Quote {
    uint32_t symbol;
    uint32_t price;
    uint64_t id;
    uint64_t seal;
};
using Batch = std::vector<Quote>;

uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(size_t cap) : cap_(cap) {}

    void push(T v) {
        std::unique_lock lk(mu_);
        not_full_.wait(lk, [this] { return items_.size() < cap_; });
        items_.push_back(std::move(v));
        lk.unlock();
        not_empty_.notify_one();
    }

    void push_all(std::vector<T>& vs) {
        std::unique_lock lk(mu_);
        for (auto& v : vs) {
            if (items_.size() >= cap_) {
                not_empty_.notify_one();
                not_full_.wait(lk, [this] { return items_.size() < cap_; });
            }
            items_.push_back(std::move(v));
        }
        lk.unlock();
        not_empty_.notify_one();
        vs.clear();
    }

    std::optional<T> pop() {
        std::unique_lock lk(mu_);
        not_empty_.wait(lk, [this] { return !items_.empty() || closed_; });
        if (items_.empty())
            return std::nullopt;
        T v = std::move(items_.front());
        items_.pop_front();
        lk.unlock();
        not_full_.notify_one();
        return v;
    }

    // Move up to `max` items to `out`; wait until `deadline` for the first.
    // Returns false when closed and drained.
    bool drain(std::vector<T>& out, size_t max, std::optional<Clock::time_point> deadline) {
        std::unique_lock lk(mu_);
        auto ready = [this] { return !items_.empty() || closed_; };
        if (deadline)
            not_empty_.wait_until(lk, *deadline, ready);
        else
            not_empty_.wait(lk, ready);
        if (items_.empty())
            return !closed_;
        const size_t n = std::min(max, items_.size());
        std::move(items_.begin(), items_.begin() + n, std::back_inserter(out));
        items_.erase(items_.begin(), items_.begin() + n);
        lk.unlock();
        not_full_.notify_all();
        return true;
    }

    void close() {
        {
            std::lock_guard lk(mu_);
            closed_ = true;
        }
        not_empty_.notify_all();
    }

private:
    const size_t cap_;
    std::mutex mu_;
    std::condition_variable not_empty_, not_full_;
    std::deque<T> items_;
    bool closed_ = false;
};

struct alignas(64) Shard {
    std::mutex mu;
    std::unordered_map<uint32_t, std::map<uint32_t, uint32_t>> book;  // price -> count
    uint64_t seals = 0;
    uint64_t quotes = 0;
};

class Feed {
public:
    explicit Feed(const Options& o)
        : opt_(o), limiter_(o.in_flight), ready_(o.fetchers + 1), inbox_(o.inbox),
          batches_(o.queue), shards_(std::make_unique<Shard[]>(o.shards)) {}

    uint64_t run() {
        std::vector<std::jthread> appliers, fetchers;
        for (int i = 0; i < opt_.appliers; ++i)
            appliers.emplace_back([this] { apply_loop(); });
        std::jthread batcher([this] { batch_loop(); });
        for (int i = 0; i < opt_.fetchers; ++i)
            fetchers.emplace_back([this] { fetch_loop(); });

        ready_.arrive_and_wait();
        const auto t0 = Clock::now();
        fetchers.clear();            // joins
        inbox_.close();
        batcher.join();
        batches_.close();
        appliers.clear();
        const std::chrono::duration<double> dt = Clock::now() - t0;
        std::fprintf(stderr, "%.3f s, %ld batches (%ld by timeout)\n", dt.count(), n_batches_,
                     n_timeouts_);
        return checksum();
    }

private:
    void fetch_loop() {
        ready_.arrive_and_wait();
        std::vector<Quote> got;
        for (;;) {
            const int call = next_call_.fetch_add(1, std::memory_order_relaxed);
            if (call >= opt_.calls)
                return;
            limiter_.acquire();
            remote_call(call, got);
            limiter_.release();
            for (auto& q : got)
                q.seal = seal(q);
            inbox_.push_all(got);
        }
    }

    void remote_call(int call, std::vector<Quote>& out) const {
        const uint64_t seed = mix(call);
        // round trips spread over 0.75 .. 1.25 of the nominal one
        const int us = opt_.rtt_us * 3 / 4 +
                       static_cast<int>(seed % (static_cast<uint64_t>(opt_.rtt_us) / 2 + 1));
        timespec ts{us / 1000000, us % 1000000 * 1000L};
        nanosleep(&ts, nullptr);
        for (int i = 0; i < opt_.quotes; ++i) {
            const uint64_t r = mix(seed + i);
            out.push_back({static_cast<uint32_t>(r % 500), static_cast<uint32_t>((r >> 32) % 400),
                           static_cast<uint64_t>(call) * opt_.quotes + i, 0});
        }
    }

    uint64_t seal(const Quote& q) const {
        uint64_t h = q.id ^ (static_cast<uint64_t>(q.price) << 40);
        for (int i = 0; i < opt_.rounds * 50; ++i)
            h = mix(h ^ q.symbol);
        return h;
    }

    void batch_loop() {
        Batch cur;
        std::optional<Clock::time_point> deadline;
        const size_t want = opt_.batch;
        bool open = true;
        while (open) {
            open = inbox_.drain(cur, want - cur.size(), deadline);
            if (cur.empty())
                continue;
            const auto now = Clock::now();
            if (!deadline)
                deadline = now + std::chrono::microseconds(opt_.flush_us);
            if (cur.size() == want || now >= *deadline || !open) {
                if (cur.size() < want)
                    ++n_timeouts_;
                ++n_batches_;
                batches_.push(std::exchange(cur, {}));
                deadline.reset();
            }
        }
    }

    void apply_loop() {
        std::vector<std::vector<const Quote*>> by_shard(opt_.shards);
        while (auto b = batches_.pop()) {
            std::this_thread::sleep_for(std::chrono::microseconds(opt_.commit_us));
            for (const Quote& q : *b)
                by_shard[q.symbol % opt_.shards].push_back(&q);
            for (int s = 0; s < opt_.shards; ++s) {
                if (by_shard[s].empty())
                    continue;
                std::lock_guard lk(shards_[s].mu);
                for (const Quote* q : by_shard[s]) {
                    ++shards_[s].book[q->symbol][q->price];
                    shards_[s].seals += mix(q->seal);
                    ++shards_[s].quotes;
                }
                by_shard[s].clear();
            }
        }
    }

    uint64_t checksum() const {
        uint64_t sum = 0;
        for (int s = 0; s < opt_.shards; ++s) {
            sum += shards_[s].seals + shards_[s].quotes;
            for (auto& [symbol, levels] : shards_[s].book)
                for (auto& [price, count] : levels)
                    sum += mix((static_cast<uint64_t>(symbol) << 32 | price) ^ mix(count));
        }
        return sum;
    }

    const Options opt_;
    std::counting_semaphore<> limiter_;
    std::latch ready_;
    BoundedQueue<Quote> inbox_;
    BoundedQueue<Batch> batches_;
    std::unique_ptr<Shard[]> shards_;
    std::atomic<int> next_call_{0};
    long n_batches_ = 0, n_timeouts_ = 0;     // batcher thread only, read after join
};

}  // namespace

int main(int argc, char** argv) {
    Options o;
    const std::array<std::pair<char, int*>, 13> knobs{{
        {'f', &o.fetchers}, {'i', &o.in_flight}, {'a', &o.appliers}, {'s', &o.shards},
        {'n', &o.calls},    {'q', &o.quotes},    {'b', &o.batch},    {'u', &o.flush_us},
        {'r', &o.rtt_us},   {'c', &o.commit_us}, {'x', &o.inbox},    {'k', &o.queue},
        {'w', &o.rounds},
    }};
    int c;
    while ((c = getopt(argc, argv, "f:i:a:s:n:q:b:u:r:c:x:k:w:")) != -1) {
        auto it = std::find_if(knobs.begin(), knobs.end(), [&](auto& k) { return k.first == c; });
        if (it == knobs.end()) {
            std::fprintf(stderr, "usage: pricefeed [-f fetchers] [-i in-flight] [-a appliers] "
                         "[-s shards] [-n calls] [-q quotes-per-call] [-b batch] [-u flush-us] "
                         "[-r rtt-us] [-c commit-us] [-x inbox] [-k queue] [-w work]\n");
            return 2;
        }
        *it->second = std::atoi(optarg);
    }
    for (auto& [name, v] : knobs) {
        const bool may_be_zero = name == 'r' || name == 'c' || name == 'w' || name == 'u';
        if (*v < (may_be_zero ? 0 : 1)) {
            std::fprintf(stderr, "pricefeed: bad value for -%c\n", name);
            return 2;
        }
    }
    Feed feed(o);
    std::printf("checksum %016llx\n", static_cast<unsigned long long>(feed.run()));
}
